/* SPDX-License-Identifier: BSD-3-Clause */
#include "process_groups.h"

#include "decoder/render/call_argument.h"
#include "operation.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

typedef ARRAY(int64_t) list;

/* ---- known groups ---------------------------------------------------------------------------- */

const struct process_group *process_groups_find(const struct process_groups *g, int64_t handle)
{
    const uint32_t i = handle < 0 || handle & 1 ? MAP_NONE : map_get(&g->by_handle, (uint64_t)handle >> 1);
    return i == MAP_NONE ? NULL : g->groups.items[i];
}

void process_groups_free(struct process_groups *g)
{
    for (size_t i = 0; i < g->groups.n; i++) {
        free(g->groups.items[i]->ranks);
        free(g->groups.items[i]);
    }
    array_free(&g->groups);
    map_free(&g->by_hash);
    map_free(&g->by_handle);
    map_free(&g->by_view);
}

void process_groups_forget(struct process_groups *g)
{
    map_clear(&g->by_handle);
}

void process_groups_remove(struct process_groups *g, int64_t handle)
{
    const uint64_t key = (uint64_t)handle >> 1;
    const uint32_t known = map_get(&g->by_handle, key);
    if (known != MAP_NONE)
        map_remove(&g->by_handle, key, known);
}

static bool intern(struct process_groups *g, const list *ranks, uint32_t *number)
{
    const size_t size = ranks->n * sizeof *ranks->items;
    const uint64_t hash = XXH3_64bits(ranks->items, size);
    size_t at;
    for (uint32_t i = map_first(&g->by_hash, hash, &at); i != MAP_NONE;
         i = map_next(&g->by_hash, hash, &at)) {
        const struct process_group *known = g->groups.items[i];
        if (known->n == ranks->n && (size == 0 || memcmp(known->ranks, ranks->items, size) == 0)) {
            *number = i;
            return true;
        }
    }
    struct process_group *group = malloc(sizeof *group);
    int64_t *copy = malloc(size + 1);
    if (!group || !copy || !array_push(&g->groups, group)) {
        free(group);
        free(copy);
        return false;
    }
    if (size > 0)
        memcpy(copy, ranks->items, size);
    *group = (struct process_group){ranks->n, copy};
    *number = (uint32_t)(g->groups.n - 1);
    return map_add(&g->by_hash, hash, *number);
}

/* ---- how groups are made --------------------------------------------------------------------- */

/* The data of a maker; `ok` is false if memory is short. */
struct making {
    const struct process_groups *groups;
    const struct group_maker *maker;
    list *out;
    bool ok;
};

static void push(struct making *m, int64_t rank)
{
    m->ok = m->ok && array_push(m->out, rank);
}

/* Adds all ranks of one side of a communicator. Returns false if they are unknown. */
static bool put_members(struct making *m, const struct group_view *view, bool remote)
{
    const struct groups *g = m->maker->groups;
    int64_t n = view->comm == g->self ? 1 : (int64_t)g->first_rank + g->n_ranks;
    struct group_view side = *view;
    if (view->comm < 0 || (remote && !view->inter))
        return false;
    side.second = view->second != remote; /* the wanted side */
    if (!(view->comm & 1)) {
        const struct communicator *c = &g->definitions->communicators.items[view->comm >> 1];
        n = side.second ? c->remote_size : c->size;
    }
    if (view->inter)
        side.second = !side.second; /* groups_peer takes the other side */
    for (int64_t i = 0; i < n && m->ok; i++) {
        const int64_t rank = groups_peer(g, &side, i);
        push(m, rank == GROUPS_NOBODY ? OPERATION_OUTSIDE : rank);
    }
    return true;
}

/* Finds a group argument. Returns false if it is unknown. */
static bool argument(const struct making *m, const char *name, struct process_group *out)
{
    struct layout_item item;
    if (!call_argument(m->maker->reader, m->maker->call, name, &item))
        return false;
    const struct process_group *group = process_groups_find(m->groups, item.slots[0]);
    *out = group ? *group : (struct process_group){0};
    return group || call_argument_is(m->maker->reader, m->maker->call, name, "MPI_GROUP_EMPTY");
}

/* Lists the ranks in a group that a call names, singly or as ranges [first, last, step]. */
static bool put_named(const struct making *m, list *named)
{
    struct layout_item item;
    bool ok = true;
    if (call_argument(m->maker->reader, m->maker->call, "ranks", &item)) {
        for (uint32_t i = 0; i < item.n_slots && ok; i++)
            ok = array_push(named, item.slots[i]);
    } else if (call_argument(m->maker->reader, m->maker->call, "ranges", &item)) {
        for (uint32_t i = 0; i + 3 <= item.n_slots && ok; i += 3) {
            const int64_t first = item.slots[i], last = item.slots[i + 1], step = item.slots[i + 2];
            for (int64_t r = first; step != 0 && (step > 0 ? r <= last : r >= last) && ok; r += step)
                ok = array_push(named, r);
        }
    }
    return ok;
}

