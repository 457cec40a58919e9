/* SPDX-License-Identifier: BSD-3-Clause */
/* Synthetic timestamps: calls of a lane follow each other, and add up to all measured times. */
#include "decoder/times/timestamps.h"
#include "src/core/codec/codec.h"
#include "tests/unit/support/synthetic.h"

#include <criterion/criterion.h>

static void read_back(const struct trace *t, struct reader *r)
{
    struct bytes image = {0};
    cr_assert_eq(codec_encode(t, CODEC_FINAL, &image), REFRAIN_OK);
    cr_assert_eq(reader_read(r, "made", image.data, image.n, 0), REFRAIN_OK);
    bytes_free(&image);
}

/* Nanoseconds of all gaps and calls in the trace. */
static double measured(const struct trace *t)
{
    double sum = 0;
    for (size_t i = 0; i < t->shapes.n; i++) {
        const struct shape *shape = &t->shapes.items[i];
        for (size_t e = 0; shape->kind == LANE_THREAD && e < shape->entries.n; e++) {
            for (size_t g = 0; g < shape->entries.items[e].groups.n; g++) {
                const struct group *group = &shape->entries.items[e].groups.items[g];
                for (size_t k = 0; k < group->timings.n; k++)
                    sum += (double)group->timings.items[k].gap.sum +
                           (double)group->timings.items[k].duration.sum;
            }
        }
    }
    return sum;
}

/* Returns the end time of a lane, and adds its calls to *calls. */
static double walk(const struct timestamps_source *source, const struct lane_ref *lane, uint64_t *calls)
{
    struct cursor cursor;
    struct timestamps timestamps;
    struct call call;
    struct timestamp timestamp = {0};
    enum refrain_status status;
    uint64_t last = 0;
    cr_assert_eq(cursor_start(&cursor, source->reader, lane), REFRAIN_OK);
    cr_assert_eq(timestamps_start(&timestamps, source, lane), REFRAIN_OK);
    for (; cursor_next(&cursor, &call, &status); last = timestamp.leave, ++*calls) {
        cr_assert_eq(timestamps_next(&timestamps, &call, &timestamp), REFRAIN_OK);
        cr_assert(last <= timestamp.enter && timestamp.enter <= timestamp.leave);
    }
    cr_assert_eq(status, REFRAIN_OK);
    timestamps_stop(&timestamps);
    cursor_stop(&cursor);
    return (double)last;
}

static void check_program(const char *name, void (*program)(struct synthetic_rank *), uint32_t ranks)
{
    const struct synthetic_run run = synthetic_run_on(name, program, ranks, 12, 2);
    struct trace t;
    struct reader r;
    struct timestamps_source source;
    struct lane_ref lane;
    double sum = 0;
    uint64_t calls = 0;
    cr_assert_eq(synthetic_merge(&run, SYNTHETIC_BINOMIAL, 0, true, &t), REFRAIN_OK);
    read_back(&t, &r);
    trace_free(&t);
    cr_assert_eq(timestamps_source_create(&source, &r, true), REFRAIN_OK);
    for (uint64_t rank = 0; reader_next_rank(&r, &rank); rank++) {
        for (size_t at = 0; reader_next_lane(&r, (uint32_t)rank, LANE_THREAD, &at, &lane);)
            sum += walk(&source, &lane, &calls);
    }
    const double all = measured(&r.trace), off = sum > all ? sum - all : all - sum;
    cr_assert_gt(all, 0);
    cr_expect_leq(off, (double)calls, "%s: %g instead of %g ns in %g calls", name, sum, all, (double)calls);
    timestamps_source_free(&source);
    reader_close(&r);
}

/* Rows of one group, of several groups, and rows whose times are with another row. */
Test(timestamps, add_up_to_what_was_measured)
{
    check_program("grid_periodic", synthetic_grid_periodic, 16);
    check_program("grid_null", synthetic_grid_null, 16);
    check_program("grid_if", synthetic_grid_if, 16);
    check_program("ring", synthetic_ring, 9);
    check_program("master", synthetic_master, 7);
    check_program("pairs", synthetic_pairs, 8);
    check_program("halo_if", synthetic_halo_if, 12);
    check_program("irregular", synthetic_irregular, 8);
}

Test(timestamps, are_not_made_up_unasked)
{
    const struct synthetic_run run = synthetic_run_on("ring", synthetic_ring, 2, 3, 1);
    struct trace t;
    struct reader r;
    struct timestamps_source source;
    cr_assert_eq(synthetic_merge(&run, SYNTHETIC_BINOMIAL, 0, true, &t), REFRAIN_OK);
    read_back(&t, &r);
    trace_free(&t);
    cr_expect_eq(timestamps_check(&r, true), REFRAIN_OK);
    cr_expect_eq(timestamps_check(&r, false), REFRAIN_ERR_USAGE);
    cr_expect_eq(timestamps_source_create(&source, &r, false), REFRAIN_ERR_USAGE);
    reader_close(&r);
}
