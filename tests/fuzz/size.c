/* SPDX-License-Identifier: BSD-3-Clause */
#include "size.h"

#include "src/core/trace/lane_walk.h"
#include "target.h"

enum { MUCH = 1 << 13, RANKS_MUCH = 1 << 10 };

/* Counts the calls of all ranks of a shape with few ranks. */
static uint64_t calls_of_shape(const struct trace *t, const struct shape *s)
{
    struct series_cursor ranks;
    int64_t rank;
    uint64_t sum = 0, all = 0;
    uint64_t *calls = calloc(t->sites.n + 1, sizeof *calls);
    CLAIM(calls);
    series_cursor_start(&ranks, s->ranks);
    for (uint64_t i = 0; sum < MUCH && series_cursor_next(&ranks, &rank); i++) {
        CLAIM(lane_walk_count(t, s, i, (uint32_t)rank, calls, &all) == REFRAIN_OK);
        sum = all < MUCH ? sum + all : MUCH;
    }
    free(calls);
    return sum;
}

/* Counts the calls of all ranks in lanes of a kind; more than MUCH counts as MUCH. */
static uint64_t calls_of_kind(const struct trace *t, enum lane_kind kind)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < t->shapes.n; i++) {
        const struct shape *s = &t->shapes.items[i];
        const uint64_t ranks = series_length(s->ranks), calls = rules_length(s->skeleton);
        if (s->kind != (uint32_t)kind)
            continue;
        if (ranks >= MUCH || calls >= MUCH)
            return MUCH;
        sum += s->loops.n > 0 ? calls_of_shape(t, s) : ranks * calls;
    }
    return sum < MUCH ? sum : MUCH;
}

bool size_is_small(const struct trace *t, enum lane_kind kind)
{
    return t->n_ranks < RANKS_MUCH && calls_of_kind(t, kind) < MUCH;
}
