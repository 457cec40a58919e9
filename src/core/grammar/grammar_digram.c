/* SPDX-License-Identifier: BSD-3-Clause */
/* Restores digram uniqueness and rule utility after the start has become longer, as Sequitur does.
 *
 * A change of links or counts removes the digrams it destroys from the index *before* it is made (their hash
 * is taken from the nodes), and puts the first nodes of the digrams it creates on the work list. A node on
 * the list may be gone, or somewhere else, when its turn comes: then a check is needless, but never wrong. So
 * the cascade is a loop, not a recursion, and the index never points to something that is not there.
 *
 * Neighbours always have different symbols: join() unites equal ones as soon as they meet. Two equal
 * digrams can therefore not overlap. */
#include "grammar_impl.h"

#include <assert.h>

#include "src/core/base/log.h"
#include "src/core/base/mix.h"

/* What one check can take: a guard and two nodes of a new rule; two digrams replaced and two rules spliced
 * in. */
enum { NODES_PER_CHECK = 3, WORK_PER_CHECK = 16 };

uint64_t grammar_digram_key(const struct grammar *g, uint32_t node)
{
    const struct grammar_node *a = &g->nodes.items[node], *b = &g->nodes.items[a->next];

    return mix(mix(mix((uint64_t)a->symbol << 32 | b->symbol, a->count), b->count), 0);
}

static bool same_digram(const struct grammar *g, uint32_t i, uint32_t j)
{
    const struct grammar_node *nodes = g->nodes.items;
    const struct grammar_node *a = &nodes[i], *b = &nodes[a->next], *c = &nodes[j], *d = &nodes[c->next];

    return a->symbol == c->symbol && b->symbol == d->symbol && a->count == c->count && b->count == d->count;
}

/* Find the node in the index with the same digram, or GRAMMAR_NONE. */
static uint32_t find_digram(const struct grammar *g, uint64_t key, uint32_t node)
{
    size_t at;

    for (uint32_t i = map_first(&g->digrams, key, &at); i != MAP_NONE; i = map_next(&g->digrams, key, &at)) {
        if (same_digram(g, i, node))
            return i;
    }
    return GRAMMAR_NONE;
}

/* Remove the digram that begins at a node from the index, because it is about to change. */
static void forget(struct grammar *g, uint32_t node)
{
    if (!grammar_is_guard(g, node) && !grammar_is_guard(g, g->nodes.items[node].next))
        map_remove(&g->digrams, grammar_digram_key(g, node), node);
}

/* Put the digrams on both sides of a node on the work list, because they are new. */
static void touch(struct grammar *g, uint32_t node)
{
    assert(g->work.cap - g->work.n >= 2);
    g->work.items[g->work.n++] = g->nodes.items[node].prev;
    g->work.items[g->work.n++] = node;
}

static void link_nodes(struct grammar *g, uint32_t left, uint32_t right)
{
    g->nodes.items[left].next = right;
    g->nodes.items[right].prev = left;
}

/* Take a node; the caller has reserved room. */
static uint32_t take_node(struct grammar *g, uint32_t symbol, uint64_t count)
{
    uint32_t node = g->free_node;

    if (node == GRAMMAR_NONE)
        node = (uint32_t)g->nodes.n++;
    else
        g->free_node = g->nodes.items[node].next;
    g->nodes.items[node] = (struct grammar_node){.symbol = symbol, .count = count};
    return node;
}

static void give_node(struct grammar *g, uint32_t node)
{
    g->nodes.items[node] = (struct grammar_node){.next = g->free_node};
    g->free_node = node;
}

static void add_uses(struct grammar *g, uint32_t symbol, uint64_t count)
{
    if (grammar_is_rule(symbol))
        grammar_rule_of(g, symbol)->uses += count;
}

static void drop_uses(struct grammar *g, uint32_t symbol, uint64_t count)
{
    if (grammar_is_rule(symbol)) {
        assert(grammar_rule_of(g, symbol)->uses > count);
        grammar_rule_of(g, symbol)->uses -= count;
    }
}

