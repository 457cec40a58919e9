/* SPDX-License-Identifier: BSD-3-Clause */
#include "otf2_events_impl.h"

#include "src/core/base/log.h"
#include <string.h>

uint64_t otf2_timestamp(struct otf2_writer *w, uint64_t wanted)
{
    w->last = wanted > w->last ? wanted : w->last + 1;
    return w->last;
}

void otf2_flight_free(struct otf2_flight *f)
{
    array_free(&f->pending);
    array_free(&f->issued);
    array_free(&f->begun);
}

/* ---- requests -------------------------------------------------------------------------------- */

/* Returns the entry of a request; NULL if memory is short or the operation has no request.
 * MPI_Isendrecv has one request for two operations. */
static struct otf2_pending *pending_of(struct otf2_flight *f, const struct operation *op)
{
    if (op->request == OPERATION_NO_REQUEST)
        return NULL;
    const size_t i = 2 * (size_t)op->request + (op->of == OPERATION_RECEIVE);
    if (i >= f->pending.n) {
        if (!array_reserve(&f->pending, i + 1 - f->pending.n))
            return NULL;
        memset(f->pending.items + f->pending.n, 0, (i + 1 - f->pending.n) * sizeof *f->pending.items);
        f->pending.n = i + 1;
    }
    return &f->pending.items[i];
}

struct otf2_pending *otf2_open_request(struct otf2_flight *f, const struct operation *op)
{
    struct otf2_pending *p = pending_of(f, op);
    if (p)
        *p = (struct otf2_pending){.open = true, .kind = op->of, .id = f->requests++};
    return p;
}

/* Closes the request that a completion completes. Returns false if no event reported its
 * beginning. */
static bool close_request(struct otf2_flight *f, const struct operation *op, struct otf2_pending *out)
{
    struct otf2_pending *p = pending_of(f, op);
    if (!p || !p->open || p->kind != op->of)
        return false;
    *out = *p;
    p->open = false;
    return true;
}

/* Forgets a request that began before the archive's span of time, or whose beginning is not
 * reported. */
static void forget_request(struct otf2_flight *f, const struct operation *op)
{
    struct otf2_pending *p = pending_of(f, op);
    if (p)
        p->open = false;
}

/* Is the operation part of a blocking call that did not return? A send of such a call may have arrived; its
 * receive or collective operation is not reported. */
static bool is_stuck(const struct operation *op)
{
    return !op->done && op->request == OPERATION_NO_REQUEST;
}

/* ---- messages -------------------------------------------------------------------------------- */

static enum refrain_status begin_send(struct otf2_context *c, const struct operation *op)
{
    const uint32_t comm = otf2_comm(&c->x->ranks, op->comm);
    const uint32_t peer = comm == OTF2_NOBODY ? comm : otf2_rank_in(&c->x->ranks, comm, op->peer);
    if (peer == OTF2_NOBODY) {
        forget_request(c->f, op);
        return REFRAIN_OK;
    }
    if (op->done || is_stuck(op))
        return RECORD(c, MpiSend, peer, comm, (uint32_t)op->tag, op->sent);
    const struct otf2_pending *p = otf2_open_request(c->f, op);
    return p ? RECORD(c, MpiIsend, peer, comm, (uint32_t)op->tag, op->sent, p->id) : REFRAIN_ERR_MEMORY;
}

static enum refrain_status begin_receive(struct otf2_context *c, const struct operation *op)
{
    const uint32_t comm = otf2_comm(&c->x->ranks, op->comm);
    const bool known = comm != OTF2_NOBODY && (op->peer == OPERATION_ANY ||
                                               otf2_rank_in(&c->x->ranks, comm, op->peer) != OTF2_NOBODY);
    if (op->done || is_stuck(op))
        return REFRAIN_OK;
    if (!known) {
        forget_request(c->f, op);
        return REFRAIN_OK;
    }
    const struct otf2_pending *p = otf2_open_request(c->f, op);
    return p ? RECORD(c, MpiIrecvRequest, p->id) : REFRAIN_ERR_MEMORY;
}

