/* SPDX-License-Identifier: BSD-3-Clause */
/* When a delay is: in stretches of a path that lead to calls that others wait for (genealogy.h). It takes so long in that time, and costs so much of the
 * waiting of each: if it were shorter by that, nobody would wait because of it. Those who wait for the same are one window; those who wait
 * directly see best what is too much:
 *
 *     from ─────────── to     from ─────────── to           1 - cost / taken: what of it would be left
 *     taken 4, cost 3         taken 1.1, cost 0.1
 *
 * There are at most so many: neighbours that are most alike become one, whose time in between counts as its own. */
#ifndef REFRAIN_DELAY_WINDOWS_H
#define REFRAIN_DELAY_WINDOWS_H

#include "src/core/base/array.h"

#include <stdint.h>

#define DELAY_WINDOWS 1024

struct delay_window {
    uint64_t from, to;    /* ns */
    uint64_t taken, cost; /* ns: sums over those who wait, … */
    bool direct; /* … for the one that is late itself; if there are none, for others that waited for it */
};

struct delay_windows {
    struct delay_window *items; /* one behind the other */
    size_t n, cap;
};

/* False when memory is short. */
bool delay_windows_add(struct delay_windows *w, const struct delay_window *window);
/* From 0 to 1. */
double delay_window_left(const struct delay_window *w);

#endif
