/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan_checks.h"

#include "decoder/loops/event_lane.h"
#include "random.h"
#include "src/core/base/log.h"

#include <string.h>

/* ---- occurrences ----------------------------------------------------------------------------- */

struct occurrence {
    uint64_t indices[8], event;
};

/* All events of a process, and the occurrences of one construct among them. */
struct expansion {
    const struct construct_path *path;
    enum occurrence_point point;
    uint32_t process;
    uint64_t event, indices[SYSTEM_DEPTH_MAX];
    ARRAY(struct occurrence) found;
    size_t points; /* positions where it could occur */
    size_t compared;
    const struct occurrences *o;
    bool failed;
};

static void note(struct expansion *e, uint32_t depth, uint64_t event)
{
    struct occurrence found = {.event = event};
    for (uint32_t d = 0; d < depth && d < 8; d++)
        found.indices[d] = e->indices[d];
    e->failed = !array_push(&e->found, found) || e->failed;
}

static void expand(struct expansion *e, const struct system *s, uint32_t depth, bool around)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct construct *c = s->items[i];
        const bool here = around && depth < e->path->n && e->path->levels[depth].number == i + 1;
        const bool last = here && depth + 1 == e->path->n;
        const uint64_t start = e->event;
        if (!construct_is_loop(c)) {
            e->event += construct_has(c, e->process);
            e->points += last;
            if (last && e->event > start)
                note(e, depth, start);
            continue;
        }
        const int64_t times = (int64_t)affine_value(c->count, depth, e->indices);
        for (int64_t k = 0; k < times; k++) {
            const uint64_t before = e->event;
            e->indices[depth] = (uint64_t)k;
            expand(e, c->body, depth + 1, here && !last);
            e->indices[depth] = (uint64_t)k;
            e->points += last && e->point == OCCURRENCE_ITERATION;
            if (last && e->point == OCCURRENCE_ITERATION && e->event > before)
                note(e, depth + 1, before);
        }
        e->points += last && e->point != OCCURRENCE_ITERATION;
        if (last && e->event > start && e->point != OCCURRENCE_ITERATION)
            note(e, depth, e->point == OCCURRENCE_START ? start : e->event - 1);
    }
}

static enum refrain_status compare(void *context, const uint64_t *indices, uint64_t event)
{
    struct expansion *e = context;
    const struct occurrence *should = e->compared < e->found.n ? &e->found.items[e->compared++] : NULL;
    bool same = should && should->event == event;
    for (uint32_t d = 0; same && d < e->o->depth && d < 8; d++)
        same = should->indices[d] == indices[d];
    int64_t position = 0, inside = 0;
    if (same && occurrences_are_polynomial(e->o))
        same = polynomial_value(&e->o->position, indices, &position) && (uint64_t)position == event &&
               polynomial_value(&e->o->inside.events, indices, &inside) && inside > 0;
    return same ? REFRAIN_OK : REFRAIN_ERR_CHECK;
}

/* Compare what was found with the expansion. */
static enum refrain_status check_found(struct expansion *e, const struct occurrences *o)
{
    e->o = o;
    e->compared = 0;
    const enum refrain_status status = occurrences_walk(o, compare, e);
    if (status == REFRAIN_OK &&
        (e->failed || e->compared != e->found.n || (occurrences_are_certain(o) && e->found.n != e->points)))
        return REFRAIN_ERR_CHECK;
    return status;
}

/* Check the construct alone, and as one of those of its body. */
static enum refrain_status check_point(const struct system *top, const struct construct_path *path,
                                       struct construct_occurrences *place, enum occurrence_point point,
                                       size_t counts[2])
{
    struct occurrences alone, among = {0};
    struct expansion e = {.path = path, .point = point, .process = place->around.process};
    enum refrain_status status = occurrences_find(&alone, top, path, point, e.process);
    expand(&e, top, 0, true);
    if (status == REFRAIN_OK)
        status = check_found(&e, &alone);
    if (status == REFRAIN_OK)
        status = construct_occurrences_of(place, point, &among);
    if (status == REFRAIN_OK)
        status = check_found(&e, &among);
    if (status == REFRAIN_OK && occurrences_are_polynomial(&alone) != occurrences_are_polynomial(&among))
        status = REFRAIN_ERR_CHECK;
    if (status != REFRAIN_OK) {
        struct bytes name = {0};
        construct_path_put(path, &name);
        log_error("construct %.*s, point %d, process %u: occurrence %zu of %zu is not where it is",
                  (int)name.n, (char *)name.data, point, e.process, e.compared, e.found.n);
        bytes_free(&name);
    }
    counts[occurrences_are_polynomial(&alone)]++;
    occurrences_free(&alone);
    occurrences_free(&among);
    array_free(&e.found);
    return status;
}

