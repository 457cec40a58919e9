/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints ranks in lines of text: which ones, and the share of each. */
#ifndef REFRAIN_PAGE_RANKS_H
#define REFRAIN_PAGE_RANKS_H

#include "decoder/waits/search/wait_search.h"

/* From this share on, a part is all of it: its percentage would be 100. */
#define PAGE_ALL 0.995

/* Values of the ranks from `first` on. */
struct page_ranks {
    uint64_t *values; /* NULL: memory is short */
    uint32_t first, n;
    uint32_t worst; /* index of the rank with the largest value */
};

struct page_ranks page_ranks_of(const struct wait_search *s, const uint64_t *by_lane);
void page_ranks_free(struct page_ranks *r);
/* "ranks 0-4,8-15", "all ranks", "37 ranks": prints the ranks with values that matter beside the worst. Returns
 * their number. */
size_t page_ranks_put(const struct page_ranks *r, struct bytes *out);
/* "rank 3 (80 % of the delay), ranks 1-2", "ranks 5-7": prints the ranks with at least half of the
 * largest value, and their share; after them others that count, unless the first have nearly all. *several:
 * more than one rank is printed. */
void page_ranks_put_weighted(const struct page_ranks *r, struct bytes *out, bool *several);
/* "rank 3 (58 % of the delay), rank 2 (42 %)": the same, with the share of each, if these are few. */
void page_ranks_put_each(const struct page_ranks *r, struct bytes *out, bool *several);
/* "rank 2 in 55 %, rank 1 in 17 %, rank 3 in 14 % of it", "rank 1": prints the ranks that have most of `all`.
 * Returns false, and prints nothing, if too many ranks would have to be named. */
bool page_ranks_put_shares(const struct page_ranks *r, uint64_t all, const char *before, struct bytes *out);

#endif