static bool put_selection(struct making *m, bool with)
{
    struct process_group group;
    list named = {0};
    if (!argument(m, "group", &group))
        return false;
    bool *marked = calloc(with ? 1 : group.n + 1, sizeof *marked);
    m->ok = marked && put_named(m, &named);
    for (size_t i = 0; m->ok && i < named.n; i++) {
        const int64_t rank = named.items[i];
        if (rank < 0 || rank >= (int64_t)group.n)
            continue;
        if (with)
            push(m, group.ranks[rank]);
        else
            marked[rank] = true;
    }
    for (size_t i = 0; m->ok && !with && i < group.n; i++) {
        if (!marked[i])
            push(m, group.ranks[i]);
    }
    free(marked);
    array_free(&named);
    return true;
}

/* Adds the members of a that are in b, or that are not in b. */
static void put_of(struct making *m, const struct process_group *a, const struct process_group *b, bool in)
{
    struct map members = {0};
    for (size_t i = 0; i < b->n && m->ok; i++)
        m->ok = map_set(&members, (uint64_t)b->ranks[i], 0);
    for (size_t i = 0; i < a->n; i++) {
        if ((map_get(&members, (uint64_t)a->ranks[i]) != MAP_NONE) == in)
            push(m, a->ranks[i]);
    }
    map_free(&members);
}

static bool put_combination(struct making *m, enum role_group way)
{
    struct process_group a, b;
    if (!argument(m, "group1", &a) || !argument(m, "group2", &b))
        return false;
    if (way != GROUP_UNION) {
        put_of(m, &a, &b, way == GROUP_INTERSECTION);
        return true;
    }
    for (size_t i = 0; i < a.n; i++)
        push(m, a.ranks[i]);
    put_of(m, &b, &a, false);
    return true;
}

/* Adds the process sets that MPI defines (MPI 5.0, 11.3.2). */
static bool put_set(struct making *m)
{
    const struct groups *g = m->maker->groups;
    char name[32];
    call_argument_text(m->maker->reader, m->maker->call, "pset_name", name, sizeof name);
    if (strcmp(name, "mpi://SELF") == 0) {
        push(m, m->maker->rank);
        return true;
    }
    for (int64_t i = 0; strcmp(name, "mpi://WORLD") == 0 && i < (int64_t)g->first_rank + g->n_ranks; i++)
        push(m, i < g->first_rank ? OPERATION_OUTSIDE : i);
    return m->out->n > 0;
}

static bool put_way(struct making *m)
{
    const enum role_group way = m->maker->role->group;
    switch (way) {
    case GROUP_OF_COMM:
    case GROUP_OF_REMOTE:
    case GROUP_OF_WINDOW:
    case GROUP_OF_FILE:
        return m->maker->view && put_members(m, m->maker->view, way == GROUP_OF_REMOTE);
    case GROUP_WITH:
    case GROUP_WITHOUT:
        return put_selection(m, way == GROUP_WITH);
    case GROUP_UNION:
    case GROUP_INTERSECTION:
    case GROUP_DIFFERENCE:
        return put_combination(m, way);
    case GROUP_OF_SET:
        return put_set(m);
    case GROUP_NONE:
        break;
    }
    return false;
}

/* Finds the key of a group of all processes on one side of a communicator: it is the same on all ranks. */
static bool find_key(const struct group_maker *maker, uint64_t *key)
{
    const struct group_view *view = maker->view;
    if (!view || view->comm < 0 || view->comm == maker->groups->self)
        return false;
    *key = (uint64_t)view->comm << 2 | (uint64_t)view->second << 1 | (maker->role->group == GROUP_OF_REMOTE);
    return true;
}

bool process_groups_take(struct process_groups *g, const struct group_maker *maker)
{
    list ranks = {0};
    struct making m = {.groups = g, .maker = maker, .out = &ranks, .ok = true};
    uint64_t view;
    const bool has_key = find_key(maker, &view);
    uint32_t number = has_key ? map_get(&g->by_view, view) : MAP_NONE;
    if (maker->handle < 0 || maker->handle & 1)
        return true;
    if (number == MAP_NONE && put_way(&m) && m.ok) {
        m.ok = intern(g, &ranks, &number) && (!has_key || map_set(&g->by_view, view, number));
    }
    if (m.ok && number != MAP_NONE)
        m.ok = map_set(&g->by_handle, (uint64_t)maker->handle >> 1, number);
    else
        process_groups_remove(g, maker->handle);
    array_free(&ranks);
    return m.ok;
}
