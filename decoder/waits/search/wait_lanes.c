/* SPDX-License-Identifier: BSD-3-Clause */
#include "wait_lanes.h"

#include "src/core/base/log.h"
#include "wait_completions.h"

#include <stdlib.h>
#include <xxhash.h>

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
        array_free(&l->items[i].state.asked);
        wait_sends_free(&l->items[i].sends);
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

/* Does the call test null requests only? Then it returns true at once, and says nothing about any message. */
static bool tests_nothing(const struct call *call, const struct call_fields *f)
{
    const struct slot_range requests = f->row.before[FIELD_REQUESTS];
    bool nothing = f->role->actions & ROLE_TEST && requests.n > 0;
    for (size_t i = 0; i < requests.n && nothing; i++)
        nothing = call->slots[requests.at + i] & 1; /* MPI_REQUEST_NULL: no other request is predefined */
    return nothing;
}

/* Returns a hash of what the poll asks for, and of its site. */
static uint64_t what_of(const struct call *call, const struct call_fields *f)
{
    static const enum role_field fields[] = {FIELD_REQUESTS, FIELD_COMM,    FIELD_SOURCE,
                                             FIELD_TAG,      FIELD_MESSAGE, FIELD_WINDOW};
    uint64_t what = call->site;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const struct slot_range slots = f->row.before[fields[i]];
        if (slots.n > 0)
            what = XXH3_64bits_withSeed(call->slots + slots.at, slots.n * sizeof *call->slots, what);
    }
    return what;
}

/* A local call does not end a state: MPI_Get_count between a probe and its receive. */
bool wait_call_is_local(const struct role *role)
{
    return role->actions == 0 && role->kind == CALL_OTHER;
}

static struct call_ref reference(const struct wait_lane *l, const struct call *call, struct timestamp t)
{
    return (struct call_ref){
        .rank = l->rank, .thread = l->thread, .call = call->index, .site = call->site, .timestamp = t};
}

static void share(struct wait_shares *shares, const struct wait_poll *p)
{
    size_t i = 0;
    while (i < shares->n && shares->items[i].site != p->site)
        i++;
    if (i == WAIT_SITES) {
        shares->rest += p->time;
        return;
    }
    if (i == shares->n)
        shares->items[shares->n++] = (struct wait_share){.site = p->site};
    struct wait_share *s = &shares->items[i];
    s->time += p->time;
    s->call = p->call > s->call ? p->call : s->call;
}

