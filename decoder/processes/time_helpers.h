/* SPDX-License-Identifier: BSD-3-Clause */
/* Process 0: times of lanes that helpers read. Each helper has every (K - 1)th lane that is begun.
 *
 *     helper 1   lanes 0 2 4 …  ──┐    two messages of 1024 calls of each lane
 *     helper 2   lanes 1 3 5 …  ──┴──> are under way or here: 10 to 30 KB a lane
 *
 * The times are those that process 0 would read itself, so the result is the same to the last digit. */
#ifndef REFRAIN_TIME_HELPERS_H
#define REFRAIN_TIME_HELPERS_H

#include "decoder/times/time_supply.h"
#include "decoder/trace/reader.h"

struct time_helpers;

/* Helpers open the trace that the reader has open. *out is NULL if there are no helpers. If a helper cannot read
 * the trace, it says so, and this is an error. */
enum refrain_status time_helpers_open(struct time_helpers **out, const struct reader *r);
/* NULL for no helpers. */
const struct time_supply *time_helpers_supply(const struct time_helpers *h);
/* After all lanes have ended. Helpers close the trace. Returns the status, or the first error. NULL is allowed. */
enum refrain_status time_helpers_close(struct time_helpers *h, enum refrain_status status);

#endif
