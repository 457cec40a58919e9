/* SPDX-License-Identifier: BSD-3-Clause */
/* A timeline keeps and sums up all calls, however little room there is; its words: times, marks,
 * kinds of calls, markup. */
#include <criterion/criterion.h>

#include <string.h>

#include "decoder/call/call_kind.h"
#include "decoder/timeline/timeline.h"
#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"
#include "src/core/base/log.h"
#include "src/core/codec/codec.h"
#include "tests/unit/support/synthetic.h"

static void open_run(struct reader *r, struct bytes *image, uint32_t ranks)
{
    const struct synthetic_run run = synthetic_run_on("halo", synthetic_halo_if, ranks, 40, 2);
    struct trace t;
    cr_assert_eq(synthetic_merge(&run, SYNTHETIC_BINOMIAL, 0, true, &t), REFRAIN_OK);
    cr_assert_eq(codec_encode(&t, CODEC_FINAL, image), REFRAIN_OK);
    trace_free(&t);
    cr_assert_eq(reader_read(r, "halo", image->data, image->n, 0), REFRAIN_OK);
}

/* Kept calls and bins together are all calls of the shown time. */
static void expect_all(const struct timeline *t, const struct timeline_request *request)
{
    uint64_t time[CALL_KINDS] = {0};
    cr_assert_leq(t->calls.n, request->calls);
    for (size_t i = 0; i < t->calls.n; i++) {
        const struct timeline_call *c = &t->calls.items[i];
        const uint64_t enter = c->enter > t->from ? c->enter : t->from,
                       leave = c->leave < t->to ? c->leave : t->to;
        cr_assert(c->leave - c->enter >= t->grain && enter <= leave);
        cr_assert(i == 0 || c->lane > c[-1].lane || (c->lane == c[-1].lane && c->index > c[-1].index));
        time[t->roles.items[c->function].kind] += leave - enter;
    }
    for (size_t i = 0; i < (size_t)t->n_lines * t->bins.n; i++) {
        for (unsigned k = 0; k < CALL_KINDS; k++)
            time[k] += t->bins.items[i].time[k];
    }
    for (unsigned k = 0; k < CALL_KINDS; k++)
        cr_assert_eq(time[k], t->time[k], "%s", call_looks[k].name);
}

Test(timeline, has_all_calls_whatever_there_is_room_for)
{
    static const struct ranges all = {0};
    struct reader r;
    struct bytes image = {0};
    open_run(&r, &image, 9);
    uint64_t calls = 0;
    const uint32_t lines[] = {20, 9, 4, 1};
    const size_t rooms[] = {1 << 20, 300, 20, 1, 0};
    for (unsigned l = 0; l < sizeof lines / sizeof lines[0]; l++) {
        for (unsigned c = 0; c < sizeof rooms / sizeof rooms[0]; c++) {
            const struct timeline_request request = {.ranks = &all,
                                                     .to = UINT64_MAX,
                                                     .synthetic = true,
                                                     .clock = "linear",
                                                     .lines = lines[l],
                                                     .bins = 64,
                                                     .calls = rooms[c]};
            struct timeline t;
            cr_assert_eq(timeline_create(&t, &r, &request), REFRAIN_OK);
            calls = calls > 0 ? calls : t.n_calls;
            cr_assert_eq(t.n_calls, calls);
            cr_assert_eq(t.lanes.n, 9);
            cr_assert_leq(t.n_lines, request.lines);
            cr_assert_eq(timeline_first_lane(&t, t.n_lines), 9);
            cr_assert_eq(timeline_shares(&t), request.lines < 9);
            if (!timeline_shares(&t) && rooms[c] > calls)
                cr_assert(t.grain == 0 && t.calls.n == calls);
            expect_all(&t, &request);
            timeline_free(&t);
        }
    }
    reader_close(&r);
    bytes_free(&image);
}

