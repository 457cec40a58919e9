/* SPDX-License-Identifier: BSD-3-Clause */
#include "matching_impl.h"

#include <assert.h>

bool matching_is_before(struct matching *m, const struct wildcard *w, const struct message_end *e,
                        const struct message_queue_name *name)
{
    const struct message_end *before = entry_of(m, w->entry);
    return before->order < e->order && before->call.thread == e->call.thread && w->comm == name->comm &&
           (w->peer == OPERATION_ANY || w->peer == name->source) &&
           (w->tag == OPERATION_ANY_TAG || w->tag == name->tag);
}

static bool is_stopped(struct matching *m, const struct message_queue *c, uint32_t receive)
{
    const struct matching_rank *r = rank_of(m, c->name.dest);
    for (size_t i = 0; i < r->wildcards.n; i++) {
        if (matching_is_before(m, &r->wildcards.items[i], entry_of(m, receive), &c->name))
            return true;
    }
    return false;
}

/* Returns the first entry that may be matched: no other entry of its thread comes before it.
 * MESSAGE_QUEUES_NONE if there is none. *stopped: a wildcard blocks an entry. */
static uint32_t first_ready(struct matching *m, struct message_queue *c, bool sent, bool *stopped)
{
    const struct message_list *q = sent ? &c->sends : &c->receives;
    const bool single = rank_of(m, sent ? c->name.source : c->name.dest)->threads.n <= 1;
    for (uint32_t e = q->first; e != MESSAGE_QUEUES_NONE; e = entry_of(m, e)->next) {
        bool ready = entry_of(m, e)->ready;
        if (ready && !sent && is_stopped(m, c, e)) {
            *stopped = true;
            ready = false;
        }
        for (uint32_t b = q->first; ready && b != e; b = entry_of(m, b)->next)
            ready = entry_of(m, b)->call.thread != entry_of(m, e)->call.thread;
        if (ready)
            return e;
        if (single)
            break;
    }
    return MESSAGE_QUEUES_NONE;
}

void matching_forget(struct matching *m, struct matching_rank *r, uint32_t entry)
{
    const struct message_end *e = entry_of(m, entry);
    if (e->late) {
        struct matching_thread *t = matching_thread(r, e->completed.thread);
        t->n_late--;
        t->n_excused = t->n_excused < t->n_late ? t->n_excused : t->n_late;
        matching_thread_changed(r, t);
    }
    r->n_waiting--;
    message_queues_remove_entry(&m->queues, entry);
}

/* Keeps a matched send until its completion. Other ranks no longer wait for it. */
static void keep_sent(struct matching *m, uint32_t send, const struct call_ref *receive)
{
    struct message_end *e = entry_of(m, send);
    rank_of(m, e->call.rank)->n_waiting--;
    e->told = true;
    e->call = *receive;
}

enum refrain_status matching_tell_sent(struct matching *m, uint32_t send)
{
    const struct message_end *e = entry_of(m, send);
    const struct matching_sent sent = {
        .completed = e->completed, .receive = e->call, .function = e->function, .bytes = e->bytes};
    const bool is_completed = e->is_completed;
    message_queues_remove_entry(&m->queues, send);
    return is_completed ? m->sink->sent(m->sink->context, &sent) : REFRAIN_OK;
}

enum refrain_status matching_tell(struct matching *m, uint32_t send, uint32_t receive)
{
    const struct message_end *s = entry_of(m, send), *r = entry_of(m, receive);
    const struct matching_message message = {.send = s->call,
                                             .receive = r->call,
                                             .send_function = s->function,
                                             .receive_function = r->function,
                                             .completed = r->completed,
                                             .is_completed = r->is_completed,
                                             .comm = s->comm,
                                             .tag = s->tag,
                                             .bytes = s->bytes,
                                             .received = r->bytes,
                                             .has_received = r->has_bytes};
    matching_forget(m, rank_of(m, r->call.rank), receive);
    const bool keep = m->sink->sent;
    if (keep)
        keep_sent(m, send, &message.receive);
    else
        matching_forget(m, rank_of(m, s->call.rank), send);
    const enum refrain_status status = m->sink->message(m->sink->context, &message);
    return status == REFRAIN_OK && keep && entry_of(m, send)->over ? matching_tell_sent(m, send) : status;
}

static enum refrain_status match(struct matching *m, struct message_queue *c, uint32_t send, uint32_t receive)
{
    message_queues_unqueue(&m->queues, &c->sends, send);
    message_queues_unqueue(&m->queues, &c->receives, receive);
    entry_of(m, send)->matched = true;
    if (entry_of(m, receive)->over)
        return matching_tell(m, send, receive);
    entry_of(m, receive)->partner = send;
    return REFRAIN_OK;
}

enum refrain_status matching_queue(struct matching *m, uint32_t queue)
{
    assert(queue < m->queues.items.n);
    struct message_queue *c = &m->queues.items.items[queue];
    struct matching_rank *r = rank_of(m, c->name.dest);
    enum refrain_status status = REFRAIN_OK;
    bool stopped = false;
    while (status == REFRAIN_OK && c->sends.first != MESSAGE_QUEUES_NONE &&
           c->receives.first != MESSAGE_QUEUES_NONE) {
        const uint32_t send = first_ready(m, c, true, &stopped);
        const uint32_t receive = first_ready(m, c, false, &stopped);
        if (send == MESSAGE_QUEUES_NONE || receive == MESSAGE_QUEUES_NONE)
            break;
        status = match(m, c, send, receive);
    }
    if (status == REFRAIN_OK && stopped && !c->held) {
        c->held = true;
        status = array_push(&r->held, queue) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    }
    return status;
}

enum refrain_status matching_held(struct matching *m, struct matching_rank *r)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = r->held.n; i-- > 0 && status == REFRAIN_OK;) {
        const uint32_t queue = r->held.items[i];
        /* The queue may be added again at the end, after those still to be tried; none is lost. */
        r->held.items[i] = r->held.items[--r->held.n];
        m->queues.items.items[queue].held = false;
        status = matching_queue(m, queue);
    }
    return status;
}
