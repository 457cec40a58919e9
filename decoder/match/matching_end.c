/* SPDX-License-Identifier: BSD-3-Clause */
#include "matching_impl.h"

#include <assert.h>

static struct open_request *open_of(struct matching_rank *r, uint32_t request)
{
    while (r->open.n <= request) {
        const struct open_request none = {MESSAGE_QUEUES_NONE, MESSAGE_QUEUES_NONE, MESSAGE_QUEUES_NONE,
                                          MESSAGE_QUEUES_NONE};
        if (!array_push(&r->open, none))
            return NULL;
    }
    return &r->open.items[request];
}

static uint32_t message_queue_of(struct matching *m, const struct operation *op, bool sent)
{
    const uint32_t peer = (uint32_t)op->peer, self = op->call.rank;
    const struct message_queue_name name = {.comm = op->comm,
                                            .tag = op->tag,
                                            .partitioned = op->partitioned,
                                            .source = sent ? self : peer,
                                            .dest = sent ? peer : self};
    return message_queues_get(&m->queues, &name);
}

/* Adds an entry for the operation at its rank. */
static uint32_t add_entry(struct matching *m, const struct operation *op)
{
    const uint32_t entry = message_queues_add_entry(&m->queues);
    if (entry == MESSAGE_QUEUES_NONE)
        return entry;
    struct message_end *e = entry_of(m, entry);
    e->call = e->completed = op->call;
    e->function = op->function;
    e->is_completed = e->ready = e->over = op->done;
    rank_of(m, op->call.rank)->n_waiting++;
    return entry;
}

static enum refrain_status send(struct matching *m, const struct operation *op)
{
    struct matching_rank *r = rank_of(m, op->call.rank);
    struct open_request *open = NULL;
    const bool has_hints = matching_has_hints(m);
    if (has_hints && match_hints_find(m->sink->hints, op))
        return REFRAIN_OK; /* it will be cancelled */
    const bool may_go = m->source.cancels && !has_hints && op->request != OPERATION_NO_REQUEST;
    if ((may_go || m->sink->sent) && op->request != OPERATION_NO_REQUEST && !(open = open_of(r, op->request)))
        return REFRAIN_ERR_MEMORY;
    const uint32_t queue = message_queue_of(m, op, true);
    const uint32_t entry = queue == MESSAGE_QUEUES_NONE ? MESSAGE_QUEUES_NONE : add_entry(m, op);
    if (entry == MESSAGE_QUEUES_NONE)
        return REFRAIN_ERR_MEMORY;
    struct message_queue *c = &m->queues.items.items[queue];
    entry_of(m, entry)->bytes = op->sent;
    entry_of(m, entry)->comm = op->comm;
    entry_of(m, entry)->tag = op->tag;
    entry_of(m, entry)->ready = !may_go;
    message_queues_queue(&m->queues, &c->sends, entry);
    if (open) {
        open->send = entry;
        open->send_queue = queue;
    }
    return may_go ? REFRAIN_OK : matching_queue(m, queue);
}

/* A tag wildcard does not count for MPI_PROC_NULL. */
static bool has_wildcard(const struct operation *op)
{
    return op->peer == OPERATION_ANY || (op->tag == OPERATION_ANY_TAG && op->peer != OPERATION_NULL);
}

/* Puts the entry of a receive into a queue, or among the wildcards. */
static enum refrain_status place(struct matching *m, const struct operation *op, uint32_t entry,
                                 uint32_t *queue)
{
    *queue = MESSAGE_QUEUES_NONE;
    if (has_wildcard(op)) {
        const struct wildcard w = {entry, op->comm, op->peer, op->tag};
        return array_push(&rank_of(m, op->call.rank)->wildcards, w) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    }
    *queue = message_queue_of(m, op, false);
    if (*queue == MESSAGE_QUEUES_NONE)
        return REFRAIN_ERR_MEMORY;
    message_queues_queue(&m->queues, &m->queues.items.items[*queue].receives, entry);
    return REFRAIN_OK;
}

