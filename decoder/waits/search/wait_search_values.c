/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of the metrics, the events that go to them, and the profile. */
#include "wait_search_impl.h"

#include "src/core/base/log.h"

#include <stdlib.h>

/* ---- values ---------------------------------------------------------------------------------- */

uint32_t wait_search_place(const struct wait_search *s, const struct call_ref *call)
{
    return s->places ? wait_search_place_of(s, wait_search_lane(s, call), call->call, call->site)
                     : call->site;
}

/* Returns the time from which calls at the site are counted: the beginning of the run or of the examined
 * time, whichever is later; for MPI_Init, the beginning of the examined time. */
static uint64_t first_of(const struct wait_search *s, uint32_t site)
{
    const bool init = s->roles.items[s->reader->trace.sites.items[site].function].actions & ROLE_INIT;
    return init || s->from > s->begin ? s->from : s->begin;
}

static uint64_t cut(const struct wait_search *s, uint64_t first, uint64_t time)
{
    return time > s->to ? s->to : time < first ? first : time;
}

void wait_search_run_span(const struct wait_search *s, uint64_t *begin, uint64_t *end)
{
    *begin = s->from > s->begin ? s->from : s->begin;
    *end = 0;
    for (size_t i = 0; i < s->lanes.n; i++)
        *end = s->lanes.items[i].last > *end ? s->lanes.items[i].last : *end;
    *end = *end < s->to ? *end : s->to;
    *end = *end > *begin ? *end : *begin;
}

enum refrain_status wait_search_add(struct wait_search *s, uint32_t metric, const struct call_ref *at,
                                    uint64_t begin, uint64_t end, uint64_t *length)
{
    const uint64_t first = first_of(s, at->site);
    *length = end > begin && wait_search_has(s, at->rank) ? cut(s, first, end) - cut(s, first, begin) : 0;
    return *length == 0 ? REFRAIN_OK
                        : severities_add(&s->values, metric, wait_search_place(s, at),
                                         wait_search_lane(s, at), *length);
}

enum refrain_status wait_search_count(struct wait_search *s, uint32_t metric, const struct call_ref *at,
                                      uint64_t value)
{
    const bool inside = at->timestamp.enter >= s->from && at->timestamp.enter < s->to;
    return inside && value > 0 && wait_search_has(s, at->rank)
               ? severities_add(&s->values, metric, wait_search_place(s, at), wait_search_lane(s, at), value)
               : REFRAIN_OK;
}