static enum refrain_status end_receive(struct otf2_context *c, const struct operation *op)
{
    const uint32_t comm = otf2_comm(&c->x->ranks, op->comm);
    const uint32_t peer = comm == OTF2_NOBODY ? comm : otf2_rank_in(&c->x->ranks, comm, op->peer);
    if (!op->done || peer == OTF2_NOBODY)
        return REFRAIN_OK;
    return RECORD(c, MpiRecv, peer, comm, (uint32_t)op->tag, op->received);
}

/* If the sender is not exported, the archive treats the message as cancelled. */
static enum refrain_status complete_receive(struct otf2_context *c, const struct operation *op,
                                            const struct otf2_pending *p)
{
    const uint32_t comm = otf2_comm(&c->x->ranks, op->comm);
    const uint32_t peer = comm == OTF2_NOBODY ? comm : otf2_rank_in(&c->x->ranks, comm, op->peer);
    if (peer == OTF2_NOBODY)
        return RECORD(c, MpiRequestCancelled, p->id);
    return RECORD(c, MpiIrecv, peer, comm, (uint32_t)op->tag, op->received, p->id);
}

/* ---- collective operations ------------------------------------------------------------------- */

/* Fills the description of a collective event. Returns false if there is no event: the function
 * has no number in OTF2, the communicator is unknown, or the root is not exported. */
static bool describe_collective(const struct otf2_context *c, const struct operation *op,
                                struct otf2_pending *out)
{
    const struct role *own = otf2_role(c->x, op->function);
    const struct role *role = own->collective != COLLECTIVE_NONE ? own : otf2_role(c->x, op->posted_by);
    const int64_t self = c->call->rank;
    *out = (struct otf2_pending){.operation = otf2_operation(role->collective),
                                 .comm = otf2_comm(&c->x->ranks, op->comm),
                                 .root = OTF2_COLLECTIVE_ROOT_NONE};
    if (role->collective == COLLECTIVE_NONE || role->region == REGION_WINDOW || out->comm == OTF2_NOBODY ||
        (c->x->compat && !otf2_operation_is_old(out->operation)))
        return false;
    if (role->region != REGION_ONE_TO_ALL && role->region != REGION_ALL_TO_ONE)
        return true;
    /* the root is another process of this group; only that process knows that it is the root */
    if (op->root == c->x->source.proc_null)
        return false;
    out->root = op->root == c->x->source.root
                    ? otf2_rank_in(&c->x->ranks, out->comm, self)
                    : otf2_root_in(&c->x->ranks, out->comm, c->call->rank, op->root);
    return out->root != OTF2_NOBODY;
}

static enum refrain_status begin_collective(struct otf2_context *c, const struct operation *op)
{
    const struct role *role = otf2_role(c->x, op->function);
    /* on a file, the call also has an operation on the file; MPI_Start begins a persistent operation */
    if (role->actions & ROLE_FILE || role->variant == VARIANT_PERSISTENT)
        return REFRAIN_OK;
    c->collective = describe_collective(c, op, &c->description);
    if (c->collective && op->done)
        return RECORD(c, MpiCollectiveBegin);
    forget_request(c->f, op);
    if (!c->collective || c->x->compat)
        return REFRAIN_OK;
    struct otf2_pending *p = otf2_open_request(c->f, op);
    if (!p)
        return REFRAIN_ERR_MEMORY;
    c->description.open = true;
    c->description.kind = OPERATION_COLLECTIVE;
    c->description.id = p->id;
    *p = c->description;
    return RECORD(c, NonBlockingCollectiveRequest, p->id);
}

static enum refrain_status end_collective(struct otf2_context *c, const struct operation *op)
{
    const struct otf2_pending *d = &c->description;
    if (!op->done || !c->collective)
        return REFRAIN_OK;
    return RECORD(c, MpiCollectiveEnd, d->operation, d->comm, d->root, op->sent, op->received);
}

/* ---- the operations of a call ---------------------------------------------------------------- */

