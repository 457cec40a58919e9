/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective operations. A blocking one is reported when all members have arrived. For a
 * non-blocking one, another call waits, which may come before or after that:
 *
 *     rank 0   MPI_Ibarrier  …  MPI_Wait           begun -> met -> completed
 *     rank 1   MPI_Ibarrier MPI_Wait  …            begun -> completed -> met
 *
 * A member waits for the last one that it depends on. A listener that asks what happens if that one
 * arrives earlier (wait_listener.h) needs all of them: a joint. */
#include "wait_search_impl.h"

#include "src/core/base/mix.h"

static uint64_t key_of(const struct call_ref *call)
{
    return mix(mix(call->rank, call->thread), call->call);
}

static bool is_same(const struct call_ref *a, const struct call_ref *b)
{
    return a->rank == b->rank && a->thread == b->thread && a->call == b->call;
}

/* Finds an operation that this call has begun and that is not yet met or completed; MAP_NONE if
 * there is none. */
static uint32_t find_begun(const struct wait_search *s, const struct call_ref *call, bool to_meet)
{
    size_t at;
    uint32_t v = map_first(&s->begun_by_call, key_of(call), &at);
    for (; v != MAP_NONE; v = map_next(&s->begun_by_call, key_of(call), &at)) {
        const struct begun_member *b = &s->begun.items[v];
        if (is_same(&b->begun, call) && !(to_meet ? b->is_met : b->is_completed))
            return v;
    }
    return MAP_NONE;
}

enum refrain_status wait_search_begin_member(struct wait_search *s, const struct operation *op)
{
    const struct begun_member b = {.begun = op->call, .function = op->posted_by};
    if (s->begun_unused.n == 0) {
        if (!array_push(&s->begun, b) || !array_reserve(&s->begun_unused, s->begun.n))
            return REFRAIN_ERR_MEMORY;
        s->begun_unused.items[s->begun_unused.n++] = (uint32_t)(s->begun.n - 1);
    }
    const uint32_t v = s->begun_unused.items[--s->begun_unused.n];
    s->begun.items[v] = b;
    return map_add(&s->begun_by_call, key_of(&op->call), v) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* Holds all arrivals as long as it is open which of them the member waits for. */
static enum refrain_status hold_arrivals(const struct wait_search *s, const struct arrivals *a)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; a && i < a->n && status == REFRAIN_OK; i++)
        status = wait_listener_hold(s->listener, &a->items[i].call);
    return status;
}

static void release_arrivals(const struct wait_search *s, struct arrivals *a)
{
    for (size_t i = 0; a && a->n_holders <= 1 && i < a->n; i++)
        wait_listener_release(s->listener, &a->items[i].call);
    arrivals_release(a);
}

/* The operation is met and completed. Only now is it known who arrived before the completing call
 * left. */
static enum refrain_status end_member(struct wait_search *s, uint32_t v)
{
    struct begun_member b = s->begun.items[v];
    const bool held = b.has_event && !b.later;
    const uint32_t joint = b.event.joint;
    map_remove(&s->begun_by_call, key_of(&b.begun), v);
    s->begun.items[v].later = NULL;
    s->begun_unused.items[s->begun_unused.n++] = v;
    if (b.later) {
        const struct arrival *last =
            arrivals_last(b.later, b.begun.rank, b.second, b.completed.timestamp.leave);
        b.has_event = last;
        if (last) {
            b.event.cause = last->call;
            b.event.until = last->call.timestamp.enter;
        }
        /* It did not depend on members that came later. */
        if (last != arrivals_last(b.later, b.begun.rank, b.second, UINT64_MAX))
            b.event.joint = 0;
    }
    b.event.call = b.completed;
    b.event.deferred = true;
    enum refrain_status status = REFRAIN_OK;
    if (!b.has_event && b.completed.n == 1) {
        const struct wait_event alone = {.kind = EVENT_FROM_ROOT,
                                         .call = b.completed,
                                         .begin = b.completed.timestamp.enter,
                                         .deferred = true};
        status = wait_search_look_for_progress(s, &alone);
    }
    if (status == REFRAIN_OK)
        status = b.has_event ? wait_search_settle(s, &b.event) : wait_search_settle_none(s, &b.completed);
    if (held)
        wait_listener_release(s->listener, &b.event.cause);
    wait_listener_part(s->listener, joint);
    release_arrivals(s, b.later);
    return status;
}

