/* SPDX-License-Identifier: BSD-3-Clause */
/* The text that the page shows for metrics whose name is not quite right. */
#include <criterion/criterion.h>

#include "decoder/waits/report/waits_text.h"
#include "tests/unit/support/spoken.h"

#include <string.h>

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
    expect_near("Late Receiver", "mpi_latereceiver, mpi_latereceiver_wo, mpi_clr_count");
    expect_near("overload", "imbalance_above");
    expect_near("coffee", "");
    expect_near("", "");
}

/* Rank 0 waits at one site for rank 1, `all` in the order of the sends and `wrong` while a message of rank 2 is
 * there. Returns whether the line of this waiting has that part. */
static bool has_part(uint64_t all, uint64_t wrong, uint64_t slack)
{
    struct spoken s;
    struct timestamps_source timestamps;
    struct waits w = {.search = {.to = UINT64_MAX, .worst_of = METRIC_NONE, .slack = slack}};
    const struct waits_view view = {.metric = METRIC_NONE, .top = 1};
    struct bytes out = {0};
    spoken_start(&s, 3);
    const struct {
        uint64_t gap, duration;
        int64_t source, tag;
    } receives[] = {{1000, all + 100, 1, 1}, {1000, wrong + 100, 1, 2}, {1000, 100, 2, 3}};
    for (size_t i = 0; i < 3; i++) {
        s.gap = receives[i].gap;
        s.duration = receives[i].duration;
        SAY(&s, 0, 0, SPOKEN_RECV, receives[i].source, receives[i].tag, WORLD, 0,
            STATUS(receives[i].source, receives[i].tag, 8));
    }
    s.duration = 50;
    s.gap = 1000 + all;
    SAY(&s, 1, 0, SPOKEN_SEND, 1, TYPE, 0, 1, WORLD, 0);
    s.gap = 1000 + 100 - 50 + wrong;
    SAY(&s, 1, 0, SPOKEN_SEND, 1, TYPE, 0, 2, WORLD, 0);
    s.gap = 1000 + all + 1000 + 100 + wrong - 100;
    SAY(&s, 2, 0, SPOKEN_SEND, 1, TYPE, 0, 3, WORLD, 0);
    spoken_end(&s);
    metrics_start(&w.metrics);
    metrics_add_all(&w.metrics);
    cr_assert_eq(timestamps_source_create(&timestamps, &s.reader, true), REFRAIN_OK);
    cr_assert_eq(wait_search_run(&w.search, &s.reader, &s.definitions, &w.metrics, &timestamps), REFRAIN_OK);
    cr_assert_eq(wait_report_create(&w.report, &w.search, METRIC_NONE), REFRAIN_OK);
    cr_assert_gt(w.report.causes.n, 0);
    waits_put_cause(&w, &view, &w.report.causes.items[0], &out);
    bytes_put_u8(&out, '\0');
    cr_assert(!out.failed);
    const bool has = strstr((const char *)out.data, "of it while another message was there already");
    bytes_free(&out);
    wait_report_free(&w.report);
    wait_search_free(&w.search);
    timestamps_source_free(&timestamps);
    spoken_free(&s);
    return has;
}

/* The other message is sent 100 before the late one. */
Test(waits_page, parts)
{
    cr_expect(has_part(3000, 3000, 0));
    cr_expect_not(has_part(97000, 3000, 0));  /* a small part */
    cr_expect_not(has_part(3000, 3000, 200)); /* the times are not exact enough */
}
