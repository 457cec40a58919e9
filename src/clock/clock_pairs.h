/* SPDX-License-Identifier: BSD-3-Clause */
/* This process's clock compared with its node's, and through that with rank 0's.
 *
 * A pair is what both clocks showed at the same moment. Pairs are taken when MPI begins and ends,
 * and with each checkpoint. Between two pairs, the clocks are assumed to run at a constant rate
 * against each other.
 *
 *     local   *            *            *            *       pairs
 *     node    *            *            *            *
 *                          └─ off by δ ─┘                    if there are too many, every other pair is
 *                                                            removed; its distance from the remaining line
 *                                                            is added to the error of its two neighbours
 *
 * So the error also holds between pairs, as far as the removed pairs show it. */
#ifndef REFRAIN_CLOCK_PAIRS_H
#define REFRAIN_CLOCK_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include "src/core/base/status.h"
#include "src/core/time/rank_clock.h"

#define CLOCK_PAIRS_MAX 16

/* In nanoseconds. The error covers reading both clocks, and the line to the next pairs. */
struct clock_pair {
    uint64_t local, node, error;
};

/* All zero: empty. */
struct clock_pairs {
    struct clock_pair items[CLOCK_PAIRS_MAX];
    size_t n;
};

/* Append a pair. A pair that is not later on both clocks is ignored. */
void clock_pairs_add(struct clock_pairs *p, struct clock_pair pair);

/* What rank 0's node showed is `ahead` of this node's clock, when that showed `at`. */
struct clock_offset {
    uint64_t at;
    int64_t ahead;
    uint64_t error;
};

/* The node's clock against rank 0's: not compared (n = 0), compared once, or at the beginning and
 * the end. */
struct clock_offsets {
    struct clock_offset items[2];
    size_t n;
};

/* Make a point for each pair: this process's clock against rank 0's. */
enum refrain_status clock_pairs_points(const struct clock_pairs *p, const struct clock_offsets *offsets,
                                       struct rank_clock *out);

#endif
