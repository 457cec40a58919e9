/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks the whole grammar, and checks the rules of grammar_impl.h and the two invariants. */
#include "grammar_impl.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/base/log.h"

/* Not entered yet; between entering and leaving a rule; its length is known. */
enum { NEW, OPEN, DONE };

struct position {
    uint32_t rule, node; /* the next node to check */
};

struct walk {
    const struct grammar *g;
    uint64_t *uses;   /* number of uses found, for each rule */
    uint64_t *length; /* length of each rule's expansion */
    uint8_t *state;
    ARRAY(struct position) stack; /* the open rules */
    size_t nodes, digrams;        /* found */
};

#define BROKEN(...) (log_error("grammar: " __VA_ARGS__), REFRAIN_ERR_CHECK)

/* Check that the digram that begins at a node is in the index, and is the only one of its kind; not if it
 * ends with the open symbol. */
static enum refrain_status check_digram(struct walk *w, uint32_t node)
{
    const struct grammar_node *nodes = w->g->nodes.items, *a = &nodes[node], *b = &nodes[a->next];
    uint64_t key = grammar_digram_key(w->g, node);
    unsigned here = 0;
    size_t at;

    if (a->symbol == b->symbol)
        return BROKEN("nodes %u and %u are neighbours and powers of the same symbol", node, a->next);
    for (uint32_t i = map_first(&w->g->digrams, key, &at); i != MAP_NONE;
         i = map_next(&w->g->digrams, key, &at)) {
        const struct grammar_node *c = &nodes[i], *d = &nodes[c->next];

        if (i == node)
            here++;
        else if (c->symbol == a->symbol && c->count == a->count && d->symbol == b->symbol &&
                 d->count == b->count && a->next != grammar_last(w->g))
            return BROKEN("nodes %u and %u begin equal digrams", node, i);
    }
    if (here != (a->next == grammar_last(w->g) ? 0 : 1))
        return BROKEN("the digram at node %u is in the index %u times", node, here);
    w->digrams += here;
    return REFRAIN_OK;
}

/* Check one node of an open rule. *enter becomes the rule that the node refers to, if the rule's length is
 * not known yet. */
static enum refrain_status check_node(struct walk *w, uint32_t rule, uint32_t node, uint32_t *enter)
{
    const struct grammar *g = w->g;
    const struct grammar_node *n = &g->nodes.items[node];
    uint32_t inner = n->symbol & ~RULES_REF;
    uint64_t unit = 1;

    if (grammar_is_rule(n->symbol)) {
        if (inner == 0 || inner >= g->rules.n || w->state[inner] == OPEN)
            return BROKEN("node %u of rule %u refers to rule %u, which is %s", node, rule, inner,
                          inner < g->rules.n ? "open" : "out of range");
        if (w->state[inner] == NEW) {
            *enter = inner;
            return REFRAIN_OK;
        }
        unit = w->length[inner];
        w->uses[inner] += n->count;
    }
    if (n->count > GRAMMAR_LENGTH_MAX / unit || w->length[rule] > GRAMMAR_LENGTH_MAX - n->count * unit)
        return BROKEN("rule %u is longer than 2^62", rule);
    w->length[rule] += n->count * unit;
    w->nodes++;
    if (n->next >= g->nodes.n || g->nodes.items[n->next].prev != node)
        return BROKEN("the links after node %u of rule %u are broken", node, rule);
    return grammar_is_guard(g, n->next) ? REFRAIN_OK : check_digram(w, node);
}

static enum refrain_status enter_rule(struct walk *w, uint32_t rule)
{
    const struct grammar *g = w->g;
    uint32_t guard = g->rules.items[rule].guard;

    if (guard >= g->nodes.n || !grammar_is_guard(g, guard) || g->nodes.items[guard].symbol != rule)
        return BROKEN("node %u is not the guard of rule %u", guard, rule);
    w->nodes++;
    w->state[rule] = OPEN;
    return array_push(&w->stack, ((struct position){rule, g->nodes.items[guard].next})) ? REFRAIN_OK
                                                                                        : REFRAIN_ERR_MEMORY;
}

static enum refrain_status leave_rule(struct walk *w, uint32_t rule)
{
    const struct grammar *g = w->g;
    const struct grammar_rule *r = &g->rules.items[rule];
    const struct grammar_node *first = &g->nodes.items[g->nodes.items[r->guard].next];