enum refrain_status wait_search_complete_member(struct wait_search *s, const struct operation *op)
{
    const uint32_t v = find_begun(s, &op->post, false);
    if (v == MAP_NONE)
        return wait_search_settle_none(s, &op->call);
    struct begun_member *b = &s->begun.items[v];
    b->completed = op->call;
    b->is_completed = true;
    return b->is_met ? end_member(s, v) : REFRAIN_OK;
}

/* Reports that a member of a blocking operation waited for another one inside of the library, if it did, after what its
 * own event is about. */
static enum refrain_status tell_late(struct wait_search *s, const struct matching_collective *c, size_t i,
                                     size_t cause)
{
    const struct call_ref *call = &c->members[i].call;
    struct wait_event e = {.kind = EVENT_MEMBER_LATE, .call = *call, .has_cause = true};
    size_t late;
    if (!meeting_find_late(c, i, cause, &late, &e.begin))
        return REFRAIN_OK;
    e.cause = c->members[late].call;
    e.until = e.cause.timestamp.enter;
    wait_listener_expect(s->listener, call);
    const enum refrain_status status = wait_listener_settle(s->listener, call, &e);
    return status == REFRAIN_OK ? wait_search_publish(s, &e) : status;
}

/* Reports the event `e` of a member, or that it waited for nobody if `e` is NULL. */
static enum refrain_status tell_member(struct wait_search *s, const struct matching_member *m, uint32_t v,
                                       const struct wait_event *e, struct arrivals *later)
{
    if (v == MAP_NONE)
        return e ? wait_search_settle(s, e) : wait_search_settle_none(s, &m->call);
    struct begun_member *b = &s->begun.items[v];
    enum refrain_status status = REFRAIN_OK;
    b->is_met = true;
    b->has_event = e;
    if (e)
        b->event = *e;
    if (e && !later)
        status = wait_listener_hold(s->listener, &e->cause);
    if (e)
        wait_listener_keep(s->listener, e->joint);
    if (later) {
        b->later = later;
        b->second = m->second;
        later->n_holders++;
    }
    return status == REFRAIN_OK && b->is_completed ? end_member(s, v) : status;
}

static enum refrain_status tell_meeting(struct wait_search *s, const struct meeting *meeting)
{
    const struct matching_collective *c = meeting->collective;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < c->n && status == REFRAIN_OK; i++) {
        const struct matching_member *m = &c->members[i];
        if (!m->refused)
            status = wait_search_publish(s, &(struct wait_event){.kind = EVENT_MEETING,
                                                                 .call = m->call,
                                                                 .begin = m->call.timestamp.enter,
                                                                 .meeting = meeting,
                                                                 .member = m});
    }
    return status;
}

static struct meeting meeting_of(const struct matching_collective *c, const struct role *role)
{
    struct meeting m = {.kind = meeting_kind(role), .first_leave = UINT64_MAX, .collective = c};
    for (size_t i = 0; i < c->n; i++) {
        const struct timestamp t = c->members[i].call.timestamp;
        if (c->members[i].refused)
            continue;
        m.last_enter = t.enter > m.last_enter ? t.enter : m.last_enter;
        m.first_leave = t.leave < m.first_leave ? t.leave : m.first_leave;
    }
    return m;
}

/* ---- joints -------------------------------------------------------------------------------------- */

