/* SPDX-License-Identifier: BSD-3-Clause */
/* How many events a process has in constructs of a system, for some indices of the loops around. */
#ifndef REFRAIN_SYSTEM_COUNT_H
#define REFRAIN_SYSTEM_COUNT_H

#include "system.h"

/* Constructs first … end - 1 of a system, as far as they are a process's. */
struct system_part {
    const struct system *system;
    size_t first, end;
    uint32_t process;
};

/* Returns the number of iterations for these indices of the `depth` loops around. */
uint64_t system_iterations(const uint64_t *count, uint32_t depth, const uint64_t *indices);
/* Does the number of events depend on the index of loop `level`? */
bool system_part_varies(const struct system_part *p, uint32_t level);
/* Counts the events at the indices of the `depth` loops around. `indices` has room for SYSTEM_DEPTH_MAX
 * numbers, of which those from `depth` on are changed. */
uint64_t system_part_events(const struct system_part *p, uint32_t depth, uint64_t *indices);

#endif
