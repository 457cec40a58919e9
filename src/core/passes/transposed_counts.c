/* SPDX-License-Identifier: BSD-3-Clause */
#include "transposed_counts.h"

#include "src/core/base/log.h"

#include <stdlib.h>

#define RANKS_MIN  3
#define VALUES_MAX (UINT64_C(1) << 23) /* values examined in all: bounds the time of this pass */

/* The current group, and a row of it. */
struct search {
    struct prefix_sums *sums;
    uint64_t budget;
    uint32_t n;     /* ranks */
    int64_t *ranks; /* room for TRANSPOSED_RANKS_MAX */
    const struct row *row;
};

static bool is_list(const struct rankfn *f)
{
    return f->plain || f->relative;
}

/* Whether an array of n elements begins in the slot. */
static bool is_array(const struct search *s, uint32_t at)
{
    const struct rankfn *f = row_slot(s->row, at);
    return f->forms == RANKFN_CONSTANT && f->constant == s->n && s->n < s->row->n_slots - at;
}

/* Whether no slot of the n from `first` on is a sum, and at least three are lists. */
static bool is_open(const struct search *s, uint32_t first)
{
    uint32_t lists = 0;
    for (uint32_t i = first; i < first + s->n; i++) {
        if (prefix_sums_get(s->sums, row_slot(s->row, i)))
            return false;
        lists += is_list(row_slot(s->row, i));
    }
    return lists >= 3;
}

/* Whether the first received slot contains on each rank what the first rank sends to it. This
 * excludes most arrays. */
static bool first_fits(const struct search *s, uint32_t sent, uint32_t received)
{
    bool fits = true;
    for (uint32_t i = 0; i < s->n && fits; i++)
        fits = rankfn_at(row_slot(s->row, received), i, s->ranks[i]) ==
               rankfn_at(row_slot(s->row, sent + i), 0, s->ranks[0]);
    return fits;
}

static enum refrain_status all_fit(struct search *s, uint32_t sent, uint32_t received, bool *fit)
{
    const size_t n = s->n, all = n * n;
    *fit = false;
    if (all > s->budget)
        return REFRAIN_OK;
    s->budget -= all;
    int64_t *from = malloc((all + n) * sizeof *from), *values = from + all;
    if (!from) {
        log_error("out of memory: what %u ranks send each other", s->n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < n; i++)
        rankfn_values(row_slot(s->row, sent + i), s->ranks, n, from + i * n);
    *fit = true;
    for (uint32_t j = 0; j < n && *fit; j++) {
        rankfn_values(row_slot(s->row, received + j), s->ranks, n, values);
        for (size_t i = 0; i < n && *fit; i++)
            *fit = values[i] == from[i * n + j];
    }
    free(from);
    return REFRAIN_OK;
}

static enum refrain_status find_in_row(struct search *s)
{
    uint32_t sent[8], n = 0;
    for (uint32_t at = 0; at < s->row->n_slots; at++) {
        if (!is_array(s, at))
            continue;
        const uint32_t first = at + 1;
        bool fit = false;
        if (!is_open(s, first))
            continue;
        for (uint32_t k = 0; k < n && !fit; k++) {
            enum refrain_status status = REFRAIN_OK;
            if (first_fits(s, sent[k], first))
                status = all_fit(s, sent[k], first, &fit);
            const struct prefix_sum transposed = {.distance = first - sent[k], .transposed = true};
            if (status == REFRAIN_OK && fit)
                status = prefix_sums_add(s->sums, s->row, first, first + s->n, transposed);
            if (status != REFRAIN_OK)
                return status;
        }
        if (!fit && n < sizeof sent / sizeof *sent)
            sent[n++] = first;
        at += s->n;
    }
    return REFRAIN_OK;
}

static enum refrain_status find_in_group(struct search *s, const struct group *g)
{
    const uint64_t n = series_length(g->ranks);
    enum refrain_status status = REFRAIN_OK;
    if (n < RANKS_MIN || n > TRANSPOSED_RANKS_MAX)
        return REFRAIN_OK;
    series_values(g->ranks, 0, n, s->ranks);
    s->n = (uint32_t)n;
    for (size_t r = 0; r < g->rows.n && status == REFRAIN_OK; r++) {
        s->row = &g->rows.items[r];
        if (s->row->n_slots > 2 * n)
            status = find_in_row(s);
    }
    return status;
}

enum refrain_status transposed_counts_find(const struct trace *t, struct prefix_sums *sums)
{
    struct search s = {.sums = sums, .budget = VALUES_MAX};
    enum refrain_status status = REFRAIN_OK;
    if (!(s.ranks = malloc(TRANSPOSED_RANKS_MAX * sizeof *s.ranks))) {
        log_error("out of memory: what ranks send each other");
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < t->shapes.n; i++) {
        for (size_t k = 0; k < t->shapes.items[i].entries.n; k++) {
            const struct entry *e = &t->shapes.items[i].entries.items[k];
            for (size_t g = 0; g < e->groups.n && status == REFRAIN_OK; g++)
                status = find_in_group(&s, &e->groups.items[g]);
        }
    }
    free(s.ranks);
    return status;
}