Test(timeline, cuts_calls_at_its_ends)
{
    static const struct ranges all = {0};
    struct reader r;
    struct bytes image = {0};
    open_run(&r, &image, 4);
    struct timeline_request request = {.ranks = &all,
                                       .to = UINT64_MAX,
                                       .synthetic = true,
                                       .clock = "linear",
                                       .lines = 4,
                                       .bins = 64,
                                       .calls = 1 << 20};
    struct timeline t;
    cr_assert_eq(timeline_create(&t, &r, &request), REFRAIN_OK);
    const uint64_t end = t.to;
    timeline_free(&t);
    for (unsigned i = 0; i < 50; i++) {
        request.from = end * i / 100;
        request.to = end - end * i / 120;
        request.calls = i % 2 > 0 ? 10 : 1 << 20;
        cr_assert_eq(timeline_create(&t, &r, &request), REFRAIN_OK);
        cr_assert(t.from == request.from && t.to == request.to);
        expect_all(&t, &request);
        timeline_free(&t);
    }
    const unsigned errors = log_error_count();
    request.from = end + 1;
    request.to = UINT64_MAX;
    cr_assert_eq(timeline_create(&t, &r, &request), REFRAIN_ERR_USAGE);
    request.synthetic = false;
    cr_assert_eq(timeline_create(&t, &r, &request), REFRAIN_ERR_USAGE);
    cr_assert_eq(log_error_count(), errors + 2);
    reader_close(&r);
    bytes_free(&image);
}

static void expect_text(struct bytes *text, const char *expected)
{
    bytes_put_u8(text, 0);
    cr_assert_str_eq((const char *)text->data, expected);
    text->n = 0;
}

Test(timeline, times_are_short)
{
    static const struct {
        uint64_t time;
        const char *text;
    } cases[] = {
        {0, "0 s"},
        {1, "1 ns"},
        {999, "999 ns"},
        {1000, "1.000 us"},
        {12345, "12.35 us"},
        {123456, "123.5 us"},
        {1234567, "1.235 ms"},
        {1500000000, "1.500 s"},
        {12345000000000, "12345 s"},
    };
    struct bytes text = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        time_put(&text, cases[i].time);
        expect_text(&text, cases[i].text);
    }
    bytes_free(&text);
}

/* All marks, with blanks between. */
static void expect_marks(uint64_t from, uint64_t to, unsigned most, const char *expected)
{
    const struct time_axis axis = time_axis_of(from, to, most);
    struct bytes text = {0};
    uint64_t mark = time_axis_first(&axis, from);
    for (bool more = mark <= to; more; more = time_axis_next(&axis, to, &mark)) {
        if (text.n > 0)
            text_put(&text, " | ");
        time_axis_put(&text, &axis, mark);
    }
    expect_text(&text, expected);
    bytes_free(&text);
}

Test(timeline, marks_are_round)
{
    expect_marks(0, 1000000000, 5, "0.0 s | 0.2 s | 0.4 s | 0.6 s | 0.8 s | 1.0 s");
    expect_marks(0, 999, 5, "0 ns | 200 ns | 400 ns | 600 ns | 800 ns");
    expect_marks(1500000, 4100000, 3, "2 ms | 3 ms | 4 ms");
    expect_marks(100000000250, 100000000550, 3, "100.0000003 s | 100.0000004 s | 100.0000005 s");
    expect_marks(7, 8, 10, "7 ns | 8 ns");
    expect_marks(0, UINT64_C(10000000000000000000), 2, "0 s | 5000000000 s | 10000000000 s");
    expect_marks(3, UINT64_MAX, 2, "10000000000 s");
    expect_marks(1234, 1500, 2, "1.3 us | 1.4 us | 1.5 us");
}

Test(timeline, there_are_never_too_many_marks)
{
    for (uint64_t to = 1; to < UINT64_C(9000000000000000000); to = to * 3 / 2 + 1) {
        for (unsigned most = 1; most < 12; most++) {
            const struct time_axis axis = time_axis_of(0, to, most);
            cr_assert_leq(to / axis.step, most);
            cr_assert(axis.step == 1 || to / axis.step >= most / 3, "%lu", (unsigned long)to);
        }
    }
}

Test(timeline, kinds_have_looks)
{
    for (unsigned k = 0; k < CALL_KINDS; k++)
        cr_assert(call_looks[k].id && call_looks[k].name && strlen(call_looks[k].colour) == 7);
}

Test(timeline, markup_is_text)
{
    static const char odd[] = "a<b>&\"c'\tä\n\001\377\303\357\277\276\357\277\275\177z";
    struct bytes text = {0};
    text_put_markup(&text, odd, sizeof odd - 1);
    expect_text(&text,
                "a&lt;b&gt;&amp;&quot;c&#39;\tä\n\357\277\275\357\277\275\357\277\275\357\277\275\357\277\275"
                "\357\277\275z");
    text_put_markup(&text, "\0x", 2);
    expect_text(&text, "\357\277\275x");
    bytes_free(&text);
}
