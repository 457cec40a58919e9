/* SPDX-License-Identifier: BSD-3-Clause */
#include "wait_search.h"

#include "decoder/stat/run_begin.h"
#include "src/core/base/log.h"
#include "wait_search_impl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---------------------------------------------------------------------------------- */

static uint32_t place_of(const struct wait_search *s, uint32_t lane, uint64_t call, uint32_t site)
{
    return s->places ? wait_places_find(s->places, lane, call) : site;
}

uint32_t wait_search_place(const struct wait_search *s, const struct call_ref *call)
{
    return s->places ? place_of(s, wait_search_lane(s, call), call->call, call->site) : call->site;
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
    const struct wait_instance instance = {
        metric, cut(s, first, e->begin), cut(s, first, end), e->call, e->cause, e->has_cause};
    return wait_instances_add(&s->worst, &instance) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
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
    if (!s->overlaps.off && s->uses[metric].home != METRIC_NONE)
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
        status = severities_add(&s->meanwhile, 0, place, e->cause.site, length);
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

/* A call with one operation has one completion, so no others have to be collected. */
static bool is_single(const struct call_ref *call)
{
    return call->n == 1;
}

enum refrain_status wait_search_settle(struct wait_search *s, const struct wait_event *e)
{
    struct wait_event out;
    const enum refrain_status status = wait_listener_settle(s->listener, &e->call, e);
    if (status != REFRAIN_OK)
        return status;
    if (!s->overlaps.off)
        wait_overlaps_settle(&s->overlaps, wait_search_lane(s, &e->call), e->call.call);
    return wait_completions_settle(wait_search_lane_of(s, &e->call), e->call.call, e, &out)
               ? wait_search_publish(s, &out)
               : REFRAIN_OK;
}

enum refrain_status wait_search_settle_none(struct wait_search *s, const struct call_ref *call)
{
    struct wait_event out;
    const enum refrain_status status = wait_listener_settle(s->listener, call, NULL);
    if (status != REFRAIN_OK)
        return status;
    if (!s->overlaps.off)
        wait_overlaps_settle(&s->overlaps, wait_search_lane(s, call), call->call);
    return wait_completions_settle(wait_search_lane_of(s, call), call->call, NULL, &out)
               ? wait_search_publish(s, &out)
               : REFRAIN_OK;
}

enum refrain_status wait_search_expect(struct wait_search *s, const struct call_ref *call)
{
    struct wait_lane *lane = wait_search_lane_of(s, call);
    const uint64_t begin = wait_lane_begin(lane, call);
    wait_listener_expect(s->listener, call);
    if (!s->overlaps.off)
        wait_overlaps_expect(&s->overlaps, wait_search_lane(s, call), call->call);
    if (is_single(call) && begin == call->timestamp.enter)
        return REFRAIN_OK;
    return wait_completions_expect(lane, call->call, begin) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* ---- the profile ----------------------------------------------------------------------------- */

enum refrain_status wait_search_end_span(struct wait_search *s, uint32_t lane, const struct wait_span *span)
{
    const uint32_t place = place_of(s, lane, span->call, span->site);
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

/* ---- callbacks of the matching --------------------------------------------------------------- */

/* Reports the lane's state (wait_lanes.h), which begins or continues with the call. A probe that has found a
 * message depends on the send of that message. The send is known only if a receive of the message follows; if
 * none follows, the probe is reported to depend on nothing. Later calls show which is the case. */
static enum refrain_status tell_call(const struct wait_listener *l, const struct wait_lane *lane,
                                     const struct call *call, bool begins, const struct found_message *before,
                                     size_t receives_before)
{
    const struct call_ref ref = {.rank = lane->rank,
                                 .thread = lane->thread,
                                 .call = call->index,
                                 .site = lane->state.site,
                                 .timestamp = {lane->state.begin, lane->state.leave}};
    const struct found_message *now = &lane->found;
    enum refrain_status status = l->call(l->context, &ref, !begins);
    const bool same = now->there && now->probe.call == before->probe.call,
               lost = before->there && !same && lane->found_receives.n == receives_before;
    if (status == REFRAIN_OK && lost)
        status = l->settle(l->context, &before->probe, NULL);
    if (status == REFRAIN_OK && now->there && !(before->there && same))
        l->expect(l->context, &now->probe);
    return status;
}

static enum refrain_status take_call(void *context, const struct call *call, const struct timestamp *t,
                                     const struct call_fields *f)
{
    struct wait_search *s = context;
    const uint32_t number = wait_lane_number(&s->lanes, call->rank, call->thread);
    struct wait_lane *lane = &s->lanes.items[number];
    const uint32_t place = place_of(s, number, call->index, call->site);
    struct wait_event out;
    enum refrain_status status = REFRAIN_OK;
    if (wait_completions_close(lane, &out) && (status = wait_search_publish(s, &out)) != REFRAIN_OK)
        return status;
    const struct found_message found = lane->found;
    const size_t receives = lane->found_receives.n;
    struct wait_end end;
    const bool is_first = !lane->has_calls;
    if (!wait_lane_take(&s->lanes, lane, call, t, f, &end))
        return REFRAIN_ERR_MEMORY;
    if (!s->overlaps.off)
        status = wait_search_take_overlap(s, number, call, t, f);
    if (status == REFRAIN_OK && s->listener)
        status = tell_call(s->listener, lane, call, end.state || is_first, &found, receives);
    if (status == REFRAIN_OK && end.span)
        status = wait_search_end_span(s, number, &end.over);
    const bool is_wanted = t->enter >= s->from && t->enter < s->to && wait_search_has(s, call->rank);
    if (status == REFRAIN_OK && is_wanted)
        status = severities_add(&s->values, s->visits, place, number, 1);
    if (status == REFRAIN_OK && is_wanted && s->times)
        status = call_times_add(s->times, call->site, t->leave - t->enter);
    return status;
}

/* Does the operation's call complete something that may have waited? */
static bool completes(const struct operation *op)
{
    const bool now = op->kind == op->of && op->done && !op->failed,
               later = op->kind == OPERATION_COMPLETE && op->outcome == OPERATION_DONE;
    if (op->of == OPERATION_SEND || op->of == OPERATION_RECEIVE)
        return (now || later) && op->peer >= 0 && op->comm >= 0;
    return op->of == OPERATION_COLLECTIVE && (now || later) && !op->refused;
}

/* The call that begins an access epoch waits for the targets to post. If a post comes after that
 * call, the call that ends the epoch waits. */
static enum refrain_status tell_access(struct wait_search *s, const struct half_epoch *h)
{
    struct wait_event e = {.kind = EVENT_POST,
                           .call = h->opened,
                           .cause = h->cause,
                           .has_cause = true,
                           .begin = h->opened.timestamp.enter,
                           .until = h->cause.timestamp.enter};
    enum refrain_status status = wait_search_publish(s, &e);
    e.call = h->closed;
    e.begin = h->closed.timestamp.enter;
    return status == REFRAIN_OK ? wait_search_publish(s, &e) : status;
}

static enum refrain_status tell_exposure(struct wait_search *s, const struct half_epoch *h)
{
    return wait_search_publish(s, &(struct wait_event){.kind = EVENT_COMPLETE,
                                                       .call = h->closed,
                                                       .cause = h->cause,
                                                       .has_cause = true,
                                                       .begin = h->begin,
                                                       .until = h->cause.timestamp.enter,
                                                       .last_access = h->last_access});
}

/* An access that ended before the post did not wait. */
static enum refrain_status tell_early_access(struct wait_search *s, const struct early_access *a)
{
    if (a->post.timestamp.enter > a->call.timestamp.leave + s->slack)
        return REFRAIN_OK;
    return wait_search_publish(s, &(struct wait_event){.kind = EVENT_POST,
                                                       .which = POST_ACCESS,
                                                       .call = a->call,
                                                       .cause = a->post,
                                                       .has_cause = true,
                                                       .begin = a->call.timestamp.enter,
                                                       .until = a->post.timestamp.enter});
}

enum refrain_status wait_search_tell_locks(struct wait_search *s, uint64_t until)
{
    enum refrain_status status = REFRAIN_OK;
    if (!wait_locks_compare(&s->locks, until))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < s->locks.waits.n && status == REFRAIN_OK; i++) {
        const struct lock_wait *w = &s->locks.waits.items[i];
        status = wait_search_publish(s, &(struct wait_event){.kind = EVENT_LOCK,
                                                             .call = w->call,
                                                             .cause = w->unlock,
                                                             .has_cause = true,
                                                             .begin = w->call.timestamp.enter,
                                                             .until = w->unlock.timestamp.leave});
    }
    s->locks.waits.n = 0;
    return status;
}

/* Returns the time until which all lanes have reported their calls. */
static uint64_t known_until(const struct wait_search *s)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < s->lanes.n; i++) {
        const struct wait_lane *l = &s->lanes.items[i];
        if (!l->finalize.there && l->last < least)
            least = l->last;
    }
    return least;
}

