/* SPDX-License-Identifier: BSD-3-Clause */
#include "time_check.h"

#include <assert.h>

struct time_check time_check_of(const struct time_mode *mode, struct time_worst *worst)
{
    return (struct time_check){.mode = mode, .worst = worst};
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* Returns the distance and keeps the largest one in *worst. */
static uint64_t note_distance(uint64_t *worst, uint64_t wanted, uint64_t found)
{
    const uint64_t error = distance(wanted, found);
    *worst = error > *worst ? error : *worst;
    return error;
}

/* Checks wanted / b <= found <= wanted * b, or a difference below the floor. */
static bool check_interval(const struct time_check *c, uint32_t grid, uint64_t wanted, uint64_t found,
                           double *worst)
{
    const struct time_grid *g = &c->mode->grids.items[grid];
    if (wanted < g->floor)
        return distance(wanted, found) < g->floor;
    if (wanted == found)
        return true;
    if (wanted == 0 || found == 0)
        return false;
    const double factor = wanted > found ? (double)wanted / (double)found : (double)found / (double)wanted;
    *worst = factor > *worst ? factor : *worst;
    return (unsigned __int128)found * TIME_BASE_ONE <= (unsigned __int128)wanted * g->base &&
           (unsigned __int128)wanted * TIME_BASE_ONE <= (unsigned __int128)found * g->base;
}

static bool check_lossy(struct time_check *c, uint32_t grid, const struct timestamp *wanted,
                        const struct timestamp *found)
{
    const uint64_t left = c->wanted.leave, shown = c->found.leave;
    const bool nested = wanted->enter < left;
    const uint64_t bound = c->mode->grids.items[grid].bound;
    bool fine = note_distance(&c->worst->entry, wanted->enter, found->enter) <= bound &&
                note_distance(&c->worst->exit, wanted->leave, found->leave) <= bound;
    if (nested) {
        fine = fine && found->enter <= shown && found->leave >= shown;
        fine = fine && check_interval(c, grid, left - wanted->enter, shown - found->enter, &c->worst->gap) &&
               check_interval(c, grid, wanted->leave - left, found->leave - shown, &c->worst->duration);
    } else {
        fine = fine && found->enter >= shown && found->leave >= found->enter;
        fine = fine && check_interval(c, grid, wanted->enter - left, found->enter - shown, &c->worst->gap) &&
               check_interval(c, grid, wanted->leave - wanted->enter, found->leave - found->enter,
                              &c->worst->duration);
    }
    return fine;
}

/* The error may be half a unit. */
static bool check_units(struct time_check *c, const struct timestamp *wanted, const struct timestamp *found)
{
    const uint64_t half = c->mode->unit / 2;
    return note_distance(&c->worst->entry, wanted->enter, found->enter) <= half &&
           note_distance(&c->worst->exit, wanted->leave, found->leave) <= half &&
           found->enter <= found->leave && found->leave >= c->found.leave;
}

bool time_check_call(struct time_check *c, uint32_t grid, const struct timestamp *wanted,
                     const struct timestamp *found)
{
    assert(c->mode->unit > 0 || grid < c->mode->grids.n);
    struct timestamp w = *wanted;
    if (!c->begun) { /* both begin at the same time */
        c->wanted.leave = w.enter;
        c->found.leave = c->mode->unit > 0 ? 0 : w.enter;
    }
    c->begun = true;
    /* The tracer changes times in this way if the clock goes back (time_log.h). */
    if (w.leave < c->wanted.leave)
        w.leave = c->wanted.leave;
    if (w.enter > w.leave)
        w.enter = w.leave;
    const bool fine = c->mode->unit > 0 ? check_units(c, &w, found) : check_lossy(c, grid, &w, found);
    c->worst->calls++;
    c->wanted = w;
    c->found = *found;
    return fine;
}
