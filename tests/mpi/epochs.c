/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows on a grid: halos by MPI_Win_fence and by MPI_Win_post … MPI_Win_wait, then locks; with MPI 4, a
 * ring of partitioned messages, of which two requests have the same tag. */
#include <mpi.h>

enum { STEPS = 10, PARTS = 4 };

struct grid {
    MPI_Comm comm;
    MPI_Win win;
    int rank, size, near[4];
    double out[4];
};

static void create(struct grid *g)
{
    int dims[2] = {0, 0}, periods[2] = {0, 0};
    double *memory;
    MPI_Comm_size(MPI_COMM_WORLD, &g->size);
    MPI_Dims_create(g->size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &g->comm);
    MPI_Comm_rank(g->comm, &g->rank);
    MPI_Cart_shift(g->comm, 0, 1, &g->near[0], &g->near[1]);
    MPI_Cart_shift(g->comm, 1, 1, &g->near[2], &g->near[3]);
    MPI_Win_allocate(4 * sizeof(double), sizeof(double), MPI_INFO_NULL, g->comm, &memory, &g->win);
}

static void put_all(struct grid *g)
{
    for (int k = 0; k < 4; k++)
        MPI_Put(&g->out[k], 1, MPI_DOUBLE, g->near[k], k ^ 1, 1, MPI_DOUBLE, g->win);
}

static void fences(struct grid *g)
{
    for (int i = 0; i < STEPS; i++) {
        MPI_Win_fence(0, g->win);
        put_all(g);
    }
    MPI_Win_fence(0, g->win);
}

static void post_and_start(struct grid *g)
{
    int ranks[4], n = 0;
    MPI_Group all, near;
    for (int k = 0; k < 4; k++)
        if (g->near[k] != MPI_PROC_NULL)
            ranks[n++] = g->near[k];
    MPI_Comm_group(g->comm, &all);
    MPI_Group_incl(all, n, ranks, &near);
    for (int i = 0; i < STEPS; i++) {
        MPI_Win_post(near, 0, g->win);
        MPI_Win_start(near, 0, g->win);
        put_all(g);
        MPI_Win_complete(g->win);
        MPI_Win_wait(g->win);
    }
    MPI_Group_free(&near);
    MPI_Group_free(&all);
}

static void locks(struct grid *g)
{
    for (int i = 0; i < STEPS && g->near[1] != MPI_PROC_NULL; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, g->near[1], 0, g->win);
        MPI_Accumulate(g->out, 1, MPI_DOUBLE, g->near[1], 0, 1, MPI_DOUBLE, MPI_SUM, g->win);
        MPI_Win_flush(g->near[1], g->win);
        MPI_Win_unlock(g->near[1], g->win);
    }
}

#if MPI_VERSION >= 4
/* The first request alone, then all three. */
static void partitioned(struct grid *g)
{
    static const int tags[] = {7, 8, 8};
    double out[3 * PARTS] = {0}, in[3 * PARTS];
    MPI_Request sends[3], receives[3];
    const int right = (g->rank + 1) % g->size, left = (g->rank + g->size - 1) % g->size;
    for (int k = 0; k < 3; k++) {
        MPI_Psend_init(out + k * PARTS, PARTS, 1, MPI_DOUBLE, right, tags[k], MPI_COMM_WORLD, MPI_INFO_NULL,
                       &sends[k]);
        MPI_Precv_init(in + k * PARTS, PARTS, 1, MPI_DOUBLE, left, tags[k], MPI_COMM_WORLD, MPI_INFO_NULL,
                       &receives[k]);
    }
    for (int i = 0; i < STEPS; i++) {
        MPI_Start(&receives[0]);
        MPI_Start(&sends[0]);
        for (int p = 0; p < PARTS; p++)
            MPI_Pready(p, sends[0]);
        for (int p = 0, flag = 0; p < PARTS; p += flag)
            MPI_Parrived(receives[0], p, &flag);
        MPI_Wait(&receives[0], MPI_STATUS_IGNORE);
        MPI_Wait(&sends[0], MPI_STATUS_IGNORE);
    }
    MPI_Startall(3, receives);
    MPI_Startall(3, sends);
    for (int k = 0; k < 3; k++)
        MPI_Pready_range(0, PARTS - 1, sends[k]);
    MPI_Waitall(3, receives, MPI_STATUSES_IGNORE);
    MPI_Waitall(3, sends, MPI_STATUSES_IGNORE);
    for (int k = 0; k < 3; k++) {
        MPI_Request_free(&sends[k]);
        MPI_Request_free(&receives[k]);
    }
}
#else
static void partitioned(struct grid *g)
{
    (void)g;
}
#endif

int main(int argc, char **argv)
{
    struct grid g = {.size = 0};
    MPI_Init(&argc, &argv);
    create(&g);
    fences(&g);
    post_and_start(&g);
    locks(&g);
    partitioned(&g);
    MPI_Win_free(&g.win);
    MPI_Comm_free(&g.comm);
    MPI_Finalize();
    return 0;
}
