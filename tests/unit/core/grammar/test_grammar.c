/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "tests/unit/support/sequence.h"

/* The rules as text, bodies divided by bars: "1 2^3 | R0^5 7". */
static char *text_of(const struct rules *r, char *out, size_t size)
{
    size_t n = 0;

    out[0] = '\0';
    for (uint32_t rule = 0; rule < r->n_rules; rule++) {
        for (uint32_t i = r->first[rule]; i < r->first[rule + 1] && n < size; i++) {
            const struct rules_item *item = &r->items[i];

            n += (size_t)snprintf(out + n, size - n, "%s%s%u", n == 0 ? "" : " ",
                                  item->symbol & RULES_REF ? "R" : "", item->symbol & ~RULES_REF);
            if (item->count > 1 && n < size)
                n += (size_t)snprintf(out + n, size - n, "^%llu", (unsigned long long)item->count);
        }
        if (rule + 1 < r->n_rules && n < size)
            n += (size_t)snprintf(out + n, size - n, " |");
    }
    return out;
}

static void assert_rules(const struct sequence *s, const char *expected)
{
    struct rules *r = sequence_rules(s);
    char text[1000];

    cr_assert_str_eq(text_of(r, text, sizeof text), expected, "%s", text);
    sequence_assert_expansion(s, r);
    rules_free(r);
}

/* Append a body n times. */
static void repeat(struct sequence *s, unsigned n, const uint32_t *body, size_t length)
{
    for (; n > 0; n--) {
        for (size_t i = 0; i < length; i++)
            sequence_put(s, body[i]);
    }
}

