/* SPDX-License-Identifier: BSD-3-Clause */
/* Do the times of a trace keep within the bounds of their mode? They are compared with the timestamps that
 * the tracer also kept as they were (verify_record.h). */
#ifndef REFRAIN_TIME_CHECK_H
#define REFRAIN_TIME_CHECK_H

#include <stdbool.h>

#include "src/core/base/timestamp.h"
#include "src/core/time/time_mode.h"

/* The largest deviations of the times of all lanes. */
struct time_worst {
    uint64_t calls;
    double duration, gap; /* factors, of the times that a factor bounds; 1: no deviation */
    uint64_t entry, exit; /* nanoseconds */
};

/* One lane. */
struct time_check {
    const struct time_mode *mode;
    struct time_worst *worst;
    bool begun;
    struct timestamp wanted, found; /* timestamps of the call before */
};

struct time_check time_check_of(const struct time_mode *mode, struct time_worst *worst);
/* Checks the next call, of a function with this grid: `wanted` as it was, `found` as the trace has it.
 * Returns false if it is out of bounds. */
bool time_check_call(struct time_check *c, uint32_t grid, const struct timestamp *wanted,
                     const struct timestamp *found);

#endif
