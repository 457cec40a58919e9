/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that complete accesses to windows, of which an archive has a record or two each (otf2_events.h): they
 * have to last as long as that, or the records would push later calls behind what others have received of
 * them. Timestamps have room for all else that a call does (timestamps.h). rma_record_counting.h finds them.
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
/* The number of the thread's first one: others follow. */
size_t rma_records_of_thread(const struct rank_rma_records *records, uint32_t thread);

#endif
