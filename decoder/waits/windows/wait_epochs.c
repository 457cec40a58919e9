/* SPDX-License-Identifier: BSD-3-Clause */
#include "wait_epochs.h"

#include "decoder/match/stream/process_groups.h"
#include "window_key.h"

#include <stdlib.h>
#include <string.h>

void wait_epochs_free(struct wait_epochs *e)
{
    for (size_t i = 0; i < e->pairs.n; i++) {
        array_free(&e->pairs.items[i].posts);
        array_free(&e->pairs.items[i].starts);
        array_free(&e->pairs.items[i].completes);
        array_free(&e->pairs.items[i].waits);
        array_free(&e->pairs.items[i].accesses);
    }
    for (size_t i = 0; i < e->halves.n; i++)
        array_free(&e->halves.items[i].partners);
    for (size_t i = 0; i < e->whole_access.n; i++)
        array_free(&e->whole_access.items[i].partners);
    for (size_t i = 0; i < e->whole_exposure.n; i++)
        array_free(&e->whole_exposure.items[i].partners);
    map_free(&e->fenced_by_name);
    array_free(&e->fenced);
    map_free(&e->by_name);
    map_free(&e->access_of);
    array_free(&e->pairs);
    array_free(&e->halves);
    array_free(&e->unused);
    array_free(&e->whole_access);
    array_free(&e->whole_exposure);
    array_free(&e->posted);
}

/* Returns the pair, and creates it if needed; NULL when memory is short. */
static struct epoch_pair *pair_of(struct wait_epochs *e, const struct operation_scope *window,
                                  uint32_t origin, uint32_t target)
{
    const uint64_t key = window_key(window, origin, target);
    size_t at;
    for (uint32_t v = map_first(&e->by_name, key, &at); v != MAP_NONE; v = map_next(&e->by_name, key, &at)) {
        struct epoch_pair *p = &e->pairs.items[v];
        if (p->origin == origin && p->target == target && window_is_same(&p->window, window))
            return p;
    }
    const struct epoch_pair p = {.window = *window, .origin = origin, .target = target};
    if (!array_push(&e->pairs, p) || !map_add(&e->by_name, key, (uint32_t)(e->pairs.n - 1)))
        return NULL;
    return &e->pairs.items[e->pairs.n - 1];
}

/* ---- epochs ---------------------------------------------------------------------------------- */

/* Returns the number of the new half; MAP_NONE when memory is short. */
static uint32_t add_half(struct wait_epochs *e, const struct half_epoch *half)
{
    if (e->unused.n == 0) {
        if (!array_push(&e->halves, *half) || !array_reserve(&e->unused, e->halves.n))
            return MAP_NONE;
        return (uint32_t)(e->halves.n - 1);
    }
    const uint32_t number = e->unused.items[--e->unused.n];
    e->halves.items[number] = *half;
    return number;
}

/* The epoch is reported when it is closed and all partners are known. */
static bool end_if_whole(struct wait_epochs *e, uint32_t number, bool access)
{
    const struct half_epoch half = e->halves.items[number];
    if (half.left > 0 || !half.is_closed)
        return true;
    e->unused.items[e->unused.n++] = number;
    e->halves.items[number] = (struct half_epoch){0};
    if (access ? array_push(&e->whole_access, half) : array_push(&e->whole_exposure, half))
        return true;
    free(half.partners.items);
    return false;
}

static bool learn(struct wait_epochs *e, const struct epoch_item *item, uint32_t number, bool access)
{
    struct half_epoch *half = &e->halves.items[number];
    if (half->partners.n == 0 || item->call.timestamp.enter > half->cause.timestamp.enter) {
        half->cause = item->call;
        if (!access)
            half->last_access = item->last_access;
    }
    if (!array_push(&half->partners, item->call))
        return false;
    half->left--;
    return end_if_whole(e, number, access);
}

static void take_first(struct epoch_queue *q)
{
    memmove(q->items, q->items + 1, --q->n * sizeof *q->items);
}