#define REPEAT(s, n, ...)                                                                                    \
    repeat(s, n, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

Test(grammar, nothing_is_one_empty_rule)
{
    struct sequence s = {0};

    assert_rules(&s, "");
}

Test(grammar, a_run_is_one_power)
{
    struct sequence s = {0};

    REPEAT(&s, 1000, 4);
    assert_rules(&s, "4^1000");
    array_free(&s);
}

Test(grammar, a_loop_is_one_rule)
{
    struct sequence s = {0};

    REPEAT(&s, 1000, 0, 1, 2);
    assert_rules(&s, "0 1 2 | R0^1000");
    array_free(&s);
}

Test(grammar, nested_loops_are_nested_rules)
{
    struct sequence s = {0};

    for (int i = 0; i < 500; i++) {
        REPEAT(&s, 3, 0, 1);
        REPEAT(&s, 1, 2, 3, 3);
    }
    assert_rules(&s, "0 1 | R0^3 2 3^2 | R1^500");
    array_free(&s);
}

Test(grammar, first_and_last_iteration_may_differ)
{
    struct sequence s = {0};

    REPEAT(&s, 1, 7, 0, 1, 8, 2);
    REPEAT(&s, 700, 0, 1, 2);
    REPEAT(&s, 1, 0, 1, 9, 2);
    assert_rules(&s, "0 1 | 2 R0 | 7 R0 8 R1^701 9 2");
    array_free(&s);
}

Test(grammar, inner_loops_with_changing_counts)
{
    struct sequence s = {0};

    for (unsigned i = 1; i <= 5; i++) {
        REPEAT(&s, 10 * i, 0, 1);
        REPEAT(&s, 1, 2, 3);
    }
    assert_rules(&s, "0 1 | 2 3 | R0^10 R1 R0^20 R1 R0^30 R1 R0^40 R1 R0^50 R1");
    array_free(&s);
}

Test(grammar, an_unfinished_iteration_keeps_whole_inner_loops)
{
    struct sequence s = {0};

    for (int i = 0; i < 20; i++) {
        REPEAT(&s, 100, 0, 1);
        REPEAT(&s, 1, 2, 3);
    }
    REPEAT(&s, 100, 0, 1);
    REPEAT(&s, 1, 2, 5);
    assert_rules(&s, "0 1 | R0^100 2 | R1 3 | R2^20 R1 5");
    array_free(&s);
}

/* After each symbol that is appended, all invariants hold; at the end, the rules expand to the
 * sequence. */
Test(grammar, random_sequences)
{
    struct sequence s = {0};

    for (unsigned seed = 0; seed < 3000; seed++) {
        struct grammar *g = grammar_create();
        uint64_t state = random_seed(seed);
        struct rules *r;

        sequence_make(&s, &state, 300);
        for (size_t i = 0; i < s.n; i++) {
            cr_assert_eq(grammar_append(g, s.items[i], 1), REFRAIN_OK);
            cr_assert_eq(grammar_check(g), REFRAIN_OK, "seed %u, symbol %zu", seed, i);
        }
        cr_assert_eq(grammar_length(g), s.n);
        cr_assert_eq(grammar_rules(g, &r), REFRAIN_OK);
        sequence_assert_expansion(&s, r);
        rules_free(r);
        grammar_free(g);
    }
    array_free(&s);
}

/* The rules depend on the sequence alone: not on how runs were divided into appends, nor on reads
 * in between. */
Test(grammar, the_same_sequence_gives_the_same_rules)
{
    struct sequence s = {0};

    for (unsigned seed = 0; seed < 500; seed++) {
        struct grammar *g = grammar_create();
        uint64_t state = random_seed(seed);
        struct rules *one_by_one, *by_runs;

        sequence_make(&s, &state, 300);
        one_by_one = sequence_rules(&s);
        for (size_t i = 0, n; i < s.n; i += n) {
            size_t most = 1 + random_below(&state, 5);

            for (n = 1; n < most && i + n < s.n && s.items[i + n] == s.items[i]; n++)
                ;
            cr_assert_eq(grammar_append(g, s.items[i], n), REFRAIN_OK);
            if (random_below(&state, 10) == 0) {
                cr_assert_eq(grammar_rules(g, &by_runs), REFRAIN_OK);
                cr_assert_eq(rules_length(by_runs), i + n);
                rules_free(by_runs);
            }
        }
        cr_assert_eq(grammar_rules(g, &by_runs), REFRAIN_OK);
        cr_assert(rules_equal(one_by_one, by_runs), "seed %u", seed);
        cr_assert_eq(rules_hash(one_by_one), rules_hash(by_runs));
        rules_free(one_by_one);
        rules_free(by_runs);
        grammar_free(g);
    }
    array_free(&s);
}

/* A loop body: pieces, some of them loops themselves. */
struct piece {
    uint32_t body[40];
    uint32_t length;
    bool loop;
};

static void program_make(struct sequence *s, const struct piece *pieces, uint32_t n, unsigned outer,
                         unsigned inner)
{
    s->n = 0;
    sequence_put(s, 100);
    for (unsigned i = 0; i < outer; i++) {
        for (uint32_t k = 0; k < n; k++)
            repeat(s, pieces[k].loop ? inner : 1, pieces[k].body, pieces[k].length);
    }
    sequence_put(s, 101);
}

static bool same_structure(const struct rules *a, const struct rules *b)
{
    if (a->n_rules != b->n_rules || memcmp(a->first, b->first, (a->n_rules + 1) * sizeof *a->first) != 0)
        return false;
    for (uint32_t i = 0; i < a->first[a->n_rules]; i++) {
        if (a->items[i].symbol != b->items[i].symbol)
            return false;
    }
    return true;
}

/* The file must not grow with the number of iterations: only counts may depend on it. */
static void assert_structure_is_independent_of_count(const struct piece *pieces, uint32_t n, unsigned seed)
{
    static const unsigned counts[] = {31, 32, 33, 34, 35, 36, 47, 200};
    struct sequence s = {0};
    struct rules *expected = NULL;

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct rules *r;

        program_make(&s, pieces, n, counts[i], 12);
        r = sequence_rules(&s);
        if (!expected) {
            expected = r;
            continue;
        }
        cr_assert(same_structure(expected, r), "seed %u, %u iterations", seed, counts[i]);
        rules_free(r);
    }
    rules_free(expected);
    array_free(&s);
}

Test(grammar, structure_is_independent_of_a_loops_count)
{
    for (unsigned seed = 0; seed < 800; seed++) {
        uint64_t state = random_seed(seed);
        struct piece piece = {.length = 1 + seed % 40};
        uint32_t alphabet = 1 + random_below(&state, 12);

        for (uint32_t i = 0; i < piece.length; i++)
            piece.body[i] = random_below(&state, alphabet);
        assert_structure_is_independent_of_count(&piece, 1, seed);
    }
}