    w->state[rule] = DONE;
    w->stack.n--;
    if (rule == 0)
        return REFRAIN_OK;
    if (first->count == 0)
        return BROKEN("rule %u is empty", rule);
    if (grammar_is_rule(first->symbol) ? r->head_symbol != grammar_rule_of(g, first->symbol)->head_symbol ||
                                             r->head_count != grammar_rule_of(g, first->symbol)->head_count
                                       : r->head_symbol != first->symbol || r->head_count != first->count)
        return BROKEN("rule %u does not begin with the run that it says", rule);
    return REFRAIN_OK;
}

/* Check all rules that are reachable from the start. */
static enum refrain_status walk_rules(struct walk *w)
{
    const struct grammar *g = w->g;
    enum refrain_status status = enter_rule(w, 0);

    while (status == REFRAIN_OK && w->stack.n > 0) {
        struct position *p = &w->stack.items[w->stack.n - 1];
        uint32_t enter = 0;

        if (grammar_is_guard(g, p->node)) {
            status = p->node == g->rules.items[p->rule].guard
                         ? leave_rule(w, p->rule)
                         : BROKEN("the ring of rule %u ends in node %u", p->rule, p->node);
            continue;
        }
        status = check_node(w, p->rule, p->node, &enter);
        if (status == REFRAIN_OK && enter > 0)
            status = enter_rule(w, enter);
        else
            p->node = g->nodes.items[p->node].next;
    }
    return status;
}

/* Check rule utility, and that every live rule is reachable from the start. */
static enum refrain_status check_utility(const struct walk *w)
{
    const struct grammar *g = w->g;
    size_t free_nodes = 0;

    for (uint32_t r = 1; r < g->rules.n; r++) {
        if (w->uses[r] != g->rules.items[r].uses)
            return BROKEN("rule %u is used %llu times and says %llu", r, (unsigned long long)w->uses[r],
                          (unsigned long long)g->rules.items[r].uses);
        if (w->uses[r] == 1)
            return BROKEN("rule %u is used only once", r);
    }
    for (uint32_t i = g->free_node; i != GRAMMAR_NONE; i = g->nodes.items[i].next)
        free_nodes++;
    if (w->nodes + free_nodes != g->nodes.n)
        return BROKEN("%zu nodes in rules and %zu free ones are not all %zu", w->nodes, free_nodes,
                      g->nodes.n);
    if (w->digrams != g->digrams.n)
        return BROKEN("the index has %zu digrams, the rules have %zu", g->digrams.n, w->digrams);
    return REFRAIN_OK;
}

/* Check the total length: the start's expansion, the cursor's matches and the run make up what was
 * appended. */
static enum refrain_status check_length(const struct walk *w)
{
    const struct grammar *g = w->g;
    struct grammar_items held = {0};
    enum refrain_status status = grammar_partial(g, &held);
    uint64_t length = w->length[0] + g->run.count;

    for (size_t i = 0; i < held.n; i++) {
        uint32_t symbol = held.items[i].symbol;

        length += held.items[i].count * (grammar_is_rule(symbol) ? w->length[symbol & ~RULES_REF] : 1);
    }
    array_free(&held);
    if (status == REFRAIN_OK && length != g->length)
        return BROKEN("%llu symbols were appended, it expands to %llu", (unsigned long long)g->length,
                      (unsigned long long)length);
    return status;
}

enum refrain_status grammar_check(const struct grammar *g)
{
    struct walk w = {.g = g};
    enum refrain_status status = REFRAIN_ERR_MEMORY;

    w.uses = calloc(g->rules.n, sizeof *w.uses);
    w.length = calloc(g->rules.n, sizeof *w.length);
    w.state = calloc(g->rules.n, sizeof *w.state);
    if (!w.uses || !w.length || !w.state) {
        log_error("no memory to check %zu rules", g->rules.n);
        goto out;
    }
    if (g->work.n > 0 || g->held.n > 0 || g->closed) {
        status = BROKEN("something was left undone");
        goto out;
    }
    status = walk_rules(&w);
    if (status == REFRAIN_OK)
        status = check_utility(&w);
    if (status == REFRAIN_OK)
        status = check_length(&w);
out:
    free(w.uses);
    free(w.length);
    free(w.state);
    array_free(&w.stack);
    return status;
}
