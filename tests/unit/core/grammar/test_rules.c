/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "tests/unit/support/sequence.h"

#define R(rule) (RULES_REF | (rule))

/* ---- Rules as arrays ------------------------------------------------------------------------- */

/* (0 1^2)^1000 2 */
static struct rules *example(void)
{
    static const uint32_t first[] = {0, 2, 4};
    static const struct rules_item items[] = {{0, 1}, {1, 2}, {R(0), 1000}, {2, 1}};
    struct rules *r = NULL;

    cr_assert_eq(rules_create(2, first, items, &r), REFRAIN_OK);
    return r;
}

Test(rules, lengths_and_counts)
{
    struct rules *r = example();
    uint64_t counts[4] = {9, 9, 9, 9};

    cr_assert_eq(r->length[0], 3);
    cr_assert_eq(rules_length(r), 3001);
    cr_assert_eq(rules_alphabet(r), 3);
    cr_assert_eq(rules_count(r, counts, 4), REFRAIN_OK);
    cr_assert_eq(counts[0], 1000);
    cr_assert_eq(counts[1], 2000);
    cr_assert_eq(counts[2], 1);
    cr_assert_eq(counts[3], 0);
    rules_free(r);
}

Test(rules, copy_rename_compare)
{
    struct rules *r = example(), *copy = rules_copy(r);
    static const uint32_t there[] = {10, 12, 11}, back[] = {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 0, 2, 1};

    cr_assert(rules_equal(r, copy));
    cr_assert_eq(rules_hash(r), rules_hash(copy));
    rules_rename(copy, there, 3);
    cr_assert_not(rules_equal(r, copy));
    cr_assert_neq(rules_hash(r), rules_hash(copy));
    cr_assert_eq(rules_alphabet(copy), 13);
    rules_rename(copy, back, 13);
    cr_assert(rules_equal(r, copy));
    copy->items[2].count++;
    cr_assert_not(rules_equal(r, copy));
    rules_free(r);
    rules_free(copy);
}

Test(rules, wrong_rules_are_refused)
{
    static const struct {
        uint32_t n_rules, first[4];
        struct rules_item items[3];
    } wrong[] = {
        {0, {0}, {{0, 0}}},                                                  /* no start */
        {1, {1, 1}, {{0, 1}}},                                               /* does not begin at 0 */
        {1, {0, 1}, {{0, 0}}},                                               /* count 0 */
        {1, {0, 1}, {{R(0), 1}}},                                            /* refers to itself */
        {2, {0, 1, 2}, {{R(1), 1}, {0, 1}}},                                 /* refers to a later rule */
        {2, {0, 0, 1}, {{R(0), 1}}},                                         /* refers to an empty rule */
        {2, {0, 2, 1}, {{0, 1}, {1, 1}}},                                    /* offsets fall */
        {1, {0, 1}, {{0, UINT64_C(1) << 63}}},                               /* too long */
        {1, {0, 2}, {{0, UINT64_C(1) << 62}, {1, UINT64_C(1) << 62}}},       /* too long */
        {2, {0, 1, 2}, {{0, UINT64_C(1) << 32}, {R(0), UINT64_C(1) << 31}}}, /* too long */
        {2, {0, 1, 2}, {{0, UINT64_C(1) << 32}, {R(0), UINT64_MAX}}},        /* too long */
        {3, {0, 1, 2, 3}, {{0, UINT64_C(1) << 40}, {R(0), 1 << 20}, {R(1), 1 << 20}}}, /* too long */
    };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct rules *r = NULL;

        cr_assert_eq(rules_create(wrong[i].n_rules, wrong[i].first, wrong[i].items, &r), REFRAIN_ERR_FORMAT,
                     "%zu", i);
        cr_assert_null(r);
    }
}

/* ---- Cursors --------------------------------------------------------------------------------- */

