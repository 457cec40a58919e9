/* SPDX-License-Identifier: BSD-3-Clause */
#include "part_times.h"

#include "src/core/base/bisect.h"
#include "src/core/base/log.h"

#include <stdlib.h>

/* Two cases are as quick to simulate as one. */
enum { AS_IT_WAS, IDEAL, CASES };
static const struct resim_case cases[CASES] = {
    [AS_IT_WAS] = {.change = RESIM_NOTHING}, [IDEAL] = {.change = RESIM_IDEAL, .site = RESIM_ANYWHERE}};

static int by_lane(const void *a, const void *b)
{
    const struct critical_stay *x = a, *y = b;
    if (x->lane != y->lane)
        return x->lane < y->lane ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

void part_times_take_path(struct part_times *t, struct critical_stays *stays)
{
    array_free(&t->path);
    t->path = *stays;
    *stays = (struct critical_stays){0};
    if (t->path.n > 0)
        qsort(t->path.items, t->path.n, sizeof *t->path.items, by_lane);
}

static void clear(struct part_times *t)
{
    severities_free(&t->values);
    resimulation_free(&t->simulation);
    free(t->begun);
    free(t->stay);
    *t = (struct part_times){.places = t->places, .path = t->path};
}

enum refrain_status part_times_start(struct part_times *t, const struct wait_search *s, const bool *keeps)
{
    clear(t);
    t->begin = s->begin;
    enum refrain_status status = severities_create(&t->values, PART_VALUES, t->places->n, s->lanes.n);
    if (status == REFRAIN_OK)
        status = resimulation_create(&t->simulation, s->lanes.n, cases, CASES);
    t->begun = calloc(s->lanes.n + 1, sizeof *t->begun);
    t->stay = calloc(s->lanes.n + 1, sizeof *t->stay);
    if (status == REFRAIN_OK && (!t->begun || !t->stay)) {
        log_error("out of memory: %zu threads", s->lanes.n);
        status = REFRAIN_ERR_MEMORY;
    }
    for (size_t lane = 0; status == REFRAIN_OK && lane < s->lanes.n; lane++)
        t->stay[lane] = BISECT(i, t->path.n, t->path.items[i].lane < lane);
    t->simulation.keeps = keeps;
    t->simulation.slack = s->slack;
    return status;
}

void part_times_free(struct part_times *t)
{
    clear(t);
    array_free(&t->path);
}

/* Adds the part of an interval that is in the run. */
static enum refrain_status add(struct part_times *t, enum part_value value, uint32_t part, uint32_t lane,
                               uint64_t from, uint64_t to)
{
    const uint64_t first = from > t->begin ? from : t->begin;
    return to > first ? severities_add(&t->values, value, part, lane, to - first) : REFRAIN_OK;
}

/* Adds time of a lane, and what of it is on the critical path. Times of a lane ascend. */
static enum refrain_status add_time(struct part_times *t, uint32_t part, uint32_t lane, uint64_t from,
                                    uint64_t to)
{
    enum refrain_status status = add(t, PART_TIME, part, lane, from, to);
    for (size_t *at = &t->stay[lane]; status == REFRAIN_OK && *at < t->path.n; (*at)++) {
        const struct critical_stay *s = &t->path.items[*at];
        const uint64_t first = s->from > from ? s->from : from, last = s->to < to ? s->to : to;
        if (s->lane != lane || s->from >= to)
            break;
        status = add(t, PART_PATH, part, lane, first, last);
        if (s->to > to)
            break;
    }
    return status;
}

static uint64_t ideal_now(const struct part_times *t, uint32_t lane)
{
    return t->simulation.now[(size_t)lane * CASES + IDEAL];
}

/* ---- one call after the other ---------------------------------------------------------------- */

/* A thread computes from its first call on. */
static enum refrain_status take_enter(void *context, const struct causal_call *call, uint32_t mark)
{
    struct part_times *t = context;
    const struct causal_sink sink = resimulation_sink(&t->simulation);
    const uint32_t lane = call->lane;
    const uint64_t left = t->simulation.left[lane], before = ideal_now(t, lane);
    const bool begun = t->begun[lane];
    const uint32_t part = begun ? wait_places_find(t->places, lane, 2 * call->number) : 0;
    enum refrain_status status = sink.enter(sink.context, call, mark);
    t->begun[lane] = true;
    if (status == REFRAIN_OK)
        status = add_time(t, part, lane, left, call->enter);
    if (status == REFRAIN_OK && begun)
        status = add(t, PART_COMPUTING, part, lane, left, call->enter);
    return status == REFRAIN_OK ? add(t, PART_IDEAL, part, lane, before, ideal_now(t, lane)) : status;
}

static enum refrain_status take_leave(void *context, const struct causal_call *call,
                                      const struct causal_cause *causes, size_t n)
{
    struct part_times *t = context;
    const struct causal_sink sink = resimulation_sink(&t->simulation);
    const uint32_t lane = call->lane, part = wait_places_find(t->places, lane, 2 * call->number + 1);
    const uint64_t before = ideal_now(t, lane);
    enum refrain_status status = sink.leave(sink.context, call, causes, n);
    if (status == REFRAIN_OK)
        status = add_time(t, part, lane, call->enter, call->leave);
    return status == REFRAIN_OK ? add(t, PART_IDEAL, part, lane, before, ideal_now(t, lane)) : status;
}

static enum refrain_status take_join(void *context, uint32_t mark, const struct causal_cause *members,
                                     size_t n)
{
    struct part_times *t = context;
    const struct causal_sink sink = resimulation_sink(&t->simulation);
    return sink.join(sink.context, mark, members, n);
}

static void forget(void *context, uint32_t mark)
{
    (void)context;
    (void)mark;
}

struct causal_sink part_times_sink(struct part_times *t)
{
    return (struct causal_sink){
        .context = t, .enter = take_enter, .leave = take_leave, .forget = forget, .join = take_join};
}

enum refrain_status part_times_end(struct part_times *t, const struct wait_search *s)
{
    enum refrain_status status = REFRAIN_OK;
    uint64_t begin, end;
    const uint64_t ideal_end = resimulation_end(&t->simulation, IDEAL);
    wait_search_run_span(s, &begin, &end);
    for (uint32_t lane = 0; lane < s->lanes.n && status == REFRAIN_OK; lane++) {
        if (!s->lanes.items[lane].has_calls)
            continue;
        status = add_time(t, 0, lane, t->simulation.left[lane], end);
        if (status == REFRAIN_OK)
            status = add(t, PART_IDEAL, 0, lane, ideal_now(t, lane), ideal_end);
    }
    return status;
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* Adds up the parts' rows by lane. */
static void add_rows(const struct part_times *t, enum part_value value, const uint32_t *parts, size_t n,
                     uint64_t *of_lane)
{
    for (size_t lane = 0; lane < t->values.n_lanes; lane++)
        of_lane[lane] = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t *row = severities_row(&t->values, value, parts[i]);
        for (size_t lane = 0; row && lane < t->values.n_lanes; lane++)
            of_lane[lane] += row[lane];
    }
}

static void add_lanes(const uint64_t *of_lane, size_t n, uint64_t *sum, uint64_t *most)
{
    *sum = *most = 0;
    for (size_t i = 0; i < n; i++) {
        *sum += of_lane[i];
        *most = of_lane[i] > *most ? of_lane[i] : *most;
    }
}

enum refrain_status part_times_sum(const struct part_times *t, const uint32_t *parts, size_t n,
                                   struct part_sum *out)
{
    const size_t n_lanes = t->values.n_lanes;
    uint64_t *of_lane = calloc(n_lanes + 1, sizeof *of_lane);
    struct efficiency *e = &out->efficiency;
    if (!of_lane) {
        log_error("out of memory: %zu threads", n_lanes);
        return REFRAIN_ERR_MEMORY;
    }
    *out = (struct part_sum){0};
    add_rows(t, PART_TIME, parts, n, of_lane);
    add_lanes(of_lane, n_lanes, &out->time, &e->time);
    for (size_t i = 0; i < n_lanes; i++)
        e->threads += of_lane[i] > 0;
    add_rows(t, PART_COMPUTING, parts, n, of_lane);
    add_lanes(of_lane, n_lanes, &e->computing, &e->most);
    add_rows(t, PART_IDEAL, parts, n, of_lane);
    add_lanes(of_lane, n_lanes, &out->ideal, &e->ideal);
    uint64_t most;
    add_rows(t, PART_PATH, parts, n, of_lane);
    add_lanes(of_lane, n_lanes, &out->path, &most);
    free(of_lane);
    return REFRAIN_OK;
}
