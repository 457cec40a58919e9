/* SPDX-License-Identifier: BSD-3-Clause */
/* What a sequence has in common with itself: from a position on, the next `period` values come `times` times,
 * at least.
 *
 *     1 2 3  2 3 4  3 4 5  4 5 6       loop 4 { loop 3 { 1 + i + j } }
 *         ^                            around it {period 3, times 3}, {period 1, times 1}
 *
 * In a series each time adds something of its own to each value; if that is 0 for all of them, it is still.
 * Cursors list the repetitions around their position, outermost first, and pass some times of one in constant
 * time. Who walks several sequences side by side can so pass what all of them repeat. */
#ifndef REFRAIN_REPETITION_H
#define REFRAIN_REPETITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REPETITIONS_MAX 16

struct repetition {
    uint64_t period, times; /* both >= 1 */
    bool still;
    uint32_t level; /* the cursor's own */
};

struct repetitions {
    struct repetition items[REPETITIONS_MAX];
    uint32_t n, at; /* the one that is chosen */
};

/* Drop those that are not still. */
void repetitions_keep_still(struct repetitions *list);
/* Repetitions of something that comes `per_unit` times in each of some larger units, as repetitions of those
 * units, into *out; its `level` is the place in the list given. Both begin where a unit does. Those that do
 * not come twice are left out. */
void repetitions_in_units(const struct repetitions *given, uint64_t per_unit, struct repetitions *out);
/* Choose in each of `n` lists a repetition, not before the one that is chosen, so that all agree to repeat
 * themselves: the next *period values come *times >= `least` times, in all of at most `length`. False if they
 * do not. */
bool repetitions_agree(struct repetitions *lists, size_t n, uint64_t length, uint64_t least, uint64_t *period,
                       uint64_t *times);
/* Choose a repetition farther inside, in the list whose choice is longest. */
void repetitions_go_inside(struct repetitions *lists, size_t n);

#endif
