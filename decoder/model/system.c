/* SPDX-License-Identifier: BSD-3-Clause */
#include "system.h"

#include "src/core/base/order.h"

#include <stdlib.h>
#include <string.h>

struct system *system_of(struct arena *a, const struct construct_list *list)
{
    struct system *s = arena_array(a, 1, sizeof *s);
    struct construct **items = arena_array(a, list->all.n, sizeof(struct construct *));
    if (!s || !items)
        return NULL;
    if (list->all.n > 0)
        memcpy(items, list->all.items, list->all.n * sizeof *items);
    s->items = items;
    s->n = list->all.n;
    return s;
}

/* ---- processes ------------------------------------------------------------------------------- */

static bool collect_processes(const struct system *s, uint32_t *out)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct construct *c = s->items[i];
        for (uint32_t k = 0; k < c->n_acts; k++)
            out[n++] = c->acts[k].process;
        for (size_t k = 0; k < c->n_processes; k++)
            out[n++] = c->processes[k];
    }
    return n > 0;
}

static enum refrain_status find_processes(struct arena *a, struct construct *loop)
{
    size_t most = 0, n = 0;
    for (size_t i = 0; i < loop->body->n; i++)
        most += loop->body->items[i]->n_acts + loop->body->items[i]->n_processes;
    uint32_t *all = arena_array(a, most, sizeof *all);
    if (!all)
        return REFRAIN_ERR_MEMORY;
    if (collect_processes(loop->body, all)) {
        qsort(all, most, sizeof *all, order_u32);
        for (size_t i = 0; i < most; i++) {
            if (n == 0 || all[i] != all[n - 1])
                all[n++] = all[i];
        }
    }
    loop->processes = all;
    loop->n_processes = n;
    return REFRAIN_OK;
}

bool construct_has(const struct construct *c, uint32_t process)
{
    if (construct_is_loop(c))
        return c->n_processes > 0 &&
               bsearch(&process, c->processes, c->n_processes, sizeof process, order_u32) != NULL;
    for (uint32_t k = 0; k < c->n_acts; k++) {
        if (c->acts[k].process == process)
            return true;
    }
    return false;
}

struct construct *construct_loop(struct arena *a, uint32_t depth, const uint64_t *count,
                                 const struct system *body)
{
    struct construct *c = arena_array(a, 1, sizeof *c);
    uint64_t *words = arena_array(a, depth + (size_t)1, sizeof *words);
    if (!c || !words)
        return NULL;
    memcpy(words, count, (depth + (size_t)1) * sizeof *words);
    *c = (struct construct){.depth = depth, .count = words, .body = body};
    return find_processes(a, c) == REFRAIN_OK ? c : NULL;
}

/* ---- other indices --------------------------------------------------------------------------- */

static uint32_t new_depth(uint32_t depth, struct reindex r)
{
    return depth + (r.how == REINDEX_BLOCK) - (r.how == REINDEX_FIX);
}

/* Changes one number of a construct that is in at least level + 1 loops. */
static void reindex_words(const uint64_t *in, uint32_t depth, struct reindex r, uint64_t *out)
{
    const uint64_t coef = in[1 + r.level];
    *out++ = in[0] + (r.how == REINDEX_BLOCK ? 0 : coef * r.value);
    memcpy(out, in + 1, r.level * sizeof *in);
    out += r.level;
    if (r.how == REINDEX_BLOCK)
        *out++ = coef * r.value;
    if (r.how != REINDEX_FIX)
        *out++ = coef;
    memcpy(out, in + 2 + r.level, (depth - r.level - 1) * sizeof *in);
}

static uint64_t *reindex_numbers(struct arena *a, const uint64_t *in, uint32_t n, uint32_t depth,
                                 struct reindex r)
{
    const uint32_t to = new_depth(depth, r);
    uint64_t *out = arena_array(a, (size_t)n * (to + 1), sizeof *out);
    for (uint32_t k = 0; out && k < n; k++)
        reindex_words(in + (size_t)k * (depth + 1), depth, r, out + (size_t)k * (to + 1));
    return out;
}

enum refrain_status construct_reindex(struct arena *a, const struct construct *c, struct reindex r,
                                      struct construct_list *out)
{
    struct construct *copy = arena_array(a, 1, sizeof *copy);
    if (!copy)
        return REFRAIN_ERR_MEMORY;
    *copy = (struct construct){.depth = new_depth(c->depth, r),
                               .n_acts = c->n_acts,
                               .processes = c->processes,
                               .n_processes = c->n_processes};
    if (construct_is_loop(c)) {
        struct construct_list body = {0};
        enum refrain_status status = system_reindex(a, c->body, r, &body);
        if (status == REFRAIN_OK)
            copy->body = system_of(a, &body);
        array_free(&body.all);
        copy->count = reindex_numbers(a, c->count, 1, c->depth, r);
        if (!copy->body || !copy->count)
            return REFRAIN_ERR_MEMORY;
    } else {
        struct act *acts = arena_array(a, c->n_acts, sizeof *acts);
        for (uint32_t k = 0; acts && k < c->n_acts; k++) {
            acts[k] = c->acts[k];
            if (!(acts[k].words = reindex_numbers(a, c->acts[k].words, acts[k].n, c->depth, r)))
                return REFRAIN_ERR_MEMORY;
        }
        if (!(copy->acts = acts))
            return REFRAIN_ERR_MEMORY;
    }
    return array_push(&out->all, copy) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

enum refrain_status system_reindex(struct arena *a, const struct system *s, struct reindex r,
                                   struct construct_list *out)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < s->n && status == REFRAIN_OK; i++)
        status = construct_reindex(a, s->items[i], r, out);
    return status;
}

enum refrain_status loop_slice(struct arena *a, const struct construct *loop, uint64_t first, uint64_t n,
                               struct construct_list *out)
{
    if (n == 0)
        return REFRAIN_OK;
    if (n == 1)
        return system_reindex(a, loop->body, (struct reindex){REINDEX_FIX, loop->depth, first}, out);

    const struct system *body = loop->body;
    struct construct_list shifted = {0};
    enum refrain_status status = REFRAIN_OK;
    if (first > 0) {
        status = system_reindex(a, body, (struct reindex){REINDEX_SHIFT, loop->depth, first}, &shifted);
        body = status == REFRAIN_OK ? system_of(a, &shifted) : NULL;
        array_free(&shifted.all);
    }
    uint64_t count[SYSTEM_DEPTH_MAX + 1] = {n};
    struct construct *slice = body ? construct_loop(a, loop->depth, count, body) : NULL;
    return slice && array_push(&out->all, slice) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}
