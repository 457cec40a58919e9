/* SPDX-License-Identifier: BSD-3-Clause */
/* Digits coded by their predictions come back, and take as many bits as they should. */
#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>

#include "src/core/time/digit_model.h"
#include "tests/unit/support/random.h"

/* ---- the range coder --------------------------------------------------------------------------- */

struct part {
    uint32_t start, width;
};

static struct bytes encode(const struct part *parts, size_t n)
{
    struct bytes out = {0};
    bytes_put_u8(&out, 0xff); /* of something else: no carry may change it */
    struct range_encoder e = range_encoder_of(&out);
    for (size_t i = 0; i < n; i++)
        range_encode(&e, parts[i].start, parts[i].width);
    range_encoder_finish(&e);
    cr_assert(!out.failed);
    return out;
}

static void check_decode(const struct bytes *out, const struct part *parts, size_t n)
{
    struct range_decoder d = range_decoder_of(out->data + 1, out->n - 1);
    cr_assert_eq(out->data[0], 0xff);
    for (size_t i = 0; i < n; i++) {
        const uint32_t at = range_decoder_at(&d);
        cr_assert(at >= parts[i].start && at - parts[i].start < parts[i].width, "part %zu of %zu", i, n);
        range_decode(&d, parts[i].start, parts[i].width);
    }
}

static struct part random_part(uint64_t *state)
{
    const uint32_t kind = (uint32_t)random_below(state, 4),
                   width = kind == 0   ? 1
                           : kind == 1 ? RANGE_ONE - 1
                                       : 1 + (uint32_t)random_below(state, RANGE_ONE);
    return (struct part){(uint32_t)random_below(state, RANGE_ONE - width + 1), width};
}

Test(range_coder, parts_come_back)
{
    enum { N = 20000 };
    static struct part parts[N];
    uint64_t state = 7;
    for (size_t i = 0; i < N; i++)
        parts[i] = random_part(&state);
    struct bytes out = encode(parts, N);
    check_decode(&out, parts, N);
    bytes_free(&out);
}

/* Whatever the final interval is, the written bytes are a number inside it. */
Test(range_coder, ends_anywhere)
{
    uint64_t state = 11;
    for (size_t n = 0; n < 300; n++) {
        struct part parts[300];
        for (size_t i = 0; i < n; i++)
            parts[i] = random_part(&state);
        struct bytes out = encode(parts, n);
        check_decode(&out, parts, n);
        bytes_free(&out);
    }
}

/* The written bytes are a long run of FFh until the end rounds them up. */
Test(range_coder, carries_far)
{
    enum { N = 4000 };
    static struct part parts[N] = {{0, 1}};
    for (size_t i = 1; i < N; i++)
        parts[i] = (struct part){RANGE_ONE - 1, 1};
    struct bytes out = encode(parts, N);
    check_decode(&out, parts, N);
    bytes_free(&out);
}

Test(range_coder, what_is_certain_takes_no_byte)
{
    static const struct part all[] = {{0, RANGE_ONE}, {0, RANGE_ONE}, {0, RANGE_ONE}};
    struct bytes out = encode(all, 3);
    cr_expect_eq(out.n, 1);
    check_decode(&out, all, 3);
    bytes_free(&out);
}

/* ---- the model ----------------------------------------------------------------------------------- */

enum { LEARN = 2000, N = 20000 };

/* Returns the bits that a digit takes after LEARN digits. `next` says which digit comes, and may set the
 * contexts before. */
static double cost(struct digit_model *m,
                   unsigned (*next)(unsigned i, uint64_t *state, struct digit_contexts *contexts))
{
    uint64_t state = 3;
    double bits = 0;
    struct digit_contexts contexts = {1, 2};
    for (unsigned i = 0; i < LEARN + N; i++) {
        struct digit_prediction p;
        const unsigned digit = next(i, &state, &contexts);
        digit_model_predict(m, &contexts, 1, 0, &p);
        const uint32_t start = digit_start(&p, digit), width = digit_width(&p, digit);
        cr_assert(digit_at(&p, start) == digit && digit_at(&p, start + width - 1) == digit);
        bits -= i < LEARN ? 0 : log2((double)width / RANGE_ONE);
        digit_model_learn(&p, digit);
    }
    return bits / N;
}

static unsigned always_last(unsigned i, uint64_t *state, struct digit_contexts *contexts)
{
    (void)i, (void)state, (void)contexts;
    return DIGITS - 1;
}

static unsigned always_first(unsigned i, uint64_t *state, struct digit_contexts *contexts)
{
    (void)i, (void)state, (void)contexts;
    return 0;
}

static unsigned any(unsigned i, uint64_t *state, struct digit_contexts *contexts)
{
    (void)i, (void)contexts;
    return (unsigned)random_below(state, DIGITS);
}

static unsigned one_of_two(unsigned i, uint64_t *state, struct digit_contexts *contexts)
{
    (void)i, (void)contexts;
    return random_below(state, 2) ? 3 : 12;
}

static unsigned as_special(unsigned i, uint64_t *state, struct digit_contexts *contexts)
{
    (void)i;
    const unsigned digit = (unsigned)random_below(state, DIGITS);
    contexts->special = 100 + digit;
    return digit;
}

/* The special context is new each time. */
static unsigned as_general(unsigned i, uint64_t *state, struct digit_contexts *contexts)
{
    contexts->special = 1000 + i;
    return one_of_two(i, state, contexts);
}

Test(digit_model, learns_how_likely_a_digit_is)
{
    struct digit_model *m = digit_model_create();
    cr_assert(m);
    cr_expect_lt(cost(m, always_first), 0.01);
    digit_model_reset(m);
    cr_expect_lt(cost(m, always_last), 0.01);
    digit_model_reset(m);
    cr_expect_lt(cost(m, any), 4.4, "4 bits, and 10 % because old digits are forgotten");
    digit_model_reset(m);
    cr_expect_lt(cost(m, one_of_two), 1.1);
    digit_model_reset(m);
    cr_expect_lt(cost(m, as_special), 0.05, "the special context knows it all");
    digit_model_reset(m);
    cr_expect_lt(cost(m, as_general), 1.2, "the special context knows nothing");
    free(m);
}

Test(digit_model, starts_the_same_after_a_reset)
{
    struct digit_model *m = digit_model_create();
    const double first = cost(m, any);
    digit_model_reset(m);
    cr_assert_eq(cost(m, any), first);
    free(m);
}