void *wait_search_state(struct wait_search *s, uint32_t metric, uint32_t lane)
{
    void **state = &s->states[metric * s->lanes.n + lane];
    if (!*state && !(*state = calloc(1, s->metrics->items[metric]->lane_state)))
        log_error("out of memory: the state of a metric for a thread");
    return *state;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Does any part of the interval lie in the examined time, within the precision of the times? */
static bool is_near(const struct wait_search *s, uint32_t site, uint64_t begin, uint64_t end)
{
    const uint64_t first = first_of(s, site);
    const uint64_t early = begin > s->slack ? begin - s->slack : 0;
    return cut(s, first, end + s->slack) > cut(s, first, early);
}

/* Moves `length` from the metric of the call's function to the parent of the waiting metric, unless it is
 * there already. */
static enum refrain_status take_home(struct wait_search *s, uint32_t metric, const struct call_ref *at,
                                     uint64_t length)
{
    const uint32_t home = s->uses[metric].home, profile = s->profile_of_site[at->site];
    if (home == METRIC_NONE || home == profile || metrics_is_below(s->metrics, profile, home))
        return REFRAIN_OK;
    const uint32_t lane = wait_search_lane(s, at), place = wait_search_place(s, at);
    /* It is possible that the time subtracted here is added later; at the end the sum is not negative. */
    const enum refrain_status status = severities_add(&s->values, profile, place, lane, -length);
    return status == REFRAIN_OK ? severities_add(&s->values, home, place, lane, length) : status;
}

static enum refrain_status keep_instance(struct wait_search *s, uint32_t metric, const struct wait_event *e,
                                         uint64_t end)
{
    const uint64_t first = first_of(s, e->call.site);
    const uint64_t begin = e->since > 0 ? e->since : e->begin;
    const struct wait_instance instance = {metric,   cut(s, first, begin), cut(s, first, end), e->call,
                                           e->cause, e->has_cause};
    return e->is_part || wait_instances_add(&s->worst, &instance) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

enum refrain_status wait_search_wait(struct wait_search *s, uint32_t metric, const struct wait_event *e)
{
    const struct metric *row = s->metrics->items[metric];
    const uint64_t end = wait_event_end(e);
    enum refrain_status status = REFRAIN_OK;
    uint64_t length;
    if (e->until + s->slack <= e->begin)
        return REFRAIN_OK;
    const uint32_t place = wait_search_place(s, &e->call);
    if (!s->overlaps.off && s->uses[metric].home != METRIC_NONE && e->kind != EVENT_OVERLAP)
        wait_overlaps_explain(&s->overlaps, wait_search_lane(s, &e->call), e->call.call, e->begin, end);
    if (s->slack > 0 && wait_search_has(s, e->call.rank) && is_near(s, e->call.site, e->begin, end))
        status = severities_add(&s->tallies, metric, place, TALLY_INEXACT, 1);
    if (status == REFRAIN_OK)
        status = wait_search_add(s, metric, &e->call, e->begin, end, &length);
    if (status != REFRAIN_OK || length == 0)
        return status;
    status = take_home(s, metric, &e->call, length);
    if (status == REFRAIN_OK)
        status = severities_add(&s->tallies, metric, place, TALLY_INSTANCES, 1);
    if (status == REFRAIN_OK && e->has_cause)
        status = severities_add(&s->blame, metric, place, wait_search_lane(s, &e->cause), length);
    if (status == REFRAIN_OK && e->kind == EVENT_OVERLAP)
        status = severities_add(&s->held_up_by, 0, place, e->cause.site, length);
    if (status == REFRAIN_OK && e->has_cause && s->grid)
        status = severities_add(&s->directions, metric, place,
                                wait_grid_direction(s->grid, e->call.rank, e->cause.rank), length);
    if (status == REFRAIN_OK && s->uses[metric].is_wanted)
        status = keep_instance(s, metric, e, end);
    if (status != REFRAIN_OK || !row->publishes)
        return status;
    struct wait_event told = *e;
    told.kind = row->publishes;
    return wait_search_publish(s, &told);
}

enum refrain_status wait_search_publish(struct wait_search *s, const struct wait_event *e)
{
    const struct subscribers *to = &s->metrics->subscribers[e->kind];
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < to->n && status == REFRAIN_OK; i++) {
        const struct metric *row = s->metrics->items[to->items[i]];
        status = row->take ? row->take(s, to->items[i], e) : wait_search_wait(s, to->items[i], e);
    }
    return status;
}

/* Of a time of all polls: the part of those that took `share`. */
static uint64_t part_of(const struct wait_shares *shares, uint64_t share, uint64_t time)
{
    uint64_t all = shares->rest;
    for (size_t i = 0; i < shares->n; i++)
        all += shares->items[i].time;
    return all == 0 ? 0 : (uint64_t)((double)time * ((double)share / (double)all));
}

uint64_t wait_search_own_part(const struct wait_event *e, uint64_t time)
{
    return e->shares ? part_of(e->shares, e->shares->items[0].time, time) : time;
}

/* The parts come one after the other, that of the call's own site last:
 *
 *     polls   A B A B A B A B      B finds the message, which was sent at |
 *     parts   AAAAAAABBBBBB|                                                       */
static enum refrain_status publish_parts(struct wait_search *s, const struct wait_event *e)
{
    const struct wait_shares *shares = e->shares;
    const uint64_t waited = wait_event_end(e) - e->begin;
    struct wait_event own = *e;
    enum refrain_status status = REFRAIN_OK;
    own.since = e->begin;
    own.begin += part_of(shares, shares->rest, waited);
    for (size_t i = 1; i < shares->n && status == REFRAIN_OK; i++) {
        struct wait_event part = own;
        part.is_part = true;
        part.call.site = shares->items[i].site;
        part.call.call = shares->items[i].call;
        part.until = own.begin += part_of(shares, shares->items[i].time, waited);
        if (part.until > part.begin)
            status = wait_search_publish(s, &part);
    }
    return status == REFRAIN_OK ? wait_search_publish(s, &own) : status;
}

enum refrain_status wait_search_publish_completion(struct wait_search *s, const struct wait_event *e)
{
    return e->shares ? publish_parts(s, e) : wait_search_publish(s, e);
}

/* A call with one operation has one completion, so no others have to be collected. */
static bool is_single(const struct call_ref *call)
{
    return call->n == 1;
}

static enum refrain_status settle(struct wait_search *s, const struct call_ref *call,
                                  const struct wait_event *e)
{
    struct wait_event out;
    const bool ends = wait_completions_settle(wait_search_lane_of(s, call), call->call, e, &out);
    enum refrain_status status = ends ? wait_search_look_for_progress(s, &out) : REFRAIN_OK;
    if (status == REFRAIN_OK)
        status = wait_listener_settle(s->listener, call, e);
    if (status != REFRAIN_OK)
        return status;
    if (!s->overlaps.off)
        wait_overlaps_settle(&s->overlaps, wait_search_lane(s, call), call->call);
    return ends ? wait_search_publish_completion(s, &out) : REFRAIN_OK;
}

enum refrain_status wait_search_settle(struct wait_search *s, const struct wait_event *e)
{
    return settle(s, &e->call, e);
}

enum refrain_status wait_search_settle_none(struct wait_search *s, const struct call_ref *call)
{
    return settle(s, call, NULL);
}

enum refrain_status wait_search_expect(struct wait_search *s, const struct call_ref *call, bool is_send)
{
    struct wait_lane *lane = wait_search_lane_of(s, call);
    struct wait_shares shares;
    const uint64_t begin = wait_lane_begin(lane, call, is_send, &shares);
    wait_listener_expect(s->listener, call);
    if (!s->overlaps.off)
        wait_overlaps_expect(&s->overlaps, wait_search_lane(s, call), call->call);
    if (is_single(call) && begin == call->timestamp.enter)
        return REFRAIN_OK;
    return wait_completions_expect(lane, call->call, begin, &shares) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* ---- the profile ----------------------------------------------------------------------------- */

enum refrain_status wait_search_end_span(struct wait_search *s, uint32_t lane, const struct wait_span *span)
{
    const uint32_t place = wait_search_place_of(s, lane, span->call, span->site);
    const uint64_t run = s->from > s->begin ? s->from : s->begin, first = first_of(s, span->site);
    const uint64_t computing = cut(s, run, span->begin) - cut(s, run, span->before),
                   inside = cut(s, first, span->leave) - cut(s, first, span->begin);
    enum refrain_status status = REFRAIN_OK;
    if (computing > 0)
        status = severities_add(&s->computing, 0, place, lane, computing);
    if (!wait_search_has(s, s->lanes.items[lane].rank))
        return status;
    if (status == REFRAIN_OK && computing > 0)
        status = severities_add(&s->values, s->execution, s->values.n_sites - 1, lane, computing);
    if (status == REFRAIN_OK && computing > 0 && s->times)
        status = call_times_add(s->times, s->times->n_sites, computing);
    if (status == REFRAIN_OK && inside > 0)
        status = severities_add(&s->values, s->profile_of_site[span->site], place, lane, inside);
    if (status == REFRAIN_OK && inside > 0 && span->gaps > 0)
        status = severities_add(&s->polling, 0, place, lane, span->gaps < inside ? span->gaps : inside);
    return status;
}
