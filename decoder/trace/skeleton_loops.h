/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of a skeleton: where calls of the same sites come again and again, one time after the other.
 *
 *     a (b c)^100 d ((e f)^50 g)^20        from call 1 on: 2 calls, 100 times
 *                                          from call 202 on: 101 calls, 20 times
 *
 * Only the outermost loops count; inside of loops that are too long, those within them. */
#ifndef REFRAIN_SKELETON_LOOPS_H
#define REFRAIN_SKELETON_LOOPS_H

#include "src/core/base/array.h"
#include "src/core/grammar/rules.h"

struct skeleton_loop {
    uint64_t begin;  /* number of its first call */
    uint64_t period; /* calls each time */
    uint64_t times;
};

struct skeleton_loops {
    struct skeleton_loop *items; /* by `begin`; they do not overlap */
    size_t n, cap;
};

#define SKELETON_LOOPS_MOST  1024
#define SKELETON_LOOPS_DEPTH 256 /* loops of rules that are nested deeper are not found */

/* Finds the loops with at least `least` times and at most `longest` calls each time: all, or the first
 * SKELETON_LOOPS_MOST. The caller frees *out with array_free. */
enum refrain_status skeleton_loops_find(const struct rules *skeleton, uint64_t least, uint64_t longest,
                                        struct skeleton_loops *out);

#endif
