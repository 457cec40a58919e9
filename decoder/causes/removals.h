/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a run takes without a delay: the run once more (resimulation.h), in which those who are late are shorter there by what that costs those
 * who wait, in the mean (delay_windows.h); or, where ranks work one after the other, in which nobody waits there. Several findings are simulated side by side. */
#ifndef REFRAIN_REMOVALS_H
#define REFRAIN_REMOVALS_H

#include "critical_search.h"
#include "delay_reason.h"

struct removals {
    struct removal *items; /* of each finding */
    size_t n;
};

/* Of as many requests. Nothing is found if the log was lost. */
enum refrain_status removals_find(struct removals *out, struct critical_search *c,
                                  const struct causes_view *v, const struct reason_request *requests,
                                  size_t n);
void removals_free(struct removals *r); /* also of a zeroed struct */

#endif
