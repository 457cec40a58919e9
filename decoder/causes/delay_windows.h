/* SPDX-License-Identifier: BSD-3-Clause */
/* When a delay happens: in stretches of paths that lead to calls that others wait for (genealogy.h). The work
 * takes `taken` in such a stretch, and costs `cost` of each lane's waiting: if the work were shorter by that,
 * no lane would wait because of it. Waits for the same stretch form one window. The lanes that wait directly
 * show best how much is too much, and those that wait longest: another late lane waits for a moment only. So
 * sums are weighted with the cost.
 *
 *     from ─────────── to     from ─────────── to           1 - cost / taken: share of it that would be left
 *     taken 4, cost 3         taken 1.1, cost 0.1
 *
 * There are at most DELAY_WINDOWS windows: with more, the two most similar neighbours are merged, including
 * the time between them. */
#ifndef REFRAIN_DELAY_WINDOWS_H
#define REFRAIN_DELAY_WINDOWS_H

#include "src/core/base/array.h"

#include <stdint.h>

#define DELAY_WINDOWS 1024

struct delay_window {
    uint64_t from, to; /* ns */
    /* Weighted sums, over the lanes that wait directly for the late lane (`direct`) or, if there are none, over the
     * lanes that wait for other lanes that waited for it. `parts`: how many calls, or gaps between calls. */
    double taken, cost, parts;
    double waiting; /* the sum of the weights, ns */
    bool direct;
};

struct delay_windows {
    struct delay_window *items; /* one after the other */
    size_t n, cap;
    double alike; /* windows were merged last if their shares differed by at most this; 0: never */
};

/* The window of one wait: the work takes `taken` ns in `parts`, and costs `cost` ns of waiting. */
struct delay_window delay_window_of(uint64_t from, uint64_t to, uint64_t taken, uint64_t parts, uint64_t cost,
                                    bool direct);
/* Adds a window. Returns false when memory is short. */
bool delay_windows_add(struct delay_windows *w, const struct delay_window *window);
/* The share of the work that would be left, from 0 to 1. */
double delay_window_left(const struct delay_window *w);
/* One part of the work, as it is and as it would be left; ns. */
uint64_t delay_window_taken(const struct delay_window *w);
uint64_t delay_window_usual(const struct delay_window *w);

#endif