static void mark_overtaken(struct message_end *before, const struct message_end *e)
{
    if (before->overtaken)
        return;
    before->overtaken = true;
    before->overtaking_thread = e->completed.thread;
    before->overtaking = e->completed.call;
}

/* Marks earlier receives of the thread that may take this one's message and are not completed:
 * what becomes of them must be known in time. In a single thread, those before the last one seen
 * are known. */
static void overtake(struct matching *m, const struct matching_rank *r, uint32_t entry,
                     struct message_queue *c)
{
    const struct message_end *e = entry_of(m, entry);
    struct message_list *q = &c->receives;
    for (size_t i = 0; i < r->wildcards.n; i++) {
        if (matching_is_before(m, &r->wildcards.items[i], e, &c->name))
            mark_overtaken(entry_of(m, r->wildcards.items[i].entry), e);
    }
    uint32_t b = r->threads.n > 1 || q->seen == MESSAGE_QUEUES_NONE ? q->first : q->seen;
    for (; b != MESSAGE_QUEUES_NONE && entry_of(m, b)->order < e->order; b = entry_of(m, b)->next) {
        if (!entry_of(m, b)->ready && entry_of(m, b)->call.thread == e->call.thread)
            mark_overtaken(entry_of(m, b), e);
    }
    if (b == entry)
        q->seen = entry;
}

/* A completed receive is queued. With in_order, the thread must not continue without the
 * message. */
static void wait_for(struct matching *m, struct matching_rank *r, uint32_t entry, uint32_t queue)
{
    struct message_end *e = entry_of(m, entry);
    if (!m->sink->in_order || !e->is_completed)
        return;
    struct matching_thread *t = matching_thread(r, e->completed.thread);
    e->late = true;
    t->n_late++;
    matching_thread_changed(r, t);
    if (m->sink->hints && !m->sink->hints->known)
        overtake(m, r, entry, &m->queues.items.items[queue]);
}

/* Receives a message that a probe found: the receive takes the probe's place in the queue. */
static enum refrain_status receive_found(struct matching *m, const struct operation *op)
{
    struct matching_rank *r = rank_of(m, op->call.rank);
    struct open_request *found = open_of(r, op->probe), *open;
    if (!found)
        return REFRAIN_ERR_MEMORY;
    const struct open_request was = *found;
    if (was.receive == MESSAGE_QUEUES_NONE)
        return REFRAIN_OK;
    found->receive = MESSAGE_QUEUES_NONE;
    struct message_end *e = entry_of(m, was.receive);
    e->call = e->completed = op->call;
    e->function = op->function;
    e->ready = e->ready || op->done;
    e->over = e->is_completed = op->done;
    e->bytes = op->received;
    e->has_bytes = op->has_bytes;
    if (op->done && e->partner != MESSAGE_QUEUES_NONE)
        return matching_tell(m, e->partner, was.receive);
    if (op->done) {
        wait_for(m, r, was.receive, was.receive_queue);
        return matching_queue(m, was.receive_queue);
    }
    if (op->request == OPERATION_NO_REQUEST) /* the call did not return */
        return matching_report(m, op, MATCHING_NEVER_COMPLETED);
    if (!(open = open_of(r, op->request)))
        return REFRAIN_ERR_MEMORY;
    open->receive = was.receive;
    open->receive_queue = was.receive_queue;
    return REFRAIN_OK;
}

