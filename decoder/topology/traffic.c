/* SPDX-License-Identifier: BSD-3-Clause */
#include "traffic.h"

#include <stdlib.h>

static void add(struct traffic_sum *sum, const struct traffic_sum *more)
{
    sum->messages += more->messages;
    sum->bytes += more->bytes;
}

static int by_ranks(const void *x, const void *y)
{
    const struct traffic_pair *p = x, *q = y;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

/* Both ways become one pair. */
static void join(struct traffic *t)
{
    size_t n = 0;
    if (t->pairs.n > 0)
        qsort(t->pairs.items, t->pairs.n, sizeof *t->pairs.items, by_ranks);
    for (size_t i = 0; i < t->pairs.n; i++) {
        if (n > 0 && by_ranks(&t->pairs.items[n - 1], &t->pairs.items[i]) == 0)
            add(&t->pairs.items[n - 1].sum, &t->pairs.items[i].sum);
        else
            t->pairs.items[n++] = t->pairs.items[i];
    }
    t->pairs.n = n;
}

enum refrain_status traffic_create(struct traffic *t, const struct matrix *m)
{
    *t = (struct traffic){.first_rank = m->first_rank, .n_ranks = m->n_ranks};
    for (size_t i = 0; i < m->cells.n; i++) {
        const struct matrix_cell *c = &m->cells.items[i];
        const struct traffic_sum sum = {c->messages, c->bytes};
        const uint32_t from = c->from - m->first_rank, to = c->to - m->first_rank;
        add(&t->all, &sum);
        if (from >= m->n_ranks || to >= m->n_ranks) {
            add(&t->outside, &sum);
        } else if (from == to) {
            add(&t->to_self, &sum);
        } else if (!array_push(&t->pairs,
                               ((struct traffic_pair){from < to ? from : to, from < to ? to : from, sum}))) {
            traffic_free(t);
            return REFRAIN_ERR_MEMORY;
        }
    }
    join(t);
    return REFRAIN_OK;
}

void traffic_free(struct traffic *t)
{
    array_free(&t->pairs);
    *t = (struct traffic){0};
}

uint64_t traffic_weight(const struct traffic *t, const struct traffic_sum *sum, bool by_messages)
{
    return by_messages || t->all.bytes == 0 ? sum->messages : sum->bytes;
}

enum refrain_status traffic_graph(const struct traffic *t, double threshold, bool by_messages,
                                  struct graph *g)
{
    struct graph_edges edges = {0};
    uint64_t largest = 0;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < t->pairs.n; i++) {
        const uint64_t weight = traffic_weight(t, &t->pairs.items[i].sum, by_messages);
        largest = weight > largest ? weight : largest;
    }
    for (size_t i = 0; i < t->pairs.n && status == REFRAIN_OK; i++) {
        const struct traffic_pair *p = &t->pairs.items[i];
        const uint64_t weight = traffic_weight(t, &p->sum, by_messages);
        if (weight > 0 && (double)weight >= threshold * (double)largest &&
            !array_push(&edges, ((struct graph_edge){p->a, p->b})))
            status = REFRAIN_ERR_MEMORY;
    }
    if (status == REFRAIN_OK)
        status = graph_create(g, t->n_ranks, &edges);
    array_free(&edges);
    return status;
}