/* Returns the time since when the state's polls have waited; `alone`: those that ask the same as the last one. */
static uint64_t begin_of(const struct wait_state *s, bool alone, struct wait_shares *shares)
{
    uint64_t time = 0;
    *shares = (struct wait_shares){.n = 1, .items[0].site = s->site};
    for (size_t i = 0; i < s->asked.n; i++) {
        if (!alone || i == s->at)
            share(shares, &s->asked.items[i]);
    }
    for (size_t i = 0; i < shares->n; i++)
        time += shares->items[i].time;
    return s->leave - time - shares->rest;
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
    struct wait_shares shares;
    const uint64_t begin = begin_of(&l->state, false, &shares);
    return (struct found_message){
        .there = true,
        .comm = value(call, f->row.before[FIELD_COMM], -1),
        .source = told ? status[STATUS_SOURCE] : value(call, f->row.before[FIELD_SOURCE], -1),
        .tag = told ? status[STATUS_TAG] : value(call, f->row.before[FIELD_TAG], -1),
        .message = value(call, f->row.after[FIELD_MESSAGE], -1),
        .probe = reference(l, call, (struct timestamp){begin, leave}),
        .shares = shares};
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

bool wait_lane_found(struct wait_lane *l, uint64_t call, struct found_receive *out)
{
    for (size_t i = 0; i < l->found_receives.n; i++) {
        if (l->found_receives.items[i].call != call)
            continue;
        *out = l->found_receives.items[i];
        l->found_receives.items[i] = l->found_receives.items[--l->found_receives.n];
        return true;
    }
    return false;
}

/* ---- one call after the other ---------------------------------------------------------------- */

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* An outer call comes after its inner calls; the span does not include their time. Each field is written in place:
 * a struct that is made and copied at once makes the processor wait for its fields. */
static void start_span(struct wait_lane *l, const struct call *call, const struct timestamp *t)
{
    struct wait_span *s = &l->span;
    s->before = l->has_calls ? l->last : t->enter;
    s->begin = later(t->enter, s->before);
    s->leave = later(t->leave, s->begin);
    s->gaps = 0;
    s->call = call->index;
    s->site = call->site;
}

/* Returns the poll's index in the state, or the number of its polls if it is not there. Polls usually come in
 * the same order again. */
static size_t find_poll(const struct wait_state *s, uint64_t what)
{
    const size_t expected = s->at + 1 < s->asked.n ? s->at + 1 : 0;
    size_t i = 0;
    if (s->asked.n > 0 && s->asked.items[expected].what == what)
        return expected;
    while (i < s->asked.n && s->asked.items[i].what != what)
        i++;
    return i;
}

static bool may_join(const struct wait_state *s, uint64_t what)
{
    return find_poll(s, what) < s->asked.n || (!s->again && s->asked.n < WAIT_POLLS);
}

static void start_state(struct wait_lane *l, const struct call *call, const struct timestamp *t,
                        struct wait_end *end)
{
    struct wait_state *s = &l->state;
    *end = (struct wait_end){l->has_calls, l->has_calls, l->span};
    start_span(l, call, t);
    s->begin = l->span.begin;
    s->leave = l->span.leave;
    s->site = call->site;
    s->again = false;
    s->asked.n = 0;
}

/* Was the last call a poll that has ended sends only? It leaves the state, and the other polls go on. */
static bool has_sent(const struct wait_state *s)
{
    return s->completes_poll && s->completes_send && !s->completes_other;
}

static void leave_out(struct wait_state *s)
{
    for (size_t i = s->at + 1; i < s->asked.n; i++)
        s->asked.items[i - 1] = s->asked.items[i];
    s->asked.n--;
    s->at = SIZE_MAX;
}

/* Adds a poll, or a short call between two polls, to the state. Returns the short gap before it. */
static uint64_t continue_state(struct wait_lane *l, const struct call *call, const struct timestamp *t,
                               bool looks, struct wait_end *end)
{
    struct wait_span *span = &l->span;
    const uint64_t gap = t->enter > l->last ? t->enter - l->last : 0, inside = gap <= WAIT_POLL_GAP ? gap : 0;
    const bool before = !looks && span->site == l->state.site; /* a poll, which has the gap */
    *end = (struct wait_end){.span = span->site != call->site};
    l->state.begin += gap - inside;
    l->state.leave = later(l->state.leave, t->leave);
    if (!end->span) {
        span->begin += gap - inside;
        span->gaps += inside;
        span->leave = later(span->leave, t->leave);
        span->call = call->index;
        return inside;
    }
    if (before) {
        span->gaps += inside;
        span->leave += inside;
        if (l->state.at < l->state.asked.n)
            l->state.asked.items[l->state.at].time += inside;
    }
    end->over = *span;
    start_span(l, call, t);
    if (before) {
        span->before += inside;
    } else {
        span->begin -= inside;
        span->gaps = inside;
    }
    return inside;
}

/* Adds the poll to what the state asks for, with its time from `begin` on. */
static bool ask(struct wait_state *s, const struct call *call, uint64_t what, uint64_t begin, uint64_t leave)
{
    const size_t at = find_poll(s, what);
    s->again = s->again || at < s->asked.n;
    if (at == s->asked.n && !array_push(&s->asked, ((struct wait_poll){.what = what, .site = call->site})))
        return false;
    s->asked.items[at].time += leave > begin ? leave - begin : 0;
    s->asked.items[at].call = call->index;
    s->at = at;
    s->site = call->site;
    return true;
}

bool wait_lane_take(const struct wait_lanes *lanes, struct wait_lane *l, const struct call *call,
                    const struct timestamp *t, const struct call_fields *f, struct wait_end *end)
{
    bool found = false, ok = true;
    uint64_t gap = 0;
    const bool nothing = tests_nothing(call, f);
    const enum look look = nothing ? LOOK_NONE : look_of(call, f, &found);
    const bool local = nothing || wait_call_is_local(f->role),
               between = local && t->leave - t->enter <= WAIT_POLL_GAP;
    const uint64_t what = look == LOOK_NONE ? 0 : what_of(call, f);
    const bool sent = has_sent(&l->state);
    if (sent)
        leave_out(&l->state);
    const bool goes_on = l->state.polls || (sent && l->state.asked.n > 0);
    if (goes_on && (look == LOOK_NONE ? between : may_join(&l->state, what)))
        gap = continue_state(l, call, t, look != LOOK_NONE, end);
    else
        start_state(l, call, t, end);
    if (look != LOOK_NONE)
        ok = ask(&l->state, call, what, later(later(t->enter, l->last) - gap, lanes->from), t->leave);
    if (ok && l->found.there && receives(lanes, &l->found, call, f))
        ok = array_push(&l->found_receives,
                        ((struct found_receive){call->index, l->found.probe, l->found.shares}));
    l->state.completes_poll = look != LOOK_NONE && found;
    l->state.completes_send = l->state.completes_other = false;
    if (look != LOOK_NONE || !between)
        l->state.polls = look != LOOK_NONE && !found;
    else
        l->state.polls = goes_on;
    if (look == LOOK_PROBE && found)
        l->found = message_of(l, call, f, t->leave);
    else if (!local)
        l->found.there = false;
    if (f->role->actions & ROLE_INIT)
        l->init = (struct wait_world_call){f->row.returned, reference(l, call, *t)};
    if (f->role->actions & ROLE_FINALIZE)
        l->finalize = (struct wait_world_call){f->row.returned, reference(l, call, *t)};
    if (!l->quiet)
        l->outside = l->has_calls ? l->last : t->enter;
    l->quiet = local;
    l->has_calls = true;
    l->last = later(l->last, t->leave);
    l->call = call->index;
    l->unreturned = f->row.returned ? 0 : t->leave - t->enter;
    return ok;
}

void wait_lane_complete(struct wait_lane *l, bool is_send)
{
    l->state.completes_send = l->state.completes_send || is_send;
    l->state.completes_other = l->state.completes_other || !is_send;
}

uint64_t wait_lane_begin(const struct wait_lane *l, const struct call_ref *call, bool alone,
                         struct wait_shares *shares)
{
    shares->n = 0;
    if (call->call != l->call)
        return call->timestamp.enter;
    /* Not before its inner calls. */
    return l->state.completes_poll ? begin_of(&l->state, alone, shares)
                                   : later(call->timestamp.enter, l->span.begin);
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
