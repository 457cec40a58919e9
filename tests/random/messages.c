/* SPDX-License-Identifier: BSD-3-Clause */
#include "layout.h"
#include "requests.h"
#include "topology.h"

/* The data of a phase that all members know. */
struct phase {
    struct topology messages;
    enum basic basic;
    int capacity; /* room of a receive in elements: no message has more */
    bool late;    /* receives come after sends, which therefore do not wait */
    bool
        /* receives may take any message of the phase: all must finish before the next phase */
        wild;
    bool ready; /* all receives are posted before the first send */
    int rounds; /* of persistent requests; 0 for others */
};

static struct phase plan(struct place *p)
{
    struct dice *d = &p->plan;
    struct phase h = {.basic = dice_below(d, N_BASICS)};
    topology_plan(&h.messages, p);
    h.late = dice_chance(d, 30);
    h.wild = dice_chance(d, 40);
    h.ready = !h.late && dice_chance(d, 20);
    h.rounds = !h.late && dice_chance(d, 30) ? 1 + dice_below(d, 5) : 0;
    for (int i = 0; i < h.messages.n; i++)
        if (h.messages.items[i].n > h.capacity)
            h.capacity = h.messages.items[i].n;
    return h;
}

/* The source and tag of a receive. One process asks in one way for all messages of a phase, so
 * that each receive finds its own message. */
struct asked {
    bool any_source, any_tag;
};

static struct asked ask(struct place *p, const struct phase *h)
{
    return h->wild ? (struct asked){dice_chance(&p->own, 60), dice_chance(&p->own, 60)} : (struct asked){0};
}

static struct transfer receive_of(struct place *p, const struct phase *h, struct asked asked, int i)
{
    const struct message *m = &h->messages.items[i];
    /* A message from MPI_PROC_NULL never matches a wildcard. */
    const bool nobody = m->from == MPI_PROC_NULL;
    return (struct transfer){.receives = true,
                             .layout = layout_make(p, h->basic, h->capacity, false),
                             .peer = asked.any_source && !nobody ? MPI_ANY_SOURCE : m->from,
                             .tag = asked.any_tag ? MPI_ANY_TAG : m->tag,
                             .bytes = nobody ? 0 : (long long)m->n * basic_bytes(h->basic)};
}

static struct transfer send_of(struct place *p, const struct phase *h, int i)
{
    const struct message *m = &h->messages.items[i];
    return (struct transfer){.layout = layout_make(p, h->basic, m->n, true),
                             .peer = m->to,
                             .tag = m->tag,
                             .bytes = (long long)m->n * basic_bytes(h->basic)};
}

/* Sends all messages of this process; those not complete are kept. */
static void send_all(struct place *p, const struct phase *h, struct pending *pending)
{
    for (int i = 0; i < h->messages.n; i++) {
        if (h->messages.items[i].from != p->rank)
            continue;
        struct transfer t = send_of(p, h, i);
        if (h->rounds > 0) {
            transfer_send_init(p, &t, h->ready);
            pending_add(pending, t);
        } else if (!h->late && dice_chance(&p->own, 50)) {
            transfer_send(p, &t, h->ready);
        } else {
            transfer_isend(p, &t, h->ready);
            pending_add(pending, t);
        }
    }
}

/* Posts receives before anything is sent. */
static void post_all(struct place *p, const struct phase *h, struct pending *pending)
{
    const struct asked asked = ask(p, h);
    for (int i = 0; i < h->messages.n; i++) {
        if (h->messages.items[i].to != p->rank)
            continue;
        struct transfer t = receive_of(p, h, asked, i);
        if (h->rounds > 0)
            transfer_recv_init(p, &t);
        else
            transfer_irecv(p, &t);
        pending_add(pending, t);
    }
}

static void receive_all(struct place *p, const struct phase *h, struct pending *pending)
{
    const struct asked asked = ask(p, h);
    for (int i = 0; i < h->messages.n; i++) {
        if (h->messages.items[i].to != p->rank)
            continue;
        struct transfer t = receive_of(p, h, asked, i);
        if (transfer_receive(p, &t))
            continue;
        pending_add(pending, t);
    }
}

