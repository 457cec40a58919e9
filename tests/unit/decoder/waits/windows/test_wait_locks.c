/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks of a window that exclude each other, in whatever order their epochs become known. */
#include "decoder/waits/windows/wait_locks.h"

#include <criterion/criterion.h>

enum { TARGET = 7 };

static struct operation operation(enum operation_kind kind, uint32_t rank, uint64_t enter, uint64_t leave)
{
    return (struct operation){.kind = kind,
                              .epoch = ROLE_LOCK,
                              .in_epoch = true,
                              .peer = TARGET,
                              .call = {.rank = rank, .call = enter, .timestamp = {enter, leave}}};
}

static void lock(struct wait_locks *l, uint32_t rank, bool exclusive, uint64_t enter, uint64_t leave)
{
    struct operation op = operation(OPERATION_OPEN, rank, enter, leave);
    op.exclusive = exclusive;
    cr_assert(wait_locks_take(l, &op));
}

static void put(struct wait_locks *l, uint32_t rank, uint64_t enter, uint64_t leave)
{
    const struct operation op = operation(OPERATION_RMA, rank, enter, leave);
    cr_assert(wait_locks_take(l, &op));
}

static void unlock(struct wait_locks *l, uint32_t rank, uint64_t enter, uint64_t leave)
{
    const struct operation op = operation(OPERATION_CLOSE, rank, enter, leave);
    cr_assert(wait_locks_take(l, &op));
}

/* Compares all epochs, and expects one wait by the call that entered then, for this rank's unlock. */
static void expect(struct wait_locks *l, uint64_t enter, uint32_t holder)
{
    const struct lock_wait *wait = NULL;
    cr_assert(wait_locks_compare(l, UINT64_MAX));
    for (size_t i = 0; i < l->waits.n; i++) {
        if (!l->waits.items[i].has_unlock)
            continue;
        cr_assert_null(wait);
        wait = &l->waits.items[i];
    }
    cr_assert_not_null(wait);
    cr_expect_eq(wait->call.timestamp.enter, enter);
    cr_expect_eq(wait->unlock.rank, holder);
    wait_locks_free(l);
}

static void expect_none(struct wait_locks *l)
{
    cr_assert(wait_locks_compare(l, UINT64_MAX));
    for (size_t i = 0; i < l->waits.n; i++)
        cr_expect_not(l->waits.items[i].has_unlock);
    wait_locks_free(l);
}

Test(wait_locks, the_lock_waits_for_its_holder)
{
    struct wait_locks l = {0};
    lock(&l, 2, true, 10, 51); /* known first, although it has the lock second */
    put(&l, 2, 52, 53);
    unlock(&l, 2, 60, 61);
    lock(&l, 1, true, 0, 1);
    unlock(&l, 1, 50, 52);
    expect(&l, 10, 1);
}

Test(wait_locks, an_access_or_the_unlock_may_wait_instead)
{
    struct wait_locks l = {0};
    lock(&l, 1, true, 0, 1);
    unlock(&l, 1, 50, 51);
    lock(&l, 2, true, 10, 11);
    put(&l, 2, 12, 13);
    put(&l, 2, 14, 52); /* the longest access */
    put(&l, 2, 53, 54);
    unlock(&l, 2, 60, 61);
    expect(&l, 14, 1);
    l = (struct wait_locks){0};
    lock(&l, 1, true, 0, 1);
    unlock(&l, 1, 50, 51);
    lock(&l, 2, true, 10, 11);
    put(&l, 2, 12, 13);
    unlock(&l, 2, 20, 52);
    expect(&l, 20, 1);
}

Test(wait_locks, shared_locks_wait_for_exclusive_ones_only)
{
    struct wait_locks l = {0};
    lock(&l, 1, false, 0, 1);
    unlock(&l, 1, 50, 51);
    lock(&l, 2, false, 10, 52);
    unlock(&l, 2, 60, 61);
    expect_none(&l);
    l = (struct wait_locks){0};
    lock(&l, 1, true, 0, 1);
    unlock(&l, 1, 50, 51);
    lock(&l, 2, false, 10, 52);
    unlock(&l, 2, 60, 61);
    expect(&l, 10, 1);
    l = (struct wait_locks){0};
    lock(&l, 1, false, 0, 1);
    unlock(&l, 1, 50, 51);
    lock(&l, 2, true, 10, 52);
    unlock(&l, 2, 60, 61);
    expect(&l, 10, 1);
}

Test(wait_locks, epochs_one_after_the_other_do_not_wait)
{
    struct wait_locks l = {0};
    lock(&l, 1, true, 0, 1);
    unlock(&l, 1, 50, 51);
    lock(&l, 2, true, 51, 52);
    unlock(&l, 2, 60, 61);
    expect_none(&l);
}

