/* SPDX-License-Identifier: BSD-3-Clause */
#include "delay_windows.h"

#include "src/core/base/bisect.h"

#include <math.h>
#include <string.h>

struct delay_window delay_window_of(uint64_t from, uint64_t to, uint64_t taken, uint64_t parts, uint64_t cost,
                                    bool direct)
{
    const double weight = (double)cost;
    return (struct delay_window){
        from, to, weight * (double)taken, weight * (double)cost, weight * (double)parts, weight, direct};
}

double delay_window_left(const struct delay_window *w)
{
    return w->cost < w->taken ? 1 - w->cost / w->taken : 0;
}

uint64_t delay_window_taken(const struct delay_window *w)
{
    return w->parts > 0 ? (uint64_t)(w->taken / w->parts + 0.5) : 0;
}

uint64_t delay_window_usual(const struct delay_window *w)
{
    return w->cost < w->taken && w->parts > 0 ? (uint64_t)((w->taken - w->cost) / w->parts + 0.5) : 0;
}

static void add(struct delay_window *w, const struct delay_window *more)
{
    if (more->direct && !w->direct)
        w->taken = w->cost = w->parts = w->waiting = 0;
    w->from = more->from < w->from ? more->from : w->from;
    w->to = more->to > w->to ? more->to : w->to;
    w->taken += more->direct >= w->direct ? more->taken : 0;
    w->cost += more->direct >= w->direct ? more->cost : 0;
    w->waiting += more->direct >= w->direct ? more->waiting : 0;
    w->parts += more->direct >= w->direct ? more->parts : 0;
    w->direct = w->direct || more->direct;
}

/* Merges pairs that differ by at most `alike`; left[i] is the remainder of window i. */
static void merge(struct delay_windows *w, double *left, double alike)
{
    size_t n = 0;
    for (size_t i = 0; i < w->n; i++, n++) {
        w->items[n] = w->items[i];
        left[n] = left[i];
        if (i + 1 < w->n && fabs(left[i] - left[i + 1]) <= alike) {
            add(&w->items[n], &w->items[++i]);
            left[n] = delay_window_left(&w->items[n]);
        }
    }
    w->n = n;
}

/* The next time, windows are likely to differ as much as the last time. */
static void make_room(struct delay_windows *w)
{
    double left[DELAY_WINDOWS];
    for (size_t i = 0; i < w->n; i++)
        left[i] = delay_window_left(&w->items[i]);
    for (w->alike = w->alike > 4.0 / 256 ? w->alike / 4 : 1.0 / 256; w->n > DELAY_WINDOWS / 2; w->alike *= 2)
        merge(w, left, w->alike);
}

/* Returns the number of windows that end before `to`. Most windows come nearly in the order of their ends, so
 * this looks at the last ones first. */
static size_t find_place(const struct delay_windows *w, uint64_t to)
{
    size_t back = 1;
    while (back < w->n && w->items[w->n - back].to >= to)
        back *= 2;
    const size_t first = back < w->n ? w->n - back : 0, n = w->n - back / 2 - first;
    return first + BISECT(i, n, w->items[first + i].to < to);
}

bool delay_windows_add(struct delay_windows *w, const struct delay_window *window)
{
    if (w->n == DELAY_WINDOWS)
        make_room(w);
    const size_t at = find_place(w, window->to);
    const uint64_t before = at > 0 ? w->items[at - 1].to : 0;
    struct delay_window this = *window;
    if (at > 0 && this.from <= w->items[at - 1].from) { /* the same work, as part of a longer path */
        this.to = at < w->n && w->items[at].from < this.to ? w->items[at].from : this.to;
        add(&w->items[at - 1], &this);
        return true;
    }
    this.from = this.from < before ? before : this.from;
    if (at < w->n && w->items[at].from < this.to) {
        this.to = w->items[at].to;
        add(&w->items[at], &this);
        return true;
    }
    if (!array_push(w, this))
        return false;
    memmove(&w->items[at + 1], &w->items[at], (w->n - 1 - at) * sizeof *w->items);
    w->items[at] = this;
    return true;
}
