/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls, bytes and times, summed up on the grammar: how often a row occurs is counted on the rules, what it
 * moves is evaluated once for each rank (once for all where it is the same), so that the time does not grow
 * with the number of iterations. Where what is summed lies in columns, see site_volume.h. */
#ifndef REFRAIN_STATISTICS_H
#define REFRAIN_STATISTICS_H

#include "decoder/trace/definitions.h"
#include "decoder/trace/ranges.h"

struct tally {
    uint64_t calls, sent, received; /* bytes */
    bool timed;                     /* times are known */
    uint64_t time, before;          /* ns in the calls, of a rank without MPI_Init; of it, before the run */
    uint64_t shortest, longest;     /* one call, whole; shortest > longest: not known */
    uint64_t singly;                /* calls whose times were added one by one (single_times.h) */
    bool is_init;                   /* MPI_Init, after which the run begins; of a function or a site */
    uint64_t run;                   /* of a rank whose times were: ns of the run, of its threads */
};

/* ns in the run; for MPI_Init, ns before the run. */
static inline uint64_t tally_time(const struct tally *t)
{
    return t->time > t->before ? t->time - t->before : 0;
}

enum statistics_by { STATISTICS_BY_FUNCTION, STATISTICS_BY_RANK, STATISTICS_BY_SITE };

struct statistics {
    struct tally *functions; /* by number in the function table */
    struct tally *ranks;     /* by rank - first_rank; NULL unless asked for */
    struct tally *sites;     /* by number in the trace; NULL unless asked for */
    uint64_t outside;        /* ns of all threads between their calls; 0 unless functions have times */
    uint64_t outside_before; /* of it, before the run */
    uint64_t begin, length;  /* of the run: ns since the first call; ns, 0: not known */
    uint64_t run;            /* ns of all threads that are wanted, 0: some calls have no times */
    uint64_t collective_sent,
        collective_received;          /* bytes of those, in collective operations on communicators */
    uint64_t accesses, written, read; /* calls that access windows, and their bytes */
};

/* Of the calls of these ranks; by function in any case. Times by rank, and times of a part of the ranks, are
 * the sums that the trace keeps for each rank (of functions, not of sites), or made from the times of single
 * calls; a tally has none if the trace has those of only some of its calls. */
enum refrain_status statistics_compute(struct statistics *s, const struct reader *r,
                                       const struct definitions *d, const struct ranges *ranks,
                                       enum statistics_by by);
void statistics_free(struct statistics *s);

#endif
