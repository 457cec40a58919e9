/* SPDX-License-Identifier: BSD-3-Clause */
#include "wait_lanes.h"

#include "src/core/base/log.h"
#include "wait_completions.h"

#include <stdlib.h>

enum refrain_status wait_lanes_create(struct wait_lanes *l, const struct reader *r)
{
    ARRAY(struct wait_lane) lanes = {0};
    struct lane_ref ref;
    const struct functable *t = &r->trace.functions;
    *l = (struct wait_lanes){.first_rank = r->trace.first_rank,
                             .n_ranks = r->trace.n_ranks,
                             .any_source = functable_value(t, "RANK", "MPI_ANY_SOURCE"),
                             .any_tag = functable_value(t, "TAG", "MPI_ANY_TAG")};
    l->first = calloc(l->n_ranks + (size_t)1, sizeof *l->first);
    if (!l->first) {
        log_error("out of memory: %u ranks", l->n_ranks);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < l->n_ranks; i++) {
        const uint32_t rank = l->first_rank + i;
        l->first[i] = (uint32_t)lanes.n;
        for (size_t at = 0; reader_next_lane(r, rank, LANE_THREAD, &at, &ref);) {
            const struct wait_lane lane = {.rank = rank, .thread = ref.shape->number};
            if (!array_push(&lanes, lane)) {
                array_free(&lanes);
                wait_lanes_free(l);
                return REFRAIN_ERR_MEMORY;
            }
        }
    }
    l->first[l->n_ranks] = (uint32_t)lanes.n;
    l->items = lanes.items;
    l->n = lanes.n;
    return REFRAIN_OK;
}

void wait_lanes_free(struct wait_lanes *l)
{
    for (size_t i = 0; i < l->n; i++) {
        array_free(&l->items[i].open);
        array_free(&l->items[i].found_receives);
    }
    free(l->items);
    free(l->first);
    *l = (struct wait_lanes){0};
}

/* ---- polls and probes ------------------------------------------------------------------------ */

enum look { LOOK_NONE, LOOK_TEST, LOOK_PROBE };

/* Does the call test for a message or request? *found: it has found one. Blocking probes count,
 * too. */
static enum look look_of(const struct call *call, const struct call_fields *f, bool *found)
{
    const struct slot_range flag = f->row.after[FIELD_FLAG], indices = f->row.after[FIELD_INDICES];
    const bool is_back = f->row.returned && !f->row.failed, some = f->role->choice == ROLE_SOME;
    *found = is_back && (flag.n > 0 ? call->slots[flag.at] != 0 : !some || indices.n > 0);
    if (f->role->kind == CALL_WAITING && !(f->role->actions & (ROLE_COMPLETE | ROLE_CLOSE)) &&
        f->row.after[FIELD_STATUSES].n > 0)
        return LOOK_PROBE;
    return f->role->actions & ROLE_TEST && (flag.n > 0 || (some && is_back)) ? LOOK_TEST : LOOK_NONE;
}

/* A local call does not end a state: MPI_Get_count between a probe and its receive. */
static bool is_local(const struct role *role)
{
    return role->actions == 0 && role->kind == CALL_OTHER;
}

static struct call_ref reference(const struct wait_lane *l, const struct call *call, struct timestamp t)
{
    return (struct call_ref){
        .rank = l->rank, .thread = l->thread, .call = call->index, .site = call->site, .timestamp = t};
}

/* ---- what a probe has found ------------------------------------------------------------------ */

static int64_t value(const struct call *call, struct slot_range range, int64_t otherwise)
{
    return range.n > 0 ? call->slots[range.at] : otherwise;
}

static struct found_message message_of(const struct wait_lane *l, const struct call *call,
                                       const struct call_fields *f, uint64_t leave)
{
    const int64_t *status = call->slots + f->row.after[FIELD_STATUSES].at;
    const bool told = !(status[STATUS_FORM] & STATUS_PARTIAL);
    return (struct found_message){
        .there = true,
        .comm = value(call, f->row.before[FIELD_COMM], -1),
        .source = told ? status[STATUS_SOURCE] : value(call, f->row.before[FIELD_SOURCE], -1),
        .tag = told ? status[STATUS_TAG] : value(call, f->row.before[FIELD_TAG], -1),
        .message = value(call, f->row.after[FIELD_MESSAGE], -1),
        .probe = reference(l, call, (struct timestamp){l->span.begin, leave})};
}

