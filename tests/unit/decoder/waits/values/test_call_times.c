/* SPDX-License-Identifier: BSD-3-Clause */
/* Durations of single calls and messages. */
#include <criterion/criterion.h>

#include "decoder/waits/search/wait_search.h"
#include "tests/unit/support/spoken.h"

#include <math.h>
#include <string.h>

Test(call_times, bins)
{
    struct durations d = {0};
    cr_expect_eq(durations_median(&d), 0);
    durations_add(&d, 0);
    cr_expect_eq(durations_median(&d), 0);
    cr_expect_eq(durations_octave(&d, 0), 1);
    durations_add(&d, UINT64_MAX);
    durations_add(&d, 1023);
    durations_add(&d, 1024);
    cr_expect_eq(d.n, 4);
    cr_expect_eq(d.least, 0);
    cr_expect_eq(d.most, UINT64_MAX);
    cr_expect_eq(durations_octave(&d, 9), 1);
    cr_expect_eq(durations_octave(&d, 10), 1);
    cr_expect_eq(durations_octave(&d, 62), 1, "the last octave has what is longer");
}

/* Of any duration the bin says it to 12.5 per cent. */
Test(call_times, median)
{
    for (double duration = 1; duration < 1e15; duration *= 1.07) {
        struct durations d = {0};
        const uint64_t value = (uint64_t)llround(duration);
        durations_add(&d, 0);
        durations_add(&d, value);
        durations_add(&d, value);
        durations_add(&d, value);
        durations_add(&d, UINT64_MAX / 2);
        cr_expect(fabs((double)durations_median(&d) - (double)value) <= 0.125 * (double)value + 0.5);
        uint64_t n = 0;
        for (unsigned exponent = 0; exponent < 63; exponent++)
            n += durations_octave(&d, exponent);
        cr_expect_eq(n, 5);
    }
}

/* A trace of sums has means as times of calls:
 *
 *     rank 0   Init 0 - 100   Send 250 - 800        Send 950 - 1500
 *     rank 1   Init 0 - 300   Recv   505 - 960      Recv   1165 - 1620 */
static void speak(struct spoken *s)
{
    spoken_start(s, 2);
    s->duration = 100;
    SAY(s, 0, 0, SPOKEN_INIT_THREAD, 0, 0);
    s->duration = 300;
    SAY(s, 1, 0, SPOKEN_INIT_THREAD, 0, 0);
    s->gap = 200;
    s->duration = 1000;
    SAY(s, 0, 0, SPOKEN_SEND, 1, TYPE, 1, 5, WORLD, 0);
    s->gap = 100;
    s->duration = 100;
    SAY(s, 0, 0, SPOKEN_SEND, 1, TYPE, 1, 5, WORLD, 0);
    s->gap = 400;
    s->duration = 610;
    SAY(s, 1, 0, SPOKEN_RECV, 0, 5, WORLD, 0, STATUS(0, 5, 8));
    s->gap = 10;
    s->duration = 300;
    SAY(s, 1, 0, SPOKEN_RECV, 0, 5, WORLD, 0, STATUS(0, 5, 8));
    spoken_end(s);
}

static void search(struct call_times *times, struct spoken *s, uint64_t to)
{
    struct timestamps_source timestamps;
    struct metrics metrics;
    struct wait_search search = {.to = to, .worst_of = METRIC_NONE, .times = times};
    metrics_start(&metrics);
    metrics_add_all(&metrics);
    cr_assert_eq(timestamps_source_create(&timestamps, &s->reader, true), REFRAIN_OK);
    cr_assert_eq(wait_search_run(&search, &s->reader, &s->definitions, &metrics, &timestamps), REFRAIN_OK);
    wait_search_free(&search);
    timestamps_source_free(&timestamps);
}

static const struct durations *of(const struct call_times *c, const struct spoken *s, const char *function)
{
    for (uint32_t i = 0; i < s->reader.trace.sites.n; i++)
        if (strcmp(reader_function(&s->reader, i), function) == 0)
            return c->sites[i];
    cr_assert_fail("no call of %s", function);
    return NULL;
}

Test(call_times, of_a_run)
{
    struct spoken s;
    struct call_times times = {0};
    speak(&s);
    search(&times, &s, 900);
    search(&times, &s, UINT64_MAX); /* as if it were the first time */
    const struct durations *recv = of(&times, &s, "MPI_Recv"), *computing = times.sites[times.n_sites];
    cr_expect_eq(recv->n, 2);
    cr_expect_eq(recv->sum, 910);
    cr_expect_eq(recv->least, 455);
    cr_expect_eq(recv->most, 455);
    cr_expect_eq(of(&times, &s, "MPI_Init_thread")->sum, 400);
    cr_expect_eq(computing->sum, 150 + 205 + 205, "the run begins when all are initialized");

    const struct message_times *sizes = times.sizes[4];
    for (unsigned digits = 0; digits < MESSAGE_SIZES; digits++)
        cr_expect_eq(times.sizes[digits] != NULL, digits == 4);
    cr_expect_eq(sizes->messages, 2);
    cr_expect_eq(sizes->bytes, 16);
    cr_expect_eq(sizes->time.sum, (960 - 250) + (1620 - 950));
    cr_expect_eq(sizes->both.sum, (960 - 505) + (1620 - 1165));
    call_times_free(&times);
    spoken_free(&s);
}

Test(call_times, of_a_part)
{
    struct spoken s;
    struct call_times times = {0};
    speak(&s);
    search(&times, &s, 900);
    cr_expect_eq(of(&times, &s, "MPI_Send")->n, 1);
    cr_expect_eq(of(&times, &s, "MPI_Recv")->n, 1);
    cr_expect_eq(times.sizes[4]->messages, 1);
    call_times_free(&times);
    spoken_free(&s);
}

Test(call_times, too_early)
{
    struct call_times times = {0};
    cr_assert_eq(call_times_start(&times, 0), REFRAIN_OK);
    const struct matching_message m = {.send.timestamp = {500, 600},
                                       .receive.timestamp = {100, 400},
                                       .completed.timestamp = {100, 400},
                                       .bytes = 0};
    cr_assert_eq(call_times_add_message(&times, &m), REFRAIN_OK);
    cr_expect_eq(times.sizes[0]->messages, 1);
    cr_expect_eq(times.sizes[0]->time.n, 0);
    call_times_free(&times);
}
