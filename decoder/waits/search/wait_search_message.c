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
    struct found_receive found;
    if (!wait_lane_found(receiver, m->receive.call, &found))
        return m->is_completed ? wait_search_settle(s, e) : REFRAIN_OK;
    e->call = found.probe;
    e->shares = found.shares.n > 1 ? &found.shares : NULL;
    enum refrain_status status = wait_listener_settle(s->listener, &e->call, e);
    e->begin = e->call.timestamp.enter;
    if (status == REFRAIN_OK && m->is_completed)
        status = wait_search_publish_completion(s, e);
    e->shares = NULL;
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
 * for something else. But libraries also hold small messages back when too many are under way. Then the send ends
 * soon after its receive is posted, although the receiver did nothing that could end it before:
 *
 *     sender      ---[ MPI_Send           ]------
 *                    |<-- most of it -->|
 *     receiver  --]       computing     [ MPI_Recv ]- */
static bool is_eager(const struct wait_search *s, const struct wait_lane *l, const struct known_send *k)
{
    const struct matching_sent *m = &k->sent;
    const uint64_t posted = m->receive.timestamp.enter;
    const bool held_back = k->alone && posted > m->completed.timestamp.enter &&
                           m->completed.timestamp.leave - posted < posted - m->completed.timestamp.enter;
    return m->bytes <= l->eager && s->is_standard[m->function] && !held_back;
}

/* If the send ended before the receive was posted, it waited for nobody, and its call waits for others only. */
static enum refrain_status tell_sent(struct wait_search *s, const struct wait_lane *l,
                                     const struct known_send *k)
{
    const struct matching_sent *m = &k->sent;
    if (m->receive.timestamp.enter >= m->completed.timestamp.leave || is_eager(s, l, k))
        return wait_search_settle_none(s, &m->completed);
    return wait_search_settle(s, &(struct wait_event){.kind = EVENT_SEND,
                                                      .call = m->completed,
                                                      .cause = m->receive,
                                                      .has_cause = true,
                                                      .until = m->receive.timestamp.enter});
}

static bool was_over(const struct wait_search *s, const struct matching_sent *m)
{
    return m->receive.timestamp.enter >= m->completed.timestamp.leave + s->slack &&
           s->is_standard[m->function];
}

enum refrain_status wait_search_tell_sends(struct wait_search *s, struct wait_lane *l, bool end)
{
    enum refrain_status status = REFRAIN_OK;
    const struct sending_call *c;
    while (status == REFRAIN_OK && (c = wait_sends_ready(&l->sends, end))) {
        uint64_t eager = l->eager;
        for (size_t i = 0; i < c->known.n && status == REFRAIN_OK; i++) {
            const struct known_send *k = &c->known.items[i];
            const struct matching_sent *m = &k->sent;
            eager = was_over(s, m) && m->bytes > eager ? m->bytes : eager;
            status = tell_sent(s, l, k);
            wait_listener_release(s->listener, &m->receive);
        }
        l->eager = eager;
        wait_sends_pop(&l->sends);
    }
    return status;
}

enum refrain_status wait_search_take_sent(void *context, const struct matching_sent *m)
{
    struct wait_search *s = context;
    struct wait_lane *l = wait_search_lane_of(s, &m->completed);
    const struct wait_lane *receiver = wait_search_lane_of(s, &m->receive);
    const uint32_t *first = &s->lanes.first[receiver->rank - s->lanes.first_rank];
    /* Other threads of the receiver could end the send, too. */
    const bool alone = first[1] - first[0] == 1 &&
                       wait_lane_was_outside(receiver, m->completed.timestamp.enter, m->receive.call);
    const struct known_send known = {.sent = *m, .alone = alone};
    return wait_sends_settle(&l->sends, &known) ? wait_search_tell_sends(s, l, false) : REFRAIN_ERR_MEMORY;
}
