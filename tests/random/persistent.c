/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent collective operations, which MPI has since 4.0. */
#include "place.h"

#if MPI_VERSION >= 4

enum { MOST = 4, MOST_N = 20 };

/* Creates one: all members know all of it. Its bytes count nowhere (refrain-stat(1)). */
static void make(struct place *p, uint64_t id, int *in, int *out, MPI_Request *request)
{
    const int n = dice_below(&p->plan, MOST_N), root = dice_below(&p->plan, p->size);
    switch (dice_below(&p->plan, 5)) {
    case 0:
        CALL(p->log, MPI_Barrier_init, p->comm, MPI_INFO_NULL, request);
        break;
    case 1:
        CALL(p->log, MPI_Bcast_init, in, n, MPI_INT, root, p->comm, MPI_INFO_NULL, request);
        break;
    case 2:
        CALL(p->log, MPI_Allreduce_init, in, out, n, MPI_INT, MPI_SUM, p->comm, MPI_INFO_NULL, request);
        break;
    case 3:
        CALL(p->log, MPI_Alltoall_init, in, n, MPI_INT, out, n, MPI_INT, p->comm, MPI_INFO_NULL, request);
        break;
    default:
        CALL(p->log, MPI_Gather_init, in, n, MPI_INT, out, n, MPI_INT, root, p->comm, MPI_INFO_NULL, request);
    }
    log_make(p->log, p->id, id);
}

static void start(struct place *p, int n, const uint64_t *ids, MPI_Request *requests)
{
    const bool together = dice_chance(&p->plan, 50);
    if (together)
        CALL(p->log, MPI_Startall, n, requests);
    for (int i = 0; i < n; i++) {
        if (!together)
            CALL(p->log, MPI_Start, &requests[i]);
        log_start(p->log, ids[i]);
    }
}

void phase_persistent(struct place *p)
{
    static int in[2][MOST][MOST_RANKS * MOST_N], out[2][MOST][MOST_RANKS * MOST_N]; /* by thread */
    MPI_Request requests[MOST];
    uint64_t ids[MOST];
    const int n = 1 + dice_below(&p->plan, MOST), times = dice_below(&p->plan, 4), thread = p->log->thread;
    for (int i = 0; i < n; i++) {
        ids[i] = dice_next(&p->plan);
        make(p, ids[i], in[thread][i], out[thread][i], &requests[i]);
    }
    for (int t = 0; t < times; t++) {
        start(p, n, ids, requests);
        if (dice_chance(&p->own, 50)) {
            CALL(p->log, MPI_Waitall, n, requests, MPI_STATUSES_IGNORE);
            continue;
        }
        for (int i = n - 1; i >= 0; i--)
            CALL(p->log, MPI_Wait, &requests[i], MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < n; i++)
        CALL(p->log, MPI_Request_free, &requests[i]);
}

#else

void phase_persistent(struct place *p)
{
    place_barrier(p);
}

#endif