static enum refrain_status take_lock(struct wait_search *s, const struct operation *op)
{
    if (!wait_locks_take(&s->locks, op))
        return REFRAIN_ERR_MEMORY;
    if (op->epoch == ROLE_LOCK || op->epoch == ROLE_LOCK_ALL)
        wait_overlaps_skip(&s->overlaps, wait_search_lane(s, &op->call), op->call.call);
    return wait_locks_are_many(&s->locks) ? wait_search_tell_locks(s, known_until(s)) : REFRAIN_OK;
}

static enum refrain_status take_epoch(struct wait_search *s, const struct operation *op)
{
    enum refrain_status status = REFRAIN_OK;
    struct wait_epochs *e = &s->epochs;
    if (op->kind != OPERATION_RMA && op->kind != OPERATION_OPEN && op->kind != OPERATION_CLOSE)
        return REFRAIN_OK;
    if (op->epoch == ROLE_ACCESS || op->epoch == ROLE_EXPOSURE)
        wait_overlaps_skip(&s->overlaps, wait_search_lane(s, &op->call), op->call.call);
    if (!wait_epochs_take(e, op, wait_lane_begin(wait_search_lane_of(s, &op->call), &op->call)))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < e->whole_access.n && status == REFRAIN_OK; i++)
        status = tell_access(s, &e->whole_access.items[i]);
    for (size_t i = 0; i < e->whole_exposure.n && status == REFRAIN_OK; i++)
        status = tell_exposure(s, &e->whole_exposure.items[i]);
    for (size_t i = 0; i < e->early.n && status == REFRAIN_OK; i++)
        status = tell_early_access(s, &e->early.items[i]);
    e->whole_access.n = e->whole_exposure.n = e->early.n = 0;
    return status;
}

