/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns the messages of the matching into events. */
#include "src/core/base/log.h"
#include "wait_search_impl.h"

#include <stdlib.h>
#include <string.h>

/* Reports a message at its receive, or at the probe that found it before. */
static enum refrain_status tell_receive(struct wait_search *s, struct wait_event *e)
{
    const struct matching_message *m = e->message;
    struct wait_lane *receiver = wait_search_lane_of(s, &m->receive);
    e->kind = EVENT_RECEIVE;
    if (!wait_lane_found(receiver, m->receive.call, &e->call))
        return m->is_completed ? wait_search_settle(s, e) : REFRAIN_OK;
    enum refrain_status status = wait_listener_settle(s->listener, &e->call, e);
    e->begin = e->call.timestamp.enter;
    if (status == REFRAIN_OK && m->is_completed)
        status = wait_search_publish(s, e);
    return status == REFRAIN_OK && m->is_completed ? wait_search_settle_none(s, &m->completed) : status;
}

enum refrain_status wait_search_take_message(void *context, const struct matching_message *m)
{
    struct wait_search *s = context;
    const uint64_t sent = m->send.timestamp.enter, arrived = m->completed.timestamp.leave;
    struct wait_event e = {.kind = EVENT_MESSAGE,
                           .call = m->completed,
                           .cause = m->send,
                           .has_cause = true,
                           .until = sent,
                           .message = m};
    enum refrain_status status = REFRAIN_OK;
    if (m->is_completed && sent > arrived && sent - arrived > s->early && sent <= s->to)
        s->early = sent - arrived;
    if (m->is_completed)
        status = wait_search_publish(s, &e);
    if (status == REFRAIN_OK && s->times && m->is_completed && sent >= s->from && sent < s->to)
        status = call_times_add_message(s->times, m);
    if (status == REFRAIN_OK)
        status = tell_receive(s, &e);
    wait_listener_release(s->listener, &m->send);
    return status;
}

/* MPI_Send, MPI_Isend, MPI_Sendrecv …: the library decides whether it waits for the receiver. */
static bool is_standard(const char *function)
{
    static const char *const others[] = {"Bsend", "bsend", "Rsend", "rsend", "Ssend", "ssend"};
    size_t i = 0;
    while (i < sizeof others / sizeof others[0] && !strstr(function, others[i]))
        i++;
    return i == sizeof others / sizeof others[0];
}

enum refrain_status wait_search_find_standard(struct wait_search *s)
{
    const struct functable *t = &s->reader->trace.functions;
    s->is_standard = calloc(t->functions.n + 1, sizeof *s->is_standard);
    if (!s->is_standard) {
        log_error("out of memory: %zu functions", t->functions.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < t->functions.n; i++)
        s->is_standard[i] = is_standard(t->functions.items[i].name);
    return REFRAIN_OK;
}

/* A message that is not larger than one that did not wait is taken as not waiting: its call waits
 * for something else. */
static bool is_eager(const struct wait_search *s, const struct wait_lane *l, const struct matching_sent *m)
{
    return m->bytes <= l->eager && s->is_standard[m->function];
}

static enum refrain_status tell_sent(struct wait_search *s, const struct matching_sent *m)
{
    struct wait_lane *l = wait_search_lane_of(s, &m->completed);
    /* If the send ended before the receive was posted, it waited for nobody, and its call waits
     * for others only. */
    const bool is_over = m->receive.timestamp.enter >= m->completed.timestamp.leave + s->slack;
    if (is_over && m->bytes > l->eager && s->is_standard[m->function])
        l->eager = m->bytes;
    if (m->receive.timestamp.enter >= m->completed.timestamp.leave || is_eager(s, l, m))
        return wait_search_settle_none(s, &m->completed);
    return wait_search_settle(s, &(struct wait_event){.kind = EVENT_SEND,
                                                      .call = m->completed,
                                                      .cause = m->receive,
                                                      .has_cause = true,
                                                      .until = m->receive.timestamp.enter});
}

enum refrain_status wait_search_take_sent(void *context, const struct matching_sent *m)
{
    struct wait_search *s = context;
    const enum refrain_status status = tell_sent(s, m);
    wait_listener_release(s->listener, &m->receive);
    return status;
}
