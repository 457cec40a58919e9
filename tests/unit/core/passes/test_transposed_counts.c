/* SPDX-License-Identifier: BSD-3-Clause */
#include "src/core/codec/codec.h"
#include "src/core/passes/transposed_counts.h"
#include "tests/unit/support/synthetic.h"

#include <criterion/criterion.h>

#define OK(call) cr_assert_eq((call), REFRAIN_OK)

static struct trace make_trace(const struct synthetic_run *run)
{
    struct trace t = {0};
    OK(synthetic_merge(run, SYNTHETIC_BINOMIAL, 1, true, &t));
    return t;
}

/* The counts received at the first line are found; at the second line one value differs. */
Test(transposed_counts, what_is_received_is_found_where_it_was_sent)
{
    const struct synthetic_run run = synthetic_run_on("everybody", synthetic_everybody, 9, 1, 1);
    struct trace t = make_trace(&run);
    struct prefix_sums sums = {0};
    OK(transposed_counts_find(&t, &sums));
    cr_expect_eq(sums.arrays.n, 1);
    cr_expect_eq(sums.of_slot.n, 9);
    cr_expect(sums.arrays.items[0].transposed);
    prefix_sums_free(&sums);
    trace_free(&t);
}

Test(transposed_counts, files_have_it_and_readers_see_what_was_recorded)
{
    for (uint32_t ranks = 1; ranks <= 32; ranks += ranks < 6 ? 1 : 13) {
        const struct synthetic_run run = synthetic_run_on("everybody", synthetic_everybody, ranks, 1, 1);
        struct trace t = make_trace(&run), back = {0};
        struct bytes image = {0};
        OK(codec_encode(&t, CODEC_FINAL, &image));
        OK(codec_decode("everybody", image.data, image.n, &back, NULL));
        cr_expect(synthetic_matches(&run, &back), "%u ranks", ranks);
        bytes_free(&image);
        trace_free(&back);
        trace_free(&t);
    }
}
