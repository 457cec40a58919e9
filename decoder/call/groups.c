/* SPDX-License-Identifier: BSD-3-Clause */
#include "groups.h"

#include "src/core/base/mix.h"

#include <string.h>

static uint64_t key_of(uint32_t number, bool second, int64_t rank)
{
    return mix(mix(number, second), (uint64_t)rank);
}

static const struct member *find(const struct groups *g, uint32_t number, bool second, int64_t rank)
{
    const uint64_t key = key_of(number, second, rank);
    size_t at;
    for (uint32_t v = map_first(&g->by_position, key, &at); v != MAP_NONE;
         v = map_next(&g->by_position, key, &at)) {
        const struct member *m = &g->definitions->members.items[v];
        if (m->number == number && m->second == second && m->rank_in_comm == rank)
            return m;
    }
    return NULL;
}

enum refrain_status groups_create(struct groups *g, const struct reader *r, const struct definitions *d)
{
    const struct trace *t = &r->trace;
    *g = (struct groups){.definitions = d,
                         .first_rank = t->first_rank,
                         .n_ranks = t->n_ranks,
                         .world = functable_handle(&t->functions, "COMMUNICATOR", "MPI_COMM_WORLD"),
                         .self = functable_handle(&t->functions, "COMMUNICATOR", "MPI_COMM_SELF")};
    bool ok = array_reserve(&g->members, d->communicators.n);
    for (size_t i = 0; i < d->communicators.n && ok; i++)
        g->members.items[g->members.n++] = 0;
    for (size_t i = 0; i < d->members.n && ok; i++) {
        const struct member *m = &d->members.items[i];
        if (find(g, m->number, m->second, m->rank_in_comm))
            continue;
        ok = map_add(&g->by_position, key_of(m->number, m->second, m->rank_in_comm), (uint32_t)i);
        g->members.items[m->number]++;
    }
    if (ok)
        return REFRAIN_OK;
    groups_free(g);
    return REFRAIN_ERR_MEMORY;
}

void groups_free(struct groups *g)
{
    map_free(&g->by_position);
    array_free(&g->members);
    *g = (struct groups){0};
}

bool groups_view(const struct groups *g, uint32_t rank, int64_t slot, struct group_view *out)
{
    const bool self = slot == g->self;
    if (self || slot == g->world) {
        *out = (struct group_view){
            .comm = slot, .owner = self ? rank : 0, .rank = rank, .n = self ? 1 : g->n_ranks};
        return true;
    }
    if (slot & 1)
        return false;
    const struct member *m = definitions_member(g->definitions, rank, slot >> 1);
    if (!m)
        return false;
    const struct communicator *c = &g->definitions->communicators.items[m->number];
    const bool inter = c->remote_size >= 0;
    const uint32_t n = g->members.items[m->number];
    *out = (struct group_view){
        .comm = (int64_t)m->number << 1, .rank = rank, .n = n, .inter = inter, .second = m->second};
    return true;
}

int64_t groups_peer(const struct groups *g, const struct group_view *v, int64_t rank)
{
    if (v->comm == g->self)
        return rank == 0 ? (int64_t)v->rank : GROUPS_NOBODY;
    if (v->comm == g->world) /* in MPI_COMM_WORLD, ranks are those of the run */
        return rank >= g->first_rank && rank < (int64_t)g->first_rank + g->n_ranks ? rank : GROUPS_NOBODY;
    const struct member *m = find(g, (uint32_t)(v->comm >> 1), v->inter ? !v->second : v->second, rank);
    return m ? (int64_t)m->rank : GROUPS_NOBODY;
}
