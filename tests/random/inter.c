/* SPDX-License-Identifier: BSD-3-Clause */
/* An intercommunicator of two halves: messages, collective operations from group to group, and the
 * merged communicator. */
#include "place.h"

#include <stdlib.h>

enum { MOST_N = 20, MOST = 12 };

/* The two groups, and the data of this process. */
struct halves {
    /* of `inter`: this process's rank, and the other group's ranks in the run */
    struct place local, inter;
    int members[2][MOST_RANKS], n[2];
    int side; /* this process's */
};

static void split(struct place *p, struct halves *h)
{
    uint64_t ids[2];
    for (int i = 0; i < p->size; i++) {
        const int side = i < 2 ? i : dice_below(&p->plan, 2);
        if (i == p->rank) {
            h->side = side;
            h->local.rank = h->n[side];
        }
        h->members[side][h->n[side]++] = p->world[i];
    }
    for (int i = 0; i < 2; i++)
        ids[i] = dice_next(&p->plan);
    h->local.id = ids[h->side];
    CALL(p->log, MPI_Comm_split, p->comm, h->side, 0, &h->local.comm);
    log_sync(p->log, p->id);
    log_name(p->log, h->local.id);
    /* Threads have their own tags; otherwise the trace could not tell which thread a communicator
     * belongs to (docs/LIMITS.md). */
    CALL(p->log, MPI_Intercomm_create, h->local.comm, 0, p->comm, 1 - h->side, 5 + p->log->thread,
         &h->inter.comm);
    log_sync(p->log, h->local.id);
    h->inter.id = dice_next(&p->plan);
    h->inter.rank = h->local.rank;
    h->inter.size = h->n[1 - h->side];
    for (int i = 0; i < h->inter.size; i++)
        h->inter.world[i] = h->members[1 - h->side][i];
    log_name(p->log, h->inter.id);
}

/* ---- messages -------------------------------------------------------------------------------- */

/* A few messages from both sides; each has its own tag. */
static void messages(struct place *p, struct halves *h)
{
    struct {
        int side, from, to, n;
    } m[MOST];
    const struct place *x = &h->inter;
    static int in[MOST][MOST_N], out[MOST_N];
    MPI_Request requests[MOST];
    long posted[MOST];
    const int n = 1 + dice_below(&p->plan, MOST);
    int n_requests = 0;
    for (int i = 0; i < n; i++) {
        m[i].side = dice_below(&p->plan, 2);
        m[i].from = dice_below(&p->plan, h->n[m[i].side]);
        m[i].to = dice_below(&p->plan, h->n[1 - m[i].side]);
        m[i].n = dice_below(&p->plan, MOST_N);
        if (m[i].side == h->side || m[i].to != x->rank)
            continue;
        CALL(p->log, MPI_Irecv, in[i], MOST_N, MPI_INT, m[i].from, LOG_UNIQUE + i, x->comm,
             &requests[n_requests++]);
        posted[i] = p->log->calls - 1;
        log_post(p->log, x->world[m[i].from], LOG_UNIQUE + i, x->id);
    }
    for (int i = 0; i < n; i++) {
        const long long bytes = m[i].n * (long long)sizeof(int);
        if (m[i].side != h->side || m[i].from != x->rank)
            continue;
        CALL(p->log, MPI_Send, out, m[i].n, MPI_INT, m[i].to, LOG_UNIQUE + i, x->comm);
        log_send(p->log, x->world[m[i].to], LOG_UNIQUE + i, x->id, bytes);
        log_volume(p->log, bytes, 0);
    }
    CALL(p->log, MPI_Waitall, n_requests, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < n; i++) {
        const long long bytes = m[i].n * (long long)sizeof(int);
        if (m[i].side == h->side || m[i].to != x->rank)
            continue;
        log_got(p->log, posted[i], x->world[m[i].from], LOG_UNIQUE + i, x->id, bytes, LOG_NOTHING);
        log_volume(p->log, 0, bytes);
    }
}

/* ---- collective operations ------------------------------------------------------------------- */

static void operate(struct place *p, struct halves *h)
{
    static int in[MOST_RANKS * MOST_N], out[MOST_RANKS * MOST_N];
    const int n = dice_below(&p->plan, MOST_N), which = dice_below(&p->plan, 5),
              giving = dice_below(&p->plan, 2), root = dice_below(&p->plan, h->n[giving]);
    const bool is_root = h->side == giving && h->inter.rank == root, gives = h->side == giving;
    const long long others = h->n[1 - h->side];
    long long sent = n, received = n;
    switch (which) {
    case 0:
        CALL(p->log, MPI_Barrier, h->inter.comm);
        sent = received = 0;
        break;
    case 1:
        CALL(p->log, MPI_Bcast, in, n, MPI_INT,
             is_root ? MPI_ROOT
             : gives ? MPI_PROC_NULL
                     : root,
             h->inter.comm);
        sent = is_root ? n : 0;
        received = gives ? 0 : n;
        break;
    case 2:
        CALL(p->log, MPI_Allgather, in, n, MPI_INT, out, n, MPI_INT, h->inter.comm);
        received = n * others;
        break;
    case 3:
        CALL(p->log, MPI_Alltoall, in, n, MPI_INT, out, n, MPI_INT, h->inter.comm);
        sent = received = n * others;
        break;
    default:
        CALL(p->log, MPI_Allreduce, in, out, n, MPI_INT, MPI_SUM, h->inter.comm);
    }
    log_sync(p->log, h->inter.id);
    log_volume(p->log, sent * (long long)sizeof(int), received * (long long)sizeof(int));
}

/* ---- both groups merged ---------------------------------------------------------------------- */

static void merge(struct place *p, struct halves *h)
{
    struct place both = *p;
    both.id = dice_next(&p->plan);
    CALL(p->log, MPI_Intercomm_merge, h->inter.comm, h->side, &both.comm);
    log_sync(p->log, h->inter.id);
    log_name(p->log, both.id);
    place_barrier(&both);
    CALL(p->log, MPI_Comm_free, &both.comm);
    log_sync(p->log, both.id);
}

void phase_inter(struct place *p)
{
    struct halves h = {.local = *p, .inter = *p};
    if (p->size == 1)
        return;
    split(p, &h);
    const int n = 1 + dice_below(&p->plan, 4);
    for (int i = 0; i < n; i++) {
        if (dice_chance(&p->plan, 40))
            messages(p, &h);
        else
            operate(p, &h);
    }
    if (dice_chance(&p->plan, 40))
        merge(p, &h);
    CALL(p->log, MPI_Comm_free, &h.inter.comm);
    log_sync(p->log, h.inter.id);
    CALL(p->log, MPI_Comm_free, &h.local.comm);
    log_sync(p->log, h.local.id);
}