/* Returns the event that the operation causes when it begins; EVENT_KINDS if none. Reads and writes of files
 * are transfers. Collective calls that use a file but move no data cause no event. Creating a persistent
 * request causes no event either. */
static enum wait_event_kind kind_of(const struct wait_search *s, const struct operation *op)
{
    if (op->failed || op->refused)
        return EVENT_KINDS;
    switch (op->kind) {
    case OPERATION_COLLECTIVE: {
        const struct role *role = &s->roles.items[op->posted_by];
        const bool makes_request = role->variant == VARIANT_PERSISTENT && op->function == op->posted_by;
        return role->kind == CALL_FILE || makes_request ? EVENT_KINDS : EVENT_MEMBER;
    }
    case OPERATION_SEND:
        return op->peer < 0 ? EVENT_KINDS : EVENT_SENDING;
    case OPERATION_RMA:
        return op->peer == OPERATION_NULL ? EVENT_KINDS : EVENT_ACCESS;
    case OPERATION_FILE:
        return EVENT_TRANSFER;
    default:
        return EVENT_KINDS;
    }
}

static enum refrain_status take_operation(void *context, const struct operation *op)
{
    struct wait_search *s = context;
    enum refrain_status status = REFRAIN_OK;
    const enum wait_event_kind kind = kind_of(s, op);
    if (kind != EVENT_KINDS)
        status =
            wait_search_publish(s, &(struct wait_event){.kind = kind, .call = op->call, .operation = op});
    if (status == REFRAIN_OK && s->listener)
        status = s->listener->operation(s->listener->context, op);
    if (status == REFRAIN_OK)
        status = take_epoch(s, op);
    if (status == REFRAIN_OK)
        status = take_lock(s, op);
    if (status == REFRAIN_OK && kind == EVENT_MEMBER && s->places && s->places->by_meetings &&
        op->members == s->lanes.n_ranks)
        status =
            wait_places_add(s->places, wait_search_lane(s, &op->call), op->call.call + 1, op->call.site + 1);
    if (op->kind == OPERATION_RECEIVE)
        wait_lane_post(wait_search_lane_of(s, &op->call));
    if (status == REFRAIN_OK && completes(op))
        status = wait_search_expect(s, &op->call);
    if (status == REFRAIN_OK && completes(op) && op->of == OPERATION_SEND &&
        !wait_sends_expect(&wait_search_lane_of(s, &op->call)->sends, op->call.call))
        status = REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_OK && op->of == OPERATION_COLLECTIVE && !op->refused) {
        if (op->kind == OPERATION_COLLECTIVE && op->request != OPERATION_NO_REQUEST)
            status = wait_search_begin_member(s, op);
        else if (op->kind == OPERATION_COMPLETE && op->outcome == OPERATION_DONE)
            status = wait_search_complete_member(s, op);
    }
    return status;
}

