/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_phases.h"

#include "decoder/model/system_count.h"
#include "src/core/base/log.h"

#include <stdlib.h>

#define VARIES UINT64_MAX

static struct system_part part_of(const struct phase_walk *w, const struct phase_body *body,
                                  const struct phase_step *step)
{
    return (struct system_part){body->system, step->first, step->end, w->process};
}

/* Counts a step's events once if the loops around make no difference. */
static uint64_t count_each(struct phase_walk *w, const struct phase_body *body, const struct phase_step *step)
{
    const struct system_part part = part_of(w, body, step);
    const uint32_t depth = body->loop ? body->loop->depth + 1 : 0;
    for (uint32_t level = 0; level < depth; level++) {
        if (system_part_varies(&part, level))
            return VARIES;
    }
    return system_part_events(&part, depth, w->indices);
}

static void enter(struct phase_walk *w, uint32_t body, uint64_t count)
{
    w->frames[w->depth] = (struct phase_frame){.body = body, .count = count};
}

enum refrain_status phase_walk_start(struct phase_walk *w, const struct run_phases *p, uint32_t process)
{
    *w = (struct phase_walk){.phases = p, .process = process};
    w->events = calloc(p->n_steps + 1, sizeof *w->events);
    if (!w->events) {
        log_error("out of memory: %zu phases", p->items.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < p->bodies.n; i++) {
        const struct phase_body *body = &p->bodies.items[i];
        for (size_t k = 0; k < body->steps.n; k++) {
            const struct phase_step *step = &body->steps.items[k];
            w->events[step->count] = step->is_body ? 0 : count_each(w, body, step);
        }
    }
    enter(w, 0, 1);
    return REFRAIN_OK;
}

void phase_walk_stop(struct phase_walk *w)
{
    free(w->events);
    w->events = NULL;
}

/* Goes on to the next iteration, or out of the loop. Returns false at the end of all. */
static bool leave(struct phase_walk *w)
{
    struct phase_frame *f = &w->frames[w->depth];
    if (w->depth == 0)
        return false;
    f->step = 0;
    if (++w->indices[w->depth - 1] == f->count)
        w->depth--;
    return true;
}

static void enter_loop(struct phase_walk *w, uint32_t body)
{
    const struct construct *loop = w->phases->bodies.items[body].loop;
    const uint64_t count = system_iterations(loop->count, w->depth, w->indices);
    if (count == 0 || !construct_has(loop, w->process))
        return;
    w->indices[w->depth++] = 0;
    enter(w, body, count);
}

bool phase_walk_next(struct phase_walk *w, struct phase_visit *visit)
{
    for (;;) {
        struct phase_frame *f = &w->frames[w->depth];
        const struct phase_body *body = &w->phases->bodies.items[f->body];
        if (f->step == body->steps.n) {
            if (!leave(w))
                return false;
            continue;
        }
        const struct phase_step *step = &body->steps.items[f->step++];
        if (step->is_body) {
            enter_loop(w, step->number);
            continue;
        }
        const struct system_part part = part_of(w, body, step);
        *visit = (struct phase_visit){step->number, step->begins, step->ends, w->events[step->count]};
        if (body->lead != RUN_PHASE_NONE && f->step == 1 && w->indices[w->depth - 1] == 0)
            *visit = (struct phase_visit){body->lead, true, true, visit->events};
        if (visit->events == VARIES)
            visit->events = system_part_events(&part, w->depth, w->indices);
        if (visit->events > 0)
            return true;
    }
}