Test(rules_cursor, seek_and_skipped_agree_with_walking)
{
    struct sequence s = {0};

    for (unsigned seed = 0; seed < 300; seed++) {
        uint64_t state = random_seed(seed);
        struct rules *r;
        struct rules_cursor c;

        sequence_make(&s, &state, 300);
        r = sequence_rules(&s);
        cr_assert_eq(rules_cursor_start(&c, r), REFRAIN_OK);
        for (int k = 0; k < 40; k++) {
            size_t index = random_below(&state, (uint32_t)s.n + 1), i;
            uint64_t skipped[8] = {0}, expected[8] = {0};
            uint32_t terminal;

            for (i = 0; i < index; i++)
                expected[s.items[i]]++;
            cr_assert_eq(rules_cursor_seek(&c, index, k % 2 ? skipped : NULL, 8), REFRAIN_OK);
            if (k % 2)
                cr_assert_arr_eq(skipped, expected, sizeof expected);
            for (; i < s.n && i < index + 20; i++) {
                cr_assert_eq(c.index, i);
                cr_assert(rules_cursor_next(&c, &terminal));
                cr_assert_eq(terminal, s.items[i]);
            }
            if (i == s.n)
                cr_assert_not(rules_cursor_next(&c, &terminal));
        }
        cr_assert_eq(rules_cursor_seek(&c, s.n + 1, NULL, 0), REFRAIN_ERR_USAGE);
        rules_cursor_stop(&c);
        rules_free(r);
    }
    array_free(&s);
}

Test(rules_cursor, seek_is_quick_in_long_loops)
{
    static const uint32_t first[] = {0, 2, 4, 5};
    static const struct rules_item items[] = {
        {0, 1}, {1, UINT64_C(1) << 20}, {R(0), UINT64_C(1) << 20}, {2, 1}, {R(1), UINT64_C(1) << 20}};
    struct rules *r;
    struct rules_cursor c;
    uint64_t skipped[3] = {0};
    uint32_t terminal;

    cr_assert_eq(rules_create(3, first, items, &r), REFRAIN_OK);
    cr_assert_eq(rules_cursor_start(&c, r), REFRAIN_OK);
    cr_assert_eq(rules_cursor_seek(&c, 5 * r->length[1] - 1, skipped, 3), REFRAIN_OK);
    cr_assert_eq(skipped[0], UINT64_C(5) << 20);
    cr_assert_eq(skipped[1], UINT64_C(5) << 40);
    cr_assert_eq(skipped[2], 4);
    cr_assert(rules_cursor_next(&c, &terminal));
    cr_assert_eq(terminal, 2);
    cr_assert(rules_cursor_next(&c, &terminal));
    cr_assert_eq(terminal, 0);
    rules_cursor_stop(&c);
    rules_free(r);
}

/* ---- Pools ----------------------------------------------------------------------------------- */

/* The 27 kinds of ranks of a 3-D stencil: init, (receives, sends, wait, reduce)^n, finalize. A
 * missing neighbour has neither receive nor send. */
enum { SHAPES = 27, INIT = 0, RECEIVE = 1, SEND = 7, WAIT = 13, REDUCE = 14, FINALIZE = 15 };

static void stencil_make(struct sequence *s, unsigned shape, unsigned iterations)
{
    const unsigned at[3] = {shape % 3, shape / 3 % 3, shape / 9}; /* 0: low boundary, 2: high boundary */

    s->n = 0;
    sequence_put(s, INIT);
    for (unsigned i = 0; i < iterations; i++) {
        for (uint32_t kind = RECEIVE; kind <= SEND; kind += SEND - RECEIVE) {
            for (uint32_t side = 0; side < 6; side++) {
                if (at[side / 2] != (side % 2 ? 2 : 0))
                    sequence_put(s, kind + side);
            }
        }
        sequence_put(s, WAIT);
        sequence_put(s, REDUCE);
    }
    sequence_put(s, FINALIZE);
}

struct stencils {
    struct sequence sequence[SHAPES];
    struct rules *rules[SHAPES];
};

static void stencils_make(struct stencils *s)
{
    memset(s, 0, sizeof *s);
    for (unsigned i = 0; i < SHAPES; i++) {
        stencil_make(&s->sequence[i], i, 500);
        s->rules[i] = sequence_rules(&s->sequence[i]);
    }
}

