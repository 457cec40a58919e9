/* SPDX-License-Identifier: BSD-3-Clause */
/* Selects the part of the function table that a trace needs: a file has only the functions that the run
 * called, and the names of the values that occur in it. */
#ifndef REFRAIN_REFERENCED_CONSTANTS_H
#define REFRAIN_REFERENCED_CONSTANTS_H

#include "src/core/trace/trace.h"

/* `t` is the trace of one rank as lane_store makes it; its sites have the tracer's function numbers
 * (functions.h, definition_records.h). Fill t->functions, and give the sites its numbers. `to`,
 * FUNCTION_COUNT entries, is set to the new number of each function that was called, UINT32_MAX for
 * others. */
enum refrain_status referenced_constants_select(struct trace *t, uint32_t *to);

#endif
