/* SPDX-License-Identifier: BSD-3-Clause */
#include "final_file.h"

#include "src/core/codec/codec.h"

#include <criterion/criterion.h>

struct bytes final_file_of(const struct synthetic_run *run)
{
    struct trace t = {0};
    struct bytes image = {0};
    cr_assert_eq(synthetic_merge(run, SYNTHETIC_BINOMIAL, 1, true, &t), REFRAIN_OK);
    cr_assert_eq(codec_encode(&t, CODEC_FINAL, &image), REFRAIN_OK);
    trace_free(&t);
    return image;
}

void final_file_check(const struct synthetic_run *run, const struct bytes *image)
{
    struct trace back = {0};
    cr_assert_eq(codec_decode("final", image->data, image->n, &back, NULL), REFRAIN_OK);
    cr_assert(synthetic_matches(run, &back));
    trace_free(&back);
}

struct permuted_table final_file_permuted(struct bytes_reader *in)
{
    struct permuted_table table = {.maps = {0}};
    uint64_t columns = bytes_get_uint(in);
    for (uint64_t i = 0; i < columns; i++) {
        struct series *s = NULL;
        cr_assert_eq(series_decode(in, &s), REFRAIN_OK);
        series_free(s);
    }
    cr_assert_eq(permuted_table_decode(in, UINT32_MAX, &table), REFRAIN_OK);
    return table;
}