Test(wait_locks, a_lock_of_all_targets_waits_for_each)
{
    struct wait_locks l = {0};
    struct operation all = operation(OPERATION_OPEN, 2, 10, 52);
    lock(&l, 1, true, 0, 1);
    unlock(&l, 1, 50, 51);
    all.epoch = ROLE_LOCK_ALL;
    all.peer = OPERATION_ANY;
    cr_assert(wait_locks_take(&l, &all));
    all = operation(OPERATION_CLOSE, 2, 60, 61);
    all.epoch = ROLE_LOCK_ALL;
    all.peer = OPERATION_ANY;
    cr_assert(wait_locks_take(&l, &all));
    expect(&l, 10, 1);
}

/* Takes an operation, and counts calls that are awaited, and those of which something has been reported. */
static void count(struct wait_locks *l, const struct operation *op, size_t *awaited, size_t *held)
{
    cr_assert(wait_locks_take(l, op));
    *awaited += l->is_awaited;
    *held += l->n_holds;
}

/* Each call that is awaited is reported once, whether it waits or not; each MPI_Win_unlock is forgotten as often as it
 * was held, except for the last ones. */
Test(wait_locks, awaited_calls_are_reported_once)
{
    struct wait_locks l = {0};
    size_t awaited = 0, held = 0, reported = 0;
    for (uint64_t i = 0; i < 30; i++) {
        const uint64_t at = 100 * i;
        const uint32_t rank = (uint32_t)(i % 3);
        struct operation open = operation(OPERATION_OPEN, rank, at, at + 5),
                         access = operation(OPERATION_RMA, rank, at + 10, at + 11 + i % 2),
                         longer = operation(OPERATION_RMA, rank, at + 20, at + 25),
                         close = operation(OPERATION_CLOSE, rank, at + 90, at + 130);
        open.exclusive = i % 4 > 0;
        count(&l, &open, &awaited, &held);
        if (i == 7) /* its end is missing */
            count(&l, &open, &awaited, &held);
        count(&l, &access, &awaited, &held);
        count(&l, &longer, &awaited, &held);
        count(&l, &close, &awaited, &held);
    }
    cr_expect_eq(awaited, 30 * 4 + 1);
    cr_assert(wait_locks_compare(&l, UINT64_MAX));
    for (size_t i = 0; i < l.waits.n; i++)
        reported += l.waits.items[i].is_awaited;
    cr_expect_eq(reported, awaited);
    cr_expect_eq(l.forgotten.n + 3, held, "%zu of %zu", l.forgotten.n, held);
    wait_locks_free(&l);
}

/* An epoch that lasts for most of the run must not keep its calls, and all after them, in memory. */
Test(wait_locks, old_epochs_are_not_awaited)
{
    struct wait_locks l = {0};
    struct operation other = operation(OPERATION_SEND, 1, 0, 0);
    other.epoch = ROLE_FENCE;
    lock(&l, 1, true, 0, 1);
    put(&l, 1, 2, 3);
    for (uint64_t i = 0; i <= WAIT_LOCKS_AWAITED; i++)
        cr_assert(wait_locks_take(&l, &other));
    cr_expect(wait_locks_are_due(&l));
    cr_assert(wait_locks_compare(&l, 3));
    cr_assert_eq(l.waits.n, 2);
    cr_expect(l.waits.items[0].is_awaited && !l.waits.items[0].has_unlock);
    l.waits.n = 0;
    unlock(&l, 1, 50, 51);
    cr_expect_not(l.is_awaited);
    lock(&l, 2, true, 10, 52);
    unlock(&l, 2, 60, 61);
    expect(&l, 10, 1);
}

/* A rank that is far behind may still report an earlier epoch, so later ones are kept; but not without
 * limit. */
Test(wait_locks, later_epochs_are_kept)
{
    struct wait_locks l = {0};
    const uint64_t n = WAIT_LOCKS_MOST + 1000;
    lock(&l, 1, true, 0, 1);
    unlock(&l, 1, 50, 51);
    cr_assert(wait_locks_compare(&l, 50));
    cr_expect_eq(l.ended.n, 1);
    for (uint64_t i = 0; i < n; i++) {
        lock(&l, 1, true, 100 + 4 * i, 101 + 4 * i);
        unlock(&l, 1, 102 + 4 * i, 103 + 4 * i);
    }
    cr_expect(wait_locks_are_due(&l));
    cr_assert(wait_locks_compare(&l, 50));
    cr_expect_eq(l.ended.n, WAIT_LOCKS_MOST);
    expect_none(&l);
}
