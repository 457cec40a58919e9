/* SPDX-License-Identifier: BSD-3-Clause */
#include "phase_places.h"

#include "decoder/loops/event_lane.h"
#include "decoder/waits/search/wait_lanes.h"

/* A lane's visits of phases, beside its calls. */
struct visiting {
    struct run_phases *phases;
    struct wait_places *places;
    uint32_t number; /* of the lane */
    struct event_lane lane;
    struct phase_walk walk;
    uint64_t events; /* before the current visit */
    uint64_t after;  /* position after the visit before, if it ended with a meeting; otherwise 0 */
};

/* The last event's call matters if the phase ends with it, or has no known end. */
static enum refrain_status look_at_end(struct visiting *v, struct run_phase *phase,
                                       const struct phase_visit *visit)
{
    v->after = 0;
    if (!visit->ends || (!phase->met && phase->to_site != RUN_PHASE_NONE))
        return REFRAIN_OK;
    const enum refrain_status status = event_lane_seek(&v->lane, v->events + visit->events - 1);
    if (status != REFRAIN_OK)
        return status;
    phase->to_site = phase->to_site == RUN_PHASE_NONE ? v->lane.call.site : phase->to_site;
    v->after = phase->met ? 2 * (v->lane.call.index + 1) : 0;
    return REFRAIN_OK;
}

/* All before the first event is in the first phase. */
static enum refrain_status take_visit(struct visiting *v, const struct phase_visit *visit)
{
    struct run_phase *phase = &v->phases->items.items[visit->phase];
    enum refrain_status status = event_lane_seek(&v->lane, v->events);
    if (status != REFRAIN_OK)
        return status;
    if (visit->begins && phase->from_site == RUN_PHASE_NONE)
        phase->from_site = v->lane.call.site;
    const uint64_t first = v->events == 0 ? 0 : 2 * v->lane.call.index;
    status = wait_places_add(v->places, v->number, v->after > 0 ? v->after : first, visit->phase + 1);
    if (status == REFRAIN_OK)
        status = look_at_end(v, phase, visit);
    v->events += visit->events;
    return status;
}

static enum refrain_status visit_all(struct visiting *v, struct call_event_source *source,
                                     const struct model_process *p, uint32_t process)
{
    struct lane_ref lane;
    struct phase_visit visit;
    enum refrain_status status = event_lane_find(source->reader, p->rank, p->thread, &lane);
    if (status == REFRAIN_OK)
        status = event_lane_start(&v->lane, source, &lane);
    if (status != REFRAIN_OK)
        return status;
    v->events = v->after = 0;
    status = wait_places_add(v->places, v->number, 0, 0);
    if (status == REFRAIN_OK)
        status = phase_walk_start(&v->walk, v->phases, process);
    while (status == REFRAIN_OK && phase_walk_next(&v->walk, &visit))
        status = take_visit(v, &visit);
    phase_walk_stop(&v->walk);
    event_lane_stop(&v->lane);
    return status;
}

enum refrain_status phase_places_fill(struct wait_places *places, struct run_phases *p, const struct model *m,
                                      const struct reader *r, const struct definitions *d)
{
    struct visiting v = {.phases = p, .places = places};
    struct event_templates templates = {0};
    struct call_event_source source;
    struct wait_lanes lanes;
    enum refrain_status status = wait_lanes_create(&lanes, r);
    if (status != REFRAIN_OK)
        return status;
    status = call_event_source_create(&source, r, d, CALL_EVENT_MESSAGES, &templates);
    if (status == REFRAIN_OK)
        status = wait_places_create(places, lanes.n);
    places->n = p->items.n + 1;
    for (uint32_t i = 0; i < m->processes.n && status == REFRAIN_OK; i++) {
        const struct model_process *process = &m->processes.items[i];
        v.number = wait_lane_number(&lanes, process->rank, process->thread);
        status = visit_all(&v, &source, process, i);
    }
    call_event_source_free(&source);
    event_templates_free(&templates);
    wait_lanes_free(&lanes);
    return status;
}