static enum refrain_status take_collective(void *context, const struct matching_collective *c)
{
    struct wait_search *s = context;
    const enum refrain_status status = wait_search_meet(s, c);
    for (size_t i = 0; s->listener && i < c->n; i++)
        wait_listener_release(s->listener, &c->members[i].call);
    return status;
}

static enum refrain_status take_unmatched(void *context, const struct matching_unmatched *u)
{
    (void)context;
    (void)u;
    return REFRAIN_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* For each site, finds the profile metric that contains the time of the site's calls. */
static enum refrain_status find_profile(struct wait_search *s)
{
    const struct trace *t = &s->reader->trace;
    s->profile_of_site = malloc((t->sites.n + 1) * sizeof *s->profile_of_site);
    if (!s->profile_of_site)
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < t->sites.n; i++) {
        const struct role *role = &s->roles.items[t->sites.items[i].function];
        uint32_t metric = METRIC_NONE;
        for (uint32_t k = 0; k < s->metrics->n; k++) {
            const struct metric *row = s->metrics->items[k];
            /* the last match is the most specific metric */
            if (row->has_calls && row->has_calls(role))
                metric = k;
        }
        assert(metric != METRIC_NONE);
        s->profile_of_site[i] = metric;
    }
    return REFRAIN_OK;
}

