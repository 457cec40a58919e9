/* SPDX-License-Identifier: BSD-3-Clause */
/* The data structures of a grammar, shared by the grammar*.c files only.
 *
 * Rule bodies are rings of nodes around a guard; the start is rule 0. Node numbers are indices into one
 * array, so that a grammar is copied as arrays. For x (a b b)^3 y:
 *
 *     rules     0: guard 0                            1: guard 4, uses 3, head a^1
 *     nodes     0 (guard of 0) ⇄ 1: x^1 ⇄ 7: R1^3 ⇄ 9: y^1 ⇄ 0
 *               4 (guard of 1) ⇄ 5: a^1 ⇄ 6: b^2 ⇄ 4
 *     digrams   (x^1, R1^3) → node 1,  (a^1, b^2) → node 5
 *
 * Input passes three stages. Each stage holds something back until it has seen more input:
 *
 * First, `run` collects the repetitions of the current terminal. Only whole runs are passed on, so the end
 * of a rule never cuts a run, and neighbouring terminals always differ.
 *
 * Second, the cursor (`at`, `path`): while runs follow the expansion of the start's last symbol, they are
 * compared, not stored; when the rule is complete, the last symbol's count grows. So a loop, once found,
 * costs the same whatever its count, and its form cannot depend on the count.
 *
 * Third, the start's last symbol is *open*: it may still grow, so the digram that ends with it is not in
 * the index. It is closed when a run arrives that does not continue it. Otherwise R^1 of a loop that has
 * just begun could be matched with another R^1. */
#ifndef REFRAIN_GRAMMAR_IMPL_H
#define REFRAIN_GRAMMAR_IMPL_H

#include "grammar.h"
#include "src/core/base/array.h"
#include "src/core/base/map.h"

#define GRAMMAR_NONE       UINT32_MAX
#define GRAMMAR_LENGTH_MAX (UINT64_C(1) << 62)

struct grammar_node {
    uint32_t symbol;     /* terminal, or RULES_REF | rule; of a guard: its rule's number */
    uint32_t prev, next; /* in the ring; for a free node, `next` is the next free node */
    uint64_t count;      /* exponent >= 1; 0: a guard or a free node */
};

struct grammar_rule {
    uint32_t guard;       /* for a free rule: the next free rule */
    uint32_t head_symbol; /* first run of the expansion; it never changes */
    uint64_t head_count;
    uint64_t uses; /* sum of the exponents of all nodes that name it, and 1 for each held item; 0: free, or
                      the start */
};

/* One level of the cursor: inside repetition number `done` of the rule that the node names. */
struct grammar_level {
    uint32_t node;
    uint64_t done;
};

struct grammar_items {
    struct rules_item *items;
    size_t n, cap;
};

struct grammar {
    ARRAY(struct grammar_node) nodes;
    ARRAY(struct grammar_rule) rules;
    uint32_t free_node, free_rule; /* heads of the free lists, or GRAMMAR_NONE */
    struct map digrams;            /* hash of (symbol, count, symbol, count) -> first node */
    ARRAY(uint32_t) work;          /* first nodes of digrams yet to be checked; empty between calls */

    struct rules_item run; /* count 0: none */
    uint64_t length;       /* terminals appended, the run included */
    bool closed;           /* the start's last symbol is closed; only true inside grammar_close */

    uint32_t at; /* node to match next; GRAMMAR_NONE: nothing of the rule is matched */
    ARRAY(struct grammar_level)
    path;                      /* how `at` is reached from the last symbol's rule; room for every rule */
    struct grammar_items held; /* the runs that the cursor had matched when the input left the rule; empty
                                  between calls */
};

static inline bool grammar_is_rule(uint32_t symbol)
{
    return (symbol & RULES_REF) != 0;
}

static inline struct grammar_rule *grammar_rule_of(const struct grammar *g, uint32_t symbol)
{
    return &g->rules.items[symbol & ~RULES_REF];
}

/* Is the node a guard or a free node? */
static inline bool grammar_is_guard(const struct grammar *g, uint32_t node)
{
    return g->nodes.items[node].count == 0;
}

static inline uint32_t grammar_first(const struct grammar *g, uint32_t symbol)
{
    return g->nodes.items[grammar_rule_of(g, symbol)->guard].next;
}

/* Last node of the start, or its guard when it is empty. */
static inline uint32_t grammar_last(const struct grammar *g)
{
    return g->nodes.items[g->rules.items[0].guard].prev;
}

/* grammar_digram.c */

/* Hash of the digram that begins at a node. */
uint64_t grammar_digram_key(const struct grammar *g, uint32_t node);
/* Number of a new rule with an empty body. */
enum refrain_status grammar_add_rule(struct grammar *g, uint32_t *rule);
/* Append symbol^count to the start as the new, open last symbol. The old one must be closed and another
 * symbol. The caller counts the uses. */
enum refrain_status grammar_link_last(struct grammar *g, uint32_t symbol, uint64_t count);
/* Close the last symbol: check the digram that ends with it, and all changes that follow. *changed: it
 * became part of a rule, so there is a new, open last symbol; otherwise the caller must link one now. */
enum refrain_status grammar_close(struct grammar *g, bool *changed);

/* grammar_follow.c */

/* Take the run if it is what the cursor expects next. Returns true if it was taken. */
bool grammar_follow(struct grammar *g, struct rules_item run);
/* Break the cursor off: the runs that it has matched are appended in the ordinary way. */
enum refrain_status grammar_unfollow(struct grammar *g);
/* Append to `out` what the cursor has matched, as items in order. */
enum refrain_status grammar_partial(const struct grammar *g, struct grammar_items *out);

/* grammar.c */

/* Add everything that is held back to the start: the run, the cursor's partial match, the open last
 * symbol. Nothing may be appended afterwards. */
enum refrain_status grammar_finish(struct grammar *g);

#endif