/* Does the call receive, or begin to receive, this message? */
static bool receives(const struct wait_lanes *lanes, const struct found_message *m, const struct call *call,
                     const struct call_fields *f)
{
    const struct slot_range *before = f->row.before;
    if (f->role->actions & ROLE_RECEIVE_FOUND)
        return m->message >= 0 && value(call, before[FIELD_MESSAGE], -1) == m->message;
    if (!(f->role->actions & ROLE_RECEIVE) || f->role->variant == VARIANT_PERSISTENT || m->message >= 0)
        return false;
    const int64_t source = value(call, before[FIELD_SOURCE], lanes->any_source),
                  tag =
                      value(call, before[FIELD_TAG], value(call, before[FIELD_RECEIVE_TAG], lanes->any_tag));
    return value(call, before[FIELD_COMM], -1) == m->comm &&
           (source == lanes->any_source || source == m->source) && (tag == lanes->any_tag || tag == m->tag);
}

bool wait_lane_found(struct wait_lane *l, uint64_t call, struct call_ref *probe)
{
    for (size_t i = 0; i < l->found_receives.n; i++) {
        if (l->found_receives.items[i].call != call)
            continue;
        *probe = l->found_receives.items[i].probe;
        l->found_receives.items[i] = l->found_receives.items[--l->found_receives.n];
        return true;
    }
    return false;
}

/* ---- one call after the other ---------------------------------------------------------------- */

/* Adds a poll, or a short call between two polls, to the span. */
static void extend(struct wait_lane *l, const struct timestamp *t)
{
    if (t->enter > l->last + WAIT_POLL_GAP)
        l->span.begin += t->enter - l->last;
    l->span.leave = t->leave > l->span.leave ? t->leave : l->span.leave;
}

/* An outer call comes after its inner calls; the span does not include their time. */
static struct wait_span span_of(const struct wait_lane *l, const struct call *call, const struct timestamp *t)
{
    const uint64_t before = l->has_calls ? l->last : t->enter, begin = t->enter > before ? t->enter : before;
    return (struct wait_span){before, begin, t->leave > begin ? t->leave : begin, call->index, call->site};
}

bool wait_lane_take(const struct wait_lanes *lanes, struct wait_lane *l, const struct call *call,
                    const struct timestamp *t, const struct call_fields *f, struct wait_span *over,
                    bool *is_over)
{
    bool found, ok = true;
    const enum look look = look_of(call, f, &found);
    const bool local = is_local(f->role), between = local && t->leave - t->enter <= WAIT_POLL_GAP;
    *is_over = l->has_calls && !(l->polls && (look != LOOK_NONE || between));
    *over = l->span;
    if (!*is_over && l->has_calls)
        extend(l, t);
    else
        l->span = span_of(l, call, t);
    if (l->found.there && receives(lanes, &l->found, call, f))
        ok = array_push(&l->found_receives, ((struct found_receive){call->index, l->found.probe}));
    l->completes_poll = look != LOOK_NONE && found;
    if (look != LOOK_NONE) {
        l->span.call = call->index;
        l->span.site = call->site;
        l->polls = !found;
    } else if (!between) {
        l->polls = false;
    }
    if (look == LOOK_PROBE && found)
        l->found = message_of(l, call, f, t->leave);
    else if (!local)
        l->found.there = false;
    if (f->role->actions & ROLE_INIT)
        l->init = (struct wait_world_call){f->row.returned, reference(l, call, *t)};
    if (f->role->actions & ROLE_FINALIZE)
        l->finalize = (struct wait_world_call){f->row.returned, reference(l, call, *t)};
    l->has_calls = true;
    l->last = t->leave > l->last ? t->leave : l->last;
    l->call = call->index;
    l->unreturned = f->row.returned ? 0 : t->leave - t->enter;
    return ok;
}

uint64_t wait_lane_begin(const struct wait_lane *l, const struct call_ref *call)
{
    return call->call == l->call && l->completes_poll ? l->span.begin : call->timestamp.enter;
}

static uint32_t count_values(const struct wait_lanes *l, uint32_t rank, const uint64_t *values)
{
    uint32_t n = 0;
    for (uint32_t i = l->first[rank]; i < l->first[rank + 1]; i++)
        n += values[i] > 0;
    return n;
}

size_t wait_lanes_sharing(const struct wait_lanes *l, const uint64_t *values, bool *shares)
{
    uint32_t most = 0;
    size_t n = 0;
    for (uint32_t rank = 0; rank < l->n_ranks; rank++) {
        const uint32_t here = count_values(l, rank, values);
        most = here > most ? here : most;
    }
    for (uint32_t rank = 0; rank < l->n_ranks; rank++) {
        uint32_t missing = most - count_values(l, rank, values);
        for (uint32_t i = l->first[rank]; i < l->first[rank + 1]; i++) {
            const bool extra = values[i] == 0 && missing > 0;
            missing -= extra;
            n += values[i] > 0 || extra;
            if (shares)
                shares[i] = values[i] > 0 || extra;
        }
    }
    return n;
}
