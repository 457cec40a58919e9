/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which threads wait (in_order), and which thread continues in a deadlock: when the other
 * end is not in the trace, or comes after a call in which another thread waits. */
#include "matching_impl.h"

#include "src/core/base/bisect.h"

/* A rank with operations has at least one thread. */
struct matching_thread *matching_thread(struct matching_rank *r, uint32_t number)
{
    const size_t at = BISECT(i, r->threads.n - 1, r->threads.items[i + 1].number <= number);
    return &r->threads.items[at];
}

void matching_thread_changed(struct matching_rank *r, const struct matching_thread *t)
{
    const bool waits = t->n_late > t->n_excused || t->late_in != 0;
    if (!r->stream)
        return;
    call_stream_stop(r->stream, t->number, waits);
    r->stuck = r->stuck && waits;
}

void matching_go_ahead(struct matching *m)
{
    for (size_t i = 0; i < m->running.n; i++) {
        struct matching_rank *r = rank_of(m, m->running.items[i]);
        if (r->stuck && r->threads.n > 1) {
            call_stream_go_ahead(r->stream);
            r->stuck = false;
        }
    }
}

/* Lets the members of a scope whose calls differ continue to their next calls, which show where
 * they agree again. Returns false if none of them waits. */
static bool pass_calls_that_differ(struct matching *m, const struct collective_scope *s)
{
    bool any = false;
    for (size_t i = 0; i < s->queues.n; i++) {
        const struct collective_queue *q = &s->queues.items[i];
        if (q->first == q->calls.n)
            continue;
        struct matching_rank *r = rank_of(m, q->rank);
        struct matching_thread *t = matching_thread(r, q->thread);
        if (t->late_in != q->calls.items[q->calls.n - 1].member.call.call + 1)
            continue;
        t->late_in = 0;
        matching_thread_changed(r, t);
        any = true;
    }
    return any;
}

/* All stuck ranks continue by one step. If the same rank always continued, it would soon be far
 * ahead of the others. */
static void excuse_all(struct matching *m)
{
    for (size_t i = 0; i < m->running.n; i++) {
        struct matching_rank *r = rank_of(m, m->running.items[i]);
        const size_t n = r->stuck ? r->threads.n : 0;
        for (size_t k = 0; k < n; k++) {
            struct matching_thread *t = &r->threads.items[k];
            t->n_excused = t->n_late;
            t->late_in = 0;
            matching_thread_changed(r, t);
        }
    }
}

void matching_excuse(struct matching *m)
{
    bool any = false;
    for (size_t i = 0; i < m->collectives.scopes.n; i++) {
        const struct collective_scope *s = &m->collectives.scopes.items[i];
        any = (s->next_try > 0 && pass_calls_that_differ(m, s)) || any;
    }
    if (!any)
        excuse_all(m);
}
