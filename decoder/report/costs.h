/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a run spent its time: one row per call site, one for computation, which is the time between calls, and
 * one for the time between polls, which counts as waiting and not as computation (wait_lanes.h).
 *
 *     site           calls    time of all ranks    least (rank)   most (rank)
 *     COMPUTING          0    8.2 s                1.9 s (3)      2.2 s (0)
 *     MPI_Recv, 4     4000    1.1 s                0 (0)          0.6 s (3)
 */
#ifndef REFRAIN_COSTS_H
#define REFRAIN_COSTS_H

#include "decoder/stat/statistics.h"
#include "decoder/waits/report/waits.h"

#define COSTS_COMPUTING UINT32_MAX
#define COSTS_POLLING   (UINT32_MAX - 1)

struct cost {
    uint32_t site; /* COSTS_COMPUTING, COSTS_POLLING */
    bool is_init;  /* MPI_Init, which is apart: no part of what the run is said to take */
    uint64_t calls, sent, received;
    bool timed;
    uint64_t time;        /* ns, of all threads */
    bool by_rank;         /* the next members are known */
    uint64_t least, most; /* ns: of a rank's threads on average */
    uint32_t least_rank, most_rank;
};

struct costs {
    ARRAY(struct cost) items; /* the most expensive first; MPI_Init last */
    bool timed;               /* the next times are known; they are sums over all threads */
    uint64_t run;             /* ns: of the run (run_begin.h) */
    /* ns: the parts of `run` between calls, and in calls or between polls. The rest is before a thread's first
     * call, after its last one, or between a thread and the next one in its lane. */
    uint64_t computing, mpi;
    uint64_t init; /* ns: in MPI_Init, before the run */
    uint64_t calls, sent, received;
    uint32_t ranks, threads; /* in the trace; at least 1 */
};

static inline bool costs_has_site(const struct cost *c)
{
    return c->site < COSTS_POLLING;
}

/* Returns "MPI_Recv", "computation" or "between polls". */
const char *costs_name(const struct reader *r, const struct cost *c);

/* Returns the share of the run, 0 … 1. */
static inline double costs_share(const struct costs *c, uint64_t time)
{
    return c->run > 0 ? (double)time / (double)c->run : 0;
}

/* Returns the mean time of a thread; for MPI_Init the mean of a rank, since one of its threads calls it. */
static inline uint64_t costs_mean(const struct costs *c, const struct cost *item)
{
    return item->time / (item->is_init ? c->ranks : c->threads);
}

/* Makes the costs. `waits` is NULL if the trace has no times of single calls; then the times that the tracer
 * summed up during the run are used. */
enum refrain_status costs_create(struct costs *c, const struct reader *r, const struct statistics *s,
                                 const struct waits *waits);
void costs_free(struct costs *c); /* also of a zeroed struct */

#endif