static enum refrain_status complete(struct otf2_context *c, const struct operation *op)
{
    struct otf2_pending p;
    if (op->outcome == OPERATION_NEVER || !close_request(c->f, op, &p))
        return REFRAIN_OK;
    const bool cancelled = op->outcome == OPERATION_CANCELLED;
    if (op->outcome == OPERATION_FREED)
        return REFRAIN_OK;
    switch (op->of) {
    case OPERATION_SEND:
        return cancelled ? RECORD(c, MpiRequestCancelled, p.id) : RECORD(c, MpiIsendComplete, p.id);
    case OPERATION_RECEIVE:
        return cancelled ? RECORD(c, MpiRequestCancelled, p.id) : complete_receive(c, op, &p);
    case OPERATION_COLLECTIVE:
        return RECORD(c, NonBlockingCollectiveComplete, p.operation, p.comm, p.root, op->sent, op->received,
                      p.id);
    case OPERATION_FILE:
        return RECORD(c, IoOperationComplete, p.object, op->sent + op->received, p.id);
    case OPERATION_RMA:
        return otf2_complete_access(c, &p);
    default:
        return REFRAIN_OK;
    }
}

/* Reports a test without success. */
static enum refrain_status put_test(struct otf2_context *c, const struct operation *op)
{
    const struct otf2_pending *p = pending_of(c->f, op);
    if (op->of == OPERATION_CLOSE)
        return otf2_close_epoch(c, op);
    if (!p || !p->open || p->kind != op->of)
        return REFRAIN_OK;
    switch (op->of) {
    case OPERATION_FILE:
        return RECORD(c, IoOperationTest, p->object, p->id);
    case OPERATION_RMA:
        return RECORD(c, RmaOpTest, p->object, p->access);
    default:
        return RECORD(c, MpiRequestTest, p->id);
    }
}

/* Reports what begins in the call. */
static enum refrain_status begin(struct otf2_context *c, const struct operation *op)
{
    enum refrain_status status;
    if (is_stuck(op) && (op->kind == OPERATION_COLLECTIVE || op->kind == OPERATION_FILE))
        return REFRAIN_OK;
    switch (op->kind) {
    case OPERATION_SEND:
        return begin_send(c, op);
    case OPERATION_RECEIVE:
        return begin_receive(c, op);
    case OPERATION_COLLECTIVE:
        status = begin_collective(c, op);
        return status == REFRAIN_OK ? otf2_put_window_collective(c, op, true) : status;
    case OPERATION_RMA:
        return otf2_put_access(c, op);
    case OPERATION_FILE:
        return otf2_begin_file_operation(c, op);
    case OPERATION_OPEN:
        return otf2_request_epoch(c, op);
    default:
        return REFRAIN_OK;
    }
}

/* Reports what ends in the call. */
static enum refrain_status end(struct otf2_context *c, const struct operation *op)
{
    enum refrain_status status;
    switch (op->kind) {
    case OPERATION_RECEIVE:
        return end_receive(c, op);
    case OPERATION_COLLECTIVE:
        if ((status = end_collective(c, op)) != REFRAIN_OK ||
            (status = otf2_put_window_collective(c, op, false)) != REFRAIN_OK)
            return status;
        return otf2_put_file_collective(c, op);
    case OPERATION_FILE:
        return otf2_end_file_operation(c, op);
    case OPERATION_COMPLETE:
        return complete(c, op);
    case OPERATION_OPEN:
        return otf2_open_epoch(c, op);
    case OPERATION_FLUSH:
        return otf2_flush(c, op);
    case OPERATION_CLOSE:
        return otf2_close_epoch(c, op);
    default:
        return REFRAIN_OK;
    }
}

/* ---- regions --------------------------------------------------------------------------------- */

