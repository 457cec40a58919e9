/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include <stdlib.h>

#include "src/core/series/bitplane_code.h"
#include "src/core/series/pack.h"
#include "tests/unit/support/sequence.h"

enum { MOST = 3000 };

/* Values of many kinds: narrow, wide, from few words, ascending, with extremes. */
static void make(uint64_t *state, uint64_t *values, size_t n)
{
    const uint32_t kind = random_below(state, 6), words = 2 + random_below(state, 200);
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t noise = (uint64_t)random_below(state, 1u << 31) << 33 ^ random_below(state, 1u << 31);
        sum += random_below(state, 1000);
        values[i] = kind == 0   ? random_below(state, words) - UINT64_C(20)
                    : kind == 1 ? noise
                    : kind == 2 ? random_below(state, words) * UINT64_C(0x123456789ab)
                    : kind == 3 ? sum
                    : kind == 4 ? (random_below(state, 50) ? 5 : noise)
                                : (uint64_t)INT64_MAX + random_below(state, 3);
    }
}

Test(bitplane_code, every_value_comes_back)
{
    uint64_t values[MOST], back[MOST];
    for (unsigned seed = 0; seed < 500; seed++) {
        uint64_t state = random_seed(seed);
        const size_t n = 2 + random_below(&state, seed % 10 ? 200 : MOST - 1);
        struct bytes b = {0};
        make(&state, values, n);
        bitplane_encode(values, n, &b);
        cr_assert_not(b.failed);
        struct bytes_reader in = bytes_reader_of(b.data, b.n);
        cr_assert(bitplane_fits(&in, n));
        cr_assert_eq(bitplane_decode(&in, back, n), REFRAIN_OK);
        cr_assert_not(in.failed);
        cr_assert_eq(bytes_left(&in), 0);
        for (size_t i = 0; i < n; i++)
            cr_assert_eq(back[i], values[i], "value %zu of seed %u", i, seed);
        bytes_free(&b);
    }
}

Test(bitplane_code, few_words_take_few_bits)
{
    uint64_t values[1024], state = random_seed(1);
    struct bytes b = {0};
    for (size_t i = 0; i < 1024; i++)
        values[i] = random_below(&state, 4) * UINT64_C(1000000007);
    bitplane_encode(values, 1024, &b);
    cr_assert_leq(b.n, 1024 / 4 + 24);
    bytes_free(&b);
}

/* Either the bytes are refused, or values come out that were all read from inside the bytes. */
Test(bitplane_code, damaged_bytes_do_no_harm)
{
    uint64_t values[300], back[300];
    unsigned refused = 0;
    for (unsigned seed = 0; seed < 3000; seed++) {
        uint64_t state = random_seed(seed);
        const size_t n = 2 + random_below(&state, 298);
        struct bytes b = {0};
        make(&state, values, n);
        bitplane_encode(values, n, &b);
        const size_t at = random_below(&state, (uint32_t)(b.n < 12 ? b.n : 12));
        b.data[at] = (uint8_t)random_below(&state, 256);
        struct bytes_reader in = bytes_reader_of(b.data, b.n - random_below(&state, 3));
        refused += bitplane_decode(&in, back, n) != REFRAIN_OK || in.failed;
        bytes_free(&b);
    }
    cr_assert_gt(refused, 500);
}

Test(pack, values_are_found_where_they_were_put)
{
    uint64_t values[MOST];
    for (unsigned seed = 0; seed < 300; seed++) {
        uint64_t state = random_seed(seed);
        const uint32_t n = 1 + random_below(&state, MOST);
        make(&state, values, n);
        struct pack *p = pack_create(values, n), *q = pack_map(p, 3, 11);
        for (uint32_t i = 0; i < n; i++) {
            cr_assert_eq(pack_at(p, i), values[i]);
            cr_assert_eq(pack_at(q, i), 3 * values[i] + 11);
        }
        cr_assert_leq(pack_bytes(p), 64 + n * 8);
        free(p);
        free(q);
    }
}
