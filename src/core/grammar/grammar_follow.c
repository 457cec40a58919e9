/* SPDX-License-Identifier: BSD-3-Clause */
/* The cursor: it compares the input with the expansion of the start's last symbol, instead of storing the
 * input.
 *
 *     start  … R1^7      R1 -> R2^3 c d      R2 -> a b
 *
 * After a b a b a, the next run expected is the b at `at`, and `path` holds one level: the node R2^3, done 2.
 * With d, R1 is complete, R1^7 becomes R1^8 and the cursor is where it was. Any other run than the one
 * expected breaks the cursor off, and R2^2 a is appended to the start as items: rules that were matched
 * completely are not taken apart. A run costs O(1) amortised, as each level entered has its own node in the
 * expansion. */
#include "grammar_impl.h"
#include "src/core/base/placement.h"

#include <assert.h>

/* Return the node after a completely matched one; GRAMMAR_NONE at the end of the last symbol's rule. */
static uint32_t advance(struct grammar *g, uint32_t node)
{
    const struct grammar_node *nodes = g->nodes.items;

    node = nodes[node].next;
    while (nodes[node].count == 0) {
        struct grammar_level *top;

        if (g->path.n == 0)
            return GRAMMAR_NONE;
        top = &g->path.items[g->path.n - 1];
        if (++top->done < nodes[top->node].count)
            return grammar_first(g, nodes[top->node].symbol);
        node = nodes[top->node].next;
        g->path.n--;
    }
    return node;
}

HOT bool grammar_follow(struct grammar *g, struct rules_item run)
{
    assert(run.count >= 1);
    uint32_t last = grammar_last(g), node = g->at == GRAMMAR_NONE ? last : g->at;
    struct grammar_node *nodes = g->nodes.items;
    const struct grammar_rule *rule;

    if (!grammar_is_rule(nodes[node].symbol)) {
        /* The last symbol may be a terminal, or the guard of an empty start: nothing to follow. */
        if (g->at == GRAMMAR_NONE || nodes[node].symbol != run.symbol || nodes[node].count != run.count)
            return false;
    } else {
        rule = grammar_rule_of(g, nodes[node].symbol);
        if (rule->head_symbol != run.symbol || rule->head_count != run.count)
            return false;
        if (g->at == GRAMMAR_NONE)
            node = grammar_first(g, nodes[last].symbol);
        while (grammar_is_rule(nodes[node].symbol)) {
            g->path.items[g->path.n++] = (struct grammar_level){.node = node};
            node = grammar_first(g, nodes[node].symbol);
        }
    }
    g->at = advance(g, node);
    if (g->at == GRAMMAR_NONE) {
        nodes[last].count++;
        grammar_rule_of(g, nodes[last].symbol)->uses++;
    }
    return true;
}

/* Append the nodes from `node` to before `end`. */
static enum refrain_status list_nodes(const struct grammar *g, uint32_t node, uint32_t end,
                                      struct grammar_items *out)
{
    for (; node != end; node = g->nodes.items[node].next) {
        struct rules_item item = {.symbol = g->nodes.items[node].symbol, .count = g->nodes.items[node].count};

        if (!array_push(out, item))
            return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

enum refrain_status grammar_partial(const struct grammar *g, struct grammar_items *out)
{
    enum refrain_status status = REFRAIN_OK;
    uint32_t first;

    if (g->at == GRAMMAR_NONE)
        return REFRAIN_OK;
    first = grammar_first(g, g->nodes.items[grammar_last(g)].symbol);
    for (size_t i = 0; i < g->path.n && status == REFRAIN_OK; i++) {
        const struct grammar_level *l = &g->path.items[i];
        struct rules_item item = {.symbol = g->nodes.items[l->node].symbol, .count = l->done};

        status = list_nodes(g, first, l->node, out);
        if (status == REFRAIN_OK && item.count > 0 && !array_push(out, item))
            status = REFRAIN_ERR_MEMORY;
        first = grammar_first(g, item.symbol);
    }
    return status == REFRAIN_OK ? list_nodes(g, first, g->at, out) : status;
}

/* Append an item whose uses are counted already. */
static enum refrain_status append_item(struct grammar *g, struct rules_item item)
{
    enum refrain_status status;
    bool changed;

    do {
        struct grammar_node *last = &g->nodes.items[grammar_last(g)];

        if (last->count > 0 && last->symbol == item.symbol) {
            last->count += item.count;
            return REFRAIN_OK;
        }
        status = grammar_close(g, &changed);
    } while (status == REFRAIN_OK && changed);
    return status == REFRAIN_OK ? grammar_link_last(g, item.symbol, item.count) : status;
}

enum refrain_status grammar_unfollow(struct grammar *g)
{
    enum refrain_status status = grammar_partial(g, &g->held);

    g->at = GRAMMAR_NONE;
    g->path.n = 0;
    /* Uses are counted before the first item is appended, so that no rule named by a later one is spliced
     * away. */
    for (size_t i = 0; i < g->held.n; i++) {
        if (grammar_is_rule(g->held.items[i].symbol))
            grammar_rule_of(g, g->held.items[i].symbol)->uses += g->held.items[i].count;
    }
    for (size_t i = 0; i < g->held.n && status == REFRAIN_OK; i++)
        status = append_item(g, g->held.items[i]);
    g->held.n = 0;
    return status;
}
