/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the trace of this rank from the tracer's data. */
#ifndef REFRAIN_RANK_TRACE_H
#define REFRAIN_RANK_TRACE_H

#include "src/core/trace/trace.h"

/* Give the threads' lanes their numbers in the trace (thread_order.h), and write a definition for each
 * lane that rows name. The numbers can change when new lanes appear. Threads must be paused. */
enum refrain_status rank_trace_number_lanes(void);
/* Fill the empty trace `t`; the caller frees it, also after an error. The lanes do not change, and
 * recording may continue. Threads must be paused, their lanes numbered, and the rank known. The rank's
 * pieces of the annex go into *pieces, which the caller frees. `quickly`: take as little time as possible,
 * even if that costs more bytes. */
enum refrain_status rank_trace_make(struct trace *t, bool quickly, struct bytes *pieces);

#endif
