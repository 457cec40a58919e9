/* SPDX-License-Identifier: BSD-3-Clause */
#include "model_sets.h"

#include "src/core/base/bisect.h"
#include "src/core/base/gcd.h"
#include "src/core/base/log.h"
#include "src/core/base/order.h"

#include <stdlib.h>
#include <string.h>

#define BLOCKS_DEPTH_MAX 32 /* enclosing loops: blocks inside more of them would be too deep */
#define SEARCHED         8  /* sets with more nodes are indexed */

void sets_forget(struct sets *s)
{
    for (size_t i = 0; i < s->items.n; i++)
        array_free(&s->items.items[i].nodes);
    array_free(&s->items);
    array_free(&s->partners);
    map_free(&s->of_sequence);
    free(s->first_node);
    s->first_node = NULL;
}

void sets_free(struct sets *s)
{
    sets_forget(s);
    array_free(&s->nodes);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static uint64_t position_of(uint32_t set, uint32_t sequence)
{
    return (uint64_t)set << 32 | sequence;
}

uint32_t sets_node_of(const struct sets *s, uint32_t set, uint32_t sequence)
{
    const struct node_set *in = &s->items.items[set];
    if (in->nodes.n > SEARCHED)
        return map_get(&s->of_sequence, position_of(set, sequence));
    for (size_t i = 0; i < in->nodes.n; i++) {
        if (s->nodes.items[in->nodes.items[i]].sequence == sequence)
            return in->nodes.items[i];
    }
    return SETS_NO_NODE;
}

/* Indexes the nodes of a set from number `first` on by their sequences, if the set is large. */
static bool index_set(struct sets *s, uint32_t set, size_t first)
{
    const struct node_set *in = &s->items.items[set];
    bool ok = true;
    for (size_t i = first; in->nodes.n > SEARCHED && i < in->nodes.n && ok; i++) {
        const uint32_t node = in->nodes.items[i];
        ok = map_set(&s->of_sequence, position_of(set, s->nodes.items[node].sequence), node);
    }
    return ok;
}

static void forget_node(struct sets *s, uint32_t set, uint32_t node)
{
    map_remove(&s->of_sequence, position_of(set, s->nodes.items[node].sequence), node);
}

/* Makes a set of one node. Most sets stay small, so its list has no room for more. */
static enum refrain_status put_alone(struct sets *s, uint32_t node)
{
    struct node_set fresh = {.times = construct_times(s->nodes.items[node].construct)};
    fresh.nodes.items = malloc(sizeof *fresh.nodes.items);
    if (!fresh.nodes.items || !array_reserve(&s->items, 1)) {
        log_error("out of memory: %zu sets of constructs", s->items.n);
        free(fresh.nodes.items);
        return REFRAIN_ERR_MEMORY;
    }
    fresh.nodes.items[0] = node;
    fresh.nodes.n = fresh.nodes.cap = 1;
    s->nodes.items[node].set = (uint32_t)s->items.n;
    s->items.items[s->items.n++] = fresh;
    return REFRAIN_OK;
}

static enum refrain_status make_nodes(struct sets *s)
{
    s->first_node = calloc(s->scope->n + 1, sizeof *s->first_node);
    if (!s->first_node) {
        log_error("out of memory: %zu sequences", s->scope->n);
        return REFRAIN_ERR_MEMORY;
    }
    size_t all = 0;
    for (uint32_t q = 0; q < s->scope->n; q++)
        all += s->scope->sequences[q].items.n;
    if (!array_reserve(&s->nodes, all) || !array_reserve(&s->items, all))
        return REFRAIN_ERR_MEMORY;
    for (uint32_t q = 0; q < s->scope->n; q++) {
        const struct sequence *in = &s->scope->sequences[q];
        const struct use_list *uses = &s->links->of_sequence[q];
        size_t u = 0;
        s->first_node[q] = (uint32_t)s->nodes.n;
        for (uint32_t at = 0; at < in->items.n; at++) {
            struct node node = {.construct = in->items.items[at].construct,
                                .sequence = q,
                                .at = at,
                                .uses = u < uses->n ? uses->items + u : NULL};
            for (; u < uses->n && uses->items[u].at == at; u++)
                node.n_uses++;
            if (!array_push(&s->nodes, node) || put_alone(s, (uint32_t)s->nodes.n - 1) != REFRAIN_OK)
                return REFRAIN_ERR_MEMORY;
        }
    }
    s->first_node[s->scope->n] = (uint32_t)s->nodes.n;
    return REFRAIN_OK;
}

/* ---- uniting --------------------------------------------------------------------------------- */

/* Do two sets have nodes of different sequences only? */
static bool are_apart(const struct sets *s, uint32_t set, const struct node_set *other)
{
    for (size_t i = 0; i < other->nodes.n; i++) {
        const uint32_t sequence = s->nodes.items[other->nodes.items[i]].sequence;
        if (sets_node_of(s, set, sequence) != SETS_NO_NODE)
            return false;
    }
    return true;
}

/* Moves all nodes of a set to another one, and indexes them unless a division makes the set. */
static enum refrain_status move_nodes(struct sets *s, uint32_t from, uint32_t to)
{
    struct node_set *a = &s->items.items[to], *b = &s->items.items[from];
    const size_t before = a->nodes.n, indexed = before > SEARCHED ? before : 0;
    bool ok = array_reserve(&a->nodes, b->nodes.n);
    for (size_t i = 0; i < b->nodes.n && ok; i++) {
        const uint32_t node = b->nodes.items[i];
        a->nodes.items[a->nodes.n++] = node;
        s->nodes.items[node].set = to;
        if (!s->dividing && b->nodes.n > SEARCHED)
            forget_node(s, from, node);
    }
    ok = ok && (s->dividing || index_set(s, to, indexed));
    array_free(&b->nodes);
    return ok ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* Unites the sets of two nodes if possible. Loops of 20 and 10 iterations become one of 10 if
 * their users meet; loops of 3 and 2 do not. The smaller set moves into the larger one, so no node
 * moves often; nodes are sorted at the end. */
static enum refrain_status unite(struct sets *s, uint32_t x, uint32_t y)
{
    uint32_t large = s->nodes.items[x].set, small = s->nodes.items[y].set;
    if (s->items.items[large].nodes.n < s->items.items[small].nodes.n) {
        large = small;
        small = s->nodes.items[x].set;
    }
    struct node_set *a = &s->items.items[large], *b = &s->items.items[small];
    const bool loops = construct_is_loop(s->nodes.items[x].construct);
    const uint64_t times = GCD(a->times, b->times);
    if (a == b || (loops && times < 2) || (a->times != b->times && s->scope->depth > BLOCKS_DEPTH_MAX))
        return REFRAIN_OK;
    if (!s->dividing && !are_apart(s, large, b)) /* nodes that were in one set are apart */
        return REFRAIN_OK;
    a->times = times;
    return move_nodes(s, small, large);
}

/* Sorts the nodes of sets by sequence, from set `first` on. */
static void sort_sets(struct sets *s, size_t first)
{
    for (size_t i = first; i < s->items.n; i++) {
        struct node_set *set = &s->items.items[i];
        if (set->nodes.n > 1)
            qsort(set->nodes.items, set->nodes.n, sizeof *set->nodes.items, order_u32);
    }
}

/* ---- partners -------------------------------------------------------------------------------- */

/* The users of one end that belong to one construct. Collective operations come first: if one
 * could join two loops, theirs has priority. */
struct range {
    bool message;
    uint32_t channel, node;
    uint64_t first, last;
};

static int compare_ranges(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    if (x->message != y->message)
        return x->message ? 1 : -1;
    if (x->channel != y->channel)
        return x->channel < y->channel ? -1 : 1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->last != y->last)
        return x->last < y->last ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

/* Takes n constructs whose users meet at all ends. Among a message's loops, the sender comes
 * first. */
static enum refrain_status take_partners(struct sets *s, const struct range *ranges, size_t n)
{
    const struct channel *channel = &s->b->channels->items.items[ranges[0].channel];
    const bool loop = construct_is_loop(s->nodes.items[ranges[0].node].construct);
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 1; i < n; i++) {
        const struct node *a = &s->nodes.items[ranges[i - 1].node], *b = &s->nodes.items[ranges[i].node];
        if (construct_is_loop(b->construct) != loop || a->sequence == b->sequence)
            return REFRAIN_OK;
    }
    for (size_t i = 1; i < n && status == REFRAIN_OK; i++) {
        struct node_pair pair = {ranges[i - 1].node, ranges[i].node};
        const uint32_t process = s->scope->sequences[s->nodes.items[pair.a].sequence].process;
        if (!channel->sync && s->b->model->processes.items[process].rank != channel->from)
            pair = (struct node_pair){pair.b, pair.a};
        if (loop && !array_push(&s->partners, pair))
            return REFRAIN_ERR_MEMORY;
        if (!loop || channel->sync)
            status = unite(s, pair.a, pair.b);
    }
    return status;
}

static int compare_pairs(const void *a, const void *b)
{
    const struct node_pair *x = a, *y = b;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

/* Returns the first pair with this node. */
static size_t find_pair(const struct sets *s, uint32_t node)
{
    return BISECT(i, s->partners.n, s->partners.items[i].a < node);
}

/* Unites a node with its partners in sets numbered from `first` on, on the same side of a
 * division: with all of them, or with those that send to each other in both directions. */
static enum refrain_status unite_partners_of(struct sets *s, uint32_t node, size_t first, bool both_ways)
{
    const struct node *a = &s->nodes.items[node];
    const size_t n = s->partners.n;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = find_pair(s, node); i < n && s->partners.items[i].a == node && status == REFRAIN_OK;
         i++) {
        const struct node_pair back = {s->partners.items[i].b, node};
        const struct node *b = &s->nodes.items[back.a];
        if (b->set >= first && a->leaves == b->leaves &&
            (!both_ways || bsearch(&back, s->partners.items, n, sizeof back, compare_pairs)))
            status = unite(s, node, back.a);
    }
    return status;
}

/* Unites the sorted nodes of such sets. Loops that send to each other in both directions must be
 * one loop, so they come first. */
static enum refrain_status unite_partners(struct sets *s, const uint32_t *nodes, size_t n, size_t first)
{
    enum refrain_status status = REFRAIN_OK;
    for (int others = 0; others < 2; others++) {
        for (size_t i = 0; i < n && status == REFRAIN_OK; i++)
            status = unite_partners_of(s, nodes[i], first, !others);
    }
    sort_sets(s, first);
    return status;
}

/* Unites all partners. */
static enum refrain_status unite_all(struct sets *s)
{
    ARRAY(uint32_t) nodes = {0};
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < s->partners.n && status == REFRAIN_OK; i++) {
        const uint32_t node = s->partners.items[i].a;
        if ((nodes.n == 0 || nodes.items[nodes.n - 1] != node) && !array_push(&nodes, node))
            status = REFRAIN_ERR_MEMORY;
    }
    if (status == REFRAIN_OK)
        status = unite_partners(s, nodes.items, nodes.n, 0);
    array_free(&nodes);
    return status;
}