static void stencils_free(struct stencils *s)
{
    for (unsigned i = 0; i < SHAPES; i++) {
        array_free(&s->sequence[i]);
        rules_free(s->rules[i]);
    }
}

static size_t encoded_size(const struct rules_shared *p)
{
    struct bytes b = {0};
    size_t n;

    rules_shared_encode(p, &b);
    cr_assert_not(b.failed);
    n = b.n;
    bytes_free(&b);
    return n;
}

static void assert_extracts(const struct rules_shared *p, struct rules *const *rules,
                            const struct sequence *sequences, uint32_t n, bool exactly)
{
    cr_assert_eq(p->n_roots, n);
    for (uint32_t i = 0; i < n; i++) {
        struct rules *r;

        cr_assert_eq(rules_shared_extract(p, p->roots[i], &r), REFRAIN_OK);
        cr_assert(!exactly || rules_equal(r, rules[i]), "grammar %u", i);
        sequence_assert_expansion(&sequences[i], r);
        rules_free(r);
    }
}

Test(rules_shared, stencil_shapes)
{
    struct stencils s;
    struct rules_shared one, all, shared;

    stencils_make(&s);
    cr_assert_eq(rules_shared_create(&s.rules[13], 1, &one), REFRAIN_OK);
    cr_assert_eq(rules_shared_create(s.rules, SHAPES, &all), REFRAIN_OK);
    cr_assert_eq(rules_shared_share(s.rules, SHAPES, &shared), REFRAIN_OK);
    assert_extracts(&all, s.rules, s.sequence, SHAPES, true);
    assert_extracts(&shared, s.rules, s.sequence, SHAPES, false);
    cr_assert_leq(encoded_size(&shared), encoded_size(&all));
    cr_assert_lt(encoded_size(&all), SHAPES * encoded_size(&one));
    rules_shared_free(&one);
    rules_shared_free(&all);
    rules_shared_free(&shared);
    stencils_free(&s);
}

/* Grammars that have a long piece in common, which is not a rule of its own. */
Test(rules_shared, a_long_common_piece_is_shared)
{
    struct sequence s[2] = {{0}, {0}};
    struct rules *r[2];
    struct rules_shared plain, shared;

    for (uint32_t k = 0; k < 2; k++) {
        sequence_put(&s[k], 200 + k);
        for (uint32_t i = 0; i < 100; i++)
            sequence_put(&s[k], i);
        sequence_put(&s[k], 210 + k);
        r[k] = sequence_rules(&s[k]);
    }
    cr_assert_eq(rules_shared_create(r, 2, &plain), REFRAIN_OK);
    cr_assert_eq(rules_shared_share(r, 2, &shared), REFRAIN_OK);
    cr_assert_eq(plain.first[plain.n_rules], 204);
    cr_assert_eq(shared.n_rules, 3);
    cr_assert_eq(shared.first[shared.n_rules], 106);
    assert_extracts(&shared, r, s, 2, false);
    for (uint32_t k = 0; k < 2; k++) {
        rules_free(r[k]);
        array_free(&s[k]);
    }
    rules_shared_free(&plain);
    rules_shared_free(&shared);
}

Test(rules_shared, random_grammars)
{
    enum { MOST = 6 };
    struct sequence s[MOST];
    struct rules *r[MOST];

    memset(s, 0, sizeof s);
    for (unsigned seed = 0; seed < 400; seed++) {
        uint64_t state = random_seed(seed);
        uint32_t n = random_below(&state, MOST + 1);
        struct rules_shared plain, shared, decoded;
        struct bytes b = {0};
        struct bytes_reader in;

        for (uint32_t i = 0; i < n; i++) {
            sequence_make(&s[i], &state, 200);
            r[i] = sequence_rules(&s[i]);
        }
        cr_assert_eq(rules_shared_create(r, n, &plain), REFRAIN_OK);
        cr_assert_eq(rules_shared_share(r, n, &shared), REFRAIN_OK);
        assert_extracts(&plain, r, s, n, true);
        assert_extracts(&shared, r, s, n, false);
        rules_shared_encode(&shared, &b);
        in = bytes_reader_of(b.data, b.n);
        cr_assert_eq(rules_shared_decode(&in, &decoded), REFRAIN_OK);
        cr_assert_eq(bytes_left(&in), 0);
        assert_extracts(&decoded, r, s, n, false);
        for (uint32_t i = 0; i < n; i++)
            rules_free(r[i]);
        rules_shared_free(&plain);
        rules_shared_free(&shared);
        rules_shared_free(&decoded);
        bytes_free(&b);
    }
    for (uint32_t i = 0; i < MOST; i++)
        array_free(&s[i]);
}

