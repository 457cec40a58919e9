/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the OTF2 records for completed accesses of each rank (rma_record_counts.h), from all operations of
 * the rank. */
#ifndef REFRAIN_RMA_RECORD_COUNTING_H
#define REFRAIN_RMA_RECORD_COUNTING_H

#include "decoder/trace/definitions.h"
#include "decoder/trace/rma_record_counts.h"

/* *out has an entry for each rank, from the trace's first rank on; the caller frees it with rma_records_free.
 * NULL if the run does not access windows. */
enum refrain_status rma_records_count(const struct reader *r, const struct definitions *d,
                                      struct rank_rma_records **out);

#endif
