/* SPDX-License-Identifier: BSD-3-Clause */
#include "wait_locks.h"

#include "window_key.h"

#include <stdlib.h>

#define COMPARED_AT_ONCE 64   /* ended epochs */
#define LOOK_AFTER       4096 /* operations */

void wait_locks_free(struct wait_locks *l)
{
    map_free(&l->by_lock);
    array_free(&l->open);
    array_free(&l->unused);
    array_free(&l->ended);
    map_free(&l->by_target);
    array_free(&l->holders);
    array_free(&l->waits);
    array_free(&l->forgotten);
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

/* The call has waited for nobody. */
static bool await_no_more(struct wait_locks *l, const struct call_ref *call)
{
    return array_push(&l->waits, ((struct lock_wait){.call = *call, .is_awaited = true}));
}

/* Nothing more will be known of the epoch in time. */
static bool give_up(struct wait_locks *l, struct lock_epoch *e)
{
    const bool ok =
        !e->is_awaited || (await_no_more(l, &e->lock) && (!e->has_middle || await_no_more(l, &e->middle)));
    e->is_awaited = false;
    return ok;
}

static bool lock(struct wait_locks *l, const struct operation *op)
{
    const struct lock_epoch e = {.window = op->scope,
                                 .target = op->peer,
                                 .exclusive = op->exclusive,
                                 .is_awaited = op->epoch == ROLE_LOCK,
                                 .opened_at = l->operations,
                                 .lock = op->call};
    uint32_t number = find_open(l, op, op->peer);
    l->is_awaited = e.is_awaited;
    if (number != MAP_NONE) { /* its end is missing */
        const bool ok = give_up(l, &l->open.items[number]);
        l->open.items[number] = e;
        return ok;
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

static bool access_target(struct wait_locks *l, const struct operation *op)
{
    const uint32_t number = find_open(l, op, op->epoch == ROLE_LOCK ? op->peer : OPERATION_ANY);
    struct lock_epoch *e = number == MAP_NONE ? NULL : &l->open.items[number];
    if (!e || (e->has_middle && op->call.timestamp.leave - op->call.timestamp.enter <=
                                    e->middle.timestamp.leave - e->middle.timestamp.enter))
        return true;
    const bool ok = !e->has_middle || !e->is_awaited || await_no_more(l, &e->middle);
    l->is_awaited = e->is_awaited;
    e->has_middle = true;
    e->middle = op->call;
    return ok;
}

static bool unlock(struct wait_locks *l, const struct operation *op)
{
    const uint32_t number = find_open(l, op, op->peer);
    if (number == MAP_NONE)
        return true;
    struct lock_epoch e = l->open.items[number];
    e.unlock = op->call;
    l->open.items[number].is_awaited = false;
    map_remove(&l->by_lock, key_of(op, op->peer), number);
    l->unused.items[l->unused.n++] = number;
    l->is_awaited = e.is_awaited;
    l->n_holds = e.exclusive ? 2 : 1; /* by take_ended */
    return array_push(&l->ended, e);
}

bool wait_locks_take(struct wait_locks *l, const struct operation *op)
{
    const bool is_lock = op->epoch == ROLE_LOCK || op->epoch == ROLE_LOCK_ALL;
    l->is_awaited = false;
    l->n_holds = 0;
    l->operations++;
    if (!is_lock || op->failed)
        return true;
    if (op->kind == OPERATION_OPEN)
        return lock(l, op);
    if (op->kind == OPERATION_CLOSE)
        return unlock(l, op);
    return (op->kind != OPERATION_RMA && op->kind != OPERATION_FLUSH) || !op->in_epoch ||
           access_target(l, op);
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

/* Reports the calls of the epoch. The first one that ended after the lock could be given back waited if it had begun
 * before that. */
static bool compare(struct wait_locks *l, const struct lock_epoch *e, const struct call_ref *unlock)
{
    const struct call_ref *calls[] = {&e->lock, e->has_middle ? &e->middle : NULL, &e->unlock};
    bool ok = true;
    for (size_t i = 0; i < 3 && ok; i++) {
        struct lock_wait w = {.is_awaited = e->is_awaited};
        if (!calls[i])
            continue;
        w.call = *calls[i];
        if (unlock && (i == 2 || w.call.timestamp.leave > unlock->timestamp.enter)) {
            w.has_unlock = w.call.timestamp.enter < unlock->timestamp.leave;
            w.unlock = *unlock;
            unlock = NULL;
        }
        ok = (!w.has_unlock && !w.is_awaited) || array_push(&l->waits, w);
    }
    return ok;
}

/* The last one to hold a lock is `unlock` now. */
static bool hold(struct wait_locks *l, struct call_ref *last, const struct call_ref *unlock)
{
    const bool ok = last->timestamp.leave == 0 || array_push(&l->forgotten, *last);
    *last = *unlock;
    return ok;
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
    return compare(l, e, is_other ? before : NULL) &&
           hold(l, e->exclusive ? &own->exclusive : &own->shared, &e->unlock) &&
           (!e->exclusive || hold(l, &all->exclusive, &e->unlock));
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

bool wait_locks_are_due(const struct wait_locks *l)
{
    return l->ended.n > l->compare_at || (l->operations >= l->look_at && l->ended.n + l->open.n > 0);
}

static bool give_up_old(struct wait_locks *l)
{
    bool ok = true;
    for (size_t i = 0; i < l->open.n && ok; i++) {
        if (l->operations - l->open.items[i].opened_at > WAIT_LOCKS_AWAITED)
            ok = give_up(l, &l->open.items[i]);
    }
    return ok;
}

bool wait_locks_compare(struct wait_locks *l, uint64_t until)
{
    const size_t n = l->ended.n;
    size_t done = 0;
    bool ok = give_up_old(l);
    if (n > 0)
        qsort(l->ended.items, n, sizeof *l->ended.items, compare_ends);
    while (ok && done < n &&
           (l->ended.items[done].unlock.timestamp.leave <= until || n - done > WAIT_LOCKS_MOST))
        ok = take_ended(l, &l->ended.items[done++]);
    for (size_t i = done; i < n; i++)
        l->ended.items[i - done] = l->ended.items[i];
    l->ended.n -= done;
    l->compare_at = 2 * l->ended.n + COMPARED_AT_ONCE;
    l->look_at = l->operations + LOOK_AFTER;
    return ok;
}
