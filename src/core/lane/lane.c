/* SPDX-License-Identifier: BSD-3-Clause */
#include "lane.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "column.h"
#include "site_table.h"
#include "site_table_store.h"
#include "skeleton.h"
#include "src/core/base/log.h"
#include "src/core/base/placement.h"

/* When the lane is stored, a site with more rows than this is searched for counters. So a loop of twenty
 * iterations gets the same structure as a loop of twenty thousand. */
#define STORED_ROWS 8

struct lane_site {
    struct site_table table;
    struct site site;
};

struct lane {
    ARRAY(struct lane_site) sites;
    uint64_t calls;
    uint64_t run_count; /* the open run is run_site^run_count, */
    uint32_t run_site;  /* which is not yet in the skeleton */
    bool with_times;
    enum lane_kind kind;
    uint32_t number;
    struct skeleton skeleton;
};

struct lane *lane_create(enum lane_kind kind, uint32_t number, bool with_times)
{
    struct lane *l = calloc(1, sizeof *l);
    if (!l) {
        log_error("out of memory for a lane");
        return NULL;
    }
    *l = (struct lane){.kind = kind, .number = number, .with_times = with_times};
    if (skeleton_create(&l->skeleton) != REFRAIN_OK) {
        free(l);
        return NULL;
    }
    return l;
}

void lane_free(struct lane *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->sites.n; i++) {
        free(l->sites.items[i].site.frames);
        site_table_free(&l->sites.items[i].table);
    }
    array_free(&l->sites);
    skeleton_free(&l->skeleton);
    free(l);
}

enum refrain_status lane_add_site(struct lane *l, const struct site *site, uint32_t *index)
{
    if (!array_reserve(&l->sites, 1))
        return REFRAIN_ERR_MEMORY;
    struct lane_site *s = &l->sites.items[l->sites.n];
    *s = (struct lane_site){.site = *site, .table = site_table_empty(LANE_ROWS_MAX)};
    s->site.frames = NULL;
    if (site->n_frames > 0) {
        s->site.frames = malloc(site->n_frames * sizeof *site->frames);
        if (!s->site.frames) {
            log_error("out of memory for a call site of %u frames", site->n_frames);
            return REFRAIN_ERR_MEMORY;
        }
        memcpy(s->site.frames, site->frames, site->n_frames * sizeof *site->frames);
    }
    *index = (uint32_t)l->sites.n++;
    return REFRAIN_OK;
}

/* Move slots to columns; if none qualifies, double the limit. */
static enum refrain_status limit_rows(struct site_table *t)
{
    struct site_table reduced;
    bool found;
    enum refrain_status status = column_extract(t, false, &reduced, &found);
    if (status != REFRAIN_OK)
        return status;
    if (found) {
        site_table_free(t);
        *t = reduced;
    }
    if (t->rows.n >= t->limit)
        t->limit *= 2;
    return REFRAIN_OK;
}

static inline enum refrain_status close_run(struct lane *l)
{
    if (l->run_count == 0)
        return REFRAIN_OK;
    enum refrain_status status = skeleton_append(&l->skeleton, l->run_site, l->run_count);
    if (status == REFRAIN_OK)
        l->run_count = 0;
    return status;
}

HOT static __attribute__((noinline)) enum refrain_status begin_run(struct lane *l, uint32_t site)
{
    enum refrain_status status = close_run(l);
    if (status == REFRAIN_OK) {
        l->run_site = site;
        l->run_count = 1;
    }
    return status;
}

/* Append the site to the skeleton, after the row of the call has been recorded. */
static inline enum refrain_status follow(struct lane *l, uint32_t site)
{
    l->calls++;
    if (l->run_site != site)
        return begin_run(l, site);
    l->run_count++;
    return REFRAIN_OK;
}

/* Record a call that is not simply the site's last row again: the row differs, it is the site's
 * first call, or the site has columns. */
HOT static __attribute__((noinline)) enum refrain_status
record_other(struct lane *l, uint32_t site, const int64_t *slots, uint32_t n, uint64_t gap, uint64_t duration)
{
    struct site_table *t = &l->sites.items[site].table;
    const size_t rows = t->rows.n;
    uint32_t row;
    enum refrain_status status = site_table_record(t, slots, n, &row);
    if (status == REFRAIN_OK && l->with_times)
        status = site_table_add_times(t, row, gap, duration);
    if (status == REFRAIN_OK && t->rows.n > rows && t->rows.n >= t->limit)
        status = limit_rows(t);
    return status == REFRAIN_OK ? follow(l, site) : status;
}

/* Slow paths are tail calls, so the fast path spills no registers. */
HOT enum refrain_status lane_record(struct lane *l, uint32_t site, const int64_t *slots, uint32_t n,
                                    uint64_t gap, uint64_t duration)
{
    assert(site < l->sites.n);
    struct site_table *t = &l->sites.items[site].table;
    if (!site_table_repeat(t, slots, n))
        return record_other(l, site, slots, n, gap, duration);
    if (l->with_times)
        timing_add(&t->timings.items[t->run_row], gap, duration);
    return follow(l, site);
}

void lane_renumber(struct lane *l, uint32_t number)
{
    l->number = number;
}

uint64_t lane_calls(const struct lane *l)
{
    return l->calls;
}