/* Starts and completes persistent requests repeatedly: first all receives. */
static void start_rounds(struct place *p, const struct phase *h, struct pending *pending)
{
    for (int round = 0; round < h->rounds; round++) {
        pending_start(p, pending, true);
        if (h->ready)
            place_barrier(p);
        pending_start(p, pending, false);
        const bool last = round == h->rounds - 1;
        pending_complete(p, pending, last ? 20 : 0);
        /* Otherwise a message of the next round could match a wildcard of this one. */
        if (h->wild || h->ready)
            place_barrier(p);
    }
    pending_free(p, pending);
}

void phase_messages(struct place *p)
{
    const struct phase h = plan(p);
    struct pending pending = {0};
    if (!h.late)
        post_all(p, &h, &pending);
    if (h.ready && h.rounds == 0)
        place_barrier(p);
    send_all(p, &h, &pending);
    if (h.rounds > 0) {
        start_rounds(p, &h, &pending);
        return;
    }
    if (h.late)
        receive_all(p, &h, &pending);
    pending_complete(p, &pending, 10);
    pending_free(p, &pending);
    if (h.wild)
        place_barrier(p);
}

/* ---- both at once ---------------------------------------------------------------------------- */

void phase_shift(struct place *p)
{
    struct dice *d = &p->plan;
    const int distance = 1 + dice_below(d, p->size), n = dice_below(d, 50),
              tag = n < 4 ? LOG_UNIQUE : dice_below(d, 4);
    const bool open = dice_chance(d, 30);
    const enum basic basic = dice_below(d, N_BASICS);
    int to = p->rank + distance, from = p->rank - distance;
    if (open) {
        to = to < p->size ? to : MPI_PROC_NULL;
        from = from >= 0 ? from : MPI_PROC_NULL;
    } else {
        to %= p->size;
        from = ((from % p->size) + p->size) % p->size;
    }
    const long long bytes = (long long)n * basic_bytes(basic);
    struct transfer out = {.layout = layout_make(p, basic, n, true), .peer = to, .tag = tag, .bytes = bytes};
    struct transfer in = {.receives = true, .peer = from, .tag = tag, .bytes = from < 0 ? 0 : bytes};
    const bool replace = dice_chance(&p->own, 40);
    MPI_Status status;
    layout_sign(&out.layout, bytes, p->log->calls);
    if (replace) {
        in.layout = out.layout;
        CALL(p->log, MPI_Sendrecv_replace, out.layout.space, out.layout.count, out.layout.type, to, tag, from,
             tag, p->comm, &status);
    } else {
        in.layout = layout_make(p, basic, n, false);
        layout_sign(&out.layout, bytes, p->log->calls); /* datatypes have been made */
        CALL(p->log, MPI_Sendrecv, out.layout.space, out.layout.count, out.layout.type, to, tag,
             in.layout.space, in.layout.count, in.layout.type, from, tag, p->comm, &status);
    }
    transfer_sent(p, &out);
    transfer_taken(p, &in, &status);
    if (!replace)
        layout_free(p, &in.layout, true);
    layout_free(p, &out.layout, true);
}

void phase_cancel(struct place *p)
{
    enum { TAG = 30000 }; /* a tag that is never sent */
    const int from = dice_chance(&p->own, 50) ? MPI_ANY_SOURCE : dice_below(&p->own, p->size);
    int nothing = 0;
    MPI_Request request;
    CALL(p->log, MPI_Irecv, &nothing, 1, MPI_INT, from, TAG, p->comm, &request);
    log_post(p->log, place_world(p, from), TAG, p->id);
    CALL(p->log, MPI_Cancel, &request);
    log_local(p->log);
    CALL(p->log, MPI_Wait, &request, MPI_STATUS_IGNORE);
}
