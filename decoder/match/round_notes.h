/* SPDX-License-Identifier: BSD-3-Clause */
/* What the matching told its sink in one round (rounds.h), so that the next rounds can be told with their own
 * times.
 *
 *     noted in the first round         told in the second round, in which rank 0 makes 3 calls and rank 1 two
 *     call       0:40 Isend            0:43
 *     call       1:12 Recv             1:14
 *     message    0:40 -> 1:12          0:43 -> 1:14
 *
 * All that moves is a *move*: a reference to a call, by rank and position in the round. */
#ifndef REFRAIN_ROUND_NOTES_H
#define REFRAIN_ROUND_NOTES_H

#include "matching.h"
#include "decoder/trace/cursor.h"

/* A rank's part of a round. */
struct round_lane {
    uint64_t begin, period;        /* the round's first call, and how many calls it has */
    struct round_call *calls;      /* of the round that was noted */
    const struct timestamp *times; /* of the round that is told */
};

struct round_call {
    struct call call;
    const struct call_fields *fields;
};

struct round_position {
    uint32_t lane, position;
};

struct round_move {
    struct call_ref *ref; /* in the notes */
    struct round_position to;
};

/* A number of a collective operation (struct operation) that grows by `step` each round. */
struct round_number {
    uint64_t *number, step;
};

struct round_notes {
    const struct matching_sink *to; /* who is told, while a round is noted and afterwards */
    struct matching_sink sink;      /* for the matching, while a round is noted */
    uint32_t first_rank, n_ranks;
    struct round_lane *lanes; /* by rank - first_rank */
    size_t n_calls;           /* of all lanes */
    bool unfit;               /* something in it cannot be told again */
    ARRAY(uint32_t) steps;    /* kind and index, in the order of telling */
    ARRAY(struct round_position) calls;
    ARRAY(struct operation) operations;
    ARRAY(struct matching_message) messages;
    ARRAY(struct matching_sent) sent;
    ARRAY(struct matching_collective) collectives;
    ARRAY(struct matching_member) members; /* of all collectives, one after the other */
    ARRAY(struct round_move) moves;
    ARRAY(struct round_number) numbers;
};

/* Prepares notes of a round in which each rank i of n makes the `period[i]` calls from `begin[i]` on. */
enum refrain_status round_notes_start(struct round_notes *n, const struct matching_sink *to,
                                      uint32_t first_rank, uint32_t n_ranks, const uint64_t *begin,
                                      const uint64_t *period);
void round_notes_free(struct round_notes *n); /* also of a zeroed struct */

/* The sink for the matching while it walks the round; it passes everything on. */
const struct matching_sink *round_notes_sink(struct round_notes *n);
/* The round is over. `step` returns by how much the numbers of a scope's operations grow each round, for a rank.
 * Sets n->unfit if the round cannot be told again. */
typedef uint64_t (*round_step)(const void *context, uint32_t rank, const struct operation_scope *scope);
enum refrain_status round_notes_end(struct round_notes *n, round_step step, const void *context);
/* Tells the next round. The caller has set the lanes' `times`; each lane's `begin` goes on by its period. */
enum refrain_status round_notes_tell(struct round_notes *n);

#endif