enum refrain_status grammar_add_rule(struct grammar *g, uint32_t *rule)
{
    uint32_t number = g->free_rule, guard;

    /* The cursor goes down at most once through each rule. */
    if (!array_reserve(&g->rules, 1) || !array_reserve(&g->path, g->rules.n + 1) ||
        !array_reserve(&g->nodes, 1))
        return REFRAIN_ERR_MEMORY;
    if (number == GRAMMAR_NONE)
        number = (uint32_t)g->rules.n++;
    else
        g->free_rule = g->rules.items[number].guard;
    guard = take_node(g, number, 0);
    link_nodes(g, guard, guard);
    g->rules.items[number] = (struct grammar_rule){.guard = guard};
    *rule = number;
    return REFRAIN_OK;
}

/* Link a node between `left` and the node after it. */
static uint32_t insert_node(struct grammar *g, uint32_t left, uint32_t symbol, uint64_t count)
{
    uint32_t node = take_node(g, symbol, count), right = g->nodes.items[left].next;

    link_nodes(g, left, node);
    link_nodes(g, node, right);
    return node;
}

/* Two nodes have become neighbours: unite them if they are powers of one symbol. Returns the united node,
 * or the right node if they stay separate. */
static uint32_t join(struct grammar *g, uint32_t left, uint32_t right)
{
    struct grammar_node *a = &g->nodes.items[left], *b = &g->nodes.items[right];

    if (a->count == 0 || b->count == 0 || a->symbol != b->symbol)
        return right;
    forget(g, a->prev);
    forget(g, right);
    a->count += b->count;
    link_nodes(g, left, b->next);
    give_node(g, right);
    return left;
}

/* Replace the digram at a node by rule^1. */
static void replace(struct grammar *g, uint32_t node, uint32_t rule)
{
    struct grammar_node *a = &g->nodes.items[node];
    uint32_t second = a->next;
    struct grammar_node *b = &g->nodes.items[second];

    forget(g, a->prev);
    forget(g, node);
    forget(g, second);
    drop_uses(g, a->symbol, a->count);
    drop_uses(g, b->symbol, b->count);
    if (second == grammar_last(g))
        g->closed = false;
    a->symbol = RULES_REF | rule;
    a->count = 1;
    add_uses(g, a->symbol, 1);
    link_nodes(g, node, b->next);
    give_node(g, second);
    node = join(g, a->prev, node);
    join(g, node, g->nodes.items[node].next);
    touch(g, node);
}

/* Rule utility: if the node is the only use of a rule, the rule's body takes its place. */
static void splice_single_use(struct grammar *g, uint32_t node)
{
    struct grammar_node n = g->nodes.items[node];
    uint32_t first, last, guard;
    struct grammar_rule *rule;

    if (n.count != 1 || !grammar_is_rule(n.symbol) || grammar_rule_of(g, n.symbol)->uses != 1)
        return;
    rule = grammar_rule_of(g, n.symbol);
    guard = rule->guard;
    first = g->nodes.items[guard].next;
    last = g->nodes.items[guard].prev;
    forget(g, n.prev);
    forget(g, node);
    link_nodes(g, n.prev, first);
    link_nodes(g, last, n.next);
    give_node(g, node);
    give_node(g, guard);
    *rule = (struct grammar_rule){.guard = g->free_rule};
    g->free_rule = n.symbol & ~RULES_REF;

    node = join(g, n.prev, first);
    if (first == last)
        last = node;
    touch(g, join(g, last, n.next));
    touch(g, node);
}

/* Is the digram at a node the whole body of a rule other than the start? Then *rule is that rule. */
static bool is_body(const struct grammar *g, uint32_t node, uint32_t *rule)
{
    const struct grammar_node *nodes = g->nodes.items;
    uint32_t guard = nodes[node].prev;

    if (!grammar_is_guard(g, guard) || nodes[nodes[nodes[node].next].next].count != 0)
        return false;
    *rule = nodes[guard].symbol;
    return *rule != 0;
}