static enum refrain_status join(struct wait_search *s, uint32_t before, uint32_t *joint)
{
    struct meeting_causes *m = &s->causes;
    const enum refrain_status status =
        s->listener->join(s->listener->context, m->calls.items, m->calls.n, before, joint);
    if (status != REFRAIN_OK)
        return status;
    return array_push(&m->made, *joint) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* Each member depends on those before it. */
static enum refrain_status join_prefixes(struct wait_search *s, const struct matching_collective *c)
{
    struct meeting_causes *m = &s->causes;
    enum refrain_status status = REFRAIN_OK;
    uint32_t joint = 0;
    for (size_t k = 0; k < m->in_order.n && status == REFRAIN_OK; k++) {
        const size_t i = m->in_order.items[k];
        m->joints.items[i] = joint;
        m->calls.n = 0;
        if (!m->gives.items[i])
            continue;
        status = array_push(&m->calls, &c->members[i].call) ? join(s, joint, &joint) : REFRAIN_ERR_MEMORY;
    }
    return status;
}

/* Each receiver of the group depends on all senders (of the other group if there are two). If the
 * operation is loose, a receiver that left before the last sender came did not depend on it;
 * `known`: the times of leaving are known. */
static enum refrain_status join_group(struct wait_search *s, const struct matching_collective *c, bool second,
                                      bool known)
{
    struct meeting_causes *m = &s->causes;
    uint64_t last = 0;
    uint32_t joint = 0;
    m->calls.n = 0;
    for (size_t i = 0; i < c->n; i++) {
        const struct call_ref *call = &c->members[i].call;
        if (!m->gives.items[i] || (c->inter && c->members[i].second == second))
            continue;
        last = call->timestamp.enter > last ? call->timestamp.enter : last;
        if (!array_push(&m->calls, call))
            return REFRAIN_ERR_MEMORY;
    }
    /* With one sender, or two members, each member has a single cause. */
    const enum refrain_status status = m->calls.n < 2 || c->n < 3 ? REFRAIN_OK : join(s, 0, &joint);
    for (size_t i = 0; i < c->n; i++) {
        if ((!c->inter || c->members[i].second == second) &&
            (!known || last <= c->members[i].call.timestamp.leave))
            m->joints.items[i] = joint;
    }
    return status;
}

static enum refrain_status join_members(struct wait_search *s, const struct matching_collective *c,
                                        bool known)
{
    struct meeting_causes *m = &s->causes;
    m->joints.n = m->made.n = 0;
    if (!array_reserve(&m->joints, c->n))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < c->n; i++)
        m->joints.items[m->joints.n++] = 0;
    if (!s->listener)
        return REFRAIN_OK;
    if (m->in_order.n > 0)
        return join_prefixes(s, c);
    const enum refrain_status status = join_group(s, c, false, known);
    return status == REFRAIN_OK && c->inter ? join_group(s, c, true, known) : status;
}

enum refrain_status wait_search_meet(struct wait_search *s, const struct matching_collective *c)
{
    const uint32_t begun = find_begun(s, &c->members[0].call, true);
    const uint32_t function = begun == MAP_NONE ? c->function : s->begun.items[begun].function;
    const struct role *role = &s->roles.items[function];
    const bool blocking = begun == MAP_NONE, makes_request = blocking && role->variant == VARIANT_PERSISTENT,
               whole = c->agree && c->n == c->expected && !makes_request;
    const struct meeting meeting = meeting_of(c, role);
    struct arrivals *later = NULL;
    enum refrain_status status = meeting_find_causes(&s->causes, &s->groups, role, c, blocking, &later);
    if (status == REFRAIN_OK)
        status = hold_arrivals(s, later);
    if (status == REFRAIN_OK && whole)
        status = join_members(s, c, blocking && meeting_is_loose(role));
    for (size_t i = 0; i < c->n && status == REFRAIN_OK; i++) {
        const struct matching_member *m = &c->members[i];
        const size_t cause = whole ? s->causes.of_member.items[i] : MEETING_NOBODY;
        const uint32_t v = find_begun(s, &m->call, true);
        if (m->refused)
            continue;
        struct wait_event e = {.kind = meeting.kind, .call = m->call, .has_cause = true};
        if (meeting.kind == EVENT_FENCE)
            e.last_access = wait_epochs_fence(&s->epochs, &c->scope, m->call.rank);
        e.joint = whole ? s->causes.joints.items[i] : 0;
        /* It may wait for others, of which the trace shows nothing. */
        if (cause == MEETING_NOBODY && (meeting.kind == EVENT_FROM_ROOT || meeting.kind == EVENT_TO_ROOT))
            wait_overlaps_skip(&s->overlaps, wait_search_lane(s, &m->call), m->call.call);
        if (cause < c->n) {
            e.cause = c->members[cause].call;
            e.until = e.cause.timestamp.enter;
        }
        if (whole && blocking)
            status = tell_late(s, c, i, cause);
        if (status == REFRAIN_OK)
            status = tell_member(s, m, v, cause == MEETING_NOBODY ? NULL : &e,
                                 cause == MEETING_LATER ? later : NULL);
    }
    release_arrivals(s, later);
    for (size_t i = 0; whole && i < s->causes.made.n; i++)
        wait_listener_part(s->listener, s->causes.made.items[i]);
    return status == REFRAIN_OK && whole && blocking ? tell_meeting(s, &meeting) : status;
}