Test(rules_shared, bytes_are_as_documented)
{
    static const uint32_t first[] = {0, 2, 4};
    static const struct rules_item items[] = {{0, 1}, {1, 2}, {R(0), 9}, {2, 1}};
    static const uint8_t expected[] = {2, 3, 2, 0, 3, 0, 2, 7, 7, 4, 1, 2};
    struct rules *r;
    struct rules_shared p;
    struct bytes b = {0};

    cr_assert_eq(rules_create(2, first, items, &r), REFRAIN_OK);
    cr_assert_eq(rules_shared_create(&r, 1, &p), REFRAIN_OK);
    rules_shared_encode(&p, &b);
    cr_assert_eq(b.n, sizeof expected);
    cr_assert_arr_eq(b.data, expected, sizeof expected);
    bytes_free(&b);
    rules_shared_free(&p);
    rules_free(r);
}

Test(rules_shared, damaged_bytes_are_refused)
{
    static const struct {
        const char *what;
        uint8_t data[12];
        size_t n;
    } wrong[] = {
        {"nothing", {0}, 0},
        {"more rules than bytes", {100, 1, 1, 0}, 4},
        {"more items than bytes", {1, 1, 50, 0, 1, 0}, 6},
        {"reference to itself", {1, 1, 1, 2, 1, 0}, 6},
        {"reference to an empty rule", {2, 1, 0, 1, 2, 1, 2}, 7},
        {"root out of range", {1, 1, 1, 0, 1, 2}, 6},
        {"negative root", {1, 1, 1, 0, 1, 1}, 6},
        {"more roots than bytes", {1, 1, 1, 0, 9, 0}, 6},
    };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct bytes_reader in = bytes_reader_of(wrong[i].data, wrong[i].n);
        struct rules_shared p;

        cr_assert_eq(rules_shared_decode(&in, &p), REFRAIN_ERR_FORMAT, "%s", wrong[i].what);
    }
}

/* Cut off or altered anywhere, a pool is refused, or all that it names is in range. */
Test(rules_shared, any_bytes_are_safe)
{
    struct stencils s;
    struct rules_shared p;
    struct bytes b = {0};
    uint64_t state = random_seed(1);
    unsigned accepted = 0;

    stencils_make(&s);
    cr_assert_eq(rules_shared_create(s.rules, 3, &p), REFRAIN_OK);
    rules_shared_encode(&p, &b);
    rules_shared_free(&p);
    for (size_t n = 0; n < b.n; n++) {
        struct bytes_reader in = bytes_reader_of(b.data, n);

        cr_assert_eq(rules_shared_decode(&in, &p), REFRAIN_ERR_FORMAT, "%zu bytes", n);
    }
    for (unsigned k = 0; k < 5000; k++) {
        size_t at = random_below(&state, (uint32_t)b.n);
        uint8_t before = b.data[at];
        struct bytes_reader in = bytes_reader_of(b.data, b.n);
        struct rules *r;

        b.data[at] = (uint8_t)random_below(&state, 256);
        if (rules_shared_decode(&in, &p) == REFRAIN_OK) {
            for (uint32_t i = 0; i < p.n_roots; i++) {
                cr_assert_eq(rules_shared_extract(&p, p.roots[i], &r), REFRAIN_OK);
                rules_free(r);
            }
            rules_shared_free(&p);
            accepted++;
        }
        b.data[at] = before;
    }
    cr_assert_gt(accepted, 0);
    cr_assert_lt(accepted, 5000);
    bytes_free(&b);
    stencils_free(&s);
}
