/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting in messages. */
#include "decoder/waits/search/wait_search.h"

#define EXPERT                                                                                               \
    "Wolf, Mohr, Dongarra, Moore: Efficient pattern search in large traces through successive refinement "   \
    "(Euro-Par 2004)"

/* ---- the order of messages ------------------------------------------------------------------- */

/* The last receives of a thread that waited; a new one replaces the oldest. A wrong order is
 * reported only when its entry is replaced: until then, the waiting may turn out to be a refill. */
#define LATE_MESSAGES 100
struct late_messages {
    uint64_t latest; /* the latest begin of a send, except of those marked wrong */
    size_t next;
    /* Contains only the fields that are needed: each thread of the run has such a list. */
    struct late_message {
        uint64_t begin, until; /* until 0: no entry */
        uint64_t enter, leave, call, cause;
        uint32_t site, cause_rank, cause_thread, cause_site;
        /* in the wrong order: the sender of the message that could have been received first */
        uint32_t earlier;
        bool is_wrong;
    } items[LATE_MESSAGES];
};

static enum refrain_status tell(struct wait_search *s, uint32_t self, struct late_message *m,
                                const struct call_ref *lane)
{
    if (m->until == 0 || !m->is_wrong)
        return REFRAIN_OK;
    const struct wait_event e = {.kind = EVENT_LATE_SENDER,
                                 .call = {.rank = lane->rank,
                                          .thread = lane->thread,
                                          .call = m->call,
                                          .site = m->site,
                                          .timestamp = {m->enter, m->leave}},
                                 .cause = {.rank = m->cause_rank,
                                           .thread = m->cause_thread,
                                           .call = m->cause,
                                           .site = m->cause_site,
                                           .timestamp = {m->until, m->until}},
                                 .has_cause = true,
                                 .begin = m->begin,
                                 .until = m->until,
                                 .earlier = m->earlier};
    m->until = 0;
    return wait_search_wait(s, self, &e);
}

static enum refrain_status tell_all(struct wait_search *s, uint32_t self, struct late_messages *late,
                                    const struct call_ref *lane)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < LATE_MESSAGES && status == REFRAIN_OK; i++)
        status = tell(s, self, &late->items[i], lane);
    return status;
}

/* A call that completes several receives does not define their order. */
static enum refrain_status remember(struct wait_search *s, uint32_t self, struct late_messages *late,
                                    const struct wait_event *e)
{
    struct late_message *m = &late->items[late->next];
    if (e->receives > 1)
        return REFRAIN_OK;
    const enum refrain_status status = tell(s, self, m, &e->call);
    *m = (struct late_message){.begin = e->begin,
                               .until = e->until,
                               .enter = e->call.timestamp.enter,
                               .leave = e->call.timestamp.leave,
                               .call = e->call.call,
                               .cause = e->cause.call,
                               .site = e->call.site,
                               .cause_rank = e->cause.rank,
                               .cause_thread = e->cause.thread,
                               .cause_site = e->cause.site};
    late->next = (late->next + 1) % LATE_MESSAGES;
    late->latest = e->until > late->latest ? e->until : late->latest;
    return status;
}

/* Receives whose messages were sent after this message were in the wrong order, if the times are exact enough
 * to say so. */
static void mark(struct late_messages *late, const struct call_ref *send, uint64_t slack)
{
    late->latest = 0;
    for (size_t i = 0; i < LATE_MESSAGES; i++) {
        struct late_message *m = &late->items[i];
        if (m->is_wrong)
            continue;
        if (m->until > send->timestamp.enter + slack) {
            m->is_wrong = true;
            m->earlier = send->rank;
        } else if (m->until > late->latest) {
            late->latest = m->until;
        }
    }
}

static void forget(struct late_messages *late, const struct call_ref *call)
{
    for (size_t i = 0; i < LATE_MESSAGES; i++) {
        if (late->items[i].call == call->call)
            late->items[i].until = 0;
    }
}

/* Finds messages in the wrong order: this message was sent before others for which the thread has
 * already waited, so it could have been received first. */
