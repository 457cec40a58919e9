/* SPDX-License-Identifier: BSD-3-Clause */
#include "merge_parts.h"

#include <assert.h>
#include <stdlib.h>

#include "src/core/base/log.h"
#include "src/core/base/mix.h"
#include "src/core/trace/slot_sums.h"

uint64_t merge_group_key(const struct group *g)
{
    uint64_t key = mix(g->stream ? rules_hash(g->stream) : 0, g->rows.n);
    for (size_t i = 0; i < g->rows.n; i++)
        key = mix(key, g->rows.items[i].n_slots);
    for (size_t i = 0; i < g->columns.n; i++)
        key = mix(key, g->columns.items[i].slot);
    for (size_t i = 0; i < g->sums.n; i++)
        key = mix(key, g->sums.items[i].slot);
    return key;
}

bool merge_groups_match(const struct group *a, const struct group *b)
{
    if (a->rows.n != b->rows.n || a->columns.n != b->columns.n || !a->stream != !b->stream)
        return false;
    for (size_t i = 0; i < a->rows.n; i++)
        if (a->rows.items[i].n_slots != b->rows.items[i].n_slots)
            return false;
    for (size_t i = 0; i < a->columns.n; i++)
        if (a->columns.items[i].slot != b->columns.items[i].slot)
            return false;
    return slot_sums_match(a, b) && (!a->stream || rules_equal(a->stream, b->stream));
}

static enum refrain_status join_rows(struct row *a, const struct row *b, const struct merge_domain *d)
{
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t i = 0; i < a->n_slots && status == REFRAIN_OK; i++) {
        if (i % SLOT_BLOCK == 0)
            status = slot_block_own(&a->blocks[i / SLOT_BLOCK]);
        if (status == REFRAIN_OK)
            status = merge_rankfns(row_slot_own(a, i), row_slot(b, i), d);
    }
    return status;
}

/* Do corresponding rows of both groups have the same timing numbers? This is so for ranks that made the
 * same calls. */
static bool timings_match(const struct group *a, const struct group *b)
{
    if (a->timings.n != b->timings.n)
        return false;
    for (size_t i = 0; i < a->rows.n; i++) {
        if (a->rows.items[i].timing != b->rows.items[i].timing)
            return false;
    }
    return true;
}

static enum refrain_status join_timings(struct group *a, const struct group *b)
{
    if (timings_match(a, b)) {
        for (size_t i = 0; i < a->timings.n; i++)
            timing_merge(&a->timings.items[i], &b->timings.items[i]);
        return REFRAIN_OK;
    }
    struct merge_timings m;
    enum refrain_status status = merge_timings_start(&m, a, b);
    if (status != REFRAIN_OK)
        return status;
    for (size_t i = 0; i < a->rows.n; i++)
        a->rows.items[i].timing = merge_timings_link(&m, merge_timings_of_a(&m, a->rows.items[i].timing),
                                                     merge_timings_of_b(&m, b->rows.items[i].timing));
    status = merge_timings_finish(&m, a, b, a);
    merge_timings_stop(&m);
    return status;
}

enum refrain_status merge_groups_join(struct group *a, struct group *b, struct merge_known *known)
{
    assert(a->rows.n == b->rows.n && a->columns.n == b->columns.n && a->sums.n == b->sums.n);
    struct merge_domain d;
    enum refrain_status status = merge_known_domain(known, a->ranks, b->ranks, &d);
    if (status == REFRAIN_OK)
        status = join_timings(a, b);
    for (size_t i = 0; i < a->rows.n && status == REFRAIN_OK; i++)
        status = join_rows(&a->rows.items[i], &b->rows.items[i], &d);
    for (size_t i = 0; i < a->columns.n && status == REFRAIN_OK; i++)
        status = merge_rankfns(&a->columns.items[i].series, &b->columns.items[i].series, &d);
    for (size_t i = 0; i < a->sums.n && status == REFRAIN_OK; i++)
        status = merge_rankfns(&a->sums.items[i].factor, &b->sums.items[i].factor, &d);
    if (status == REFRAIN_OK)
        status = merge_known_ranks(&d, &a->ranks);
    group_free(b);
    return status;
}

/* ---- times ----------------------------------------------------------------------------------- */

enum refrain_status merge_timings_start(struct merge_timings *m, const struct group *a, const struct group *b)
{
    *m = (struct merge_timings){.n_a = (uint32_t)a->timings.n, .n = (uint32_t)(a->timings.n + b->timings.n)};
    if (m->n == 0)
        return REFRAIN_OK;
    m->parent = malloc(m->n * sizeof *m->parent);
    if (!m->parent) {
        log_error("out of memory for %u timings", m->n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < m->n; i++)
        m->parent[i] = i;
    return REFRAIN_OK;
}

void merge_timings_stop(struct merge_timings *m)
{
    free(m->parent);
}

/* Find the representative of a set: its smallest member. Paths are halved on the way. */
static uint32_t find(struct merge_timings *m, uint32_t i)
{
    while (m->parent[i] != i)
        i = m->parent[i] = m->parent[m->parent[i]];
    return i;
}

uint32_t merge_timings_of_a(const struct merge_timings *m, uint32_t timing)
{
    return timing < m->n_a ? timing : TIMING_NONE; /* also if no times were recorded */
}

uint32_t merge_timings_of_b(const struct merge_timings *m, uint32_t timing)
{
    return timing < m->n - m->n_a ? m->n_a + timing : TIMING_NONE;
}

uint32_t merge_timings_link(struct merge_timings *m, uint32_t x, uint32_t y)
{
    assert((x == TIMING_NONE || x < m->n) && (y == TIMING_NONE || y < m->n));
    if (x == TIMING_NONE || y == TIMING_NONE)
        return x == TIMING_NONE ? y : x;
    x = find(m, x);
    y = find(m, y);
    uint32_t least = x < y ? x : y;
    m->parent[x] = m->parent[y] = least;
    return least;
}

enum refrain_status merge_timings_finish(struct merge_timings *m, const struct group *a,
                                         const struct group *b, struct group *out)
{
    struct group made = {0};
    uint32_t *to = malloc((m->n + 1) * sizeof *to); /* set -> its timing in the union */
    if (!to) {
        log_error("out of memory for %u timings", m->n);
        return REFRAIN_ERR_MEMORY;
    }
    if (!array_reserve(&made.timings, m->n)) {
        free(to);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < m->n; i++) {
        const struct timing *from = i < m->n_a ? &a->timings.items[i] : &b->timings.items[i - m->n_a];
        uint32_t set = find(m, i);
        if (set == i) {
            to[set] = (uint32_t)made.timings.n;
            made.timings.items[made.timings.n++] = *from;
        } else {
            timing_merge(&made.timings.items[to[set]], from);
        }
    }
    for (size_t r = 0; r < out->rows.n; r++) {
        uint32_t *timing = &out->rows.items[r].timing;
        if (m->n == 0)
            *timing = 0;
        else if (*timing != TIMING_NONE)
            *timing = to[find(m, *timing)];
    }
    free(to);
    array_free(&out->timings);
    out->timings.items = made.timings.items;
    out->timings.n = made.timings.n;
    out->timings.cap = made.timings.cap;
    return REFRAIN_OK;
}
