#include "model_sets.h"

#include "log.h"

#include <stdlib.h>
#include <string.h>

#define BLOCKS_DEPTH_MAX 32 /* loops around: blocks in more would go too deep */

void sets_free(struct sets *s)
{
    for (size_t i = 0; i < s->items.n; i++)
        array_free(&s->items.items[i].nodes);
    array_free(&s->items);
    array_free(&s->nodes);
    array_free(&s->partners);
    free(s->first_node);
    links_free(&s->links);
}

/* ---- nodes ----------------------------------------------------------------------------------------------
 */

/* A set of its own. */
static enum refrain_status put_alone(struct sets *s, uint32_t node)
{
    struct node *n = &s->nodes.items[node];
    struct node_set fresh = {.times = construct_times(n->construct)};
    if (!array_reserve(&s->items, 1) || !array_push(&fresh.nodes, node))
        return REFRAIN_ERR_MEMORY;
    n->set = (uint32_t)s->items.n;
    s->items.items[s->items.n++] = fresh;
    return REFRAIN_OK;
}

static enum refrain_status make_nodes(struct sets *s)
{
    const struct use *uses = s->links.uses.items;
    size_t u = 0;
    s->first_node = calloc(s->scope->n + 1, sizeof *s->first_node);
    if (!s->first_node) {
        log_error("out of memory: %zu sequences", s->scope->n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t q = 0; q < s->scope->n; q++) {
        const struct sequence *in = &s->scope->sequences[q];
        s->first_node[q] = (uint32_t)s->nodes.n;
        for (uint32_t at = 0; at < in->items.n; at++) {
            struct node node = {
                .construct = in->items.items[at].construct, .sequence = q, .at = at, .first_use = u};
            for (; u < s->links.uses.n && uses[u].sequence == q && uses[u].at == at; u++)
                node.n_uses++;
            if (!array_push(&s->nodes, node) || put_alone(s, (uint32_t)s->nodes.n - 1) != REFRAIN_OK)
                return REFRAIN_ERR_MEMORY;
        }
    }
    s->first_node[s->scope->n] = (uint32_t)s->nodes.n;
    return REFRAIN_OK;
}

/* ---- uniting --------------------------------------------------------------------------------------------
 */

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Do two sets have nodes of different sequences only? */
static bool are_apart(const struct sets *s, const struct node_set *a, const struct node_set *b)
{
    for (size_t i = 0, k = 0; i < a->nodes.n && k < b->nodes.n;) {
        const uint32_t x = s->nodes.items[a->nodes.items[i]].sequence;
        const uint32_t y = s->nodes.items[b->nodes.items[k]].sequence;
        if (x == y)
            return false;
        i += x < y;
        k += y < x;
    }
    return true;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* The sets of two nodes become one, if they may. Loops of 20 and 10 iterations become one of 10, if their
 * users meet; of 3 and 2, none. */
static enum refrain_status unite(struct sets *s, uint32_t x, uint32_t y)
{
    struct node_set *a = &s->items.items[s->nodes.items[x].set], *b = &s->items.items[s->nodes.items[y].set];
    const bool loops = construct_is_loop(s->nodes.items[x].construct);
    const uint64_t times = common_divisor(a->times, b->times);
    if (a == b || !are_apart(s, a, b) || (loops && times < 2))
        return REFRAIN_OK;
    if (a->times != b->times && s->scope->depth > BLOCKS_DEPTH_MAX)
        return REFRAIN_OK;
    if (!array_reserve(&a->nodes, b->nodes.n))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < b->nodes.n; i++) {
        a->nodes.items[a->nodes.n++] = b->nodes.items[i];
        s->nodes.items[b->nodes.items[i]].set = (uint32_t)(a - s->items.items);
    }
    qsort(a->nodes.items, a->nodes.n, sizeof *a->nodes.items, by_number); /* nodes are by sequence */
    a->times = times;
    b->nodes.n = 0;
    return REFRAIN_OK;
}

/* ---- partners -------------------------------------------------------------------------------------------
 */

/* Users of one end that are those of one construct. Collective operations come first: of two loops that one
 * could become one with, that is the one that it has to be with. */
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

/* n constructs whose users meet at all ends. Of a message's loops the sender comes first. */
static enum refrain_status take_partners(struct sets *s, const struct range *ranges, size_t n)
{
    const struct channel *channel = &s->b->channels.items.items[ranges[0].channel];
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

/* Unite partners whose sets have numbers from `first` on, and which are on the same side of a division. Loops
 * that send to each other both ways have to be one; then come all others. */
static enum refrain_status unite_partners(struct sets *s, size_t first)
{
    const size_t n = s->partners.n;
    enum refrain_status status = REFRAIN_OK;
    for (int others = 0; others < 2; others++) {
        for (size_t i = 0; i < n && status == REFRAIN_OK; i++) {
            const struct node_pair pair = s->partners.items[i], back = {pair.b, pair.a};
            const struct node *a = &s->nodes.items[pair.a], *b = &s->nodes.items[pair.b];
            if (a->set >= first && b->set >= first && a->leaves == b->leaves &&
                (others || bsearch(&back, s->partners.items, n, sizeof back, compare_pairs)))
                status = unite(s, pair.a, pair.b);
        }
    }
    return status;
}

static enum refrain_status find_partners(struct sets *s)
{
    const struct links *l = &s->links;
    struct range *ranges = calloc(l->uses.n + 1, sizeof *ranges);
    enum refrain_status status = REFRAIN_OK;
    size_t n = 0;
    if (!ranges) {
        log_error("out of memory: %zu uses of channels", l->uses.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < s->nodes.n; i++) {
        const struct use *uses = node_uses(s, &s->nodes.items[i]);
        for (size_t k = 0; k < s->nodes.items[i].n_uses; k++) {
            const bool message = !s->b->channels.items.items[uses[k].channel].sync;
            if (uses[k].last <= l->limits[uses[k].channel])
                ranges[n++] =
                    (struct range){message, uses[k].channel, (uint32_t)i, uses[k].first, uses[k].last};
        }
    }
    qsort(ranges, n, sizeof *ranges, compare_ranges);
    for (size_t i = 0, end; i < n && status == REFRAIN_OK; i = end) {
        for (end = i + 1; end < n && ranges[end].channel == ranges[i].channel &&
                          ranges[end].first == ranges[i].first && ranges[end].last == ranges[i].last;)
            end++;
        if (end - i == s->b->channels.items.items[ranges[i].channel].n_ends)
            status = take_partners(s, &ranges[i], end - i);
    }
    free(ranges);
    if (s->partners.n > 0)
        qsort(s->partners.items, s->partners.n, sizeof *s->partners.items, compare_pairs);
    return status == REFRAIN_OK ? unite_partners(s, 0) : status;
}

enum refrain_status sets_find(struct builder *b, struct scope *scope, struct sets *out)
{
    *out = (struct sets){.b = b, .scope = scope};
    enum refrain_status status = links_find(b, scope, &out->links);
    if (status == REFRAIN_OK)
        status = make_nodes(out);
    if (status == REFRAIN_OK)
        status = find_partners(out);
    if (status != REFRAIN_OK)
        sets_free(out);
    return status;
}

/* ---- taking apart ---------------------------------------------------------------------------------------
 */

enum refrain_status sets_divide(struct sets *s, uint32_t set)
{
    struct node_set old = s->items.items[set];
    const size_t first = s->items.n;
    enum refrain_status status = REFRAIN_OK;
    s->items.items[set] = (struct node_set){0};
    for (size_t i = 0; i < old.nodes.n && status == REFRAIN_OK; i++)
        status = put_alone(s, old.nodes.items[i]);
    if (status == REFRAIN_OK)
        status = unite_partners(s, first);
    for (size_t i = 0; i < old.nodes.n; i++)
        s->nodes.items[old.nodes.items[i]].leaves = false;
    array_free(&old.nodes);
    return status;
}
