/* SPDX-License-Identifier: BSD-3-Clause */
/* The constructs of a program's processes, in an order that agrees with the order of every process.
 *
 * A construct is one event of a process, several events that belong together (the send and the receive of a
 * message, or one event per member of a collective operation), or a loop with a system as its body. A loop
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
    uint32_t template;    /* the kind of event, as in nlr.h */
    uint32_t n : 31;      /* how many numbers the event has */
    uint32_t in_line : 1; /* its changing numbers do not select the channel (model_order.c) */
    uint32_t end; /* one more than the end of a channel that it always uses (model_flows.c); 0: not known */
    const uint64_t *words;
};

/* The uses of one end of a channel (model_channels.h) each time that a construct runs. */
struct flow {
    uint32_t end;
    uint64_t n;
};

struct construct {
    uint32_t depth;  /* loops around */
    uint32_t n_acts; /* 0: a loop */
    struct act *acts;
    const uint64_t *count; /* of a loop: depth + 1 words; value <= 0: no iterations */
    const struct system *body;
    const uint32_t *processes; /* of a loop: ascending, without repeats */
    size_t n_processes;
    /* Computed at first use (model_flows.c): */
    struct flow *flows; /* of one iteration of a loop */
    size_t n_flows;
    enum { FLOWS_UNKNOWN, FLOWS_REGULAR, FLOWS_IRREGULAR } flowing;
};

/* Messages from one construct to another of the same system: `n` messages from number `first` on. Messages of
 * the channel are numbered per run of the system. */
struct system_link {
    size_t from, to; /* places in the system */
    uint64_t first, n;
    uint64_t sent_each, received_each;     /* per iteration of a loop; 1 for an event */
    uint64_t sent_before, received_before; /* in the first iterations: messages of other links */
};

struct system {
    struct construct **items;
    size_t n;
    const struct system_link *links; /* between different constructs */
    size_t n_links;
};

/* A list of constructs that are being ordered. */
struct construct_list {
    ARRAY(struct construct *) all;
};

static inline bool construct_is_loop(const struct construct *c)
{
    return c->n_acts == 0;
}

/* Returns the value of a number at the indices of the `depth` loops around. */
static inline uint64_t affine_value(const uint64_t *words, uint32_t depth, const uint64_t *indices)
{
    uint64_t value = words[0];
    for (uint32_t d = 0; d < depth; d++)
        value += words[1 + d] * indices[d];
    return value;
}

/* Returns a loop's count that depends on no index, 0 if it is negative; 1 for an event. */
static inline uint64_t construct_times(const struct construct *c)
{
    return construct_is_loop(c) ? (int64_t)c->count[0] > 0 ? c->count[0] : 0 : 1;
}

/* Makes a system of the list. Returns NULL if memory is short. */
struct system *system_of(struct arena *a, const struct construct_list *list);
/* Makes a loop of `count` iterations, inside `depth` others, over the processes of its body. Returns NULL if
 * memory is short. */
struct construct *construct_loop(struct arena *a, uint32_t depth, const uint64_t *count,
                                 const struct system *body);
/* Does the construct have events of the process? */
bool construct_has(const struct construct *c, uint32_t process);

/* ---- other indices --------------------------------------------------------------------------- */
/* How the index i of the loop at `level` is replaced:
 *
 *     REINDEX_SHIFT    i + value                    iterations from that number on
 *     REINDEX_FIX      value, a level less          that iteration
 *     REINDEX_BLOCK    value * i + j, a level more  j being the index of a new loop, directly in that loop */
struct reindex {
    enum { REINDEX_SHIFT, REINDEX_FIX, REINDEX_BLOCK } how;
    uint32_t level;
    uint64_t value;
};

/* Appends reindexed copies of all constructs of a system, or of one construct, to a list. */
enum refrain_status system_reindex(struct arena *a, const struct system *s, struct reindex r,
                                   struct construct_list *out);
enum refrain_status construct_reindex(struct arena *a, const struct construct *c, struct reindex r,
                                      struct construct_list *out);

/* Appends `n` iterations of a loop, from number `first` on, to a list: as a loop, or as the contents of a
 * single iteration. The loop's count must depend on no index. */
enum refrain_status loop_slice(struct arena *a, const struct construct *loop, uint64_t first, uint64_t n,
                               struct construct_list *out);

#endif
