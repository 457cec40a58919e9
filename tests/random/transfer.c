/* SPDX-License-Identifier: BSD-3-Clause */
#include "requests.h"

enum { BUFFERED = 20000 }; /* bytes that MPI_Bsend may take */

/* ---- lines of the log ------------------------------------------------------------------------ */

void transfer_sent(struct place *p, const struct transfer *t)
{
    if (t->peer == MPI_PROC_NULL)
        return;
    log_send(p->log, place_world(p, t->peer), t->tag, p->id, t->bytes);
    if (!t->persistent) /* refrain-stat(1) counts those where they are received */
        log_volume(p->log, t->bytes, 0);
}

static void posted(struct place *p, struct transfer *t, int source, int tag)
{
    t->posted = p->log->calls - 1;
    if (source != MPI_PROC_NULL)
        log_post(p->log, source == MPI_ANY_SOURCE ? LOG_NOTHING : place_world(p, source),
                 tag == MPI_ANY_TAG ? LOG_NOTHING : tag, p->id);
}

/* PMPI: the query of the message's length must not count as a call. */
static long long bytes_in(const struct transfer *t, const MPI_Status *status)
{
    int n;
    PMPI_Get_elements(status, t->layout.type, &n);
    return (long long)n * t->layout.element;
}

void transfer_received(struct place *p, const struct transfer *t, const MPI_Status *status)
{
    if (t->peer == MPI_PROC_NULL)
        return;
    const int source = status ? status->MPI_SOURCE : t->peer, tag = status ? status->MPI_TAG : t->tag;
    const long long bytes = status ? bytes_in(t, status) : t->bytes;
    log_got(p->log, t->posted, place_world(p, source), tag, p->id, bytes,
            tag < LOG_UNIQUE ? layout_signature(&t->layout) : LOG_NOTHING);
    log_volume(p->log, 0, bytes);
}

void transfer_taken(struct place *p, struct transfer *t, const MPI_Status *status)
{
    const bool nobody = t->peer == MPI_PROC_NULL;
    posted(p, t, nobody ? t->peer : status->MPI_SOURCE, nobody ? t->tag : status->MPI_TAG);
    transfer_received(p, t, status);
}

static void taken(struct place *p, struct transfer *t, const MPI_Status *status)
{
    transfer_taken(p, t, status);
    layout_free(p, &t->layout, true);
}

/* ---- sends ----------------------------------------------------------------------------------- */

enum mode { STANDARD, SYNCHRONOUS, IN_BUFFER, READY };

static enum mode choose(struct place *p, const struct transfer *t, bool ready)
{
    const enum mode mode = dice_below(&p->own, ready ? 4 : 3);
    /* Open MPI 4.1 sends wrong data when it starts a persistent request of MPI_Bsend_init again. */
    const bool unsafe = t->bytes > BUFFERED || (t->persistent && t->tag < LOG_UNIQUE);
    return mode == IN_BUFFER && unsafe ? STANDARD : mode;
}

#define ARGUMENTS t->layout.space, t->layout.count, t->layout.type, t->peer, t->tag, p->comm

static void sign(struct place *p, struct transfer *t)
{
    layout_sign(&t->layout, t->bytes, p->log->calls);
}

void transfer_send(struct place *p, struct transfer *t, bool ready)
{
    sign(p, t);
    switch (choose(p, t, ready)) {
    case STANDARD:
        CALL(p->log, MPI_Send, ARGUMENTS);
        break;
    case SYNCHRONOUS:
        CALL(p->log, MPI_Ssend, ARGUMENTS);
        break;
    case IN_BUFFER:
        CALL(p->log, MPI_Bsend, ARGUMENTS);
        break;
    default:
        CALL(p->log, MPI_Rsend, ARGUMENTS);
    }
    transfer_sent(p, t);
    layout_free(p, &t->layout, true);
}

