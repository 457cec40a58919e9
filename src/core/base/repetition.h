/* SPDX-License-Identifier: BSD-3-Clause */
/* Repetitions of a sequence: from a position on, the next `period` values come at least `times` times.
 *
 *     1 2 3  2 3 4  3 4 5  4 5 6       loop 4 { loop 3 { 1 + i + j } }
 *         ^                            around it {period 3, times 3}, {period 1, times 1}
 *
 * In a series, each repetition adds an increment to each value; if all increments are 0, the repetition is
 * *still*. Cursors list the repetitions around their position, outermost first, and can skip rounds of a
 * repetition in constant time. So a walk over several sequences side by side can skip what all of them
 * repeat. */
#ifndef REFRAIN_REPETITION_H
#define REFRAIN_REPETITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REPETITIONS_MAX 16

struct repetition {
    uint64_t period; /* at least 1 */
    uint64_t times;  /* 0 in a loop's last iteration, once that has begun */
    bool still;
    uint32_t level; /* for use by the cursor */
};

struct repetitions {
    struct repetition items[REPETITIONS_MAX];
    uint32_t n;
    uint32_t at; /* index of the chosen one */
};

/* Drop the repetitions that are not still. */
void repetitions_keep_still(struct repetitions *list);
/* Convert repetitions of an item that comes `per_unit` times in each larger unit to repetitions of these
 * units, into *out; `level` there is the index in the given list. Both must begin at the beginning of a
 * unit. Repetitions with fewer than two rounds are left out. */
void repetitions_in_units(const struct repetitions *given, uint64_t per_unit, struct repetitions *out);
/* Choose one repetition in each of `n` lists, at or after the choice of the list, so that all sequences
 * repeat together: the next *period values come *times >= `least` times, and at most `length` values in
 * total. False if there is no such choice. */
bool repetitions_agree(struct repetitions *lists, size_t n, uint64_t length, uint64_t least, uint64_t *period,
                       uint64_t *times);
/* In the list whose chosen repetition is longest, choose the next inner repetition. */
void repetitions_go_inside(struct repetitions *lists, size_t n);

#endif
