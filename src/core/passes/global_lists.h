/* SPDX-License-Identifier: BSD-3-Clause */
/* Global lists: the values of a slot on all ranks of the file, across groups.
 *
 * Ranks with different calls have different shapes, and each shape has its own lists. Often these
 * lists are parts of one simple list. An example is the x coordinate on a grid of 4 x 4 ranks,
 * where corners, sides and middle are shapes:
 *
 *     corners   ranks 0 3 12 15                 0 3 0 3
 *     sides     ranks 1 2 4 7 8 11 13 14        1 2 0 3 0 3 1 2
 *     middle    ranks 5 6 9 10                  1 2 1 2
 *     global    loop 4 { loop 4 { i } }         0 1 2 3  0 1 2 3  0 1 2 3  0 1 2 3
 *
 * The global list is a series indexed by rank. All groups name the same global list, so their rows
 * may even become the same signature. Only final files have global lists; a reader cuts the lists
 * of the groups out of them.
 *
 * Recorded without this pass, twelve NPB traces of 16 ranks are 8.2 % larger, because each signature
 * has its own times. */
#ifndef REFRAIN_GLOBAL_LISTS_H
#define REFRAIN_GLOBAL_LISTS_H

#include "src/core/base/map.h"
#include "src/core/base/mix.h"
#include "src/core/trace/trace.h"

struct codec_tables;

/* The address of a slot's function as a key: mix is one-to-one in its second argument, so different
 * slots have different keys. */
static inline uint64_t codec_slot_key(const struct rankfn *slot)
{
    return mix(0, (uintptr_t)slot);
}

struct global_list {
    struct series *values; /* by rank - first_rank; owned */
    bool relative;         /* less the rank */
};

struct global_lists {
    ARRAY(struct global_list) lists;
    struct map of_slot; /* address of a slot's function in the trace -> number of the list */
};

void global_lists_free(struct global_lists *w);
/* Find the lists that make a trace smaller; `alone` are tables that show what lists cost without
 * them. The trace must not change while w is in use. */
enum refrain_status global_lists_find(const struct trace *t, struct codec_tables *alone,
                                      struct global_lists *w);
/* The global list from which a slot is cut; NULL if there is none. */
const struct global_list *global_lists_get(const struct global_lists *w, const struct rankfn *slot);

#endif
