/* SPDX-License-Identifier: BSD-3-Clause */
/* How many records the accesses of each rank have when they are complete (rma_record_counts.h), from all of
 * its operations. */
#ifndef REFRAIN_RMA_RECORD_COUNTING_H
#define REFRAIN_RMA_RECORD_COUNTING_H

#include "decoder/trace/definitions.h"
#include "decoder/trace/rma_record_counts.h"

/* Of each rank from the trace's first on, for the caller to free with rma_records_free; NULL if the run does
 * not access windows. */
enum refrain_status rma_records_count(const struct reader *r, const struct definitions *d,
                                      struct rank_rma_records **out);

#endif
