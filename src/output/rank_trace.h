/* SPDX-License-Identifier: BSD-3-Clause */
/* The trace of this rank, made from what the tracer holds. */
#ifndef REFRAIN_RANK_TRACE_H
#define REFRAIN_RANK_TRACE_H

#include "src/core/trace/trace.h"

/* Gives the lanes of the threads the numbers that they have in the trace (thread_order.h), which can change
 * when others come, and defines them where rows name them. Threads have to be paused. */
enum refrain_status rank_trace_number_lanes(void);
/* Fills the empty trace `t`, which is the caller's to free also after an error. The lanes stay as they are
 * and may go on. Threads have to be paused, their lanes numbered, and the rank known. The rank's pieces of
 * the annex go into *pieces, the caller's to free; `quickly`: in as little time as possible, if in more
 * bytes. */
enum refrain_status rank_trace_make(struct trace *t, bool quickly, struct bytes *pieces);

#endif
