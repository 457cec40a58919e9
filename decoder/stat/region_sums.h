/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls and times of the regions that a program has named (decoder/region): a region's own, and with those of
 * the regions inside. The rows do not contain regions, so all calls are walked one by one. */
#ifndef REFRAIN_REGION_SUMS_H
#define REFRAIN_REGION_SUMS_H

#include "decoder/region/region_stack.h"
#include "decoder/trace/ranges.h"

struct region_share {
    uint64_t time;     /* ns in the region */
    uint64_t mpi_time; /* ns in its MPI calls */
    uint64_t calls;    /* number of these calls; begins and ends of regions, and notes, do not count */
};

struct region_sum {
    uint64_t visits;
    struct region_share all; /* with the regions inside; of a region inside of itself, the outer one counts */
    struct region_share own; /* without the regions inside */
};

struct region_sums {
    struct text_table names;        /* of the regions */
    ARRAY(struct region_sum) items; /* by number there */
    struct region_sum outside; /* each thread's calls in no region: `all` is all there is, visits threads */
    bool timed;                /* the trace has times */
    bool synthetic;            /* the times are made of means */
    struct region_faults faults;
};

/* Does the program name any regions? Does not walk calls. */
enum refrain_status region_sums_exist(const struct reader *r, bool *exist);
/* Computes the sums of the calls of `ranks`. */
enum refrain_status region_sums_compute(struct region_sums *s, const struct reader *r,
                                        const struct ranges *ranks);
void region_sums_free(struct region_sums *s); /* also of a zeroed struct */

#endif
