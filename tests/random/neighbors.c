/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbourhood collectives on a periodic grid or a random graph, which is created for them. */
#include "layout.h"

#include <stdlib.h>

enum { MOST_NEIGHBORS = MOST_RANKS, MOST_N = 8 };

struct neighborhood {
    MPI_Comm comm;
    uint64_t id;
    int n_from, n_to; /* neighbours; all of them are members */
    int from[MOST_NEIGHBORS], to[MOST_NEIGHBORS];
};

static void grid(struct place *p, struct neighborhood *h)
{
    int dims[2] = {0}, periods[2] = {1, 1};
    CALL(p->log, MPI_Dims_create, p->size, 2, dims);
    CALL(p->log, MPI_Cart_create, p->comm, 2, dims, periods, 0, &h->comm);
    log_sync(p->log, p->id);
    log_name(p->log, h->id);
    for (int i = 0; i < 2; i++) {
        CALL(p->log, MPI_Cart_shift, h->comm, i, 1, &h->from[2 * i], &h->from[2 * i + 1]);
        h->to[2 * i] = h->from[2 * i];
        h->to[2 * i + 1] = h->from[2 * i + 1];
    }
    h->n_from = h->n_to = 4;
}

static void graph(struct place *p, struct neighborhood *h)
{
    for (int i = 0; i < p->size; i++)
        for (int k = 0; k < p->size; k++) {
            const bool edge = dice_chance(&p->plan, 40);
            if (edge && i == p->rank)
                h->to[h->n_to++] = k;
            if (edge && k == p->rank)
                h->from[h->n_from++] = i;
        }
    CALL(p->log, MPI_Dist_graph_create_adjacent, p->comm, h->n_from, h->from, MPI_UNWEIGHTED, h->n_to, h->to,
         MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &h->comm);
    log_sync(p->log, p->id);
    log_name(p->log, h->id);
}

/* ---- operations ------------------------------------------------------------------------------ */

/* Counts depend on both processes, so that two edges between the same processes are
 * interchangeable. */
struct exchange {
    int n, sends[MOST_NEIGHBORS], receives[MOST_NEIGHBORS], places[MOST_NEIGHBORS];
    MPI_Aint bytes[MOST_NEIGHBORS];
    MPI_Datatype types[MOST_NEIGHBORS];
    int in[MOST_NEIGHBORS * MOST_N], out[MOST_NEIGHBORS * MOST_N];
};

static struct exchange plan(struct place *p, const struct neighborhood *h)
{
    struct exchange x = {.n = dice_below(&p->plan, MOST_N)};
    int counts[MOST_RANKS][MOST_RANKS];
    for (int i = 0; i < p->size; i++)
        for (int k = 0; k < p->size; k++)
            counts[i][k] = dice_below(&p->plan, MOST_N);
    for (int i = 0; i < MOST_NEIGHBORS; i++) {
        x.sends[i] = i < h->n_to ? counts[p->rank][h->to[i]] : 0;
        x.receives[i] = i < h->n_from ? counts[h->from[i]][p->rank] : 0;
        x.places[i] = i * MOST_N;
        x.bytes[i] = x.places[i] * (MPI_Aint)sizeof(int);
        x.types[i] = MPI_INT;
    }
    return x;
}

static long long sum(const int *counts, int n)
{
    long long all = 0;
    for (int i = 0; i < n; i++)
        all += counts[i];
    return all;
}

#define EITHER(blocking, nonblocking, ...)                                                                   \
    do {                                                                                                     \
        if (waits)                                                                                           \
            CALL(p->log, MPI_Neighbor_##blocking, __VA_ARGS__, h->comm);                                     \
        else                                                                                                 \
            CALL(p->log, MPI_Ineighbor_##nonblocking, __VA_ARGS__, h->comm, &request);                       \
    } while (0)

static void operate(struct place *p, const struct neighborhood *h)
{
    struct exchange x = plan(p, h);
    MPI_Request request = MPI_REQUEST_NULL;
    const bool waits = dice_chance(&p->plan, 60);
    const int which = dice_below(&p->plan, 5);
    long long sent = x.n, received = x.n; /* a count for all is counted once */
    switch (which) {
    case 0:
        EITHER(allgather, allgather, x.in, x.n, MPI_INT, x.out, x.n, MPI_INT);
        break;
    case 1:
        EITHER(alltoall, alltoall, x.in, x.n, MPI_INT, x.out, x.n, MPI_INT);
        break;
    case 2: /* all send equally many */
        for (int i = 0; i < MOST_NEIGHBORS; i++)
            x.receives[i] = x.n;
        EITHER(allgatherv, allgatherv, x.in, x.n, MPI_INT, x.out, x.receives, x.places, MPI_INT);
        received = sum(x.receives, h->n_from);
        break;
    case 3:
        EITHER(alltoallv, alltoallv, x.in, x.sends, x.places, MPI_INT, x.out, x.receives, x.places, MPI_INT);
        break;
    default:
        EITHER(alltoallw, alltoallw, x.in, x.sends, x.bytes, x.types, x.out, x.receives, x.bytes, x.types);
    }
    if (which > 2) {
        sent = sum(x.sends, h->n_to);
        received = sum(x.receives, h->n_from);
    }
    log_sync(p->log, h->id);
    log_volume(p->log, sent * (long long)sizeof(int), received * (long long)sizeof(int));
    if (!waits)
        CALL(p->log, MPI_Wait, &request, MPI_STATUS_IGNORE);
}

void phase_neighbors(struct place *p)
{
    struct neighborhood h = {.id = dice_next(&p->plan)};
    if (dice_chance(&p->plan, 50))
        grid(p, &h);
    else
        graph(p, &h);
    const int n = 1 + dice_below(&p->plan, 4);
    for (int i = 0; i < n; i++)
        operate(p, &h);
    CALL(p->log, MPI_Comm_free, &h.comm);
    log_sync(p->log, h.id);
}
