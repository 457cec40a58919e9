/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of some processes do something, as a condition on their coordinates:
 *
 *     . # # #     x > 0            # # # .     x < 3 or y > 0
 *     . # # #                      # # # #
 *
 * The condition holds for these processes and for no other one of those that there are. Where coordinates do not
 * tell, ranks do: rank in 0-3,8. */
#ifndef REFRAIN_CONDITION_H
#define REFRAIN_CONDITION_H

#include "logical.h"

struct process_set {
    const uint32_t *items; /* ascending */
    uint32_t n;
};

/* "x > 0"; nothing if it is all of them. Short of memory, `out` has failed. */
void condition_put(const struct logical *l, struct process_set these, struct process_set all,
                   struct bytes *out);

#endif