static enum refrain_status receive(struct matching *m, const struct operation *op)
{
    struct matching_rank *r = rank_of(m, op->call.rank);
    const struct fate *fate = matching_has_hints(m) ? match_hints_find(m->sink->hints, op) : NULL;
    struct operation foreseen;
    struct open_request *open = NULL;
    uint32_t queue;
    if (fate && !fate->taken)
        return REFRAIN_OK;
    if (fate) {
        foreseen = *op;
        foreseen.peer = fate->peer;
        foreseen.tag = fate->tag;
        op = &foreseen;
    }
    if (op->probe != OPERATION_NO_REQUEST)
        return receive_found(m, op);
    if (!op->done && op->request == OPERATION_NO_REQUEST)
        return matching_report(m, op, MATCHING_NEVER_COMPLETED);
    if (op->done && has_wildcard(op)) /* its status does not identify the message */
        return matching_report(m, op, MATCHING_UNKNOWN);
    if (op->request != OPERATION_NO_REQUEST && !(open = open_of(r, op->request)))
        return REFRAIN_ERR_MEMORY;
    const uint32_t entry = add_entry(m, op);
    if (entry == MESSAGE_QUEUES_NONE)
        return REFRAIN_ERR_MEMORY;
    struct message_end *e = entry_of(m, entry);
    e->order = ++r->order;
    e->bytes = op->received;
    e->has_bytes = op->has_bytes;
    /* A message that a probe found exists, and certainly belongs to this receive. */
    e->ready = e->ready || fate || (op->kind == OPERATION_PROBE && matching_has_hints(m));
    const enum refrain_status status = place(m, op, entry, &queue);
    if (status != REFRAIN_OK)
        return status;
    if (open) {
        open->receive = entry;
        open->receive_queue = queue;
    }
    if (op->done)
        wait_for(m, r, entry, queue);
    return op->done || fate ? matching_queue(m, queue) : REFRAIN_OK;
}

enum refrain_status matching_begin(struct matching *m, const struct operation *op)
{
    assert(op->kind == OPERATION_SEND || op->kind == OPERATION_RECEIVE || op->kind == OPERATION_PROBE);
    return op->kind == OPERATION_SEND ? send(m, op) : receive(m, op);
}

/* ---- completions ----------------------------------------------------------------------------- */

static void forget_wildcard(struct matching_rank *r, uint32_t entry)
{
    size_t i = 0;
    while (i < r->wildcards.n && r->wildcards.items[i].entry != entry)
        i++;
    for (; i + 1 < r->wildcards.n; i++)
        r->wildcards.items[i] = r->wildcards.items[i + 1];
    r->wildcards.n--;
}

static enum refrain_status drop(struct matching *m, struct matching_rank *r, uint32_t entry, uint32_t queue,
                                bool sent)
{
    if (queue != MESSAGE_QUEUES_NONE) {
        struct message_queue *c = &m->queues.items.items[queue];
        message_queues_unqueue(&m->queues, sent ? &c->sends : &c->receives, entry);
    }
    matching_forget(m, r, entry);
    return queue == MESSAGE_QUEUES_NONE ? REFRAIN_OK : matching_queue(m, queue);
}

static enum refrain_status send_completed(struct matching *m, const struct operation *op)
{
    struct matching_rank *r = rank_of(m, op->call.rank);
    struct open_request *open = open_of(r, op->request);
    if (!open)
        return REFRAIN_ERR_MEMORY;
    const uint32_t entry = open->send;
    if (entry == MESSAGE_QUEUES_NONE)
        return REFRAIN_OK;
    open->send = MESSAGE_QUEUES_NONE;
    struct message_end *e = entry_of(m, entry);
    e->over = true;
    e->completed = op->call;
    e->is_completed = op->outcome == OPERATION_DONE;
    if (e->told)
        return matching_tell_sent(m, entry);
    if (e->matched)
        return REFRAIN_OK;
    if (op->outcome == OPERATION_CANCELLED) {
        if (m->sink->hints && !match_hints_add(m->sink->hints, op, false))
            return REFRAIN_ERR_MEMORY;
        return drop(m, r, entry, open->send_queue, true);
    }
    e->ready = true;
    e->may_be_cancelled = op->cancel_asked && op->outcome == OPERATION_FREED;
    return matching_queue(m, open->send_queue);
}