void transfer_isend(struct place *p, struct transfer *t, bool ready)
{
    sign(p, t);
    switch (choose(p, t, ready)) {
    case STANDARD:
        CALL(p->log, MPI_Isend, ARGUMENTS, &t->request);
        break;
    case SYNCHRONOUS:
        CALL(p->log, MPI_Issend, ARGUMENTS, &t->request);
        break;
    case IN_BUFFER:
        CALL(p->log, MPI_Ibsend, ARGUMENTS, &t->request);
        break;
    default:
        CALL(p->log, MPI_Irsend, ARGUMENTS, &t->request);
    }
    t->active = true;
    transfer_sent(p, t);
}

void transfer_send_init(struct place *p, struct transfer *t, bool ready)
{
    t->persistent = true;
    switch (choose(p, t, ready)) {
    case STANDARD:
        CALL(p->log, MPI_Send_init, ARGUMENTS, &t->request);
        break;
    case SYNCHRONOUS:
        CALL(p->log, MPI_Ssend_init, ARGUMENTS, &t->request);
        break;
    case IN_BUFFER:
        CALL(p->log, MPI_Bsend_init, ARGUMENTS, &t->request);
        break;
    default:
        CALL(p->log, MPI_Rsend_init, ARGUMENTS, &t->request);
    }
}

/* ---- receives -------------------------------------------------------------------------------- */

void transfer_irecv(struct place *p, struct transfer *t)
{
    CALL(p->log, MPI_Irecv, ARGUMENTS, &t->request);
    t->active = true;
    posted(p, t, t->peer, t->tag);
}

void transfer_recv_init(struct place *p, struct transfer *t)
{
    t->persistent = true;
    CALL(p->log, MPI_Recv_init, ARGUMENTS, &t->request);
}

/* A probe and a receive of exactly that message: the thread is alone on its communicator. */
static void probe(struct place *p, struct transfer *t, bool wait)
{
    MPI_Status status;
    int found = 0;
    if (wait)
        CALL(p->log, MPI_Probe, t->peer, t->tag, p->comm, &status);
    while (!wait && !found) {
        CALL(p->log, MPI_Iprobe, t->peer, t->tag, p->comm, &found, &status);
        place_yield(!found);
    }
    CALL(p->log, MPI_Recv, t->layout.space, t->layout.count, t->layout.type, status.MPI_SOURCE,
         status.MPI_TAG, p->comm, &status);
    taken(p, t, &status);
}

/* Returns the message; its receive knows no more than the probe. */
static MPI_Message matched(struct place *p, const struct transfer *t, MPI_Status *status)
{
    MPI_Message message;
    int found = 0;
    if (dice_chance(&p->own, 50)) {
        CALL(p->log, MPI_Mprobe, t->peer, t->tag, p->comm, &message, status);
        return message;
    }
    while (!found) {
        CALL(p->log, MPI_Improbe, t->peer, t->tag, p->comm, &found, &message, status);
        place_yield(!found);
    }
    return message;
}

bool transfer_receive(struct place *p, struct transfer *t)
{
    MPI_Status status;
    MPI_Message message;
    switch (dice_below(&p->own, 5)) {
    case 0:
        probe(p, t, true);
        return true;
    case 1:
        probe(p, t, false);
        return true;
    case 2:
        message = matched(p, t, &status);
        CALL(p->log, MPI_Mrecv, t->layout.space, t->layout.count, t->layout.type, &message, &status);
        taken(p, t, &status);
        return true;
    case 3:
        message = matched(p, t, &status);
        CALL(p->log, MPI_Imrecv, t->layout.space, t->layout.count, t->layout.type, &message, &t->request);
        t->active = true;
        if (t->peer != MPI_PROC_NULL) {
            t->peer = status.MPI_SOURCE;
            t->tag = status.MPI_TAG;
            t->bytes = bytes_in(t, &status);
        }
        posted(p, t, t->peer, t->tag);
        return false;
    default:
        CALL(p->log, MPI_Recv, ARGUMENTS, &status);
        taken(p, t, &status);
        return true;
    }
}
