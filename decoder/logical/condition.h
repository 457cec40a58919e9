/* SPDX-License-Identifier: BSD-3-Clause */
/* The condition on coordinates that selects some of the given processes:
 *
 *     . # # #     x > 0            # # # .     x < 3 or y > 0
 *     . # # #                      # # # #
 *
 * The condition is exact for the given processes. If coordinates cannot express it, ranks are used: rank in
 * 0-3,8. */
#ifndef REFRAIN_CONDITION_H
#define REFRAIN_CONDITION_H

#include "logical.h"

struct process_set {
    const uint32_t *items; /* ascending */
    uint32_t n;
};

/* Appends "x > 0"; nothing if `these` are all processes. If memory is short, `out` is marked as failed. */
void condition_put(const struct logical *l, struct process_set these, struct process_set all,
                   struct bytes *out);

#endif
