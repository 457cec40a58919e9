/* SPDX-License-Identifier: BSD-3-Clause */
/* How this process's clock goes against its node's, and through that against rank 0's.
 *
 * A pair is what both showed at once. Pairs are taken when MPI begins and ends, and with each checkpoint; in
 * between both are taken to go at a constant rate against each other.
 *
 *     local   *            *            *            *       pairs
 *     node    *            *            *            *
 *                          └─ off by δ ─┘                    when there are too many, every other one goes,
 *                                                            and how far it is off the line that is left is
 *                                                            noted as an error of its two neighbours
 *
 * So what is said of the error holds between pairs, too, as far as pairs have shown. */
#ifndef REFRAIN_CLOCK_PAIRS_H
#define REFRAIN_CLOCK_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include "src/core/base/status.h"
#include "src/core/time/rank_clock.h"

#define CLOCK_PAIRS_MAX 16

/* Nanoseconds; the error is that of reading both at once, and of the line to the next ones. */
struct clock_pair {
    uint64_t local, node, error;
};

/* Zeroed it is empty. */
struct clock_pairs {
    struct clock_pair items[CLOCK_PAIRS_MAX];
    size_t n;
};

/* After the others; one that is not later by both clocks is left out. */
void clock_pairs_add(struct clock_pairs *p, struct clock_pair pair);

/* When this node's clock showed `at`, the clock of rank 0's node showed at + ahead. */
struct clock_offset {
    uint64_t at;
    int64_t ahead;
    uint64_t error;
};

/* The node against rank 0's: not compared (0), compared once, or at the beginning and at the end. */
struct clock_offsets {
    struct clock_offset items[2];
    size_t n;
};

/* This process's clock against rank 0's: a point for each pair. */
enum refrain_status clock_pairs_points(const struct clock_pairs *p, const struct clock_offsets *offsets,
                                       struct rank_clock *out);

#endif