Test(grammar, structure_is_independent_of_an_outer_loops_count)
{
    for (unsigned seed = 0; seed < 400; seed++) {
        uint64_t state = random_seed(seed);
        uint32_t alphabet = 1 + random_below(&state, 12), n = 1 + random_below(&state, 5);
        struct piece pieces[5];

        for (uint32_t k = 0; k < n; k++) {
            pieces[k].length = 1 + random_below(&state, 10);
            pieces[k].loop = random_below(&state, 2) == 0;
            for (uint32_t i = 0; i < pieces[k].length; i++)
                pieces[k].body[i] = random_below(&state, alphabet);
        }
        assert_structure_is_independent_of_count(pieces, n, seed);
    }
}

Test(grammar, a_running_loop_takes_no_memory)
{
    struct grammar *g = grammar_create();
    size_t before;

    for (uint32_t i = 0; i < 1000; i++)
        cr_assert_eq(grammar_append(g, i % 50, 1), REFRAIN_OK);
    before = grammar_bytes(g);
    for (uint32_t i = 0; i < 1000000; i++)
        cr_assert_eq(grammar_append(g, i % 50, 1), REFRAIN_OK);
    cr_assert_eq(grammar_bytes(g), before);
    grammar_free(g);
}

/* The Fibonacci word: each rule is used in the next one, and the cursor finds no loop. */
Test(grammar, deep_grammars_do_not_recurse)
{
    struct sequence s = {0};
    struct grammar *g = grammar_create();
    struct rules *r;

    sequence_put(&s, 0);
    for (size_t previous = 1, n = 1; s.n < 300000; n = previous, previous = s.n) {
        for (size_t i = 0; i < n; i++)
            sequence_put(&s, s.n == 1 ? 1 : s.items[i]);
    }
    for (size_t i = 0; i < s.n; i++)
        cr_assert_eq(grammar_append(g, s.items[i], 1), REFRAIN_OK);
    cr_assert_eq(grammar_check(g), REFRAIN_OK);
    cr_assert_eq(grammar_rules(g, &r), REFRAIN_OK);
    sequence_assert_expansion(&s, r);
    cr_assert_lt(r->n_rules, 60);
    rules_free(r);
    grammar_free(g);
    array_free(&s);
}

Test(grammar, counts_are_64_bits_wide)
{
    struct grammar *g = grammar_create();
    const uint64_t count = UINT64_C(1) << 40;
    struct rules *r;
    char text[200];

    for (int i = 0; i < 10; i++) {
        cr_assert_eq(grammar_append(g, 0, count), REFRAIN_OK);
        cr_assert_eq(grammar_append(g, 1, 2 * count), REFRAIN_OK);
    }
    cr_assert_eq(grammar_check(g), REFRAIN_OK);
    cr_assert_eq(grammar_length(g), 30 * count);
    cr_assert_eq(grammar_rules(g, &r), REFRAIN_OK);
    cr_assert_str_eq(text_of(r, text, sizeof text), "0^1099511627776 1^2199023255552 | R0^10");
    rules_free(r);
    grammar_free(g);
}

Test(grammar, a_length_beyond_2_62_is_an_error)
{
    struct grammar *g = grammar_create();

    cr_assert_eq(grammar_append(g, 0, UINT64_C(1) << 61), REFRAIN_OK);
    cr_assert_eq(grammar_append(g, 1, UINT64_C(1) << 61), REFRAIN_OK);
    cr_assert_eq(grammar_length(g), UINT64_C(1) << 62);
    cr_assert_eq(grammar_append(g, 1, 1), REFRAIN_ERR_USAGE);
    grammar_free(g);
    g = grammar_create();
    cr_assert_eq(grammar_append(g, 0, UINT64_MAX), REFRAIN_ERR_USAGE);
    grammar_free(g);
}

Test(grammar, what_is_no_terminal_is_an_error)
{
    struct grammar *g = grammar_create();

    cr_assert_eq(grammar_append(g, RULES_REF, 1), REFRAIN_ERR_USAGE);
    cr_assert_eq(grammar_append(g, RULES_REF - 1, 0), REFRAIN_ERR_USAGE);
    cr_assert_eq(grammar_append(g, RULES_REF - 1, 1), REFRAIN_OK);
    grammar_free(g);
}