static enum refrain_status find_partners(struct sets *s)
{
    const struct links *l = s->links;
    struct range *ranges = calloc(l->n_uses + 1, sizeof *ranges);
    enum refrain_status status = REFRAIN_OK;
    size_t n = 0;
    if (!ranges) {
        log_error("out of memory: %zu uses of channels", l->n_uses);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < s->nodes.n; i++) {
        const struct use *uses = s->nodes.items[i].uses;
        for (size_t k = 0; k < s->nodes.items[i].n_uses; k++) {
            const bool message = !s->b->channels->items.items[uses[k].channel].sync;
            if (uses[k].last <= l->limits[uses[k].position])
                ranges[n++] =
                    (struct range){message, uses[k].channel, (uint32_t)i, uses[k].first, uses[k].last};
        }
    }
    qsort(ranges, n, sizeof *ranges, compare_ranges);
    for (size_t i = 0, end; i < n && status == REFRAIN_OK; i = end) {
        for (end = i + 1; end < n && ranges[end].channel == ranges[i].channel &&
                          ranges[end].first == ranges[i].first && ranges[end].last == ranges[i].last;)
            end++;
        if (end - i == s->b->channels->items.items[ranges[i].channel].n_ends)
            status = take_partners(s, &ranges[i], end - i);
    }
    free(ranges);
    if (s->partners.n > 0)
        qsort(s->partners.items, s->partners.n, sizeof *s->partners.items, compare_pairs);
    return status == REFRAIN_OK ? unite_all(s) : status;
}