/* Check each construct of a body, which the path leads to, and the constructs inside it. */
static enum refrain_status check_system(const struct system *top, const struct system *s,
                                        struct construct_path *path, uint32_t process, size_t counts[2])
{
    struct construct_occurrences place;
    if (s->n == 0)
        return REFRAIN_OK;
    construct_path_set(path, s, 0);
    enum refrain_status status = construct_occurrences_find(&place, top, path, process);
    for (size_t i = 0; i < s->n && status == REFRAIN_OK; i++) {
        const struct construct *c = s->items[i];
        const bool loop = construct_is_loop(c);
        const int first = loop ? OCCURRENCE_START : OCCURRENCE_EVENT,
                  last = loop ? OCCURRENCE_ITERATION : OCCURRENCE_EVENT;
        construct_path_set(path, s, i);
        for (int point = first; point <= last && status == REFRAIN_OK; point++)
            status = check_point(top, path, &place, (enum occurrence_point)point, counts);
        if (loop && status == REFRAIN_OK)
            status = check_system(top, c->body, path, process, counts);
        construct_occurrences_pass(&place);
    }
    construct_occurrences_free(&place);
    return status;
}

enum refrain_status occurrences_check(const struct system *top, uint32_t process, size_t *polynomials,
                                      size_t *others)
{
    struct construct_path path = {0};
    size_t counts[2] = {0, 0};
    const enum refrain_status status = check_system(top, top, &path, process, counts);
    if (others)
        *others += counts[false];
    if (polynomials)
        *polynomials += counts[true];
    return status;
}

/* ---- events of lanes ------------------------------------------------------------------------- */

struct event_calls {
    ARRAY(uint64_t) calls; /* by event */
};

static enum refrain_status list_calls(struct call_event_source *s, const struct lane_ref *lane,
                                      struct event_calls *out)
{
    struct cursor cursor;
    struct call call;
    struct event_list events = {0};
    enum refrain_status status = call_event_lane(s, lane);
    if (status == REFRAIN_OK)
        status = cursor_start(&cursor, s->reader, lane);
    if (status != REFRAIN_OK)
        return status;
    while (status == REFRAIN_OK && cursor_next(&cursor, &call, &status)) {
        event_list_clear(&events);
        status = call_event_put(s, call.function, call.slots, call.n_slots, &events, NULL);
        for (size_t i = 0; i < events.items.n && status == REFRAIN_OK; i++)
            status = array_push(&out->calls, call.index) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    }
    cursor_stop(&cursor);
    event_list_free(&events);
    return status;
}

static enum refrain_status check_event(struct event_lane *l, const struct event_calls *should, uint64_t event)
{
    const enum refrain_status status = event_lane_seek(l, event);
    if (status != REFRAIN_OK || l->call.index == should->calls.items[event])
        return status;
    log_error("event %llu is not of call %llu", (unsigned long long)event, (unsigned long long)l->call.index);
    return REFRAIN_ERR_CHECK;
}

/* In steps of all sizes, from the first event to the last; and at single places. */
static enum refrain_status check_events(struct event_lane *l, const struct event_calls *should)
{
    const uint64_t n = should->calls.n;
    enum refrain_status status = REFRAIN_OK;
    uint64_t state = random_seed((unsigned)n);
    for (uint64_t step = 1; status == REFRAIN_OK && step <= n; step = step * 7 + 1) {
        for (uint64_t event = 0; event < n && status == REFRAIN_OK; event += step)
            status = check_event(l, should, event);
    }
    for (unsigned i = 0; i < 40 && n > 0 && status == REFRAIN_OK; i++)
        status = check_event(l, should, random_below(&state, (uint32_t)n));
    return status;
}

enum refrain_status event_lane_check(const struct reader *r, const struct definitions *d,
                                     const struct lane_ref *lane, enum call_event_mode mode)
{
    struct event_templates templates = {0};
    struct call_event_source source;
    struct event_lane l = {0};
    struct event_calls should = {0};
    enum refrain_status status = call_event_source_create(&source, r, d, mode, &templates);
    if (status != REFRAIN_OK)
        return status;
    status = list_calls(&source, lane, &should);
    if (status == REFRAIN_OK)
        status = event_lane_start(&l, &source, lane);
    if (status == REFRAIN_OK && l.position.events != should.calls.n) {
        log_error("%llu events instead of %zu", (unsigned long long)l.position.events, should.calls.n);
        status = REFRAIN_ERR_CHECK;
    }
    if (status == REFRAIN_OK)
        status = check_events(&l, &should);
    event_lane_stop(&l);
    array_free(&should.calls);
    call_event_source_free(&source);
    event_templates_free(&templates);
    return status;
}
