/* SPDX-License-Identifier: BSD-3-Clause */
#define LOG_DOMAIN LOG_MERGE
#include "merge_parts.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/base/log.h"
#include "src/core/base/mix.h"

/* Number of groups that a new group is compared with for refinement (merge_refine.c). Irregular programs
 * have one group for each rank; trying all pairs would take too long. */
#define REFINE_TRIES 8

/* Limit of the steps that refining all groups of one shape may take. Each pair of groups has a limit of its
 * own, too. */
#define REFINE_STEPS (16 * MERGE_REFINE_MAX)

#define VARIES UINT64_MAX

/* ---- entries --------------------------------------------------------------------------------- */

/* State of merging two entries. */
struct entry_merge {
    struct trace *into;
    struct entry *e;
    uint64_t calls;    /* calls of the site by each rank; VARIES: differs between ranks */
    uint64_t steps;    /* how many more runs of row streams may be walked */
    struct map by_key; /* merge_group_key -> e's groups */
    struct merge_known *known;
};

static uint32_t find_match(const struct entry_merge *m, const struct group *g)
{
    size_t at;
    uint64_t key = merge_group_key(g);
    uint32_t i = map_first(&m->by_key, key, &at);
    while (i != MAP_NONE && !merge_groups_match(&m->e->groups.items[i], g))
        i = map_next(&m->by_key, key, &at);
    return i;
}

static enum refrain_status push_group(struct entry_merge *m, struct group *g)
{
    if (!array_reserve(&m->e->groups, 1) ||
        !map_add(&m->by_key, merge_group_key(g), (uint32_t)m->e->groups.n))
        return REFRAIN_ERR_MEMORY;
    m->e->groups.items[m->e->groups.n++] = *g;
    *g = (struct group){0};
    return REFRAIN_OK;
}

/* Move group i into *g, which must be empty; the last group takes its place. */
static enum refrain_status take_group(struct entry_merge *m, uint32_t i, struct group *g)
{
    struct group *groups = m->e->groups.items;
    uint32_t last = (uint32_t)m->e->groups.n - 1;
    uint64_t last_key = merge_group_key(&groups[last]);
    map_remove(&m->by_key, merge_group_key(&groups[i]), i);
    if (i != last) {
        map_remove(&m->by_key, last_key, last);
        if (!map_add(&m->by_key, last_key, i))
            return REFRAIN_ERR_MEMORY;
    }
    *g = groups[i];
    groups[i] = groups[last];
    m->e->groups.n--;
    return REFRAIN_OK;
}

/* Try to refine g with a group of the entry. On success that group leaves the entry and becomes part of g. */
static enum refrain_status refine_group(struct entry_merge *m, struct group *g, bool *done)
{
    *done = false;
    if (m->calls == VARIES || group_slot_columns(g) < g->columns.n)
        return REFRAIN_OK;
    for (uint32_t i = 0; i < m->e->groups.n && i < REFINE_TRIES && m->steps > 0; i++) {
        struct group *old = &m->e->groups.items[i];
        if (group_slot_columns(old) < old->columns.n)
            continue;
        uint64_t steps = m->steps < MERGE_REFINE_MAX ? m->steps : MERGE_REFINE_MAX, left = steps;
        struct group both;
        enum refrain_status status = merge_groups_refine(m->into, old, g, m->calls, &left, &both, done);
        m->steps -= steps - left;
        if (status != REFRAIN_OK)
            return status;
        if (*done) {
            group_free(g);
            status = take_group(m, i, g);
            group_free(g);
            *g = both;
            return status;
        }
    }
    return REFRAIN_OK;
}

/* Join g with a group that matches. If none matches, refine g with another group; the resulting group may
 * match or be refined again. */
static enum refrain_status add_group(struct entry_merge *m, struct group *g)
{
    for (;;) {
        uint32_t match = find_match(m, g);
        if (match != MAP_NONE)
            return merge_groups_join(&m->e->groups.items[match], g, m->known);
        bool done;
        enum refrain_status status = refine_group(m, g, &done);
        if (status != REFRAIN_OK)
            return status;
        if (!done)
            return push_group(m, g);
    }
}

