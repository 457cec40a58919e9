/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <criterion/redirect.h>

#include "decoder/topology/survey.h"
#include "src/core/base/log.h"
#include "tests/unit/support/scratch_file.h"

static struct pattern_library library;
static struct matrix matrix;
static struct traffic traffic;
static struct survey survey;

static void start(void)
{
    scratch_start();
    cr_redirect_stderr();
    cr_assert_eq(pattern_library_create(&library), REFRAIN_OK);
}

static void stop(void)
{
    survey_free(&survey);
    traffic_free(&traffic);
    matrix_free(&matrix);
    pattern_library_free(&library);
    scratch_stop();
}

TestSuite(survey, .init = start, .fini = stop);

static void take(double threshold, bool by_messages)
{
    const struct survey_choice choice = {threshold, by_messages};
    matrix_finish(&matrix);
    survey_free(&survey);
    traffic_free(&traffic);
    cr_assert_eq(traffic_create(&traffic, &matrix), REFRAIN_OK);
    cr_assert_eq(survey_create(&survey, &traffic, &library, &choice), REFRAIN_OK);
}

static void send(uint32_t from, uint32_t to, uint64_t messages, uint64_t bytes)
{
    cr_assert_eq(matrix_add(&matrix, from, to, messages, bytes), REFRAIN_OK);
}

/* Both ways count; weak pairs, the sender itself and processes outside have sums of their own. */
Test(survey, what_counts)
{
    matrix.first_rank = 10;
    matrix.n_ranks = 5;
    for (uint32_t i = 0; i < 4; i++)
        send(10 + i, 10 + (i + 1) % 4, 1, i == 0 ? 60 : 100);
    send(11, 10, 1, 40); /* with 60 the other way */
    send(10, 12, 50, 4); /* weak by bytes, not by messages */
    send(13, 13, 2, 7);
    send(13, MATRIX_OUTSIDE, 3, 11);
    take(0.05, false);
    cr_assert_eq(survey.parts.n, 1);
    cr_expect_eq(survey.n_weak, 1);
    cr_expect_eq(survey.n_silent, 1, "rank 14");
    cr_expect(survey.parts.items[0].topology.exact);
    cr_expect_eq(survey.parts.items[0].topology.best.n_dims, 1, "a ring of four");
    cr_expect_eq(survey.inside.messages, 5 + 2);
    cr_expect_eq(survey.inside.bytes, 400 + 7);
    cr_expect_eq(traffic.all.messages, 5 + 50 + 2 + 3);
    cr_expect_eq(traffic.outside.bytes, 11);
    take(0.05, true);
    cr_expect_eq(survey.n_weak, 4, "the ring, beside fifty messages");
    take(0, false);
    cr_expect_eq(survey.n_weak, 0);
}

/* Messages without bytes are counted themselves. */
Test(survey, empty_messages)
{
    matrix.n_ranks = 3;
    send(0, 1, 5, 0);
    send(1, 2, 5, 0);
    take(0.05, false);
    cr_assert_eq(survey.parts.n, 1);
    cr_expect_eq(survey.parts.items[0].n_ranks, 3);
    cr_expect_eq(survey.inside.messages, 10);
}

Test(survey, parts)
{
    matrix.n_ranks = 14;
    for (uint32_t row = 0; row < 3; row++)
        for (uint32_t i = 0; i < 4; i++)
            send(row + 3 * i, row + 3 * ((i + 1) % 4), 1, 8);
    take(0.05, false);
    cr_assert_eq(survey.parts.n, 3);
    cr_expect_eq(survey.n_silent, 2);
    for (uint32_t row = 0; row < 3; row++) {
        const struct survey_part *p = &survey.parts.items[row];
        cr_assert_eq(p->n_ranks, 4);
        cr_expect(p->topology.exact && p->topology.in_order);
        for (uint32_t i = 0; i < 4; i++)
            cr_expect(p->ranks[i] == row + 3 * i && survey.node_of[row + 3 * i] == i &&
                      survey.part_of[row + 3 * i] == row);
    }
    cr_expect_eq(survey.inside.bytes, 96);
}

Test(survey, of_nobody)
{
    take(0.05, false);
    cr_expect_eq(survey.parts.n, 0);
    matrix.n_ranks = 4;
    take(0.05, false);
    cr_expect_eq(survey.n_silent, 4);
}

/* ---- matrices from files --------------------------------------------------------------------- */

static enum refrain_status read_text(const char *text)
{
    scratch_write(text);
    return matrix_read(&matrix, scratch_path);
}

Test(survey, matrix_files)
{
    cr_assert_eq(read_text("from,to,messages,bytes\n0,1,3,24\n\n# a comment\n1 0 5 # bytes\n 4\t2\n0,1,1,1"),
                 REFRAIN_OK);
    cr_assert_eq(matrix.n_ranks, 5);
    cr_assert_eq(matrix.cells.n, 3);
    cr_expect_eq(matrix.cells.items[0].messages, 4);
    cr_expect_eq(matrix.cells.items[0].bytes, 25);
    cr_expect(matrix.cells.items[1].messages == 1 && matrix.cells.items[1].bytes == 5);
    cr_expect(matrix.cells.items[2].from == 4 && matrix.cells.items[2].bytes == 0);
}

Test(survey, files_that_are_no_matrix)
{
    static const char *const texts[] = {"0\n",    "0,1,2,3,4\n",  "0 x\n",   "0 1\nfrom to\n",
                                        "-1 2\n", "0 99999999\n", "0,1;2\n", "0 1 2.5\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const unsigned errors = log_error_count();
        cr_expect_eq(read_text(texts[i]), REFRAIN_ERR_FORMAT, "%s", texts[i]);
        cr_expect_eq(log_error_count(), errors + 1, "%s", texts[i]);
    }
    cr_assert_eq(read_text(""), REFRAIN_OK);
    cr_expect_eq(matrix.n_ranks, 0);
}
