/* SPDX-License-Identifier: BSD-3-Clause */
#include "wait_sends.h"

#include "src/core/base/bisect.h"

#include <string.h>

void wait_sends_free(struct wait_sends *s)
{
    for (size_t i = 0; i < s->cap; i++)
        array_free(&s->items[i].known);
    array_free(s);
    s->first = 0;
}

/* Moves the open calls to the front when they are fewer than the others. The memory of the others is used again,
 * so calls change places. */
static void move_to_front(struct wait_sends *s)
{
    const size_t left = s->n - s->first;
    for (size_t i = 0; i < left; i++) {
        const struct sending_call unused = s->items[i];
        s->items[i] = s->items[s->first + i];
        s->items[s->first + i] = unused;
    }
    s->n = left;
    s->first = 0;
}

static bool make_room(struct wait_sends *s)
{
    const size_t cap = s->cap;
    if (s->first > s->n / 2)
        move_to_front(s);
    if (!array_reserve(s, 1))
        return false;
    if (s->cap > cap)
        memset(s->items + cap, 0, (s->cap - cap) * sizeof *s->items);
    return true;
}

bool wait_sends_expect(struct wait_sends *s, uint64_t call)
{
    if (s->first == s->n || s->items[s->n - 1].call != call) {
        if (!make_room(s))
            return false;
        s->items[s->n].call = call;
        s->items[s->n].left = 0;
        s->items[s->n++].known.n = 0;
    }
    s->items[s->n - 1].left++;
    return true;
}

bool wait_sends_settle(struct wait_sends *s, const struct known_send *sent)
{
    const uint64_t call = sent->sent.completed.call;
    const size_t at = s->first + BISECT(i, s->n - s->first, s->items[s->first + i].call < call);
    if (at == s->n || s->items[at].call != call || s->items[at].left == 0)
        return true;
    s->items[at].left--;
    return array_push(&s->items[at].known, *sent);
}

const struct sending_call *wait_sends_ready(const struct wait_sends *s, bool end)
{
    const bool given_up = end || s->n - s->first > WAIT_SENDS_MOST;
    return s->first < s->n && (s->items[s->first].left == 0 || given_up) ? &s->items[s->first] : NULL;
}

void wait_sends_pop(struct wait_sends *s)
{
    if (++s->first == s->n)
        s->n = s->first = 0;
}
