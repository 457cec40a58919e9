/* SPDX-License-Identifier: BSD-3-Clause */
#include "census_tree.h"

#include <sched.h>
#include <time.h>

#include "src/clock/clock.h"
#include "src/core/base/log.h"
#include "src/record/tracer.h"

enum { CHILD, OTHER_CHILD, PARENT, NEIGHBOURS };
enum { NAP_LEAST = 1000, NAP_MOST = 1000000 }; /* nanoseconds */

static struct {
    MPI_Request from[NEIGHBOURS]; /* MPI_REQUEST_NULL: there is none, or its message has come */
    int complete;                 /* the parent's verdict */
    bool begun;
} census;

static int rank_of(int neighbour)
{
    return neighbour == PARENT ? (tracer.rank - 1) / 2 : 2 * tracer.rank + 1 + neighbour;
}

static bool is_there(int neighbour)
{
    return neighbour == PARENT ? tracer.rank > 0 : rank_of(neighbour) < tracer.size;
}

static int largest_tag(void)
{
    int *tag, flag = 0;
    return PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag, &flag) == MPI_SUCCESS && flag ? *tag : 32767;
}

/* Wait for the messages of n neighbours. False if they do not all come in time. */
static bool await(MPI_Request *from, int n, uint64_t patience)
{
    const uint64_t start = clock_now();
    for (long nap = NAP_LEAST;; nap = 2 * nap < NAP_MOST ? 2 * nap : NAP_MOST) {
        int flag = 1;
        for (int i = 0; i < n; i++) {
            int one = 0;
            flag &= PMPI_Test(&from[i], &one, MPI_STATUS_IGNORE) == MPI_SUCCESS && one;
        }
        if (flag || clock_now() - start > patience)
            return flag;
        if (nap == NAP_LEAST)
            sched_yield();
        nanosleep(&(struct timespec){.tv_nsec = nap}, NULL);
    }
}

static bool find(int tag, uint64_t patience)
{
    const bool below = await(&census.from[CHILD], 2, patience);
    if (!below || tracer.rank == 0) {
        if (!below && tracer.rank == 0)
            log_error("not all of the %d ranks have the tracer after %.3g s in MPI_Init: each writes a part "
                      "instead of a common trace; start all ranks with refrain record, or increase "
                      "REFRAIN_INIT_TIMEOUT",
                      tracer.size, (double)patience / 1e9);
        return below;
    }
    PMPI_Send(NULL, 0, MPI_BYTE, rank_of(PARENT), tag, MPI_COMM_WORLD);
    if (await(&census.from[PARENT], 1, 2 * patience))
        return census.complete;
    log_error("rank %d does not have the tracer, or ranks below it do not, after %.3g s in MPI_Init: each "
              "writes a part instead of a common trace; start all ranks with refrain record, or increase "
              "REFRAIN_INIT_TIMEOUT",
              rank_of(PARENT), 2 * (double)patience / 1e9);
    return false;
}

bool census_tree_is_complete(uint64_t patience)
{
    const int tag = largest_tag();
    census.begun = true;
    for (int i = 0; i < NEIGHBOURS; i++) {
        census.from[i] = MPI_REQUEST_NULL;
        if (is_there(i))
            PMPI_Irecv(&census.complete, i == PARENT, MPI_INT, rank_of(i), tag, MPI_COMM_WORLD,
                       &census.from[i]);
    }
    const int complete = find(tag, patience);
    for (int i = 0; i < PARENT; i++) {
        if (is_there(i) && census.from[i] == MPI_REQUEST_NULL)
            PMPI_Send(&complete, 1, MPI_INT, rank_of(i), tag, MPI_COMM_WORLD);
    }
    return complete;
}

void census_tree_end(void)
{
    for (int i = 0; i < NEIGHBOURS && census.begun; i++) {
        if (census.from[i] == MPI_REQUEST_NULL)
            continue;
        PMPI_Cancel(&census.from[i]);
        PMPI_Wait(&census.from[i], MPI_STATUS_IGNORE);
    }
}
