/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks the calls of all lanes, to tell where each of them changes its regions. */
#ifndef REFRAIN_REGION_WALK_H
#define REFRAIN_REGION_WALK_H

#include "region_stack.h"

struct region_walk {
    struct text_table *names; /* of all regions that are met */
    /* The open regions of a lane (of its rank, thread after thread, rank after rank, from 0 on) after a call.
     * `ended`: the call ends a region: the new ones hold from the next call on; otherwise from this one on.
     * */
    enum refrain_status (*change)(void *context, size_t lane, const struct call *call,
                                  const struct region_stack *stack, bool ended);
    void *context;
};

enum refrain_status region_walk_all(const struct region_walk *w, const struct reader *r);

#endif
