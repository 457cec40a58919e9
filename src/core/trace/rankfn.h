/* SPDX-License-Identifier: BSD-3-Clause */
/* A value as a function of the rank.
 *
 * A slot that is the same on all ranks of a group, except for a simple law, is stored once. The domain of
 * the function is the ranks of the group in ascending order; "ordinal" i means the i-th of them.
 *
 *     constant   c           the same everywhere: a count, a tag
 *     offset     rank + c    a neighbour
 *     list       series      of v (plain) or of v - rank (relative) over the ordinals, whichever is simpler:
 *                            borders, periodic wraps, xor partners, block sizes
 *
 * While ranks are merged, every form that still holds is kept. A single rank is both a constant and an
 * offset; the right form is known only after other ranks have been merged, or at the end (rankfn_settle). */
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
/* Return the same function; it shares the lists of f. */
struct rankfn rankfn_share(const struct rankfn *f);
/* Do f and g have the same forms, constants and offsets, and share their lists (equal lists are not
 * enough)? O(1). Such functions have the same key. */
bool rankfn_is_shared(const struct rankfn *f, const struct rankfn *g);
uint64_t rankfn_share_key(const struct rankfn *f);
/* Return the simple forms (constant, offset) that hold for f followed by g; 0 if lists are needed. */
uint32_t rankfn_common_forms(const struct rankfn *f, const struct rankfn *g);
/* f becomes f on `ranks` followed by g on `more` (both series of ranks in ascending order, not empty). A
 * list that costs more than 4 + twice the other list is dropped. After an error f may only be freed. */
enum refrain_status rankfn_concat(struct rankfn *f, const struct series *ranks, const struct rankfn *g,
                                  const struct series *more);
/* Keep one form: a constant or an offset if one holds (offset first if prefer_offset), otherwise the
 * better list. */
void rankfn_settle(struct rankfn *f, bool prefer_offset);
/* Return the better of two lists of the same function, RANKFN_PLAIN or RANKFN_RELATIVE: the list that has
 * far fewer different values, otherwise the smaller list. */
uint32_t rankfn_better_list(const struct series *plain, const struct series *relative);
/* Keep only the list `form` of the two lists. */
void rankfn_keep_list(struct rankfn *f, uint32_t form);
/* Return the value at ordinal i; `rank` must be the world rank of that ordinal. */
int64_t rankfn_at(const struct rankfn *f, uint64_t i, int64_t rank);
/* Get the values on n ranks; `ranks` must be the ranks of the group in order. O(n). */
void rankfn_values(const struct rankfn *f, const int64_t *ranks, uint64_t n, int64_t *values);
size_t rankfn_cost(const struct rankfn *f); /* bytes, roughly */
/* Do both have the same forms, and the same values in each form? */
bool rankfn_equal(const struct rankfn *f, const struct rankfn *g);

#endif
