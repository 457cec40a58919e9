/* SPDX-License-Identifier: BSD-3-Clause */
/* Sequences for the tests of grammars: random ones with the structure that programs have, and what rules
 * expand to. */
#ifndef REFRAIN_TESTS_SEQUENCE_H
#define REFRAIN_TESTS_SEQUENCE_H

#include <stdint.h>
#include <stdlib.h>

#include <criterion/criterion.h>

#include "random.h"
#include "src/core/grammar/grammar.h"

struct sequence {
    uint32_t *items;
    size_t n, cap;
};

static inline void sequence_put(struct sequence *s, uint32_t terminal)
{
    cr_assert(array_push(s, terminal));
}

/* Random pieces, and repetitions of what came before. */
static inline void sequence_make(struct sequence *s, uint64_t *state, size_t most)
{
    uint32_t alphabet = 1 + random_below(state, 8);

    s->n = 0;
    for (uint32_t parts = 1 + random_below(state, 10); parts > 0 && s->n < most; parts--) {
        if (s->n == 0 || random_below(state, 3) == 0) {
            for (uint32_t i = random_below(state, 20); i > 0; i--)
                sequence_put(s, random_below(state, alphabet));
        } else {
            size_t from = random_below(state, (uint32_t)s->n);
            size_t n = 1 + random_below(state, (uint32_t)(s->n - from));

            for (uint32_t times = 1 + random_below(state, 6); times > 0 && s->n + n < most; times--) {
                for (size_t i = 0; i < n; i++)
                    sequence_put(s, s->items[from + i]);
            }
        }
    }
}

static inline struct rules *sequence_rules(const struct sequence *s)
{
    struct grammar *g = grammar_create();
    struct rules *r = NULL;

    cr_assert(g);
    for (size_t i = 0; i < s->n; i++)
        cr_assert_eq(grammar_append(g, s->items[i], 1), REFRAIN_OK);
    cr_assert_eq(grammar_rules(g, &r), REFRAIN_OK);
    grammar_free(g);
    return r;
}

static inline void sequence_assert_expansion(const struct sequence *s, const struct rules *r)
{
    struct rules_cursor c;
    uint32_t terminal;

    cr_assert_eq(rules_length(r), s->n);
    cr_assert_eq(rules_cursor_start(&c, r), REFRAIN_OK);
    for (size_t i = 0; i < s->n; i++) {
        cr_assert(rules_cursor_next(&c, &terminal));
        cr_assert_eq(terminal, s->items[i], "symbol %zu", i);
    }
    cr_assert_not(rules_cursor_next(&c, &terminal));
    rules_cursor_stop(&c);
}

#endif
