/* SPDX-License-Identifier: BSD-3-Clause */
#include "nlr_impl.h"

#include "src/core/base/mix.h"

#include <assert.h>
#include <string.h>

void nlr_cut(struct nlr *s, size_t t)
{
    assert(t <= s->tops.n);
    const size_t node = nlr_top_node(s, t);
    s->words.n = nlr_words_before(s, node);
    s->nodes.n = node;
    s->tops.n = t;
}

/* Completes the element at this node: it becomes a top. */
static enum refrain_status put_top(struct nlr *s, size_t node)
{
    const struct nlr_node *nodes = s->nodes.items;
    struct nlr_top top = {.node = node};
    for (size_t k = node; k < nlr_end_of(s, node); k++) {
        top.shape = mix(top.shape, (uint64_t)nodes[k].template << 32 | nodes[k].span);
        top.shape = nodes[k].n == 1 ? top.shape : mix(top.shape, nodes[k].n);
        for (uint32_t j = 0; nodes[k].depth > 0 && j < nodes[k].n; j++) {
            for (uint32_t d = 1; d <= nodes[k].depth; d++)
                top.shape = mix(top.shape, nlr_number(s, &nodes[k], j)[d]);
        }
    }
    for (size_t k = node + 1; k < nlr_end_of(s, node); k = nlr_end_of(s, k))
        top.children++;
    for (uint32_t j = 0; !nlr_is_loop(&nodes[node]) && j < nodes[node].n; j++)
        top.sum += nlr_number(s, &nodes[node], j)[0] * (2 * j + 1);
    return array_push(&s->tops, top) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

enum refrain_status nlr_put_event(struct nlr *s, uint32_t template, const int64_t *numbers, uint32_t n)
{
    if (!array_reserve(&s->words, n) ||
        !array_push(&s->nodes,
                    ((struct nlr_node){.template = template, .span = 1, .n = n, .first = s->words.n})))
        return REFRAIN_ERR_MEMORY;
    for (uint32_t k = 0; k < n; k++)
        s->words.items[s->words.n++] = (uint64_t)numbers[k];
    return put_top(s, s->nodes.n - 1);
}

/* Copies nodes first … end - 1. With `up`, they leave their loop as its iteration i. */
static enum refrain_status put_nodes(struct nlr *s, const struct nlr *from, size_t first, size_t end,
                                     uint32_t up, uint64_t i)
{
    if (!array_reserve(&s->nodes, end - first) ||
        !array_reserve(&s->words, nlr_words_before(from, end) - nlr_words_before(from, first)))
        return REFRAIN_ERR_MEMORY;
    for (size_t k = first; k < end; k++) {
        struct nlr_node node = from->nodes.items[k];
        const uint64_t *words = from->words.items + node.first;
        node.first = s->words.n;
        node.depth -= up;
        for (uint32_t j = 0; j < node.n; j++, words += node.depth + up + 1) {
            s->words.items[s->words.n++] = words[0] + (up > 0 ? words[1] * i : 0);
            memcpy(s->words.items + s->words.n, words + 1 + up, node.depth * sizeof *words);
            s->words.n += node.depth;
        }
        s->nodes.items[s->nodes.n++] = node;
    }
    return REFRAIN_OK;
}

enum refrain_status nlr_put_element(struct nlr *s, const struct nlr *from, size_t node)
{
    const size_t to = s->nodes.n;
    enum refrain_status status = put_nodes(s, from, node, nlr_end_of(from, node), 0, 0);
    return status == REFRAIN_OK ? put_top(s, to) : status;
}

enum refrain_status nlr_put_body(struct nlr *s, const struct nlr *from, size_t loop, uint64_t i)
{
    assert(s != from && nlr_is_loop(&from->nodes.items[loop]));
    enum refrain_status status = REFRAIN_OK;
    const size_t end = nlr_end_of(from, loop);
    for (size_t k = loop + 1; k < end && status == REFRAIN_OK; k = nlr_end_of(from, k)) {
        const size_t to = s->nodes.n;
        status = put_nodes(s, from, k, nlr_end_of(from, k), 1, i);
        if (status == REFRAIN_OK)
            status = put_top(s, to);
    }
    return status;
}

enum refrain_status nlr_put_rest(struct nlr *s, const struct nlr *from, size_t loop, uint64_t i)
{
    assert(nlr_is_loop(&from->nodes.items[loop]) && from->nodes.items[loop].depth == 0);
    const size_t to = s->nodes.n;
    const enum refrain_status status = nlr_put_element(s, from, loop);
    if (status != REFRAIN_OK)
        return status;
    *nlr_count(s, to) -= i;
    for (size_t k = to + 1; k < s->nodes.n; k++) {
        const struct nlr_node *node = &s->nodes.items[k];
        for (uint32_t j = 0; j < node->n; j++) {
            uint64_t *words = s->words.items + node->first + (size_t)j * (node->depth + 1);
            words[0] += words[1] * i;
        }
    }
    return REFRAIN_OK;
}

enum refrain_status nlr_put_written_out(struct nlr *s, const struct nlr *from, size_t node)
{
    assert(s != from);
    enum refrain_status status = REFRAIN_OK;
    const struct nlr_node *element = &from->nodes.items[node];
    const int64_t count = nlr_is_loop(element) ? (int64_t)from->words.items[element->first] : 0;
    if (!nlr_is_loop(element) || count >= NLR_LEAST)
        return nlr_put_element(s, from, node);
    for (int64_t i = 0; i < count && status == REFRAIN_OK; i++)
        status = nlr_put_iteration(s, from, node, (uint64_t)i);
    return status;
}

enum refrain_status nlr_put_iteration(struct nlr *s, const struct nlr *from, size_t loop, uint64_t i)
{
    assert(s != from && nlr_is_loop(&from->nodes.items[loop]));
    struct nlr body = {0};
    enum refrain_status status = nlr_put_body(&body, from, loop, i);
    for (size_t t = 0; t < body.tops.n && status == REFRAIN_OK; t++)
        status = nlr_put_written_out(s, &body, body.tops.items[t].node);
    nlr_clear(&body);
    return status;
}

enum refrain_status nlr_put_loop(struct nlr *s, struct nlr_piece a, struct nlr_piece b, size_t w,
                                 uint64_t count)
{
    assert(a.model != s && b.model != s);
    const struct nlr_node *in_a = a.model->nodes.items + a.node, *in_b = b.model->nodes.items + b.node;
    size_t numbers = 0;
    for (size_t k = 0; k < w; k++)
        numbers += (size_t)in_a[k].n * (in_a[k].depth + 2);
    if (!array_reserve(&s->nodes, w + 1) || !array_reserve(&s->words, numbers + 1))
        return REFRAIN_ERR_MEMORY;

    const size_t to = s->nodes.n;
    s->nodes.items[s->nodes.n++] =
        (struct nlr_node){.template = NLR_LOOP, .span = (uint32_t)w + 1, .n = 1, .first = s->words.n};
    s->words.items[s->words.n++] = count;
    for (size_t k = 0; k < w; k++) {
        struct nlr_node node = in_a[k];
        const uint64_t *now = a.model->words.items + node.first, *then = b.model->words.items + in_b[k].first;
        node.first = s->words.n;
        for (uint32_t j = 0; j < node.n; j++, now += node.depth + 1, then += node.depth + 1) {
            s->words.items[s->words.n++] = now[0];
            s->words.items[s->words.n++] = then[0] - now[0];
            memcpy(s->words.items + s->words.n, now + 1, node.depth * sizeof *now);
            s->words.n += node.depth;
        }
        node.depth++;
        s->nodes.items[s->nodes.n++] = node;
    }
    return put_top(s, to);
}