/* Reports the accesses that may have waited for the post of the epoch, which is known now. */
static bool tell_accesses(struct wait_epochs *e, struct epoch_pair *p, uint32_t epoch)
{
    bool ok = true;
    size_t left = 0;
    for (size_t i = 0; i < p->accesses.n; i++) {
        const struct epoch_access access = p->accesses.items[i];
        if (access.epoch == epoch)
            ok = ok && array_push(&e->posted, ((struct posted_access){access.call, p->posted}));
        else
            p->accesses.items[left++] = access;
    }
    p->accesses.n = left;
    return ok;
}

/* Matches the beginnings of access epochs with the posts of their targets. */
static bool meet_posts(struct wait_epochs *e, struct epoch_pair *p)
{
    bool ok = true;
    while (ok && p->starts.n > 0 && p->posts.n > 0) {
        p->posted = p->posts.items[0].call;
        ok = tell_accesses(e, p, p->starts.items[0].asks) &&
             learn(e, &p->posts.items[0], p->starts.items[0].asks, true);
        take_first(&p->starts);
        take_first(&p->posts);
    }
    return ok;
}

/* Matches the ends of exposure epochs with the ends of the origins' accesses. */
static bool meet_completes(struct wait_epochs *e, struct epoch_pair *p)
{
    bool ok = true;
    while (ok && p->waits.n > 0 && p->completes.n > 0) {
        ok = learn(e, &p->completes.items[0], p->waits.items[0].asks, false);
        take_first(&p->waits);
        take_first(&p->completes);
    }
    return ok;
}

static bool is_partner(int64_t rank)
{
    return rank >= 0;
}

static uint32_t count(const struct process_group *g)
{
    uint32_t n = 0;
    for (size_t i = 0; i < g->n; i++)
        n += is_partner(g->ranks[i]);
    return n;
}

/* ---- origins --------------------------------------------------------------------------------- */

static uint64_t own_key(const struct operation *op)
{
    return window_key(&op->scope, op->call.rank, UINT64_MAX);
}

static bool start(struct wait_epochs *e, const struct operation *op)
{
    const struct process_group *g = op->partners;
    const struct half_epoch half = {.left = count(g), .opened = op->call};
    const uint32_t number = add_half(e, &half);
    bool ok = number != MAP_NONE && map_set(&e->access_of, own_key(op), number);
    e->is_reported = true;
    for (size_t i = 0; i < g->n && ok; i++) {
        if (!is_partner(g->ranks[i]))
            continue;
        struct epoch_pair *p = pair_of(e, &op->scope, op->call.rank, (uint32_t)g->ranks[i]);
        ok = p && array_push(&p->starts, ((struct epoch_item){.call = op->call, .asks = number})) &&
             meet_posts(e, p);
    }
    return ok;
}

static bool complete(struct wait_epochs *e, const struct operation *op)
{
    const struct process_group *g = op->partners;
    const uint32_t number = map_get(&e->access_of, own_key(op));
    if (number == MAP_NONE)
        return true;
    struct half_epoch *half = &e->halves.items[number];
    const struct epoch_item item = {.call = op->call, .last_access = half->last_access};
    map_remove(&e->access_of, own_key(op), number);
    half->is_closed = e->is_reported = true;
    half->closed = op->call;
    bool ok = end_if_whole(e, number, true);
    for (size_t i = 0; i < g->n && ok; i++) {
        if (!is_partner(g->ranks[i]))
            continue;
        struct epoch_pair *p = pair_of(e, &op->scope, op->call.rank, (uint32_t)g->ranks[i]);
        ok = p && array_push(&p->completes, item) && meet_completes(e, p);
        e->n_partners++;
    }
    return ok;
}

static bool access_window(struct wait_epochs *e, const struct operation *op)
{
    const uint32_t number = map_get(&e->access_of, own_key(op));
    if (number == MAP_NONE)
        return true;
    e->halves.items[number].last_access = op->call.timestamp.leave;
    struct epoch_pair *p = op->peer < 0 ? NULL : pair_of(e, &op->scope, op->call.rank, (uint32_t)op->peer);
    if (!p)
        return op->peer < 0;
    const bool is_open = p->starts.n > 0 && p->starts.items[p->starts.n - 1].asks == number;
    e->is_reported = is_open || p->posted.timestamp.enter > op->call.timestamp.enter;
    if (is_open)
        return array_push(&p->accesses, ((struct epoch_access){op->call, number}));
    return !e->is_reported || array_push(&e->posted, ((struct posted_access){op->call, p->posted}));
}