/* Set the head of a rule: the first run of its expansion. */
static void set_head(struct grammar *g, uint32_t rule, uint32_t symbol, uint64_t count)
{
    bool nested = grammar_is_rule(symbol);

    g->rules.items[rule].head_symbol = nested ? grammar_rule_of(g, symbol)->head_symbol : symbol;
    g->rules.items[rule].head_count = nested ? grammar_rule_of(g, symbol)->head_count : count;
}

/* The digrams at two nodes are equal: make a rule of both, or use the rule whose body one of them already
 * is. */
static enum refrain_status unite(struct grammar *g, uint32_t old, uint32_t new)
{
    uint32_t rule;

    if (is_body(g, old, &rule)) {
        replace(g, new, rule);
    } else if (is_body(g, new, &rule)) {
        replace(g, old, rule);
        touch(g, new);
    } else {
        struct grammar_node a = g->nodes.items[old], b = g->nodes.items[a.next];
        enum refrain_status status = grammar_add_rule(g, &rule);
        uint32_t first;

        if (status != REFRAIN_OK)
            return status;
        first = insert_node(g, g->rules.items[rule].guard, a.symbol, a.count);
        insert_node(g, first, b.symbol, b.count);
        add_uses(g, a.symbol, a.count);
        add_uses(g, b.symbol, b.count);
        set_head(g, rule, a.symbol, a.count);
        replace(g, old, rule);
        replace(g, new, rule);
        touch(g, first);
    }
    /* Each of the two symbols has lost one use; the rule's body may be the only use left. */
    splice_single_use(g, g->nodes.items[g->rules.items[rule].guard].next);
    splice_single_use(g, g->nodes.items[g->rules.items[rule].guard].prev);
    return REFRAIN_OK;
}

/* Make room; usually there is enough already. */
#define ENSURE(a, extra) ((a)->cap - (a)->n >= (extra) || array_reserve(a, extra))

/* Enter the digram at a node in the index, or unite it with its twin. */
static enum refrain_status check_digram(struct grammar *g, uint32_t node)
{
    uint32_t next = g->nodes.items[node].next, twin;
    uint64_t key;

    if (grammar_is_guard(g, node) || grammar_is_guard(g, next) || (next == grammar_last(g) && !g->closed))
        return REFRAIN_OK;
    key = grammar_digram_key(g, node);
    twin = find_digram(g, key, node);
    if (twin == node)
        return REFRAIN_OK;
    if (twin == GRAMMAR_NONE)
        return map_add(&g->digrams, key, node) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    if (!ENSURE(&g->nodes, NODES_PER_CHECK) || !ENSURE(&g->work, WORK_PER_CHECK))
        return REFRAIN_ERR_MEMORY;
    return unite(g, twin, node);
}

enum refrain_status grammar_close(struct grammar *g, bool *changed)
{
    enum refrain_status status;

    g->closed = true;
    status = check_digram(g, g->nodes.items[grammar_last(g)].prev);
    while (status == REFRAIN_OK && g->work.n > 0)
        status = check_digram(g, g->work.items[--g->work.n]);
    *changed = !g->closed;
    return status;
}

enum refrain_status grammar_link_last(struct grammar *g, uint32_t symbol, uint64_t count)
{
    assert(count >= 1);
    assert(g->nodes.items[grammar_last(g)].symbol != symbol || grammar_is_guard(g, grammar_last(g)));
    if (!ENSURE(&g->nodes, 1))
        return REFRAIN_ERR_MEMORY;
    if (g->nodes.n >= RULES_REF) {
        log_error("a sequence cannot be compressed: its grammar has more than 2^31 symbols");
        return REFRAIN_ERR_MEMORY;
    }
    insert_node(g, grammar_last(g), symbol, count);
    g->closed = false;
    return REFRAIN_OK;
}
