/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of calls, bytes and times. The grammar's rules say how often each row occurs. The bytes that a call of
 * the row moves are computed once for each rank, or once for all ranks if they are the same. So the running
 * time does not grow with the number of iterations. site_volume.h sums values that are in columns. */
#ifndef REFRAIN_STATISTICS_H
#define REFRAIN_STATISTICS_H

#include "decoder/trace/definitions.h"
#include "decoder/trace/ranges.h"

struct tally {
    uint64_t calls;
    uint64_t sent, received; /* bytes */
    bool timed;              /* times are known */
    uint64_t time;           /* ns in the calls; the tally of a rank does not include MPI_Init */
    uint64_t before;         /* ns: the part of `time` before the run; 0 for MPI_Init */
    /* ns of the shortest and the longest call, with their parts before the run. If shortest > longest, they
     * are not known. */
    uint64_t shortest, longest;
    uint64_t singly; /* calls whose times were added one by one (single_times.h) */
    bool is_init;    /* the function or site is MPI_Init, after which the run begins; not set for ranks */
    /* Of a rank: ns of the run, summed over the rank's threads. 0 unless all calls of the trace have times of
     * their own. */
    uint64_t run;
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
    uint64_t outside_before; /* ns: the part of `outside` before the run */
    uint64_t begin;          /* begin of the run, ns since the first call */
    uint64_t length;         /* ns of the run; 0: not known */
    uint64_t run;            /* ns of the run, summed over all wanted threads; 0: some calls have no times */
    /* bytes that the functions send and receive in collective operations on communicators */
    uint64_t collective_sent, collective_received;
    uint64_t accesses;      /* calls that access windows */
    uint64_t written, read; /* bytes of these calls */
};

/* Computes the statistics of the calls of `ranks`: always by function, and also by rank or by site if `by`
 * says so. Times by rank, and all times if `ranks` selects only some ranks, come from the sums that the trace
 * keeps for each rank; these sums exist by function, not by site. If the trace has no such sums, times are
 * made from the times of single calls; then a tally has no times if some of its calls have no times of their
 * own. */
enum refrain_status statistics_compute(struct statistics *s, const struct reader *r,
                                       const struct definitions *d, const struct ranges *ranks,
                                       enum statistics_by by);
void statistics_free(struct statistics *s);

#endif