static enum refrain_status take_order(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    struct late_messages *late = wait_search_state(s, self, wait_search_lane(s, &e->call));
    if (!late)
        return REFRAIN_ERR_MEMORY;
    switch (e->kind) {
    case EVENT_LATE_SENDER:
        return e->is_part ? REFRAIN_OK : remember(s, self, late, e);
    case EVENT_MESSAGE:
        if (e->cause.timestamp.enter < late->latest)
            mark(late, &e->cause, s->slack);
        return REFRAIN_OK;
    case EVENT_REFILL:
        forget(late, &e->call);
        return REFRAIN_OK;
    default: /* EVENT_LAST */
        return tell_all(s, self, late, &e->call);
    }
}

static enum refrain_status take_same(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    return e->earlier == e->cause.rank ? wait_search_wait(s, self, e) : REFRAIN_OK;
}

static enum refrain_status take_different(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    return e->earlier != e->cause.rank ? wait_search_wait(s, self, e) : REFRAIN_OK;
}

/* ---- late receivers -------------------------------------------------------------------------- */

/* The last receives of a thread that waited: from `begin` until the rank sent. */
#define WAITED_MESSAGES 100
struct waited_messages {
    size_t next;
    struct waited_message {
        uint64_t begin, until;
        uint32_t sender;
    } items[WAITED_MESSAGES];
};

/* Finds the part of a send's waiting in which its receiver waited for another rank's message. */
static enum refrain_status take_busy_receiver(struct wait_search *s, uint32_t self,
                                              const struct wait_event *e)
{
    const bool receives = e->kind == EVENT_RECEIVE;
    struct waited_messages *w =
        wait_search_state(s, self, wait_search_lane(s, receives ? &e->call : &e->cause));
    const uint64_t end = wait_event_end(e);
    enum refrain_status status = REFRAIN_OK;
    if (!w)
        return REFRAIN_ERR_MEMORY;
    if (receives && end > e->begin) {
        w->items[w->next] = (struct waited_message){e->begin, end, e->cause.rank};
        w->next = (w->next + 1) % WAITED_MESSAGES;
    }
    for (size_t i = 0; !receives && i < WAITED_MESSAGES && status == REFRAIN_OK; i++) {
        const struct waited_message *m = &w->items[i];
        struct wait_event part = *e;
        part.begin = m->begin > e->begin ? m->begin : e->begin;
        part.until = m->until < end ? m->until : end;
        if (part.begin < part.until && m->sender != e->call.rank)
            status = wait_search_wait(s, self, &part);
    }
    return status;
}

/* A send that ended before the receive was posted did not wait for it. */
static enum refrain_status take_late_receiver(struct wait_search *s, uint32_t self,
                                              const struct wait_event *e)
{
    return e->until < e->call.timestamp.leave ? wait_search_wait(s, self, e) : REFRAIN_OK;
}

static enum refrain_status count_instance(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    return e->is_part ? REFRAIN_OK : wait_search_count(s, self, &e->call, 1);
}

