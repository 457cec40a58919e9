/* SPDX-License-Identifier: BSD-3-Clause */
/* What the processes of a program do: constructs, in an order that is that of every process.
 *
 * A construct is an event of a process, events of several processes that belong together (a message: its send
 * and its receive; a collective operation: that of each member), or a loop with a system as its body. A loop
 * has one index for all the processes in it. Numbers are affine in the indices of the loops around, which
 * count from 0: a word for the value while all are 0, then one coefficient for each loop, outermost first.
 *
 *     for i0 = 1 to 75   [0-1]          loop   count 75         processes 0 1
 *       0 -> 1 tag(5+i0)                  event  acts  0: "@ send @ tag#"  0 0 | 1 0 | 6 1
 *                                                      1: "@ recv @ tag#"  1 0 | 0 0 | 6 1
 *       1 local work                      event  acts  1: "@ local work"   1 0
 *     done
 *
 * Constructs do not change once they are made, and may be in several systems of the same depth. All lies in
 * one arena. */
#ifndef REFRAIN_SYSTEM_H
#define REFRAIN_SYSTEM_H

#include "model_arena.h"
#include "src/core/base/array.h"
#include "src/core/base/status.h"

#include <stdbool.h>
#include <stdint.h>

#define SYSTEM_DEPTH_MAX 64 /* loops around */

/* One event of one process. */
struct act {
    uint32_t process;     /* its place among the model's processes */
    uint32_t template, n; /* as in nlr.h: what it is, and how many numbers it has */
    bool in_line;         /* which of them does not tell its channel, though they do change (model_order.c) */
    const uint64_t *words;
};

/* What goes over one end of a channel (model_channels.h) each time that a construct comes. */
struct flow {
    uint32_t end;
    uint64_t n;
};

struct construct {
    uint32_t depth;  /* loops around */
    uint32_t n_acts; /* 0: a loop */
    struct act *acts;
    const uint64_t *count; /* of a loop: depth + 1 words; none if it is 0 or less */
    const struct system *body;
    const uint32_t *processes; /* of a loop: ascending, without repeats */
    size_t n_processes;
    /* Found when they are first asked for (model_flows.c): */
    struct flow *flows; /* of one iteration of a loop */
    size_t n_flows;
    enum { FLOWS_UNKNOWN, FLOWS_REGULAR, FLOWS_IRREGULAR } flowing;
};

/* Messages from one construct to another of the same system: those with the numbers from `first` on, of all
 * that go over the channel while the system comes once. */
struct system_link {
    size_t from, to; /* places in the system */
    uint64_t first, n;
    uint64_t sent_each, received_each;     /* in an iteration, if it is a loop; otherwise 1 */
    uint64_t sent_before, received_before; /* of the first iterations: messages of other links */
};

struct system {
    struct construct **items;
    size_t n;
    const struct system_link *links; /* but for those between events of one construct */
    size_t n_links;
};

/* Constructs being put in order. */
struct construct_list {
    ARRAY(struct construct *) all;
};

static inline bool construct_is_loop(const struct construct *c)
{
    return c->n_acts == 0;
}

/* A number for the indices of the `depth` loops around. */
static inline uint64_t affine_value(const uint64_t *words, uint32_t depth, const uint64_t *indices)
{
    uint64_t value = words[0];
    for (uint32_t d = 0; d < depth; d++)
        value += words[1 + d] * indices[d];
    return value;
}

/* The count of a loop that does not depend on any index; 0 if it is less. */
static inline uint64_t construct_times(const struct construct *c)
{
    return construct_is_loop(c) ? (int64_t)c->count[0] > 0 ? c->count[0] : 0 : 1;
}

/* The list as a system. NULL when memory is short. */
struct system *system_of(struct arena *a, const struct construct_list *list);
/* A loop of `count` iterations, around `depth` others, over the processes of its body. NULL when memory is
 * short. */
struct construct *construct_loop(struct arena *a, uint32_t depth, const uint64_t *count,
                                 const struct system *body);
/* Is the process in it? */
bool construct_has(const struct construct *c, uint32_t process);

/* ---- other indices --------------------------------------------------------------------------- */
/* The index i of a loop around, that of number `level`, is replaced:
 *
 *     REINDEX_SHIFT    i + value                    iterations from that number on
 *     REINDEX_FIX      value, a level less          that iteration
 *     REINDEX_BLOCK    value * i + j, a level more  j being the index of a new loop, directly in that loop */
struct reindex {
    enum { REINDEX_SHIFT, REINDEX_FIX, REINDEX_BLOCK } how;
    uint32_t level;
    uint64_t value;
};

/* Copies of all constructs of a system go to the end of a list. */
enum refrain_status system_reindex(struct arena *a, const struct system *s, struct reindex r,
                                   struct construct_list *out);
enum refrain_status construct_reindex(struct arena *a, const struct construct *c, struct reindex r,
                                      struct construct_list *out);

/* `n` iterations of a loop from number `first` on go to the end of a list: as a loop, or what a single one
 * consists of. The loop's count depends on no index. */
enum refrain_status loop_slice(struct arena *a, const struct construct *loop, uint64_t first, uint64_t n,
                               struct construct_list *out);

#endif
