/* SPDX-License-Identifier: BSD-3-Clause */
#include "wait_locks.h"

#include "window_key.h"

#include <stdlib.h>

void wait_locks_free(struct wait_locks *l)
{
    map_free(&l->by_lock);
    array_free(&l->open);
    array_free(&l->unused);
    array_free(&l->ended);
    map_free(&l->by_target);
    array_free(&l->holders);
    array_free(&l->waits);
}

/* ---- open epochs ----------------------------------------------------------------------------- */

static uint64_t key_of(const struct operation *op, int64_t target)
{
    return window_key(&op->scope, op->call.rank, (uint64_t)target);
}

/* Returns the number of the open epoch; MAP_NONE if there is none. */
static uint32_t find_open(const struct wait_locks *l, const struct operation *op, int64_t target)
{
    const uint64_t key = key_of(op, target);
    size_t at;
    for (uint32_t v = map_first(&l->by_lock, key, &at); v != MAP_NONE; v = map_next(&l->by_lock, key, &at)) {
        const struct lock_epoch *e = &l->open.items[v];
        if (e->lock.rank == op->call.rank && e->target == target && window_is_same(&e->window, &op->scope))
            return v;
    }
    return MAP_NONE;
}

static bool lock(struct wait_locks *l, const struct operation *op)
{
    const struct lock_epoch e = {
        .window = op->scope, .target = op->peer, .exclusive = op->exclusive, .lock = op->call};
    uint32_t number = find_open(l, op, op->peer);
    if (number != MAP_NONE) { /* its end is missing */
        l->open.items[number] = e;
        return true;
    }
    if (l->unused.n > 0) {
        number = l->unused.items[--l->unused.n];
        l->open.items[number] = e;
    } else {
        number = (uint32_t)l->open.n;
        if (!array_push(&l->open, e) || !array_reserve(&l->unused, l->open.n))
            return false;
    }
    return map_add(&l->by_lock, key_of(op, op->peer), number);
}

static void access_target(struct wait_locks *l, const struct operation *op)
{
    const uint32_t number = find_open(l, op, op->epoch == ROLE_LOCK ? op->peer : OPERATION_ANY);
    struct lock_epoch *e = number == MAP_NONE ? NULL : &l->open.items[number];
    if (e && (!e->has_middle || op->call.timestamp.leave - op->call.timestamp.enter >
                                    e->middle.timestamp.leave - e->middle.timestamp.enter)) {
        e->has_middle = true;
        e->middle = op->call;
    }
}

static bool unlock(struct wait_locks *l, const struct operation *op)
{
    const uint32_t number = find_open(l, op, op->peer);
    if (number == MAP_NONE)
        return true;
    struct lock_epoch e = l->open.items[number];
    e.unlock = op->call;
    map_remove(&l->by_lock, key_of(op, op->peer), number);
    l->unused.items[l->unused.n++] = number;
    return array_push(&l->ended, e);
}

bool wait_locks_take(struct wait_locks *l, const struct operation *op)
{
    const bool is_lock = op->epoch == ROLE_LOCK || op->epoch == ROLE_LOCK_ALL;
    if (!is_lock || op->failed)
        return true;
    if (op->kind == OPERATION_OPEN)
        return lock(l, op);
    if (op->kind == OPERATION_CLOSE)
        return unlock(l, op);
    if ((op->kind == OPERATION_RMA || op->kind == OPERATION_FLUSH) && op->in_epoch)
        access_target(l, op);
    return true;
}

/* ---- ended epochs, in the order of their ends ------------------------------------------------- */

/* Returns who held locks of the target last; NULL when memory is short. */
static struct lock_holders *holders_of(struct wait_locks *l, const struct lock_epoch *e, int64_t target)
{
    const uint64_t key = window_key(&e->window, (uint64_t)target, 0);
    size_t at;
    for (uint32_t v = map_first(&l->by_target, key, &at); v != MAP_NONE;
         v = map_next(&l->by_target, key, &at)) {
        struct lock_holders *h = &l->holders.items[v];
        if (h->target == target && window_is_same(&h->window, &e->window))
            return h;
    }
    if (!array_push(&l->holders, ((struct lock_holders){.window = e->window, .target = target})) ||
        !map_add(&l->by_target, key, (uint32_t)(l->holders.n - 1)))
        return NULL;
    return &l->holders.items[l->holders.n - 1];
}

static const struct call_ref *later(const struct call_ref *a, const struct call_ref *b)
{
    return b->timestamp.leave > a->timestamp.leave ? b : a;
}

/* The first call that ended after the lock could be given back; it waited if it had begun before that. */
static bool compare(struct wait_locks *l, const struct lock_epoch *e, const struct call_ref *unlock)
{
    const struct call_ref *call = &e->lock;
    if (call->timestamp.leave <= unlock->timestamp.enter)
        call = e->has_middle && e->middle.timestamp.leave > unlock->timestamp.enter ? &e->middle : &e->unlock;
    return call->timestamp.enter >= unlock->timestamp.leave ||
           array_push(&l->waits, ((struct lock_wait){*call, *unlock}));
}

/* A lock of all targets is shared; it excludes exclusive locks of any target. */
static bool take_ended(struct wait_locks *l, const struct lock_epoch *e)
{
    if (!holders_of(l, e, OPERATION_ANY) || !holders_of(l, e, e->target))
        return false;
    struct lock_holders *all = holders_of(l, e, OPERATION_ANY), *own = holders_of(l, e, e->target);
    const struct call_ref *before = &own->exclusive;
    if (e->exclusive)
        before = later(later(before, &own->shared), &all->shared);
    const bool is_other = before->timestamp.leave > 0 && before->rank != e->lock.rank;
    const bool ok = !is_other || compare(l, e, before);
    *(e->exclusive ? &own->exclusive : &own->shared) = e->unlock;
    if (e->exclusive)
        all->exclusive = e->unlock;
    return ok;
}

static int compare_ends(const void *a, const void *b)
{
    const struct call_ref *x = &((const struct lock_epoch *)a)->unlock,
                          *y = &((const struct lock_epoch *)b)->unlock;
    if (x->timestamp.leave != y->timestamp.leave)
        return x->timestamp.leave < y->timestamp.leave ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->call < y->call ? -1 : x->call > y->call;
}

bool wait_locks_are_many(const struct wait_locks *l)
{
    return l->ended.n > l->compare_at;
}

bool wait_locks_compare(struct wait_locks *l, uint64_t until)
{
    const size_t n = l->ended.n;
    size_t done = 0;
    bool ok = true;
    if (n == 0)
        return true;
    qsort(l->ended.items, n, sizeof *l->ended.items, compare_ends);
    while (ok && done < n &&
           (l->ended.items[done].unlock.timestamp.leave <= until || n - done > WAIT_LOCKS_MOST))
        ok = take_ended(l, &l->ended.items[done++]);
    for (size_t i = done; i < n; i++)
        l->ended.items[i - done] = l->ended.items[i];
    l->ended.n -= done;
    l->compare_at = 2 * l->ended.n + 1024;
    return ok;
}