const struct metric patterns_message[] = {
    {.uniq_name = "mpi_latesender",
     .name = "late sender",
     .parent = "mpi_point2point",
     .part = true,
     .blamed = "the sender",
     .text = "A receive waits because the message is sent later. A non-blocking receive waits in the call "
             "that completes it; a call that completes several waits for the last one, once. Consecutive "
             "polling calls count as one. If a probe looks for the message, the probe waits. Waiting: from "
             "the beginning of the call to that of the send, or to the end of the call.",
     .drawing = "sender    ------------[ MPI_Send ]----\n"
                "                      |\n"
                "receiver  ---[ MPI_Recv           ]----\n"
                "             |<-wait->|\n",
     .source = EXPERT,
     .events = EVENTS(EVENT_RECEIVE),
     .publishes = EVENT_LATE_SENDER},
    {.uniq_name = "mpi_latesender_wo",
     .name = "late sender, wrong order",
     .parent = "mpi_latesender",
     .part = true,
     .aside = "another message was there already",
     .blamed = "the sender",
     .text = "The part of the waiting for late senders in which another message was already there, or was "
             "sent before: if that message had been received first, it would have filled the time. A call "
             "that completes several receives, such as MPI_Waitall, has no order; pipeline refills do not "
             "count here. If the program needs this message first, the order is no mistake. The search "
             "covers the last 100 late messages of a thread.",
     .drawing = "sender 1  -----------------[ Send A ]--\n"
                "sender 2  --[ Send B ]-----|-----------\n"
                "receiver  ----[ Recv A           ][Recv B]\n"
                "              |<---wait--->|\n",
     .source = EXPERT,
     .events = EVENTS(EVENT_LATE_SENDER) | EVENTS(EVENT_MESSAGE) | EVENTS(EVENT_REFILL) | EVENTS(EVENT_LAST),
     .take = take_order,
     .publishes = EVENT_WRONG_ORDER,
     .lane_state = sizeof(struct late_messages)},
    {.uniq_name = "mpi_lswo_different",
     .name = "late sender, wrong order, other sender",
     .parent = "mpi_latesender_wo",
     .part = true,
     .blamed = "the sender",
     .text = "The message that was sent before has another sender.",
     .source = "Scalasca (scout)",
     .events = EVENTS(EVENT_WRONG_ORDER),
     .take = take_different},
    {.uniq_name = "mpi_lswo_same",
     .name = "late sender, wrong order, same sender",
     .parent = "mpi_latesender_wo",
     .part = true,
     .blamed = "the sender",
     .text = "The message that was sent before has the same sender.",
     .source = "Scalasca (scout)",
     .events = EVENTS(EVENT_WRONG_ORDER),
     .take = take_same},
    {.uniq_name = "mpi_latereceiver",
     .name = "late receiver",
     .parent = "mpi_point2point",
     .part = true,
     .blamed = "the receiver",
     .text = "A send waits because the receive is posted later. A non-blocking send waits in the call that "
             "completes it. A send that ends before the receive is posted has not waited; nor has a later "
             "send of the same thread that is not larger than such a send, unless it is synchronous, or the "
             "receiver was outside of MPI from before the send until it posted the receive, and the send "
             "ended soon after. Waiting: from the beginning of the call to that of the call that posts the "
             "receive.",
     .drawing = "sender    ---[ MPI_Ssend          ]----\n"
                "             |<-wait->|\n"
                "receiver  ------------[ MPI_Recv  ]----\n",
     .source = EXPERT,
     .events = EVENTS(EVENT_SEND),
     .take = take_late_receiver,
     .publishes = EVENT_LATE_RECEIVER},
    {.uniq_name = "mpi_latereceiver_wo",
     .name = "late receiver, wrong order",
     .parent = "mpi_latereceiver",
     .part = true,
     .aside = "the receiver waited for another message",
     .blamed = "the receiver",
     .text = "The part of the waiting for late receivers in which the receiver waited for a message of "
             "another rank: if it had received this message first, that would have filled the time. If the "
             "program needs the other message first, the order is no mistake. The search covers the last 100 "
             "receives of a thread that waited.",
     .drawing = "sender 1  -----------------[ Send A ]--\n"
                "sender 2  -------[ Send B         ]----\n"
                "                 |<-part->|\n"
                "receiver  ---[ Recv A       ][Recv B]--\n",
     .events = EVENTS(EVENT_RECEIVE) | EVENTS(EVENT_LATE_RECEIVER),
     .take = take_busy_receiver,
     .lane_state = sizeof(struct waited_messages)},
    {.uniq_name = "mpi_lateprogress",
     .name = "late progress",
     .parent = "mpi_point2point",
     .part = true,
     .blamed = "the partner",
     .text = "MPI libraries often move data only while a process is inside of MPI. A process waits in a call "
             "until its partner's next call, though both have begun to send and to receive. The trace does "
             "not show this: it counts if the partner was outside of MPI meanwhile, and the call ends soon "
             "after the partner's next call begins, in the last quarter of the time that is left.",
     .drawing = "one    -[ MPI_Irecv ]---[ MPI_Wait       ]-\n"
                "                        |<---wait--->|\n"
                "other  -[ MPI_Isend ]----------------[ MPI_Wait ]-\n",
     .events = EVENTS(EVENT_LATE_PROGRESS)},
    {.uniq_name = "mpi_cls_count",
     .name = "late senders",
     .parent = "comms_recv",
     .unit = METRIC_OCCURRENCES,
     .part = true,
     .text = "Receives that wait for a late sender.",
     .source = "Scalasca (scout)",
     .events = EVENTS(EVENT_LATE_SENDER),
     .take = count_instance},
    {.uniq_name = "mpi_clr_count",
     .name = "late receivers",
     .parent = "comms_send",
     .unit = METRIC_OCCURRENCES,
     .part = true,
     .text = "Sends that wait for a late receiver.",
     .source = "Scalasca (scout)",
     .events = EVENTS(EVENT_LATE_RECEIVER),
     .take = count_instance},
    {0},
};