size_t lane_bytes(const struct lane *l)
{
    size_t bytes = sizeof *l + l->sites.cap * sizeof *l->sites.items + skeleton_bytes(&l->skeleton);
    for (size_t i = 0; i < l->sites.n; i++)
        bytes += site_table_bytes(&l->sites.items[i].table) +
                 l->sites.items[i].site.n_frames * sizeof(struct frame);
    return bytes;
}

/* ---- storing --------------------------------------------------------------------------------- */

/* Store the table with its counters moved to columns, if new rows still came in the second half of its calls.
 * Then a copy is changed, and the table stays as it is. Other slots stay in the rows, where the merge can
 * express them as functions of the rank. */
static enum refrain_status store_reduced(struct site_table *t, bool varies, uint32_t rank,
                                         struct trace *trace, struct group *g)
{
    struct site_table now = site_table_empty(0), next;
    struct site_table *from = t;
    bool found = true;
    enum refrain_status status = REFRAIN_OK;
    while (found && from->rows.n > STORED_ROWS && column_rows_keep_coming(from)) {
        if ((status = column_extract(from, true, &next, &found)) != REFRAIN_OK)
            goto out;
        if (found) {
            site_table_free(&now);
            now = next;
            from = &now;
        }
    }
    status = site_table_store(from, varies, rank, trace, g);
out:
    site_table_free(&now);
    return status;
}

/* `to` maps the lane's site numbers to the trace's. */
static enum refrain_status store_loop(const struct skeleton_loop *from, const uint32_t *to, uint32_t rank,
                                      struct trace *t, struct shape *shape)
{
    uint32_t index;
    enum refrain_status status = trace_intern_column(t, from->counts, &index);
    if (status != REFRAIN_OK)
        return status;
    struct loop loop = {.after = to[from->after],
                        .n = from->n,
                        .sites = malloc(from->n * sizeof *loop.sites),
                        .counts = rankfn_single(index, rank)};
    if (!loop.sites || !array_push(&shape->loops, loop)) {
        log_error("out of memory for a loop of %u sites", from->n);
        free(loop.sites);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < from->n; i++)
        loop.sites[i] = to[from->sites[i]];
    return REFRAIN_OK;
}

static enum refrain_status store_skeleton(struct lane *l, const uint32_t *to, uint32_t rank, struct trace *t,
                                          struct shape *shape)
{
    enum refrain_status status = grammar_rules(l->skeleton.grammar, &shape->skeleton);
    if (status == REFRAIN_OK)
        rules_rename(shape->skeleton, to, (uint32_t)l->sites.n);
    for (uint32_t i = 0; i < l->skeleton.n_loops && status == REFRAIN_OK; i++)
        status = store_loop(&l->skeleton.loops[i], to, rank, t, shape);
    return status;
}

static int compare_entries(const void *a, const void *b)
{
    uint32_t x = ((const struct entry *)a)->site, y = ((const struct entry *)b)->site;
    return x < y ? -1 : x > y;
}

static enum refrain_status store_entry(struct lane *l, uint32_t site, uint32_t rank, struct trace *t,
                                       struct shape *shape)
{
    struct lane_site *s = &l->sites.items[site];
    struct entry *e = &shape->entries.items[shape->entries.n];
    *e = (struct entry){0};
    enum refrain_status status = trace_intern_site(t, &s->site, &e->site);
    if (status != REFRAIN_OK)
        return status;
    shape->entries.n++;
    if (!array_reserve(&e->groups, 1))
        return REFRAIN_ERR_MEMORY;
    e->groups.items[e->groups.n++] = (struct group){0};
    return store_reduced(&s->table, skeleton_has_loop(&l->skeleton, site), rank, t, &e->groups.items[0]);
}

enum refrain_status lane_store(struct lane *l, uint32_t rank, struct trace *t)
{
    if (l->calls == 0)
        return REFRAIN_OK;
    struct shape shape = {.kind = l->kind, .number = l->number};
    enum refrain_status status = REFRAIN_ERR_MEMORY;
    uint32_t *to = calloc(l->sites.n, sizeof *to); /* site number in the lane -> number in the trace */
    if (!to) {
        log_error("out of memory for %zu sites", l->sites.n);
        return status;
    }
    if (!array_reserve(&shape.entries, l->sites.n) || !array_reserve(&t->shapes, 1) ||
        (status = close_run(l)) != REFRAIN_OK || (status = skeleton_settle(&l->skeleton)) != REFRAIN_OK)
        goto fail;
    for (uint32_t i = 0; i < l->sites.n; i++) {
        if (l->sites.items[i].table.calls == 0)
            continue;
        if ((status = store_entry(l, i, rank, t, &shape)) != REFRAIN_OK)
            goto fail;
        to[i] = shape.entries.items[shape.entries.n - 1].site;
    }
    qsort(shape.entries.items, shape.entries.n, sizeof *shape.entries.items, compare_entries);
    if ((status = store_skeleton(l, to, rank, t, &shape)) != REFRAIN_OK)
        goto fail;
    shape.ranks = series_single(rank);
    if (!shape.ranks) {
        status = REFRAIN_ERR_MEMORY;
        goto fail;
    }
    t->shapes.items[t->shapes.n++] = shape;
    free(to);
    return REFRAIN_OK;
fail:
    shape_free(&shape);
    free(to);
    return status;
}
