/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a run takes without a delay. The run is simulated (resimulation.h) with the late lanes shorter at
 * that place, by the mean cost for the lanes that wait (delay_windows.h). The others wait for the last one; other
 * late lanes that are nearly as late as that one become as short. Or, where ranks work one after the
 * other, without the waiting at that place. Where a call takes long, also as if the calls at this site took no
 * time. For a barrier, the run is also simulated without the waiting in it: the waiting may be needless, even if each
 * rank has its work. All reasons of all findings are simulated side by side. */
#ifndef REFRAIN_REMOVALS_H
#define REFRAIN_REMOVALS_H

#include "decoder/causes/critical_search.h"
#include "delay_reason_text.h"

struct removals {
    struct removal *items; /* one for each finding; all zero if no lane causes its waiting */
    size_t n;
};

/* Finds the removals for n requests. Finds nothing if the log was lost. */
enum refrain_status removals_find(struct removals *out, struct critical_search *c,
                                  const struct causes_view *v, const struct reason_request *requests,
                                  size_t n);
void removals_free(struct removals *r); /* also of a zeroed struct */

#endif
