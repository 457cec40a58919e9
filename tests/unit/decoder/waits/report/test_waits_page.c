/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of the page: ranks, shares, and metrics whose name is not quite right. */
#include <criterion/criterion.h>

#include "decoder/waits/report/page_ranks.h"
#include "decoder/waits/report/waits_text.h"

static void expect(struct bytes *out, const char *text)
{
    bytes_put_u8(out, '\0');
    cr_assert(!out->failed);
    cr_expect_str_eq((const char *)out->data, text);
    bytes_free(out);
}

static void expect_ranks(struct page_ranks r, const char *text)
{
    struct bytes out = {0};
    page_ranks_put(&r, &out);
    expect(&out, text);
}

Test(waits_page, ranks)
{
    uint64_t some[] = {500, 0, 300, 400, 20}, odd[] = {9, 0, 9, 0, 9, 0, 9, 0, 9, 0, 9, 0, 9},
             equal[] = {7, 7};
    expect_ranks((struct page_ranks){some, 0, 5, 0}, "ranks 0,2-3");
    expect_ranks((struct page_ranks){some, 10, 3, 0}, "ranks 10,12");
    expect_ranks((struct page_ranks){some, 4, 2, 0}, "rank 4");
    expect_ranks((struct page_ranks){odd, 0, 13, 0}, "7 ranks");
    expect_ranks((struct page_ranks){equal, 0, 2, 0}, "all ranks");
}

static void expect_shares(struct page_ranks r, uint64_t all, const char *text)
{
    struct bytes out = {0};
    cr_expect_eq(page_ranks_put_shares(&r, all, "; the sender is", &out), *text != '\0');
    expect(&out, text);
}

Test(waits_page, shares)
{
    uint64_t uneven[] = {10, 17, 55, 14, 4}, one[] = {0, 40, 0}, even[] = {1, 1, 1, 1, 1, 1, 1, 1};
    expect_shares((struct page_ranks){uneven, 0, 5, 2}, 100,
                  "; the sender is rank 2 in 55 %, rank 1 in 17 %, rank 3 in 14 % of it");
    expect_shares((struct page_ranks){one, 4, 3, 1}, 40, "; the sender is rank 5");
    expect_shares((struct page_ranks){one, 4, 3, 1}, 50, "; the sender is rank 5 in 80 % of it");
    expect_shares((struct page_ranks){even, 0, 8, 0}, 8, ""); /* nobody in particular */
}

static void expect_near(const char *word, const char *names)
{
    struct metrics m;
    struct bytes out = {0};
    metrics_start(&m);
    metrics_add_all(&m);
    waits_put_near(&m, word, &out);
    expect(&out, names);
}

Test(waits_page, near)
{
    expect_near("late_broadcast", "mpi_latebroadcast");
    expect_near("mpi_latesendr", "mpi_latesender");
    expect_near("Late Receiver", "mpi_latereceiver, mpi_clr_count");
    expect_near("overload", "imbalance_above");
    expect_near("coffee", "");
    expect_near("", "");
}