static inline enum refrain_status put_enter(struct otf2_writer *w, uint32_t site, uint32_t function,
                                            uint64_t time)
{
    const struct otf2_shared *x = w->x;
    OTF2_AttributeList *list = w->attributes;
    const OTF2_AttributeValue path = {.stringRef = OTF2_STRING_FIRST_SITE + site};
    const OTF2_AttributeValue source = {.sourceCodeLocationRef = x->sources[site]};
    OTF2_ErrorCode code = OTF2_SUCCESS;
    if (x->reader->trace.sites.items[site].n_frames > 0)
        code = OTF2_AttributeList_AddAttribute(list, OTF2_ATTRIBUTE_PATH, OTF2_TYPE_STRING, path);
    if (code == OTF2_SUCCESS && source.sourceCodeLocationRef != OTF2_UNDEFINED_SOURCE_CODE_LOCATION)
        code = OTF2_AttributeList_AddAttribute(list, OTF2_ATTRIBUTE_SOURCE, OTF2_TYPE_SOURCE_CODE_LOCATION,
                                               source);
    if (code == OTF2_SUCCESS)
        code = OTF2_EvtWriter_Enter(w->writer, list, otf2_timestamp(w, time), x->regions[function]);
    return otf2_check(code);
}

enum refrain_status otf2_events_nest(struct otf2_writer *w, const struct stream_call *call, bool *entered,
                                     bool *in_span)
{
    const bool was_around = w->around.n > call->n_around;
    enum refrain_status status = REFRAIN_OK;
    *in_span = was_around ? w->around.items[--w->around.n] : otf2_is_in_span(w->x, call->timestamp);
    *entered = was_around && *in_span;
    while (status == REFRAIN_OK && w->around.n < call->n_around) {
        const struct nesting_call *outer = &call->around[w->around.n];
        const bool there = otf2_is_in_span(w->x, &outer->timestamp);
        if (!array_push(&w->around, there))
            status = REFRAIN_ERR_MEMORY;
        else if (there)
            status = put_enter(w, outer->site, w->x->reader->trace.sites.items[outer->site].function,
                               outer->timestamp.enter);
    }
    return status;
}

enum refrain_status otf2_events_put(struct otf2_writer *w, struct otf2_flight *f,
                                    const struct stream_call *call, bool entered)
{
    const uint32_t function = call->call->function;
    const struct operation *operations = call->operations;
    const size_t n = call->n_operations;
    struct otf2_context c = {.w = w, .f = f, .x = w->x, .call = call->call, .time = call->timestamp->enter};
    enum refrain_status status = entered ? REFRAIN_OK : put_enter(w, call->call->site, function, c.time);
    for (size_t i = 0; status == REFRAIN_OK && i < n; i++) {
        if (operations[i].kind == OPERATION_TEST && !operations[i].failed)
            status = put_test(&c, &operations[i]);
    }
    for (size_t i = 0; status == REFRAIN_OK && i < n; i++) {
        c.time = operation_timestamp(*call->timestamp, operations[i].call.i, operations[i].call.n).enter;
        status = operations[i].failed ? REFRAIN_OK : begin(&c, &operations[i]);
    }
    for (size_t i = 0; status == REFRAIN_OK && i < n; i++) {
        c.time = operation_timestamp(*call->timestamp, operations[i].call.i, operations[i].call.n).leave;
        status = operations[i].failed ? REFRAIN_OK : end(&c, &operations[i]);
    }
    if (status == REFRAIN_OK && otf2_role(w->x, function)->transfer == TRANSFER_DELETE)
        status = otf2_delete_file(&c);
    c.time = call->timestamp->leave;
    return status == REFRAIN_OK ? RECORD(&c, Leave, w->x->regions[function]) : status;
}

enum refrain_status otf2_events_skip(struct otf2_writer *w, struct otf2_flight *f,
                                     const struct stream_call *call)
{
    struct otf2_context c = {.w = w, .f = f, .x = w->x, .call = call->call};
    enum refrain_status status = REFRAIN_OK;
    uint32_t handle;
    for (size_t i = 0; i < call->n_operations; i++) {
        const struct operation *op = &call->operations[i];
        const struct role *role = otf2_role(w->x, op->function);
        if (op->kind != OPERATION_TEST)
            forget_request(f, op);
        if (op->kind == OPERATION_COLLECTIVE && !op->failed && role->actions & ROLE_MAKES &&
            role->region == REGION_FILE_METADATA && status == REFRAIN_OK)
            status = otf2_note_file(&c, op, &handle);
    }
    return status;
}
