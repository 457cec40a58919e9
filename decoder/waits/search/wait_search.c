/* SPDX-License-Identifier: BSD-3-Clause */
#include "wait_search.h"

#include "decoder/stat/run_begin.h"
#include "src/core/base/log.h"
#include "wait_search_impl.h"

#include <assert.h>
#include <stdlib.h>

/* ---- callbacks of the matching --------------------------------------------------------------- */

/* Reports the lane's state (wait_lanes.h), which begins or continues with the call. A probe that has found a
 * message depends on the send of that message. The send is known only if a receive of the message follows; if
 * none follows, the probe is reported to depend on nothing. Later calls show which is the case. */
static enum refrain_status tell_call(const struct wait_listener *l, const struct wait_lane *lane,
                                     const struct call *call, bool begins, const struct call_ref *before,
                                     size_t receives_before)
{
    const struct call_ref ref = {.rank = lane->rank,
                                 .thread = lane->thread,
                                 .call = call->index,
                                 .site = lane->state.site,
                                 .timestamp = {lane->state.begin, lane->state.leave}};
    const struct found_message *now = &lane->found;
    enum refrain_status status = l->call(l->context, &ref, !begins);
    const bool same = now->there && before && now->probe.call == before->call,
               lost = before && !same && lane->found_receives.n == receives_before;
    if (status == REFRAIN_OK && lost)
        status = l->settle(l->context, before, NULL);
    if (status == REFRAIN_OK && now->there && !same)
        l->expect(l->context, &now->probe);
    return status;
}

static enum refrain_status take_call(void *context, const struct call *call, const struct timestamp *t,
                                     const struct call_fields *f)
{
    struct wait_search *s = context;
    const uint32_t number = wait_lane_number(&s->lanes, call->rank, call->thread);
    struct wait_lane *lane = &s->lanes.items[number];
    const uint32_t place = wait_search_place_of(s, number, call->index, call->site);
    struct wait_event out;
    enum refrain_status status = REFRAIN_OK;
    if (wait_completions_close(lane, &out)) {
        status = wait_search_look_for_progress(s, &out);
        if (status != REFRAIN_OK || (status = wait_search_publish_completion(s, &out)) != REFRAIN_OK)
            return status;
    }
    const struct call_ref probe = lane->found.probe;
    const bool has_found = lane->found.there;
    const size_t receives = lane->found_receives.n;
    struct wait_end end;
    const bool is_first = !lane->has_calls;
    if (!wait_lane_take(&s->lanes, lane, call, t, f, &end))
        return REFRAIN_ERR_MEMORY;
    if (!s->overlaps.off)
        status = wait_search_take_overlap(s, number, call, t, f);
    if (status == REFRAIN_OK && s->listener)
        status =
            tell_call(s->listener, lane, call, end.state || is_first, has_found ? &probe : NULL, receives);
    if (status == REFRAIN_OK)
        status = wait_search_take_return(s, number, call, t, f, end.state || is_first);
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
        status = wait_search_take_epoch(s, op);
    if (status == REFRAIN_OK)
        status = wait_search_take_lock(s, op);
    if (status == REFRAIN_OK && kind == EVENT_MEMBER && s->places && s->places->by_meetings &&
        op->members == s->lanes.n_ranks)
        status =
            wait_places_add(s->places, wait_search_lane(s, &op->call), op->call.call + 1, op->call.site + 1);
    if (op->kind == OPERATION_RECEIVE)
        wait_lane_post(wait_search_lane_of(s, &op->call), op->request != OPERATION_NO_REQUEST);
    if (status == REFRAIN_OK && completes(op))
        status = wait_search_expect(s, &op->call, op->of == OPERATION_SEND);
    if (op->kind == OPERATION_COMPLETE && op->call.call == wait_search_lane_of(s, &op->call)->call)
        wait_lane_complete(wait_search_lane_of(s, &op->call), op->of == OPERATION_SEND);
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
    struct wait_search *s = context;
    struct wait_unmatched *f = &s->unmatched[u->reason];
    if (f->n++ == 0) {
        f->rank = u->call.rank;
        f->site = u->call.site;
    }
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
        status = wait_search_start_progress(s);
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
        status = severities_create(&s->held_up_by, 1, sites, r->trace.sites.n);
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
    severities_free(&s->held_up_by);
    wait_lanes_free(&s->lanes);
    roles_free(&s->roles);
    groups_free(&s->groups);
    meeting_causes_free(&s->causes);
    wait_epochs_free(&s->epochs);
    wait_locks_free(&s->locks);
    wait_overlaps_free(&s->overlaps);
    wait_progress_free(&s->progress);
    for (size_t i = 0; i < s->begun.n; i++)
        arrivals_release(s->begun.items[i].later);
    map_free(&s->begun_by_call);
    array_free(&s->begun);
    array_free(&s->begun_unused);
    array_free(&s->worst.heap);
    *s = (struct wait_search){0};
}
