/* SPDX-License-Identifier: BSD-3-Clause */
#include "series_impl.h"

#include <assert.h>

uint64_t series_node_length(const struct series *s, uint32_t node)
{
    assert(node < s->nodes.n);
    const struct series_node *at = &s->nodes.items[node];
    if (series_is_leaf(at))
        return 1;
    if (series_is_pack(at))
        return s->packs.items[at->n]->n;
    uint64_t body = 0;
    for (uint32_t child = node + 1; child < node + at->span; child += s->nodes.items[child].span)
        body += series_node_length(s, child);
    return body * at->n;
}

void series_cursor_start(struct series_cursor *c, const struct series *s)
{
    c->series = s;
    c->index = 0;
    c->node = 0;
    c->in_pack = 0;
    c->depth = 0;
}

/* Enter loops from the outermost to the innermost; at each level skip whole elements before the wanted
 * value. */
void series_cursor_seek(struct series_cursor *c, uint64_t index)
{
    const struct series *s = c->series;
    assert(index <= s->length);
    series_cursor_start(c, s);
    c->index = index;
    if (index == s->length) {
        c->node = (uint32_t)s->nodes.n;
        return;
    }
    for (uint64_t rest = index;;) {
        const struct series_node *node = &s->nodes.items[c->node];
        uint64_t length = series_node_length(s, c->node);
        if (rest >= length) {
            rest -= length;
            c->node += series_extent(node);
        } else if (!series_is_loop(node)) {
            c->in_pack = (uint32_t)rest;
            return;
        } else {
            uint64_t body = length / node->n;
            c->loop[c->depth] = c->node++;
            c->i[c->depth++] = rest / body;
            rest %= body;
        }
    }
}

/* Enter the loops that begin here; afterwards the node is a leaf or a pack. Not at the end. */
static void enter(struct series_cursor *c)
{
    while (series_is_loop(&c->series->nodes.items[c->node])) {
        c->loop[c->depth] = c->node++;
        c->i[c->depth++] = 0;
    }
}

static uint64_t leaf_value(const struct series_cursor *c)
{
    const struct series_node *leaf = &c->series->nodes.items[c->node];
    if (series_is_pack(leaf))
        return pack_at(c->series->packs.items[leaf->n], c->in_pack);
    uint64_t v = leaf->n;
    for (uint32_t d = 0; d < leaf->depth; d++)
        v += c->series->coefs.items[leaf->coef + d] * c->i[d];
    return v;
}

/* Move from a value to the next: to its neighbour, or to the next iteration of the innermost loop that has
 * one. */
static void leave(struct series_cursor *c)
{
    const struct series_node *nodes = c->series->nodes.items;
    c->index++;
    if (series_is_pack(&nodes[c->node]) && ++c->in_pack < c->series->packs.items[nodes[c->node].n]->n)
        return;
    c->in_pack = 0;
    c->node++;
    while (c->depth > 0) {
        const uint32_t d = c->depth - 1;
        const struct series_node *loop = &nodes[c->loop[d]];
        if (c->node < c->loop[d] + loop->span)
            return;
        if (++c->i[d] < loop->n) {
            c->node = c->loop[d] + 1;
            return;
        }
        c->depth--;
    }
}

bool series_cursor_next(struct series_cursor *c, int64_t *value)
{
    if (c->index == c->series->length)
        return false;
    enter(c);
    *value = (int64_t)leaf_value(c);
    leave(c);
    return true;
}

uint64_t series_cursor_run(const struct series_cursor *c, int64_t *first, int64_t *step)
{
    if (c->index == c->series->length)
        return 0;
    struct series_cursor at = *c;
    enter(&at);
    *first = (int64_t)leaf_value(&at);
    *step = 0;
    if (at.depth == 0)
        return 1;
    const struct series_node *loop = &at.series->nodes.items[at.loop[at.depth - 1]];
    if (loop->span > 2)
        return 1;
    const struct series_node *leaf = &at.series->nodes.items[at.node];
    *step = (int64_t)at.series->coefs.items[leaf->coef + leaf->depth - 1];
    return loop->n - at.i[at.depth - 1];
}

void series_cursor_skip(struct series_cursor *c, uint64_t n)
{
    assert(n <= c->series->length - c->index);
    if (n == 0)
        return;
    enter(c);
    if (n > 1) {
        c->i[c->depth - 1] += n - 1;
        c->index += n - 1;
    }
    leave(c);
}

/* Does each iteration of the loop have the same values? */
static bool is_still(const struct series *s, uint32_t loop, uint32_t level)
{
    for (uint32_t k = loop + 1; k < loop + s->nodes.items[loop].span; k++) {
        const struct series_node *node = &s->nodes.items[k];
        if (series_is_leaf(node) && s->coefs.items[node->coef + level] != 0)
            return false;
    }
    return true;
}

/* List how often each loop around the position repeats from here on, from the innermost loop
 * outwards. */
void series_cursor_repetitions(struct series_cursor *c, struct repetitions *out)
{
    const struct series *s = c->series;
    uint64_t inside = 0;
    out->n = out->at = 0;
    if (c->index == s->length)
        return;
    enter(c);
    for (uint32_t d = c->depth; d-- > 0;) {
        const uint32_t child = d + 1 < c->depth ? c->loop[d + 1] : c->node;
        const uint64_t n = s->nodes.items[c->loop[d]].n;
        const uint64_t period = series_node_length(s, c->loop[d]) / n;
        for (uint32_t k = c->loop[d] + 1; k < child; k += s->nodes.items[k].span)
            inside += series_node_length(s, k);
        out->items[d] = (struct repetition){.period = period,
                                            .times = n - c->i[d] - (inside > 0),
                                            .still = is_still(s, c->loop[d], d),
                                            .level = d};
        inside += c->i[d] * period;
    }
    out->n = c->depth;
}

void series_cursor_repeat(struct series_cursor *c, const struct repetition *r, uint64_t times)
{
    assert(times < r->times);
    c->i[r->level] += times;
    c->index += times * r->period;
}

int64_t series_at(const struct series *s, uint64_t i)
{
    assert(i < s->length);
    int64_t value = 0;
    series_values(s, i, 1, &value);
    return value;
}

void series_values(const struct series *s, uint64_t first, uint64_t n, int64_t *values)
{
    assert(first <= s->length && n <= s->length - first);
    struct series_cursor c;
    series_cursor_start(&c, s);
    series_cursor_seek(&c, first);
    for (uint64_t i = 0; i < n; i++)
        series_cursor_next(&c, &values[i]);
}
