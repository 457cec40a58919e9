/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that are open at each call, where calls made others in callbacks. */
#include "decoder/times/nesting.h"
#include "tests/unit/support/random.h"

#include <criterion/criterion.h>

/* A lane: calls in the order in which they ended, each with the number of the call that made it. */
struct made {
    ARRAY(struct nesting_call) calls;
    ARRAY(uint64_t) in; /* UINT64_MAX: none */
    uint64_t now;
};

static uint64_t make_call(struct made *m, uint64_t *random, int depth)
{
    const size_t first = m->calls.n;
    struct nesting_call call = {.timestamp.enter = m->now += 1 + random_below(random, 5)};
    for (uint64_t inside = depth < 4 && random_below(random, 3) == 0 ? random_below(random, 4) : 0;
         inside > 0; inside--)
        make_call(m, random, depth + 1);
    call.index = m->calls.n;
    call.timestamp.leave = m->now += 1 + random_below(random, 5);
    cr_assert(array_push(&m->calls, call) && array_push(&m->in, UINT64_MAX));
    for (size_t i = first; i < call.index; i++)
        m->in.items[i] = m->in.items[i] == UINT64_MAX ? call.index : m->in.items[i];
    return call.index;
}

/* The result of nesting_find for these times. */
static struct nesting found(const struct made *m)
{
    struct nesting n = {0};
    for (size_t i = 1; i < m->calls.n; i++) {
        if (m->calls.items[i].timestamp.enter < m->calls.items[i - 1].timestamp.leave)
            cr_assert(array_push(&n.calls, m->calls.items[i]));
    }
    nesting_sort(&n);
    return n;
}

Test(nesting, tells_what_each_call_was_made_in)
{
    uint64_t random = random_seed(1);
    for (int time = 0; time < 300; time++) {
        struct made m = {0};
        while (m.calls.n < 50)
            make_call(&m, &random, 0);
        struct nesting n = found(&m);
        enum refrain_status status;
        struct nesting_call closed;
        for (size_t i = 0; i < m.calls.n; i++) {
            const struct timestamp t = m.calls.items[i].timestamp;
            while (nesting_open(&n, i, &t, &status))
                ;
            const bool had_inside = i > 0 && m.in.items[i - 1] == i;
            cr_assert_eq(status, REFRAIN_OK);
            cr_assert_eq(nesting_close(&n, i, &closed), had_inside);
            cr_assert(!had_inside || closed.timestamp.enter == t.enter);
            uint64_t around = m.in.items[i];
            for (size_t d = n.open.n; d-- > 0; around = m.in.items[around])
                cr_assert_eq(n.open.items[d].index, around);
            cr_assert_eq(around, UINT64_MAX);
        }
        nesting_free(&n);
        array_free(&m.calls);
        array_free(&m.in);
    }
}

/* Whatever the times are, the open calls are a stack, and every call that was opened is closed. */
Test(nesting, holds_for_any_times)
{
    uint64_t random = random_seed(2);
    for (int time = 0; time < 300; time++) {
        struct nesting n = {0};
        enum refrain_status status;
        struct nesting_call closed;
        struct timestamp times[40];
        for (uint64_t i = 0; i < 40; i++) {
            times[i].enter = random_below(&random, 60);
            times[i].leave = times[i].enter + random_below(&random, 20);
            if (i > 0 && times[i].enter < times[i - 1].leave)
                cr_assert(array_push(&n.calls, ((struct nesting_call){.index = i, .timestamp = times[i]})));
        }
        nesting_sort(&n);
        for (uint64_t i = 0; i < 40; i++) {
            while (nesting_open(&n, i, &times[i], &status))
                ;
            nesting_close(&n, i, &closed);
            for (size_t d = 0; d < n.open.n; d++)
                cr_assert(n.open.items[d].index > i &&
                          (d == 0 || n.open.items[d].index < n.open.items[d - 1].index));
        }
        cr_assert_eq(n.open.n, 0);
        nesting_free(&n);
    }
}
