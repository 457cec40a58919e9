/* SPDX-License-Identifier: BSD-3-Clause */
/* The text that the page shows for metrics whose name is not quite right. */
#include <criterion/criterion.h>

#include "decoder/waits/report/waits_text.h"

static void expect(struct bytes *out, const char *text)
{
    bytes_put_u8(out, '\0');
    cr_assert(!out->failed);
    cr_expect_str_eq((const char *)out->data, text);
    bytes_free(out);
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