/* ---- targets --------------------------------------------------------------------------------- */

static bool post(struct wait_epochs *e, const struct operation *op)
{
    const struct process_group *g = op->partners;
    bool ok = true;
    for (size_t i = 0; i < g->n && ok; i++) {
        if (!is_partner(g->ranks[i]))
            continue;
        struct epoch_pair *p = pair_of(e, &op->scope, (uint32_t)g->ranks[i], op->call.rank);
        ok = p && array_push(&p->posts, (struct epoch_item){.call = op->call}) && meet_posts(e, p);
        e->n_partners++;
    }
    return ok;
}

static bool wait(struct wait_epochs *e, const struct operation *op, uint64_t begin)
{
    const struct process_group *g = op->partners;
    const struct half_epoch half = {
        .is_closed = true, .left = count(g), .opened = op->post, .closed = op->call, .begin = begin};
    const uint32_t number = half.left > 0 ? add_half(e, &half) : 0;
    bool ok = number != MAP_NONE;
    e->is_reported = half.left > 0;
    for (size_t i = 0; i < g->n && ok; i++) {
        if (!is_partner(g->ranks[i]))
            continue;
        struct epoch_pair *p = pair_of(e, &op->scope, (uint32_t)g->ranks[i], op->call.rank);
        ok = p && array_push(&p->waits, ((struct epoch_item){.call = op->call, .asks = number})) &&
             meet_completes(e, p);
    }
    return ok;
}

/* ---- fences ---------------------------------------------------------------------------------- */

/* Returns NULL if there is none. */
static struct fenced *find_fenced(struct wait_epochs *e, const struct operation_scope *window,
                                  uint32_t target)
{
    const uint64_t key = window_key(window, target, 0);
    size_t at;
    for (uint32_t v = map_first(&e->fenced_by_name, key, &at); v != MAP_NONE;
         v = map_next(&e->fenced_by_name, key, &at)) {
        struct fenced *f = &e->fenced.items[v];
        if (f->target == target && window_is_same(&f->window, window))
            return f;
    }
    return NULL;
}

static bool access_fenced(struct wait_epochs *e, const struct operation *op)
{
    const uint32_t target = (uint32_t)op->peer;
    struct fenced *f = find_fenced(e, &op->scope, target);
    if (!f) {
        if (!array_push(&e->fenced, ((struct fenced){op->scope, target, 0})) ||
            !map_add(&e->fenced_by_name, window_key(&op->scope, target, 0), (uint32_t)(e->fenced.n - 1)))
            return false;
        f = &e->fenced.items[e->fenced.n - 1];
    }
    const uint64_t end = op->call.timestamp.leave;
    f->last_access = end > f->last_access ? end : f->last_access;
    return true;
}

uint64_t wait_epochs_fence(struct wait_epochs *e, const struct operation_scope *window, uint32_t target)
{
    struct fenced *f = find_fenced(e, window, target);
    const uint64_t end = f ? f->last_access : 0;
    if (f)
        f->last_access = 0;
    return end;
}

bool wait_epochs_take(struct wait_epochs *e, const struct operation *op, uint64_t begin)
{
    e->n_partners = 0;
    e->is_reported = false;
    if (op->kind == OPERATION_RMA && op->in_epoch && op->epoch == ROLE_FENCE && op->peer >= 0)
        return access_fenced(e, op);
    if (op->kind == OPERATION_RMA)
        return !op->in_epoch || op->epoch != ROLE_ACCESS || access_window(e, op);
    if ((op->kind != OPERATION_OPEN && op->kind != OPERATION_CLOSE) || !op->partners)
        return true;
    if (op->epoch == ROLE_ACCESS)
        return op->kind == OPERATION_OPEN ? start(e, op) : complete(e, op);
    if (op->epoch == ROLE_EXPOSURE)
        return op->kind == OPERATION_OPEN ? post(e, op) : wait(e, op, begin);
    return true;
}
