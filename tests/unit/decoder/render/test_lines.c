/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines with holes are the lines that are rendered one by one. */
#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "decoder/render/lines.h"
#include "decoder/util/text.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/site_calls.h"

static void compare(struct site_calls *s, enum render_format format, unsigned seed)
{
    struct renderer r;
    struct lines lines;
    struct cursor cursor;
    struct call call;
    struct bytes fast = {0}, plain = {0};
    enum refrain_status status;
    cr_assert_eq(renderer_create(&r, &s->reader, &s->definitions), REFRAIN_OK);
    cr_assert_eq(lines_start(&lines, &r, format, &s->lane), REFRAIN_OK);
    cr_assert_eq(cursor_start(&cursor, &s->reader, &s->lane), REFRAIN_OK);
    while (cursor_next(&cursor, &call, &status)) {
        fast.n = plain.n = 0;
        cr_assert_eq(lines_put(&lines, &call, NULL, &fast), REFRAIN_OK);
        cr_assert_eq(render_line(&r, format, &call, &plain), REFRAIN_OK);
        text_putc(&plain, '\n');
        cr_assert(fast.n == plain.n && memcmp(fast.data, plain.data, fast.n) == 0, "seed %u: %.*s", seed,
                  (int)plain.n, (const char *)plain.data);
    }
    cr_assert_eq(status, REFRAIN_OK);
    cursor_stop(&cursor);
    lines_stop(&lines);
    renderer_free(&r);
    bytes_free(&fast);
    bytes_free(&plain);
}

Test(lines, are_those_that_are_rendered)
{
    for (unsigned seed = 0; seed < 300; seed++) {
        uint64_t state = random_seed(seed);
        struct site_calls s;
        site_calls_make(&s, &state, seed % SITE_FUNCTIONS);
        compare(&s, seed / SITE_FUNCTIONS % 2 ? RENDER_JSON : RENDER_TEXT, seed);
        site_calls_free(&s);
    }
}

/* The text of a call, whatever its number. */
static void expect(const struct site_calls *s, const char *const *expected, size_t n)
{
    struct renderer r;
    struct lines lines;
    struct cursor cursor;
    struct call call;
    struct bytes text = {0};
    enum refrain_status status;
    size_t i = 0;
    cr_assert_eq(renderer_create(&r, &s->reader, &s->definitions), REFRAIN_OK);
    cr_assert_eq(lines_start(&lines, &r, RENDER_TEXT, &s->lane), REFRAIN_OK);
    cr_assert_eq(cursor_start(&cursor, &s->reader, &s->lane), REFRAIN_OK);
    for (; i < n && cursor_next(&cursor, &call, &status); i++) {
        text.n = 0;
        cr_assert_eq(lines_put(&lines, &call, NULL, &text), REFRAIN_OK);
        bytes_put_u8(&text, 0);
        cr_assert_str_eq((const char *)text.data, expected[i]);
    }
    cr_assert_eq(i, n);
    cursor_stop(&cursor);
    lines_stop(&lines);
    renderer_free(&r);
    bytes_free(&text);
}

Test(lines, have_names_and_arrows_in_their_holes)
{
    static const char *const expected[] = {
        "0  0  MPI_Values(name=\"a\", requests=[req0, req1->req2, req3], buf=heap7+1) = MPI_SUCCESS\n",
        "0  1  MPI_Values(name=\"a\", requests=[req0, req2, req3], buf=heap7) = MPI_SUCCESS\n",
        "0  2  MPI_Values(name=\"a\", requests=[req0, req3->req2, req3], buf=heap7-1) = MPI_SUCCESS\n",
        "0  3  MPI_Values(name=\"a\", requests=[req0, req4->req2, req3], buf=heap7-2) = MPI_SUCCESS\n",
    };
    struct series *requests = series_create(), *offsets = series_create();
    struct site_calls s;
    cr_assert_eq(series_append_run(requests, 0, 2, 4), REFRAIN_OK);
    cr_assert_eq(series_append_run(offsets, 0, -1, 4), REFRAIN_OK);
    site_calls_create(&s, SITE_VALUES, 4);
    site_calls_add_row(&s, (const int64_t[]){1, 'a', 3, 0, 2, 6, 0, 3, 1, 4, 1, ADDRESS_HEAP, 7, 1},
                       SITE_VALUES_SLOTS);
    site_calls_add_column(&s, 4, requests);
    site_calls_add_column(&s, 13, offsets);
    expect(&s, expected, 4);
    site_calls_free(&s);
}

Test(lines, name_the_values_that_have_a_name)
{
    static const char *const expected[] = {
        "0  0  MPI_Send(count=8, datatype=unknown, dest=MPI_PROC_NULL, comm=unknown) = MPI_SUCCESS\n",
        "0  1  MPI_Send(count=8, datatype=unknown, dest=MPI_ANY_SOURCE, comm=unknown) = MPI_SUCCESS\n",
        "0  2  MPI_Send(count=8, datatype=unknown, dest=0, comm=unknown) = MPI_SUCCESS\n",
        "0  3  MPI_Send(count=8, datatype=unknown, dest=1, comm=unknown) = MPI_SUCCESS\n",
        "0  4  MPI_Send(count=8, datatype=unknown, dest=2, comm=unknown) = MPI_SUCCESS\n",
        "0  5  MPI_Send(count=8, datatype=unknown, dest=THREE, comm=unknown) = MPI_SUCCESS\n",
    };
    struct series *ranks = series_create();
    struct site_calls s;
    cr_assert_eq(series_append_run(ranks, 0, 1, 6), REFRAIN_OK);
    site_calls_create(&s, SITE_SEND, 6);
    site_calls_add_row(&s, (const int64_t[]){8, 1, -2, 1, 0}, SITE_SEND_SLOTS);
    site_calls_add_column(&s, 2, ranks);
    expect(&s, expected, 6);
    site_calls_free(&s);
}

/* A longer string and a shorter array: the same slots mean something else. */
Test(lines, are_rendered_each_time_where_the_layout_varies)
{
    static const char short_name[] = "(name=\"a\", requests=[req0, req1, req3], buf=heap7) = MPI_SUCCESS\n";
    static const char long_name[] = "(name=\"a\\000\\000\\000\\000\\000\\000\\000\\003\", "
                                    "requests=[req1, req3]->[req0, req1, req3], buf=heap7) = MPI_SUCCESS\n";
    char lines[6][200];
    const char *expected[6];
    struct series *lengths = series_create(), *counts = series_create();
    struct site_calls s;
    for (int i = 0; i < 6; i++) {
        snprintf(lines[i], sizeof lines[i], "0  %d  MPI_Values%s", i, i >= 2 ? long_name : short_name);
        expected[i] = lines[i];
        cr_assert_eq(series_append(lengths, i >= 2 ? 8 : 0), REFRAIN_OK);
        cr_assert_eq(series_append(counts, i >= 2 ? 2 : 0), REFRAIN_OK);
    }
    site_calls_create(&s, SITE_VALUES, 6);
    site_calls_add_row(&s, (const int64_t[]){1, 'a', 3, 0, 2, 6, 0, 3, 0, 2, 6, ADDRESS_HEAP, 7, 0},
                       SITE_VALUES_SLOTS);
    site_calls_add_column(&s, 0, lengths);
    site_calls_add_column(&s, 3, counts);
    expect(&s, expected, 6);
    site_calls_free(&s);
}
