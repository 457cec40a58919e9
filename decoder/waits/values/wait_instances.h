/* SPDX-License-Identifier: BSD-3-Clause */
/* The `most` longest single waits: a heap with the shortest of them on top. */
#ifndef REFRAIN_WAIT_INSTANCES_H
#define REFRAIN_WAIT_INSTANCES_H

#include "decoder/match/stream/operation.h"
#include "src/core/base/array.h"

struct wait_instance {
    uint32_t metric;
    uint64_t begin, end;
    struct call_ref call, cause;
    bool has_cause;
};

struct wait_instances {
    size_t most;
    ARRAY(struct wait_instance) heap;
};

/* Keeps the instance if it is one of the longest. Returns false when memory is short. */
bool wait_instances_add(struct wait_instances *w, const struct wait_instance *instance);
/* Call this at the end: sorts the heap, the longest first. */
void wait_instances_sort(struct wait_instances *w);

#endif
