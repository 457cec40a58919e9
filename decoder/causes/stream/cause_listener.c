/* SPDX-License-Identifier: BSD-3-Clause */
#include "cause_listener.h"

#include "src/core/base/log.h"

#include <stdlib.h>

static struct causal_name name_of(const struct cause_listener *l, const struct call_ref *call)
{
    return (struct causal_name){wait_search_lane(l->search, call), call->call};
}

/* ---- the world ----------------------------------------------------------------------------------- */

static void free_world(struct cause_world *w)
{
    free(w->known);
    array_free(&w->members);
    *w = (struct cause_world){0};
}

static enum refrain_status start_world(struct cause_world *w, const struct wait_lanes *lanes)
{
    free_world(w);
    w->known = calloc(lanes->n_ranks + (size_t)1, sizeof *w->known);
    if (!w->known) {
        log_error("out of memory: %u ranks", lanes->n_ranks);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < lanes->n_ranks; i++)
        w->n_missing += lanes->first[i] < lanes->first[i + 1];
    return REFRAIN_OK;
}

/* All ranks have entered: each depends on the last one of the others. */
static enum refrain_status meet(struct cause_listener *l, struct cause_world *w, enum wait_event_kind kind)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < w->members.n && status == REFRAIN_OK; i++) {
        const struct causal_name member = w->members.items[i];
        const bool is_last = member.lane == w->last.lane && member.number == w->last.number;
        const struct causal_name *cause = is_last ? &w->second : &w->last;
        status = causal_stream_settle(&l->stream, member, w->members.n > 1 ? cause : NULL, kind);
    }
    for (size_t i = 0; i < w->members.n; i++)
        causal_stream_release(&l->stream, w->members.items[i]);
    w->members.n = 0;
    return status;
}

/* Marks that the rank has entered, or never will. */
static enum refrain_status know(struct cause_listener *l, struct cause_world *w, enum wait_event_kind kind,
                                uint32_t rank)
{
    bool *known = &w->known[rank - l->search->lanes.first_rank];
    if (*known)
        return REFRAIN_OK;
    *known = true;
    return --w->n_missing == 0 ? meet(l, w, kind) : REFRAIN_OK;
}

static enum refrain_status join(struct cause_listener *l, struct cause_world *w, enum wait_event_kind kind,
                                const struct call_ref *call)
{
    const struct causal_name name = name_of(l, call);
    const uint64_t enter = call->timestamp.enter;
    if (w->known[call->rank - l->search->lanes.first_rank])
        return REFRAIN_OK;
    if (w->members.n == 0 || enter > w->last_enter) {
        w->second = w->last;
        w->second_enter = w->last_enter;
        w->last = name;
        w->last_enter = enter;
    } else if (w->members.n == 1 || enter > w->second_enter) {
        w->second = name;
        w->second_enter = enter;
    }
    causal_stream_expect(&l->stream, name);
    const enum refrain_status status = causal_stream_hold(&l->stream, name);
    if (status != REFRAIN_OK || !array_push(&w->members, name))
        return status == REFRAIN_OK ? REFRAIN_ERR_MEMORY : status;
    return know(l, w, kind, call->rank);
}

/* ---- callbacks of the search --------------------------------------------------------------------- */

static enum refrain_status take_start(void *context, const struct wait_search *s)
{
    struct cause_listener *l = context;
    struct causal_sink sink;
    l->search = s;
    causal_stream_free(&l->stream);
    enum refrain_status status = l->start(l->context, s, &sink);
    if (status == REFRAIN_OK)
        status = causal_stream_create(&l->stream, s->lanes.n, &sink);
    if (status == REFRAIN_OK)
        status = start_world(&l->init, &s->lanes);
    if (status == REFRAIN_OK)
        status = start_world(&l->finalize, &s->lanes);
    return status;
}

static enum refrain_status take_call(void *context, const struct call_ref *call, bool continues)
{
    struct cause_listener *l = context;
    const uint32_t number = wait_search_lane(l->search, call);
    const struct wait_lane *lane = &l->search->lanes.items[number];
    const uint64_t to = l->search->to, leave = call->timestamp.leave;
    const struct causal_call this = {number, call->site, call->call, call->timestamp.enter,
                                     leave < to ? leave : to};
    /* Calls outside of the examined time are not reported: nothing is known of them, and no call
     * depends on them. */
    if (call->timestamp.enter >= to)
        return REFRAIN_OK;
    enum refrain_status status = causal_stream_call(&l->stream, &this, continues);
    if (status == REFRAIN_OK && lane->init.there && lane->init.call.call == call->call)
        status = join(l, &l->init, EVENT_INIT, call);
    if (status == REFRAIN_OK && lane->finalize.there && lane->finalize.call.call == call->call)
        status = join(l, &l->finalize, EVENT_FINALIZE, call);
    return status;
}

