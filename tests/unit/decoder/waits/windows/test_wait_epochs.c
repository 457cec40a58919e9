/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses that wait for the post of their target, whichever of the two becomes known first. */
#include "decoder/match/stream/process_groups.h"
#include "decoder/waits/windows/wait_epochs.h"

#include <criterion/criterion.h>

static int64_t targets[] = {1}, origins[] = {0};
static const struct process_group to_target = {1, targets}, to_origin = {1, origins};

static struct call_ref call(uint32_t rank, uint64_t number, uint64_t enter, uint64_t leave)
{
    return (struct call_ref){.rank = rank, .call = number, .timestamp = {enter, leave}};
}

static void start(struct wait_epochs *e, uint64_t number, uint64_t enter)
{
    const struct operation op = {.kind = OPERATION_OPEN,
                                 .epoch = ROLE_ACCESS,
                                 .call = call(0, number, enter, enter + 1),
                                 .partners = &to_target};
    cr_assert(wait_epochs_take(e, &op, enter));
}

static void complete(struct wait_epochs *e, uint64_t number, uint64_t enter)
{
    const struct operation op = {.kind = OPERATION_CLOSE,
                                 .epoch = ROLE_ACCESS,
                                 .call = call(0, number, enter, enter + 1),
                                 .partners = &to_target};
    cr_assert(wait_epochs_take(e, &op, enter));
}

static void put(struct wait_epochs *e, uint64_t number, uint64_t enter, uint64_t leave)
{
    const struct operation op = {.kind = OPERATION_RMA,
                                 .epoch = ROLE_ACCESS,
                                 .in_epoch = true,
                                 .peer = 1,
                                 .call = call(0, number, enter, leave)};
    cr_assert(wait_epochs_take(e, &op, enter));
}

static void post(struct wait_epochs *e, uint64_t number, uint64_t enter)
{
    const struct operation op = {.kind = OPERATION_OPEN,
                                 .epoch = ROLE_EXPOSURE,
                                 .call = call(1, number, enter, enter + 1),
                                 .partners = &to_origin};
    cr_assert(wait_epochs_take(e, &op, enter));
}

/* Expects n accesses whose post is known, the last of them this one. */
static void expect_posted(struct wait_epochs *e, size_t n, uint64_t access, uint64_t posted)
{
    cr_assert_eq(e->posted.n, n);
    if (n > 0) {
        cr_expect_eq(e->posted.items[n - 1].call.call, access);
        cr_expect_eq(e->posted.items[n - 1].post.timestamp.enter, posted);
    }
    e->posted.n = 0;
}

Test(wait_epochs, accesses_wait_for_the_post)
{
    struct wait_epochs e = {0};
    start(&e, 0, 0);
    cr_expect(e.is_reported);
    put(&e, 1, 10, 50);
    cr_expect(e.is_reported);
    put(&e, 2, 52, 55);
    cr_expect(e.is_reported);
    expect_posted(&e, 0, 0, 0);
    post(&e, 0, 30); /* becomes known after the accesses */
    cr_expect_not(e.is_reported);
    cr_expect_eq(e.n_partners, 1);
    expect_posted(&e, 2, 2, 30);
    complete(&e, 3, 60);
    cr_expect(e.is_reported);
    cr_expect_eq(e.n_partners, 1);
    cr_assert_eq(e.whole_access.n, 1);
    cr_assert_eq(e.whole_access.items[0].partners.n, 1);
    cr_expect_eq(e.whole_access.items[0].partners.items[0].timestamp.enter, 30);
    cr_expect_eq(e.whole_access.items[0].last_access, 55);
    post(&e, 1, 110); /* becomes known before the accesses */
    start(&e, 4, 100);
    put(&e, 5, 105, 120);
    cr_expect(e.is_reported);
    expect_posted(&e, 1, 5, 110);
    put(&e, 6, 121, 130);
    cr_expect_not(e.is_reported);
    expect_posted(&e, 0, 0, 0);
    complete(&e, 7, 140);
    start(&e, 8, 200); /* the post of the epoch before does not count for this one */
    put(&e, 9, 205, 206);
    complete(&e, 10, 210);
    expect_posted(&e, 0, 0, 0);
    post(&e, 2, 220);
    expect_posted(&e, 1, 9, 220);
    cr_expect_eq(e.whole_access.n, 3);
    wait_epochs_free(&e);
}