static enum refrain_status merge_entry(struct entry_merge *m, struct entry *next)
{
    enum refrain_status status = REFRAIN_OK;
    map_clear(&m->by_key);
    for (uint32_t i = 0; i < m->e->groups.n; i++)
        if (!map_add(&m->by_key, merge_group_key(&m->e->groups.items[i]), i))
            return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < next->groups.n && status == REFRAIN_OK; i++)
        status = add_group(m, &next->groups.items[i]);
    return status;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Count how often each rank of the shape calls each site. Sites in loops may have a different count on
 * each rank. */
static enum refrain_status count_calls(const struct shape *s, uint64_t *calls, uint32_t n_sites)
{
    enum refrain_status status = rules_count(s->skeleton, calls, n_sites);
    for (size_t i = 0; i < s->loops.n; i++) {
        for (uint32_t k = 0; k < s->loops.items[i].n; k++)
            calls[s->loops.items[i].sites[k]] = VARIES;
    }
    return status;
}

/* Join two shapes with the same kind, number, skeleton and loops; so they have entries of the same sites
 * in the same order. */
static enum refrain_status join_shapes(struct trace *into, struct shape *s, struct shape *next,
                                       struct merge_known *known)
{
    struct entry_merge m = {.into = into, .steps = REFINE_STEPS, .known = known};
    struct merge_domain d;
    enum refrain_status status = REFRAIN_ERR_MEMORY;
    uint64_t *calls = calloc(into->sites.n + 1, sizeof *calls);
    if (!calls) {
        log_error("out of memory for counts of %zu sites", into->sites.n);
        return status;
    }
    status = count_calls(s, calls, (uint32_t)into->sites.n);
    if (status == REFRAIN_OK)
        status = merge_known_domain(known, s->ranks, next->ranks, &d);
    for (size_t i = 0; i < s->loops.n && status == REFRAIN_OK; i++)
        status = merge_rankfns(&s->loops.items[i].counts, &next->loops.items[i].counts, &d);
    if (status == REFRAIN_OK)
        status = merge_known_ranks(&d, &s->ranks);
    for (size_t i = 0; i < s->entries.n && status == REFRAIN_OK; i++) {
        m.e = &s->entries.items[i];
        m.calls = calls[m.e->site];
        status = merge_entry(&m, &next->entries.items[i]);
    }
    map_free(&m.by_key);
    free(calls);
    return status;
}

static uint64_t shape_key(const struct shape *s)
{
    uint64_t key = mix(mix(rules_hash(s->skeleton), s->kind), s->number);
    for (size_t i = 0; i < s->loops.n; i++) {
        key = mix(key, s->loops.items[i].after);
        for (uint32_t k = 0; k < s->loops.items[i].n; k++)
            key = mix(key, s->loops.items[i].sites[k]);
    }
    return key;
}

static bool loops_equal(const struct shape *a, const struct shape *b)
{
    if (a->loops.n != b->loops.n)
        return false;
    for (size_t i = 0; i < a->loops.n; i++) {
        const struct loop *x = &a->loops.items[i], *y = &b->loops.items[i];
        if (x->after != y->after || x->n != y->n || memcmp(x->sites, y->sites, x->n * sizeof *x->sites) != 0)
            return false;
    }
    return true;
}

static uint32_t find_shape(const struct trace *t, const struct map *by_key, const struct shape *s)
{
    size_t at;
    uint64_t key = shape_key(s);
    for (uint32_t i = map_first(by_key, key, &at); i != MAP_NONE; i = map_next(by_key, key, &at)) {
        const struct shape *other = &t->shapes.items[i];
        if (other->kind == s->kind && other->number == s->number && loops_equal(other, s) &&
            rules_equal(other->skeleton, s->skeleton))
            return i;
    }
    return MAP_NONE;
}

