/* SPDX-License-Identifier: BSD-3-Clause */
#include "traffic.h"

#include "src/core/base/log.h"
#include "src/core/base/bisect.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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

/* Most nodes have few pairs. */
#define FEW 16

static void sort_few(struct traffic_pair *pairs, size_t n)
{
    if (n > FEW)
        qsort(pairs, n, sizeof *pairs, by_ranks);
    for (size_t i = 1; i < n && n <= FEW; i++)
        for (size_t k = i; k > 0 && by_ranks(&pairs[k - 1], &pairs[k]) > 0; k--) {
            const struct traffic_pair other = pairs[k];
            pairs[k] = pairs[k - 1];
            pairs[k - 1] = other;
        }
}

/* Sorts the pairs by their first node, then the few pairs of each node by the second. */
static enum refrain_status sort(struct traffic *t)
{
    struct traffic_pair *sorted = malloc((t->pairs.n + 1) * sizeof *sorted);
    size_t *first = calloc(t->n_ranks + (size_t)2, sizeof *first);
    if (!sorted || !first) {
        log_error("out of memory: %zu pairs", t->pairs.n);
        free(sorted);
        free(first);
        return REFRAIN_ERR_MEMORY;
    }
    /* first[a + 1] is the node's next free position while its pairs are taken. */
    for (size_t i = 0; i < t->pairs.n; i++)
        first[t->pairs.items[i].a + 2]++;
    for (uint32_t a = 2; a <= t->n_ranks; a++)
        first[a] += first[a - 1];
    for (size_t i = 0; i < t->pairs.n; i++)
        sorted[first[t->pairs.items[i].a + 1]++] = t->pairs.items[i];
    for (uint32_t a = 0; a < t->n_ranks; a++)
        sort_few(sorted + first[a], first[a + 1] - first[a]);
    memcpy(t->pairs.items, sorted, t->pairs.n * sizeof *sorted);
    free(sorted);
    free(first);
    return REFRAIN_OK;
}

/* Joins the two directions of each pair. */
static enum refrain_status join(struct traffic *t)
{
    size_t n = 0;
    const enum refrain_status status = t->pairs.n > 0 ? sort(t) : REFRAIN_OK;
    for (size_t i = 0; i < t->pairs.n && status == REFRAIN_OK; i++) {
        if (n > 0 && by_ranks(&t->pairs.items[n - 1], &t->pairs.items[i]) == 0)
            add(&t->pairs.items[n - 1].sum, &t->pairs.items[i].sum);
        else
            t->pairs.items[n++] = t->pairs.items[i];
    }
    t->pairs.n = n;
    return status;
}

static int by_rank(const void *x, const void *y)
{
    const struct traffic_member *p = x, *q = y;
    return (p->rank > q->rank) - (p->rank < q->rank);
}

static enum refrain_status take_members(struct traffic *t, const uint32_t *ranks, uint32_t n)
{
    t->n_ranks = n;
    t->members = malloc((n + (size_t)1) * sizeof *t->members);
    t->ranks = malloc((n + (size_t)1) * sizeof *t->ranks);
    if (!t->members || !t->ranks) {
        log_error("out of memory: %u ranks", n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t node = 0; node < n; node++) {
        t->ranks[node] = ranks[node];
        t->members[node] = (struct traffic_member){ranks[node], node};
    }
    qsort(t->members, n, sizeof *t->members, by_rank);
    return REFRAIN_OK;
}

uint32_t traffic_rank(const struct traffic *t, uint32_t node)
{
    assert(node < t->n_ranks);
    return t->ranks ? t->ranks[node] : t->first_rank + node;
}

uint32_t traffic_node(const struct traffic *t, uint32_t rank)
{
    if (!t->members)
        return rank - t->first_rank < t->n_ranks ? rank - t->first_rank : TRAFFIC_NOBODY;
    const size_t at = BISECT(i, t->n_ranks, t->members[i].rank < rank);
    return at < t->n_ranks && t->members[at].rank == rank ? t->members[at].node : TRAFFIC_NOBODY;
}

enum refrain_status traffic_create(struct traffic *t, const struct matrix *m)
{
    return traffic_create_of(t, m, m->cells.items, m->cells.n, NULL, 0);
}

static enum refrain_status take(struct traffic *t, uint32_t from_rank, uint32_t to_rank,
                                const struct traffic_sum *sum)
{
    const uint32_t from = traffic_node(t, from_rank), to = traffic_node(t, to_rank);
    add(&t->all, sum);
    if (from == TRAFFIC_NOBODY || to == TRAFFIC_NOBODY)
        add(&t->outside, sum);
    else if (from == to)
        add(&t->to_self, sum);
    else if (!array_push(&t->pairs,
                         ((struct traffic_pair){from < to ? from : to, from < to ? to : from, *sum})))
        return REFRAIN_ERR_MEMORY;
    return REFRAIN_OK;
}

enum refrain_status traffic_create_of(struct traffic *t, const struct matrix *m,
                                      const struct matrix_cell *cells, size_t n_cells, const uint32_t *ranks,
                                      uint32_t n)
{
    *t = (struct traffic){.first_rank = m->first_rank, .n_ranks = m->n_ranks};
    enum refrain_status status = ranks ? take_members(t, ranks, n) : REFRAIN_OK;
    for (size_t i = 0; i < n_cells && status == REFRAIN_OK; i++)
        status =
            take(t, cells[i].from, cells[i].to, &(struct traffic_sum){cells[i].messages, cells[i].bytes});
    if (status == REFRAIN_OK)
        status = join(t);
    if (status != REFRAIN_OK)
        traffic_free(t);
    return status;
}

static enum refrain_status take_sends(void *context, uint32_t from, uint32_t to, uint64_t messages,
                                      uint64_t bytes)
{
    return take(context, from, to, &(struct traffic_sum){messages, bytes});
}

enum refrain_status traffic_create_by_groups(struct traffic *t, const struct reader *r,
                                             const struct definitions *d, bool *all)
{
    *t = (struct traffic){.first_rank = r->trace.first_rank, .n_ranks = r->trace.n_ranks};
    enum refrain_status status = group_sends(r, d, take_sends, t, all);
    if (status == REFRAIN_OK && *all)
        status = join(t);
    if (status != REFRAIN_OK || !*all)
        traffic_free(t);
    return status;
}

void traffic_free(struct traffic *t)
{
    array_free(&t->pairs);
    free(t->members);
    free(t->ranks);
    *t = (struct traffic){0};
}

uint64_t traffic_weight(const struct traffic *t, const struct traffic_sum *sum, bool by_messages)
{
    return by_messages || t->all.bytes == 0 ? sum->messages : sum->bytes;
}

enum refrain_status traffic_graph(const struct traffic *t, double threshold, bool by_messages,
                                  struct graph *g)
{
    assert(threshold >= 0 && threshold <= 1);
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
        const bool is_any = p->sum.messages > 0 || p->sum.bytes > 0;
        if (is_any && (double)weight >= threshold * (double)largest &&
            !array_push(&edges, ((struct graph_edge){p->a, p->b})))
            status = REFRAIN_ERR_MEMORY;
    }
    if (status == REFRAIN_OK)
        status = graph_create(g, t->n_ranks, &edges);
    array_free(&edges);
    return status;
}
