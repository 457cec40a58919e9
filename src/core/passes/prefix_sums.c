/* SPDX-License-Identifier: BSD-3-Clause */
#include "prefix_sums.h"

#include "src/core/base/log.h"
#include "global_lists.h"
#include "src/core/trace/slot_sums.h"

#include <stdlib.h>

/* Shortest arrays to which a sum applies. With two elements, the second displacement equals the
 * first count, which is as short as a sum. The other limits hold for arrays without lists, whose
 * elements are as short as constants: a sum takes five bytes, with a factor seven. */
#define LENGTH_MIN 3
#define ALONE_MIN  4
#define SCALED_MIN 8
#define VALUES_MAX (UINT64_C(1) << 23) /* values examined in all: bounds the time of this pass */

/* The current group. Its ranks are expanded only if slots are sums on the first rank: most groups
 * have none, and a file of a few bytes may describe 2^26 ranks. */
struct search {
    struct prefix_sums *sums;
    const struct group *group;
    uint64_t n_ranks;
    int64_t first;
    int64_t *ranks; /* room for n_ranks ranks, valid once expanded, and for three values of each */
    bool expanded;
    uint64_t room, budget;
};

void prefix_sums_free(struct prefix_sums *s)
{
    array_free(&s->arrays);
    map_free(&s->of_slot);
}

const struct prefix_sum *prefix_sums_get(const struct prefix_sums *s, const struct rankfn *slot)
{
    const uint32_t i = map_get(&s->of_slot, codec_slot_key(slot));
    return i == MAP_NONE ? NULL : &s->arrays.items[i];
}

bool prefix_sum_equal(const struct prefix_sum *a, const struct prefix_sum *b)
{
    return a && b ? a->distance == b->distance && a->factor == b->factor && a->transposed == b->transposed
                  : a == b;
}

static void start_group(struct search *s, const struct group *g)
{
    s->group = g;
    s->n_ranks = series_length(g->ranks);
    s->first = series_at(g->ranks, 0);
    s->expanded = false;
}

static enum refrain_status expand(struct search *s)
{
    if (s->n_ranks > s->room) {
        free(s->ranks);
        s->room = s->n_ranks;
        if (!(s->ranks = malloc(4 * s->room * sizeof *s->ranks))) {
            log_error("out of memory: %llu ranks", (unsigned long long)s->room);
            s->room = 0;
            return REFRAIN_ERR_MEMORY;
        }
    }
    series_values(s->group->ranks, 0, s->n_ranks, s->ranks);
    s->expanded = true;
    return REFRAIN_OK;
}

/* Whether slot `at` is the sum on the first rank. This excludes most slots. */
static bool first_fits(const struct search *s, const struct row *row, uint32_t at, struct prefix_sum *sum)
{
    const int64_t rank = s->first;
    return slot_sum_fits((uint64_t)rankfn_at(row_slot(row, at), 0, rank) -
                             (uint64_t)rankfn_at(row_slot(row, at - 1), 0, rank),
                         (uint64_t)rankfn_at(row_slot(row, at - sum->distance), 0, rank), &sum->factor);
}

/* Find out whether the slot is the sum on all ranks; *fit is false if that would exceed the budget. */
static enum refrain_status all_fit(struct search *s, const struct row *row, uint32_t at,
                                   struct prefix_sum *sum, bool *fit)
{
    enum refrain_status status = REFRAIN_OK;
    *fit = false;
    if (3 * s->n_ranks > s->budget || (!s->expanded && (status = expand(s)) != REFRAIN_OK))
        return status;
    s->budget -= 3 * s->n_ranks;
    int64_t *values = s->ranks + s->room, *before = values + s->room, *added = before + s->room;
    rankfn_values(row_slot(row, at), s->ranks, s->n_ranks, values);
    rankfn_values(row_slot(row, at - 1), s->ranks, s->n_ranks, before);
    rankfn_values(row_slot(row, at - sum->distance), s->ranks, s->n_ranks, added);
    *fit = true;
    for (uint64_t i = 0; i < s->n_ranks && *fit; i++)
        *fit = slot_sum_fits((uint64_t)values[i] - (uint64_t)before[i], (uint64_t)added[i], &sum->factor);
    return REFRAIN_OK;
}

/* If slot `at` is the length of an array, and an array of the same length ends just before it,
 * return the length; otherwise 0. */
static uint32_t array_length(const struct row *row, uint32_t at)
{
    const struct rankfn *f = row_slot(row, at);
    const int64_t n = f->constant;
    if (f->forms != RANKFN_CONSTANT || n < LENGTH_MIN || n >= row->n_slots - at || n >= at)
        return 0;
    const struct rankfn *other = row_slot(row, at - 1 - (uint32_t)n);
    return other->forms == RANKFN_CONSTANT && other->constant == n ? (uint32_t)n : 0;
}

/* Whether a sum takes fewer bytes than the slots first … end - 1. */
static bool pays(const struct row *row, uint32_t first, uint32_t end, int64_t factor)
{
    uint32_t k = first;
    while (k < end && !row_slot(row, k)->plain && !row_slot(row, k)->relative)
        k++;
    return k < end || end - first + 1 >= (factor == 1 ? ALONE_MIN : SCALED_MIN);
}

enum refrain_status prefix_sums_add(struct prefix_sums *sums, const struct row *row, uint32_t first,
                                    uint32_t end, struct prefix_sum sum)
{
    const uint32_t number = (uint32_t)sums->arrays.n;
    if (!array_push(&sums->arrays, sum))
        return REFRAIN_ERR_MEMORY;
    for (uint32_t k = first; k < end; k++) {
        if (!map_add(&sums->of_slot, codec_slot_key(row_slot(row, k)), number))
            return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

static enum refrain_status find_in_row(struct search *s, const struct row *row)
{
    for (uint32_t at = 0; at < row->n_slots; at++) {
        const uint32_t n = array_length(row, at), first = at + 2, end = at + 1 + n;
        struct prefix_sum sum = {.distance = n + 2};
        uint32_t k = first;
        if (n == 0)
            continue;
        while (k < end && first_fits(s, row, k, &sum))
            k++;
        if (k < end)
            continue;
        bool fit = true;
        enum refrain_status status = REFRAIN_OK;
        for (k = first; k < end && fit && status == REFRAIN_OK; k++)
            status = all_fit(s, row, k, &sum, &fit);
        if (sum.factor == 0)
            sum.factor = 1; /* all sums are 0: any factor fits */
        if (status == REFRAIN_OK && fit && pays(row, first, end, sum.factor)) {
            status = prefix_sums_add(s->sums, row, first, end, sum);
            at = end - 1;
        }
        if (status != REFRAIN_OK)
            return status;
    }
    return REFRAIN_OK;
}

static enum refrain_status find_in_entry(struct search *s, const struct entry *e)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t g = 0; g < e->groups.n && status == REFRAIN_OK; g++) {
        const struct group *group = &e->groups.items[g];
        start_group(s, group);
        for (size_t r = 0; r < group->rows.n && status == REFRAIN_OK; r++)
            status = find_in_row(s, &group->rows.items[r]);
    }
    return status;
}

enum refrain_status prefix_sums_find(const struct trace *t, struct prefix_sums *sums)
{
    struct search s = {.sums = sums, .budget = VALUES_MAX};
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < t->shapes.n; i++) {
        for (size_t k = 0; k < t->shapes.items[i].entries.n && status == REFRAIN_OK; k++)
            status = find_in_entry(&s, &t->shapes.items[i].entries.items[k]);
    }
    free(s.ranks);
    return status;
}