static enum refrain_status merge_shapes(struct trace *into, struct trace *next, const struct merge_maps *maps)
{
    struct map by_key = {0};
    struct merge_known known = {0};
    enum refrain_status status = REFRAIN_ERR_MEMORY;
    for (uint32_t i = 0; i < into->shapes.n; i++)
        if (!map_add(&by_key, shape_key(&into->shapes.items[i]), i))
            goto out;
    if (!array_reserve(&into->shapes, next->shapes.n))
        goto out;
    status = REFRAIN_OK;
    for (size_t i = 0; i < next->shapes.n && status == REFRAIN_OK; i++) {
        struct shape *s = &next->shapes.items[i];
        if ((status = merge_rename_shape(s, maps, (uint32_t)next->sites.n)) != REFRAIN_OK)
            break;
        uint32_t same = find_shape(into, &by_key, s);
        if (same != MAP_NONE) {
            status = join_shapes(into, &into->shapes.items[same], s, &known);
        } else {
            into->shapes.items[into->shapes.n++] = *s;
            *s = (struct shape){0};
        }
    }
out:
    merge_known_free(&known);
    map_free(&by_key);
    return status;
}

/* ---- times by rank --------------------------------------------------------------------------- */

static enum refrain_status merge_rank_times(struct trace *into, struct trace *next, const uint32_t *functions)
{
    struct map known = {0};
    enum refrain_status status = REFRAIN_ERR_MEMORY;
    if (!array_reserve(&into->rank_times, next->rank_times.n))
        goto out;
    for (uint32_t i = 0; i < into->rank_times.n; i++)
        if (!map_set(&known, into->rank_times.items[i].function, i))
            goto out;
    status = REFRAIN_OK;
    for (size_t i = 0; i < next->rank_times.n && status == REFRAIN_OK; i++) {
        struct rank_time *t = &next->rank_times.items[i];
        t->function = functions[t->function];
        uint32_t same = map_get(&known, t->function);
        if (same == MAP_NONE) {
            into->rank_times.items[into->rank_times.n++] = *t;
            *t = (struct rank_time){0};
            continue;
        }
        struct rank_time *old = &into->rank_times.items[same];
        status = series_concat(old->ranks, t->ranks);
        if (status == REFRAIN_OK)
            status = series_concat(old->sums, t->sums);
    }
out:
    map_free(&known);
    return status;
}

enum refrain_status merge_traces(struct trace *into, struct trace *next)
{
    struct merge_maps maps = {0};
    enum refrain_status status = REFRAIN_ERR_USAGE;
    if (into->first_rank + into->n_ranks > next->first_rank) {
        log_error("cannot merge a trace that begins at rank %u: the trace before it has ranks %u to %u",
                  next->first_rank, into->first_rank, into->first_rank + into->n_ranks - 1);
        goto out;
    }
    const uint32_t n_ranks = next->first_rank + next->n_ranks - into->first_rank;
    if (n_ranks > TRACE_RANKS_MAX) {
        log_error("cannot merge ranks %u to %u: more than a trace may have", into->first_rank,
                  into->first_rank + n_ranks - 1);
        goto out;
    }
    if ((status = merge_unite_tables(into, next, &maps)) != REFRAIN_OK ||
        (status = merge_shapes(into, next, &maps)) != REFRAIN_OK ||
        (status = merge_rank_times(into, next, maps.functions)) != REFRAIN_OK ||
        (status = annex_join(&into->annex, &next->annex)) != REFRAIN_OK ||
        (status = rank_clocks_append(&into->clocks, &next->clocks)) != REFRAIN_OK)
        goto out;
    into->n_ranks = n_ranks;
    into->shares_slots = into->shares_slots || next->shares_slots;
    log_debug("ranks %u to %u have %zu shapes, %zu call sites, %zu columns", into->first_rank,
              into->first_rank + n_ranks - 1, into->shapes.n, into->sites.n, into->columns.n);
out:
    merge_maps_free(&maps);
    trace_free(next);
    return status;
}
