/* SPDX-License-Identifier: BSD-3-Clause */
/* Bits coded by their probabilities come back, and take as many bits as they should. */
#include <criterion/criterion.h>

#include <stdlib.h>

#include "src/core/time/bit_model.h"
#include "tests/unit/support/random.h"

Test(bit_coder, bits_come_back_at_any_probability)
{
    enum { N = 20000 };
    static unsigned bits[N];
    static uint32_t p[N];
    uint64_t state = 7;
    struct bytes out = {0};
    struct bit_encoder e = bit_encoder_of(&out);
    for (size_t i = 0; i < N; i++) {
        p[i] = i % 3 == 0   ? 1
               : i % 3 == 1 ? BIT_P_ONE - 1
                            : 1 + (uint32_t)(random_below(&state, UINT32_MAX) % (BIT_P_ONE - 1));
        bits[i] = random_below(&state, UINT32_MAX) % BIT_P_ONE < p[i];
        bit_encode(&e, p[i], bits[i]);
    }
    bit_encoder_finish(&e);
    struct bit_decoder d = bit_decoder_of(out.data, out.n);
    for (size_t i = 0; i < N; i++)
        cr_assert_eq(bit_decode(&d, p[i]), bits[i], "bit %zu", i);
    bytes_free(&out);
}

/* Whatever the final interval is, the written bytes are a number inside it. */
Test(bit_coder, ends_anywhere)
{
    for (unsigned n = 0; n < 300; n++) {
        struct bytes out = {0};
        struct bit_encoder e = bit_encoder_of(&out);
        for (unsigned i = 0; i < n; i++)
            bit_encode(&e, 1 + (i * 977 + n) % (BIT_P_ONE - 1), (n >> i % 8) & 1);
        bit_encoder_finish(&e);
        struct bit_decoder d = bit_decoder_of(out.data, out.n);
        for (unsigned i = 0; i < n; i++)
            cr_assert_eq(bit_decode(&d, 1 + (i * 977 + n) % (BIT_P_ONE - 1)), (n >> i % 8) & 1, "%u of %u", i,
                         n);
        bytes_free(&out);
    }
}

/* The number of bits that a bit takes, for this share of ones, after LEARN bits of learning. */
static double cost(struct bit_model *m, unsigned ones_of_64, bool alternating)
{
    enum { LEARN = 2000, N = 20000 };
    uint64_t state = 3;
    struct bytes out = {0};
    struct bit_encoder e = bit_encoder_of(&out);
    uint32_t contexts[BIT_MODEL_INPUTS] = {1, 2, 3, 4, 5};
    size_t before = 0;
    for (unsigned i = 0; i < LEARN + N; i++) {
        const unsigned bit = alternating ? i & 1 : random_below(&state, UINT32_MAX) % 64 < ones_of_64;
        if (alternating)
            contexts[0] = 100 + (i & 1);
        before = i == LEARN ? out.n : before;
        const struct bit_prediction predicted = bit_model_predict(m, contexts, 1, 0);
        bit_encode(&e, predicted.p, bit);
        bit_model_learn(&predicted, bit);
    }
    bit_encoder_finish(&e);
    const double n = 8.0 * (double)(out.n - before) / N;
    bytes_free(&out);
    return n;
}

Test(bit_model, learns_how_likely_a_bit_is)
{
    struct bit_model *m = bit_model_create();
    cr_assert(m);
    cr_expect_lt(cost(m, 0, false), 0.002);
    bit_model_reset(m);
    cr_expect_lt(cost(m, 32, false), 1.02);
    bit_model_reset(m);
    cr_expect_lt(cost(m, 8, false), 0.5436 * 1.03); /* the entropy of 1 in 8 */
    bit_model_reset(m);
    cr_expect_lt(cost(m, 0, true), 0.01, "one context of five knows it all");
    free(m);
}

Test(bit_model, starts_the_same_after_a_reset)
{
    struct bit_model *m = bit_model_create();
    const double first = cost(m, 20, false);
    bit_model_reset(m);
    cr_assert_eq(cost(m, 20, false), first);
    free(m);
}
