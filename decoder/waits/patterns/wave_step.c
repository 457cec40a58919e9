/* SPDX-License-Identifier: BSD-3-Clause */
#include "wave_step.h"

static uint32_t lower(uint32_t sides)
{
    return sides & UINT32_C(0x55555555);
}

static uint32_t opposite(uint32_t sides)
{
    return lower(sides) << 1 | lower(sides >> 1);
}

uint32_t wave_step_origin(const struct wave_step *step)
{
    return step->from | opposite(step->to);
}

bool wave_step_passes(const struct wave_step *step)
{
    return step->from && step->to;
}

static struct wave_run run_of(const struct wave_step *step, bool is_part)
{
    return (struct wave_run){step->first_send, wave_step_origin(step), wave_step_passes(step), is_part};
}

struct wave_run wave_lane_run_at(const struct wave_lane *l, uint64_t call)
{
    if (l->step.to && call >= l->step.first_send)
        return run_of(&l->step, l->step.is_part);
    for (uint32_t i = l->n_runs; i-- > 0 && i + WAVE_RUNS >= l->n_runs;) {
        if (l->runs[i % WAVE_RUNS].first <= call)
            return l->runs[i % WAVE_RUNS];
    }
    return (struct wave_run){0};
}

static bool has_border(const struct wait_grid *g, unsigned d)
{
    return g->sizes[d] >= 2 && !(g->periodic >> d & 1);
}

uint32_t wave_number(const struct wait_grid *g, uint32_t origin)
{
    uint32_t n = 0, corner = 0;
    bool unknown = false;
    for (unsigned d = 0; d < g->n_dims; d++) {
        const uint32_t sides = origin >> (2 * d) & 3;
        if (!has_border(g, d))
            continue;
        if (sides == 3)
            return WAVE_NONE;
        unknown = unknown || sides == 0;
        corner |= (uint32_t)(sides == 2) << n++;
    }
    return n == 0 ? WAVE_NONE : unknown ? WAVE_UNKNOWN : METRIC_WAVE(n, corner);
}

bool wave_is_known(uint32_t which)
{
    return which != WAVE_NONE && which != WAVE_UNKNOWN;
}

void wave_lane_place(struct wave_lane *l, const struct wait_grid *g, uint32_t rank)
{
    const uint32_t *place = wait_grid_place(g, rank);
    l->is_placed = true;
    for (unsigned d = 0; place && d < g->n_dims; d++) {
        if (has_border(g, d))
            l->neighbours |= (uint32_t)(place[d] > 0) << (2 * d) | (uint32_t)(place[d] + 1 < g->sizes[d])
                                                                       << (2 * d + 1);
    }
}

bool wave_step_is_whole(const struct wave_lane *l, const struct wave_step *step, bool ended)
{
    /* A bit for each dimension with a border; and for those of them in which the direction is known. */
    const uint32_t origin = wave_step_origin(step), borders = lower(l->neighbours | l->neighbours >> 1),
                   known = (origin ^ origin >> 1) & borders;
    if (l->neighbours == 0 || (l->neighbours & origin & ~step->from))
        return false;
    return !ended || (known == borders && !(l->neighbours & ~origin & ~step->to));
}

uint64_t wave_received_before(const struct wave_received *r, uint64_t call)
{
    uint64_t n = r->n;
    while (n > 0 && n + WAVE_RECEIVED > r->n && r->calls[(n - 1) % WAVE_RECEIVED] >= call)
        n--;
    return n;
}

void wave_lane_note_sends(struct wave_lane *l, bool is_part)
{
    const struct wave_run run = run_of(&l->step, is_part),
                          *last = &l->runs[(l->n_runs + WAVE_RUNS - 1) % WAVE_RUNS];
    const bool same = l->n_runs > 0 && last->origin == run.origin && last->passes == run.passes &&
                      last->is_part == run.is_part;
    if (l->step.to && !same)
        l->runs[l->n_runs++ % WAVE_RUNS] = run;
}