/* A receive with wildcards has got a message, or never will. */
static enum refrain_status settle(struct matching *m, struct matching_rank *r, const struct operation *op,
                                  uint32_t entry)
{
    uint32_t queue = MESSAGE_QUEUES_NONE;
    enum refrain_status status;
    forget_wildcard(r, entry);
    const bool known = op->outcome == OPERATION_DONE && op->peer >= 0 && !has_wildcard(op);
    status = known ? place(m, op, entry, &queue) : drop(m, r, entry, MESSAGE_QUEUES_NONE, false);
    if (status == REFRAIN_OK && known) {
        wait_for(m, r, entry, queue);
        status = matching_queue(m, queue);
    }
    return status == REFRAIN_OK ? matching_held(m, r) : status;
}

/* Notes the receive's fate for the next run if this run could not know it in time. */
static bool note_fate(struct matching *m, const struct operation *op, const struct message_end *e)
{
    const bool taken = op->outcome != OPERATION_CANCELLED && op->peer >= 0 && !has_wildcard(op);
    const bool overtaken =
        e->overtaken && (op->call.thread != e->overtaking_thread || op->call.call != e->overtaking);
    return !m->sink->hints || m->sink->hints->known || (op->outcome != OPERATION_CANCELLED && !overtaken) ||
           match_hints_add(m->sink->hints, op, taken);
}

static enum refrain_status receive_completed(struct matching *m, const struct operation *op)
{
    struct matching_rank *r = rank_of(m, op->call.rank);
    struct open_request *open = open_of(r, op->request);
    if (!open)
        return REFRAIN_ERR_MEMORY;
    const uint32_t entry = open->receive, queue = open->receive_queue;
    if (entry == MESSAGE_QUEUES_NONE)
        return REFRAIN_OK;
    open->receive = MESSAGE_QUEUES_NONE;
    struct message_end *e = entry_of(m, entry);
    if (!note_fate(m, op, e))
        return REFRAIN_ERR_MEMORY;
    e->ready = e->over = true;
    e->completed = op->call;
    e->is_completed = op->outcome == OPERATION_DONE;
    e->may_be_cancelled = op->cancel_asked && op->outcome == OPERATION_FREED;
    e->bytes = op->received;
    e->has_bytes = op->has_bytes;
    if (queue == MESSAGE_QUEUES_NONE)
        return settle(m, r, op, entry);
    /* A receive that never completed still takes its message, if there is one. */
    e->reported = op->outcome == OPERATION_NEVER;
    if (e->partner != MESSAGE_QUEUES_NONE)
        return matching_tell(m, e->partner, entry);
    wait_for(m, r, entry, queue);
    return op->outcome == OPERATION_CANCELLED ? drop(m, r, entry, queue, false) : matching_queue(m, queue);
}

enum refrain_status matching_complete(struct matching *m, const struct operation *op)
{
    assert(op->kind == OPERATION_COMPLETE);
    enum refrain_status status = REFRAIN_OK;
    if (op->outcome == OPERATION_NEVER)
        status = matching_report(m, op, MATCHING_NEVER_COMPLETED);
    else if (op->outcome == OPERATION_CANCELLED)
        status = matching_report(m, op, MATCHING_CANCELLED);
    else if (op->outcome == OPERATION_FREED && op->of == OPERATION_RECEIVE && has_wildcard(op))
        status = matching_report(m, op, MATCHING_UNKNOWN);
    else if (op->outcome == OPERATION_DONE && op->of == OPERATION_RECEIVE && op->peer == OPERATION_OUTSIDE)
        status = matching_report(m, op, MATCHING_OUTSIDE);
    if (status != REFRAIN_OK)
        return status;
    if (op->of == OPERATION_SEND && (m->source.cancels || m->sink->sent))
        return send_completed(m, op);
    return op->of == OPERATION_RECEIVE || op->of == OPERATION_PROBE ? receive_completed(m, op) : REFRAIN_OK;
}