/* Holds calls that begin a message or a collective operation, because other calls may depend on
 * them later. */
static enum refrain_status take_operation(void *context, const struct operation *op)
{
    struct cause_listener *l = context;
    const bool message = op->kind == OPERATION_SEND || op->kind == OPERATION_RECEIVE,
               collective = op->kind == OPERATION_COLLECTIVE;
    enum refrain_status status = REFRAIN_OK;
    if ((!message && !collective) || op->failed || op->refused || op->comm < 0)
        return REFRAIN_OK;
    /* A rank that communicates has entered MPI_Init before, or its call of MPI_Init is not in the
     * trace. */
    status = know(l, &l->init, EVENT_INIT, op->call.rank);
    if (status != REFRAIN_OK || (message && op->peer < 0 && op->peer != OPERATION_ANY))
        return status;
    return causal_stream_hold(&l->stream, name_of(l, &op->call));
}

static void take_expect(void *context, const struct call_ref *call)
{
    struct cause_listener *l = context;
    causal_stream_expect(&l->stream, name_of(l, call));
}

static enum refrain_status take_settle(void *context, const struct call_ref *call,
                                       const struct wait_event *waits)
{
    struct cause_listener *l = context;
    if (!waits)
        return causal_stream_settle(&l->stream, name_of(l, call), NULL, EVENT_KINDS);
    const struct causal_name cause = name_of(l, &waits->cause);
    const enum refrain_status status =
        waits->joint ? causal_stream_depend(&l->stream, name_of(l, call), waits->joint - 1, waits->kind)
                     : REFRAIN_OK;
    return status != REFRAIN_OK ? status
                                : causal_stream_settle(&l->stream, name_of(l, call), &cause, waits->kind);
}

/* Numbers of the search's joints are the stream's plus 1. */
static enum refrain_status take_join(void *context, const struct call_ref *const *calls, size_t n,
                                     uint32_t before, uint32_t *joint)
{
    struct cause_listener *l = context;
    l->names.n = 0;
    if (!array_reserve(&l->names, n))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n; i++)
        l->names.items[l->names.n++] = name_of(l, calls[i]);
    const enum refrain_status status =
        causal_stream_join(&l->stream, l->names.items, n, before ? before - 1 : CAUSAL_NONE, joint);
    *joint += status == REFRAIN_OK;
    return status;
}

static void take_keep(void *context, uint32_t joint)
{
    causal_stream_keep(&((struct cause_listener *)context)->stream, joint - 1);
}

static void take_part(void *context, uint32_t joint)
{
    causal_stream_part(&((struct cause_listener *)context)->stream, joint - 1);
}

static enum refrain_status take_hold(void *context, const struct call_ref *call)
{
    struct cause_listener *l = context;
    return causal_stream_hold(&l->stream, name_of(l, call));
}

static void take_release(void *context, const struct call_ref *call)
{
    struct cause_listener *l = context;
    causal_stream_release(&l->stream, name_of(l, call));
}

static enum refrain_status take_end(void *context)
{
    struct cause_listener *l = context;
    enum refrain_status status = meet(l, &l->init, EVENT_INIT);
    if (status == REFRAIN_OK)
        status = meet(l, &l->finalize, EVENT_FINALIZE);
    if (status == REFRAIN_OK)
        status = causal_stream_end(&l->stream);
    if (status == REFRAIN_OK)
        status = l->end(l->context);
    log_debug("causes: %zu marks, %llu calls of which not all is known", l->stream.marks.n,
              (unsigned long long)l->stream.forced);
    return status;
}

const struct wait_listener *cause_listener_open(struct cause_listener *l)
{
    l->listener = (struct wait_listener){.context = l,
                                         .pool = l->pool,
                                         .start = take_start,
                                         .call = take_call,
                                         .operation = take_operation,
                                         .expect = take_expect,
                                         .settle = take_settle,
                                         .join = take_join,
                                         .keep = take_keep,
                                         .part = take_part,
                                         .hold = take_hold,
                                         .release = take_release,
                                         .end = take_end};
    return &l->listener;
}

void cause_listener_free(struct cause_listener *l)
{
    causal_stream_free(&l->stream);
    array_free(&l->names);
    free_world(&l->init);
    free_world(&l->finalize);
    *l = (struct cause_listener){0};
}
