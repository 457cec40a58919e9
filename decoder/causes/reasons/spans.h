/* SPDX-License-Identifier: BSD-3-Clause */
/* Spans of time that overlap: at each time, the heaviest counts.
 *
 *     ├──────── 0 ────────────┤                weight 1
 *         ├ 1 ┤   ├── 2 ──┤                    weights 3, 2
 *     0000111110002222222220000                one after the other: 0 1 0 2 0 */
#ifndef REFRAIN_SPANS_H
#define REFRAIN_SPANS_H

#include "src/core/base/array.h"

#include <stdbool.h>
#include <stdint.h>

struct span {
    uint64_t from, to; /* ns; from < to */
    double weight;
    size_t of; /* the caller's */
};

struct spans {
    struct span *items;
    size_t n, cap;
};

/* Puts the spans in order, one after the other. Returns false when memory is short. */
bool spans_separate(struct spans *s);

#endif
