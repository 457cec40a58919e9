/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounds: what all ranks do again and again. The matching matches one round and notes what it told its sink
 * (round_notes.h); the next rounds are told from these notes, and of their calls only the times are read.
 *
 *     rank 0   … a b c ┊ a b c ┊ a b c ┊ a b c …      the skeleton has (a b c)^n
 *     rank 1   … d e   ┊ d e   ┊ d e   ┊ d e   …      and (d e)^n
 *                      cut     cut     cut
 *
 * At a cut nothing is in flight: no rank has a pending operation, and nobody waits for a message that was sent
 * before. So a round tells the same whenever its calls are the same. Grammars and series say how often that is
 * (cursor_repetition); calls are not compared.
 *
 * Ranks are paused at the cut that comes next. If they cannot all get there, or something is in flight, or the
 * round makes an object (a communicator, a request that stays …), the matching goes on as usual.
 *
 * Memory: the notes and times of one round, which has at most ROUNDS_CALLS_MOST calls of all ranks. */
#ifndef REFRAIN_ROUNDS_H
#define REFRAIN_ROUNDS_H

#include "matching_impl.h"
#include "round_notes.h"

#define ROUNDS_CALLS_MOST ((uint64_t)1 << 16)
#define ROUNDS_LEAST      4 /* shorter loops are walked */

/* A loop that all ranks have. */
struct round_loop {
    uint64_t times; /* in the shape that has fewest */
    struct round_part {
        uint64_t begin, period, times;
    } * of_shape; /* by number of the shape */
};

/* The counters of a rank (operation_impl.h). */
struct round_counts {
    uint64_t *items;
    size_t n, cap;
};

struct rounds {
    bool off; /* there are no more rounds */
    uint32_t n_ranks;
    ARRAY(struct round_loop) loops;
    size_t next;                      /* the loop that is looked for */
    unsigned attempts;                /* how often its cuts were in vain */
    bool noting;                      /* a round is being noted; otherwise ranks go to the first cut */
    uint64_t *cut;                    /* of each rank: the next cut; … */
    uint64_t *period;                 /* … and from there to the one after it */
    uint64_t times;                   /* rounds from the first cut on */
    const struct matching_sink *sink; /* the matching's own */
    struct round_notes notes;
    struct round_counts *counts; /* of each rank, at the first cut */
};

/* Finds the loops, and pauses the ranks at the first cut. */
enum refrain_status rounds_start(struct rounds *r, struct matching *m);
/* Gives the matching its own sink back, also if the trace ends while a round is noted. */
void rounds_end(struct rounds *r, struct matching *m);
/* No rank can go on, and some are paused. `stuck`: others wait for something. */
enum refrain_status rounds_arrive(struct rounds *r, struct matching *m, bool stuck);

#endif
