/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that complete accesses to windows. An archive has one or two records for each access (otf2_events.h),
 * so the call must last that long; otherwise the records would move later calls after the receives that
 * depend on them. Timestamps have room for everything else in a call (timestamps.h). rma_record_counting.h
 * finds them.
 *
 *     MPI_Put x 3000   MPI_Win_fence      6000 records       in a millisecond, or, with rounded times, in none */
#ifndef REFRAIN_RMA_RECORD_COUNTS_H
#define REFRAIN_RMA_RECORD_COUNTS_H

#include "src/core/base/array.h"

#include <stdint.h>

struct rma_record_count {
    uint32_t thread; /* number of the lane */
    uint64_t call;   /* in the lane */
    uint64_t records;
};

/* Ascending by thread and call; zeroed it is empty. */
struct rank_rma_records {
    ARRAY(struct rma_record_count) items;
};

void rma_records_free(struct rank_rma_records *records, uint32_t n_ranks);
/* Returns the index of the thread's first item; its other items follow. */
size_t rma_records_of_thread(const struct rank_rma_records *records, uint32_t thread);

#endif
