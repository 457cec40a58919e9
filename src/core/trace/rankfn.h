/* SPDX-License-Identifier: BSD-3-Clause */
/* A value as a function of the rank.
 *
 * A slot that all ranks of a group agree on, up to a simple law, is stored once. The domain is the ranks of
 * the group in ascending order; "ordinal" i is the i-th of them.
 *
 *     constant   c           the same everywhere: a count, a tag
 *     offset     rank + c    a neighbour
 *     list       series      of v (plain) or of v - rank (relative) over the ordinals, whichever is simpler:
 *                            borders, periodic wraps, xor partners, block sizes
 *
 * While ranks are merged, every form that still holds is carried along: one rank alone is both a constant and
 * an offset, and which of them it was is known only when others have joined or at the end (rankfn_settle). */
#ifndef REFRAIN_RANKFN_H
#define REFRAIN_RANKFN_H

#include "src/core/series/series.h"

enum { RANKFN_CONSTANT = 1, RANKFN_OFFSET = 2, RANKFN_PLAIN = 4, RANKFN_RELATIVE = 8 };

struct rankfn {
    uint32_t forms; /* RANKFN_ bits of the forms that hold (constant, offset) or are kept (lists) */
    int64_t constant, offset;
    struct series *plain, *relative; /* owned, maybe with others; NULL unless their bit is set */
};

struct rankfn rankfn_single(int64_t value, int64_t rank);
void rankfn_free(struct rankfn *f);
/* The same function; its lists are f's own, shared. */
struct rankfn rankfn_share(const struct rankfn *f);
/* Same forms, constants and offsets, and the very same lists, not just equal ones? O(1). The key is that of
 * all such. */
bool rankfn_is_shared(const struct rankfn *f, const struct rankfn *g);
uint64_t rankfn_share_key(const struct rankfn *f);
/* The simple forms that f followed by g has; 0 if it needs lists. */
uint32_t rankfn_common_forms(const struct rankfn *f, const struct rankfn *g);
/* f becomes f on `ranks` followed by g on `more` (both series of ranks in ascending order, not empty). Of the
 * lists, one that costs more than 4 + twice the other is dropped. After an error f may only be freed. */
enum refrain_status rankfn_concat(struct rankfn *f, const struct series *ranks, const struct rankfn *g,
                                  const struct series *more);
/* Keep one form: a constant or offset if one holds (offset first if prefer_offset), else the list that is
 * better. */
void rankfn_settle(struct rankfn *f, bool prefer_offset);
/* Of two lists of the same function, RANKFN_PLAIN or RANKFN_RELATIVE: the one that has far fewer different
 * values, else the smaller one. */
uint32_t rankfn_better_list(const struct series *plain, const struct series *relative);
/* Keep only that list of two. */
void rankfn_keep_list(struct rankfn *f, uint32_t form);
/* The value at ordinal i, which is world rank `rank`. */
int64_t rankfn_at(const struct rankfn *f, uint64_t i, int64_t rank);
/* The values on n ranks, which are those of the group in order. O(n). */
void rankfn_values(const struct rankfn *f, const int64_t *ranks, uint64_t n, int64_t *values);
size_t rankfn_cost(const struct rankfn *f); /* bytes, roughly */
/* The same forms, and in each the same values? */
bool rankfn_equal(const struct rankfn *f, const struct rankfn *g);

#endif
