/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks in lines of text: which ranks, and which share each rank has. */
#include <criterion/criterion.h>

#include "decoder/causes/reasons/page_ranks.h"

static void expect(struct bytes *out, const char *text)
{
    bytes_put_u8(out, '\0');
    cr_assert(!out->failed);
    cr_expect_str_eq((const char *)out->data, text);
    bytes_free(out);
}

static void expect_ranks(struct page_ranks r, size_t n, const char *text)
{
    struct bytes out = {0};
    cr_expect_eq(page_ranks_put(&r, &out), n);
    expect(&out, text);
}

Test(page_ranks, ranks)
{
    uint64_t some[] = {500, 0, 300, 400, 20}, odd[] = {9, 0, 9, 0, 9, 0, 9, 0, 9, 0, 9, 0, 9},
             equal[] = {7, 7};
    expect_ranks((struct page_ranks){some, 0, 5, 0}, 3, "ranks 0,2-3");
    expect_ranks((struct page_ranks){some, 10, 3, 0}, 2, "ranks 10,12");
    expect_ranks((struct page_ranks){some, 4, 2, 0}, 1, "rank 4");
    expect_ranks((struct page_ranks){odd, 0, 13, 0}, 7, "7 ranks");
    expect_ranks((struct page_ranks){equal, 0, 2, 0}, 2, "all ranks");
}

static void expect_shares(struct page_ranks r, uint64_t all, const char *text)
{
    struct bytes out = {0};
    cr_expect_eq(page_ranks_put_shares(&r, all, "; the sender is", &out), *text != '\0');
    expect(&out, text);
}

Test(page_ranks, shares)
{
    uint64_t uneven[] = {10, 17, 55, 14, 4}, one[] = {0, 40, 0}, even[] = {1, 1, 1, 1, 1, 1, 1, 1};
    expect_shares((struct page_ranks){uneven, 0, 5, 2}, 100,
                  "; the sender is rank 2 in 55 %, rank 1 in 17 %, rank 3 in 14 % of it");
    expect_shares((struct page_ranks){one, 4, 3, 1}, 40, "; the sender is rank 5");
    expect_shares((struct page_ranks){one, 4, 3, 1}, 50, "; the sender is rank 5 in 80 % of it");
    expect_shares((struct page_ranks){even, 0, 8, 0}, 8, ""); /* no rank stands out */
}

static void expect_weighted(struct page_ranks r, bool are_several, const char *text)
{
    struct bytes out = {0};
    bool several;
    page_ranks_put_weighted(&r, &out, &several);
    cr_expect_eq(several, are_several);
    expect(&out, text);
}

/* The rank that causes most comes first, and a rank with next to nothing is left out. */
Test(page_ranks, weighted)
{
    uint64_t guilty[] = {0, 7, 13, 80}, alone[] = {1, 98, 1}, most[] = {92, 8}, group[] = {0, 30, 40, 30, 0};
    expect_weighted((struct page_ranks){guilty, 0, 4, 3}, true, "rank 3 (80 % of the delay), ranks 1-2");
    expect_weighted((struct page_ranks){most, 0, 2, 0}, false, "rank 0 (92 % of the delay)");
    expect_weighted((struct page_ranks){alone, 5, 3, 1}, false, "rank 6");
    expect_weighted((struct page_ranks){group, 0, 5, 2}, true, "ranks 1-3");
}
