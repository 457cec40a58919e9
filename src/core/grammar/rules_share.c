/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared rules whose bodies also share the digrams that they have in common.
 *
 * The bodies of shared rules, references as terminals, are appended to one grammar, each followed
 * by a separator that occurs nowhere else:
 *
 *     body 0: a b c d      body 1: a b d e      body 2: R0^9 R1
 *
 *     a b c d |0 a b d e |1 (0)^9 (1) |2      gives      Q -> a b,  start -> Q c d |0 Q d e |1 (0)^9 (1) |2
 *
 * No rule holds a separator, hence the start falls apart into the bodies again, now over the
 * terminals, each other, and the rules Q that the grammar found. There are no cycles: Q stands for
 * a piece of some body, so whatever it refers to came before that body. */
#include <stdlib.h>

#include "grammar.h"
#include "rules_build.h"
#include "rules_impl.h"
#include "src/core/base/log.h"

/* Shorter common pieces are not shared: a reference and a rule cost about as much, and the general
 * compressor that follows finds them anyway. */
#define SHARE_LEAST 16

/* Numbers of the symbols in the grammar: terminals, then bodies, then separators. */
struct alphabet {
    uint32_t n_terminals, n_bodies;
};

static uint32_t terminals_of(struct rules *const *grammars, uint32_t n)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t alphabet = rules_alphabet(grammars[i]);

        most = alphabet > most ? alphabet : most;
    }
    return most;
}

/* Append all bodies, with separators, to one grammar. */
static enum refrain_status find_common(const struct rules_shared *p, struct alphabet a, struct rules **out)
{
    struct grammar *g = grammar_create();
    enum refrain_status status = g ? REFRAIN_OK : REFRAIN_ERR_MEMORY;

    for (uint32_t r = 0; r < p->n_rules && status == REFRAIN_OK; r++) {
        for (uint32_t i = p->first[r]; i < p->first[r + 1] && status == REFRAIN_OK; i++) {
            uint32_t symbol = p->items[i].symbol;

            if (symbol & RULES_REF)
                symbol = a.n_terminals + (symbol & ~RULES_REF);
            status = grammar_append(g, symbol, p->items[i].count);
        }
        if (status == REFRAIN_OK)
            status = grammar_append(g, a.n_terminals + a.n_bodies + r, 1);
    }
    if (status == REFRAIN_OK)
        status = grammar_rules(g, out);
    grammar_free(g);
    return status;
}

/* Bodies as arrays: first the rules of the grammar that are shared, then those given. */
struct bodies {
    ARRAY(uint32_t) first;
    ARRAY(struct rules_item) items;
};

static bool copy_body(struct bodies *b, uint32_t rule)
{
    for (uint32_t i = b->first.items[rule]; i < b->first.items[rule + 1]; i++) {
        struct rules_item item = b->items.items[i];

        if (!array_push(&b->items, item))
            return false;
    }
    return true;
}

/* Take one item of the grammar; for a short rule, take its body instead. */
static bool take_item(struct bodies *b, struct rules_item item, struct alphabet a, uint32_t n_shared)
{
    if (item.symbol & RULES_REF) {
        uint32_t rule = item.symbol & ~RULES_REF;

        if (item.count == 1 && b->first.items[rule + 1] - b->first.items[rule] < SHARE_LEAST)
            return copy_body(b, rule);
    } else if (item.symbol >= a.n_terminals) {
        item.symbol = RULES_REF | (item.symbol - a.n_terminals + n_shared);
    }
    return array_push(&b->items, item);
}

static bool take_apart(const struct rules *common, struct alphabet a, struct bodies *b)
{
    uint32_t n_shared = common->n_rules - 1;

    if (!array_push(&b->first, 0))
        return false;
    for (uint32_t rule = 0; rule < common->n_rules; rule++) {
        for (uint32_t i = common->first[rule]; i < common->first[rule + 1]; i++) {
            struct rules_item item = common->items[i];
            bool separator = !(item.symbol & RULES_REF) && item.symbol >= a.n_terminals + a.n_bodies;

            if (separator ? !array_push(&b->first, (uint32_t)b->items.n) : !take_item(b, item, a, n_shared))
                return false;
        }
        if (rule < n_shared && !array_push(&b->first, (uint32_t)b->items.n))
            return false;
    }
    return true;
}

/* Shared rules with the same roots over the bodies b. */
static enum refrain_status put_together(const struct rules_shared *p, const struct bodies *b,
                                        struct rules_shared *out)
{
    struct rules_builder builder = {0};
    struct rules_source source = {.first = b->first.items, .items = b->items.items};
    uint32_t *roots = calloc(p->n_roots > 0 ? p->n_roots : 1, sizeof *roots);
    enum refrain_status status = REFRAIN_OK;
    uint32_t n_shared;

    n_shared = (uint32_t)b->first.n - 1 - p->n_rules;
    source.built = calloc(b->first.n, sizeof *source.built);
    if (!roots || !source.built) {
        log_error("no memory for %zu rules", b->first.n);
        status = REFRAIN_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < p->n_roots && status == REFRAIN_OK; i++)
        status = rules_builder_add(&builder, &source, n_shared + p->roots[i], RULES_BUILD_TIDY, &roots[i]);
    if (status == REFRAIN_OK)
        status = rules_shared_add(&builder, &roots, p->n_roots, out);
    free(roots);
    free(source.built);
    rules_builder_free(&builder);
    return status;
}

enum refrain_status rules_shared_share(struct rules *const *grammars, uint32_t n, struct rules_shared *out)
{
    struct rules_shared plain;
    struct alphabet a = {.n_terminals = terminals_of(grammars, n)};
    struct rules *common = NULL;
    struct bodies bodies = {0};
    enum refrain_status status = rules_shared_create(grammars, n, &plain);

    if (status != REFRAIN_OK)
        return status;
    a.n_bodies = plain.n_rules;
    if ((uint64_t)a.n_terminals + 2 * (uint64_t)a.n_bodies >= RULES_REF) {
        log_warning("%u rules are too many to look for common parts", plain.n_rules);
        *out = plain;
        return REFRAIN_OK;
    }
    status = find_common(&plain, a, &common);
    if (status == REFRAIN_OK && !take_apart(common, a, &bodies))
        status = REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_OK)
        status = put_together(&plain, &bodies, out);
    rules_free(common);
    array_free(&bodies.first);
    array_free(&bodies.items);
    rules_shared_free(&plain);
    return status;
}
