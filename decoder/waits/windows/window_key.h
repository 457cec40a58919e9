/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows, and processes on them, as keys of maps. */
#ifndef REFRAIN_WINDOW_KEY_H
#define REFRAIN_WINDOW_KEY_H

#include "decoder/match/stream/operation.h"
#include "src/core/base/mix.h"

static inline uint64_t window_key(const struct operation_scope *w, uint64_t a, uint64_t b)
{
    return mix(mix(mix(mix((uint64_t)w->comm, w->owner), w->object), a), b);
}

static inline bool window_is_same(const struct operation_scope *a, const struct operation_scope *b)
{
    return a->comm == b->comm && a->owner == b->owner && a->object == b->object;
}

#endif