static enum refrain_status start(struct wait_search *s, const struct reader *r, const struct definitions *d,
                                 const struct metrics *metrics)
{
    s->reader = r;
    s->metrics = metrics;
    s->execution = metrics_find(metrics, "execution");
    s->visits = metrics_find(metrics, "visits");
    for (uint32_t i = 0; i < metrics->n; i++)
        s->uses[i] = (struct metric_use){metrics_is_wanted(metrics, i, s->worst_of) && s->worst.most > 0,
                                         metrics_is_cause(metrics, i) ? metrics->parents[i] : METRIC_NONE};
    const size_t sites = (s->places ? s->places->n : r->trace.sites.n) + 1;
    enum refrain_status status = roles_find(&s->roles, &r->trace.functions);
    if (status == REFRAIN_OK)
        status = groups_create(&s->groups, r, d);
    if (status == REFRAIN_OK)
        status = wait_lanes_create(&s->lanes, r);
    if (status == REFRAIN_OK)
        status = wait_overlaps_create(&s->overlaps, &s->lanes, r->trace.sites.n);
    if (status == REFRAIN_OK)
        status = severities_create(&s->values, metrics->n, sites, s->lanes.n);
    if (status == REFRAIN_OK)
        status = severities_create(&s->blame, metrics->n, sites, s->lanes.n);
    if (status == REFRAIN_OK)
        status =
            severities_create(&s->directions, metrics->n, sites, s->grid ? wait_grid_directions(s->grid) : 0);
    if (status == REFRAIN_OK)
        status = severities_create(&s->computing, 1, sites, s->lanes.n);
    if (status == REFRAIN_OK)
        status = severities_create(&s->polling, 1, sites, s->lanes.n);
    if (status == REFRAIN_OK)
        status = severities_create(&s->meanwhile, 1, sites, r->trace.sites.n);
    if (status == REFRAIN_OK)
        status = severities_create(&s->tallies, metrics->n, sites, TALLIES);
    if (status == REFRAIN_OK)
        status = find_profile(s);
    if (status == REFRAIN_OK)
        status = wait_search_find_standard(s);
    if (status == REFRAIN_OK && s->times)
        status = call_times_start(s->times, r->trace.sites.n);
    s->states = calloc(metrics->n * s->lanes.n + 1, sizeof *s->states);
    if (status == REFRAIN_OK && !s->states) {
        log_error("out of memory: %zu metrics", metrics->n);
        status = REFRAIN_ERR_MEMORY;
    }
    return status;
}

enum refrain_status wait_search_run(struct wait_search *s, const struct reader *r,
                                    const struct definitions *d, const struct metrics *metrics,
                                    const struct timestamps_source *timestamps)
{
    struct match_hints hints = {0};
    const struct matching_sink sink = {.context = s,
                                       .message = wait_search_take_message,
                                       .sent = wait_search_take_sent,
                                       .collective = take_collective,
                                       .unmatched = take_unmatched,
                                       .call = take_call,
                                       .operation = take_operation,
                                       .in_order = true,
                                       .hints = &hints,
                                       .pool = s->listener ? s->listener->pool : NULL,
                                       .timestamps = timestamps};
    enum refrain_status status = start(s, r, d, metrics);
    if (status == REFRAIN_OK)
        status = run_begin_find(&s->begin, r, timestamps, &s->roles);
    s->lanes.from = s->from > s->begin ? s->from : s->begin;
    if (status == REFRAIN_OK && s->listener)
        status = s->listener->start(s->listener->context, s);
    if (status == REFRAIN_OK)
        status = matching_run(r, d, &sink);
    if (status == REFRAIN_OK)
        status = wait_search_end(s);
    if (status == REFRAIN_OK && s->listener)
        status = s->listener->end(s->listener->context);
    match_hints_free(&hints);
    return status;
}

void wait_search_free(struct wait_search *s)
{
    for (size_t i = 0; s->states && i < s->metrics->n * s->lanes.n; i++)
        free(s->states[i]);
    free(s->states);
    free(s->profile_of_site);
    free(s->is_standard);
    severities_free(&s->values);
    severities_free(&s->blame);
    severities_free(&s->directions);
    severities_free(&s->tallies);
    severities_free(&s->computing);
    severities_free(&s->polling);
    severities_free(&s->meanwhile);
    wait_lanes_free(&s->lanes);
    roles_free(&s->roles);
    groups_free(&s->groups);
    meeting_causes_free(&s->causes);
    wait_epochs_free(&s->epochs);
    wait_locks_free(&s->locks);
    wait_overlaps_free(&s->overlaps);
    for (size_t i = 0; i < s->begun.n; i++)
        arrivals_release(s->begun.items[i].later);
    map_free(&s->begun_by_call);
    array_free(&s->begun);
    array_free(&s->begun_unused);
    array_free(&s->worst.heap);
    *s = (struct wait_search){0};
}