enum refrain_status sets_find(struct builder *b, struct scope *scope, const struct links *links,
                              struct sets *out)
{
    *out = (struct sets){.b = b, .scope = scope, .links = links};
    enum refrain_status status = make_nodes(out);
    if (status == REFRAIN_OK)
        status = find_partners(out);
    if (status != REFRAIN_OK)
        sets_free(out);
    return status;
}

/* ---- taking apart ---------------------------------------------------------------------------- */

/* Renumbers the sets from `first` on: the largest gets `number`, the others get numbers from
 * `first` on, empty ones are removed. */
static void number_parts(struct sets *s, size_t first, uint32_t number)
{
    size_t largest = first, n = first;
    for (size_t i = first; i < s->items.n; i++)
        largest = s->items.items[i].nodes.n > s->items.items[largest].nodes.n ? i : largest;
    for (size_t i = first; i < s->items.n; i++) {
        const struct node_set part = s->items.items[i];
        if (part.nodes.n == 0)
            continue;
        const size_t to = i == largest ? number : n++;
        s->items.items[to] = part;
        for (size_t k = 0; k < part.nodes.n; k++)
            s->nodes.items[part.nodes.items[k]].set = (uint32_t)to;
    }
    s->items.n = n;
}

enum refrain_status sets_divide(struct sets *s, uint32_t set)
{
    struct node_set old = s->items.items[set];
    const size_t first = s->items.n;
    enum refrain_status status = REFRAIN_OK;
    s->items.items[set] = (struct node_set){0};
    s->dividing = true;
    for (size_t i = 0; i < old.nodes.n && status == REFRAIN_OK; i++)
        status = put_alone(s, old.nodes.items[i]);
    if (status == REFRAIN_OK)
        status = unite_partners(s, old.nodes.items, old.nodes.n, first);
    s->dividing = false;
    if (status == REFRAIN_OK)
        number_parts(s, first, set);
    for (size_t i = 0; i < old.nodes.n; i++) {
        struct node *node = &s->nodes.items[old.nodes.items[i]];
        node->leaves = false;
        if (old.nodes.n > SEARCHED && (node->set != set || s->items.items[set].nodes.n <= SEARCHED))
            forget_node(s, set, old.nodes.items[i]);
    }
    for (size_t i = first; i < s->items.n && status == REFRAIN_OK; i++)
        status = index_set(s, (uint32_t)i, 0) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    array_free(&old.nodes);
    return status;
}
