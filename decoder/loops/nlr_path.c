/* SPDX-License-Identifier: BSD-3-Clause */
#include "nlr_impl.h"

#include <assert.h>

void nlr_path_start(struct nlr_path *p, const struct nlr *model)
{
    assert(!model->following);
    p->model = model;
    p->at = 0;
    p->end = model->nodes.n;
    p->depth = 0;
    nlr_path_settle(p);
}

uint64_t nlr_path_number(const struct nlr_path *p, const struct nlr_node *node, uint32_t k)
{
    assert(p->depth <= node->depth);
    const uint64_t *words = nlr_number(p->model, node, k);
    uint64_t value = words[0];
    for (uint32_t d = 0; d < p->depth; d++)
        value += words[1 + d] * p->frames[d].index;
    return value;
}

void nlr_path_settle(struct nlr_path *p)
{
    const struct nlr_node *nodes = p->model->nodes.items;
    for (;;) {
        if (p->depth > 0) {
            struct nlr_frame *f = &p->frames[p->depth - 1];
            const size_t end = f->loop + nodes[f->loop].span;
            if (p->at == end) {
                if (++f->index < f->count)
                    p->at = f->loop + 1;
                else
                    p->depth--;
                continue;
            }
        } else if (p->at == p->end) {
            return;
        }
        if (!nlr_is_loop(&nodes[p->at]) || (int64_t)nlr_path_number(p, &nodes[p->at], 0) > 0)
            return;
        p->at += nodes[p->at].span;
    }
}

void nlr_path_pass(struct nlr_path *p)
{
    assert(p->at < p->end);
    p->at += p->model->nodes.items[p->at].span;
    if (p->depth == 0 || p->at == p->end || nlr_is_loop(&p->model->nodes.items[p->at]) ||
        p->at == nlr_end_of(p->model, p->frames[p->depth - 1].loop))
        nlr_path_settle(p);
}

const struct nlr_node *nlr_path_event(struct nlr_path *p)
{
    const struct nlr_node *nodes = p->model->nodes.items;
    while (p->at < p->end) {
        const struct nlr_node *node = &nodes[p->at];
        if (!nlr_is_loop(node))
            return node;
        p->frames[p->depth] =
            (struct nlr_frame){.loop = p->at, .index = 0, .count = nlr_path_number(p, node, 0)};
        p->depth++;
        p->at++;
        nlr_path_settle(p);
    }
    return NULL;
}

/* ---- how many -------------------------------------------------------------------------------- */

static uint64_t add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t times(uint64_t a, uint64_t b)
{
    return b > 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* Does the count of any loop in this one depend on its index? */
static bool varies(const struct nlr *s, size_t loop)
{
    const struct nlr_node *nodes = s->nodes.items;
    for (size_t k = loop + 1; k < nlr_end_of(s, loop); k++) {
        if (nlr_is_loop(&nodes[k]) && s->words.items[nodes[k].first + 1 + nodes[loop].depth] != 0)
            return true;
    }
    return false;
}

/* Counts the events of the nodes up to `end`, for the indices of the path. */
static uint64_t count_nodes(struct nlr_path *p, size_t node, size_t end)
{
    const struct nlr *s = p->model;
    uint64_t all = 0;
    for (; node < end; node = nlr_end_of(s, node)) {
        if (!nlr_is_loop(&s->nodes.items[node])) {
            all = add(all, 1);
            continue;
        }
        const int64_t count = (int64_t)nlr_path_number(p, &s->nodes.items[node], 0);
        const bool each = varies(s, node);
        const uint32_t depth = p->depth++;
        uint64_t one = 0;
        for (int64_t i = 0; i < (each || count <= 0 ? count : 1); i++) {
            p->frames[depth].index = (uint64_t)i;
            one = add(one, count_nodes(p, node + 1, nlr_end_of(s, node)));
        }
        p->depth = depth;
        all = add(all, each || count <= 0 ? one : times(one, (uint64_t)count));
    }
    return all;
}

uint64_t nlr_length(const struct nlr *model)
{
    struct nlr_path p = {.model = model};
    return count_nodes(&p, 0, model->nodes.n);
}
