/* SPDX-License-Identifier: BSD-3-Clause */
#include "time_round.h"

#include <assert.h>

/* Convert nanoseconds to the nearest number of units. */
static uint64_t count_units(const struct time_mode *m, uint64_t t)
{
    return m->unit == 1 ? t : (t + m->unit / 2) / m->unit;
}

struct time_round time_round_start(const struct time_mode *mode, uint64_t enter)
{
    return (struct time_round){
        .mode = mode, .left = enter, .shown = mode->unit > 0 ? count_units(mode, enter) : enter};
}

uint64_t time_round_timestamp(const struct time_round *r)
{
    return r->mode->unit > 0 ? r->shown * r->mode->unit : r->shown;
}

/* Return the number of the value that t is rounded to. *error is the sum of errors so far and is
 * updated; it stays within the bound. */
static uint64_t choose(const struct time_grid *g, uint64_t t, int64_t *error)
{
    const uint64_t below = time_grid_find(g, t);
    uint64_t number = below | time_grid_has_choice(g, below);
    int64_t after = *error + (int64_t)(time_grid_value(g, number) - t);
    if (after > (int64_t)g->bound || after < -(int64_t)g->bound) {
        number = number == below ? below + 1 : below;
        after = *error + (int64_t)(time_grid_value(g, number) - t);
    }
    *error = after;
    return number;
}

static struct time_call round_lossy(struct time_round *r, const struct time_grid *g,
                                    const struct time_exact *exact)
{
    int64_t error = (int64_t)(r->shown - r->left), back = -error;
    struct time_call call = {.nested = exact->nested};
    /* The entry of a nested call does not affect later times, so its error is not carried on. */
    call.gap = choose(g, exact->gap, exact->nested ? &back : &error);
    call.duration = choose(g, exact->duration, &error);
    r->left += (exact->nested ? 0 : exact->gap) + exact->duration;
    r->shown = r->left + (uint64_t)error;
    return call;
}

static struct time_call round_units(struct time_round *r, const struct time_exact *exact)
{
    const uint64_t enter = exact->nested ? r->left - exact->gap : r->left + exact->gap,
                   leave = (exact->nested ? r->left : enter) + exact->duration;
    const uint64_t entered = count_units(r->mode, enter), left = count_units(r->mode, leave);
    const bool nested = entered < r->shown;
    const struct time_call call = {.nested = nested,
                                   .gap = nested ? r->shown - entered : entered - r->shown,
                                   .duration = left - (nested ? r->shown : entered)};
    r->left = leave;
    r->shown = left;
    return call;
}

struct time_call time_round_call(struct time_round *r, uint32_t grid, const struct time_exact *exact)
{
    assert(r->mode->unit > 0 || grid < r->mode->grids.n);
    return r->mode->unit > 0 ? round_units(r, exact) : round_lossy(r, &r->mode->grids.items[grid], exact);
}
