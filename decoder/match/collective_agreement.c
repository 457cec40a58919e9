/* SPDX-License-Identifier: BSD-3-Clause */
#include "collective_queues_impl.h"

/* Of each thread, before calls that differ are taken for what they are. */
#define LOOKAHEAD 64
/* … where a rank has several, whose order may be the reason. */
#define LOOKAHEAD_THREADS 4096

struct search {
    const struct collective_scope *scope;
    size_t *chosen, *taken;
    size_t n;
    enum collective_wait wait;
};

static const struct collective_queue *queue_of(const struct search *s, size_t rank)
{
    return &s->scope->queues.items[s->chosen[rank]];
}

/* Which root was meant cannot be told of calls that were refused for their arguments, and in an
 * intercommunicator each process has another one. */
static bool agree(const struct search *s, const struct collective_call *a, const struct collective_call *b)
{
    return a->family == b->family && (a->root == b->root || s->scope->inter || a->refused || b->refused);
}

/* Of the threads of a rank, the one that came first is chosen. */
static void choose_first(struct collective_queues *q, struct search *s)
{
    q->chosen.n = q->taken.n = 0;
    for (size_t i = 0; i < s->scope->queues.n; i++) {
        const struct collective_queue *at = &s->scope->queues.items[i];
        if (queue_length(at) == 0)
            continue;
        const struct collective_queue *last =
            q->chosen.n > 0 ? &s->scope->queues.items[q->chosen.items[q->chosen.n - 1]] : NULL;
        if (!last || last->rank != at->rank) {
            q->chosen.items[q->chosen.n++] = i;
            q->taken.items[q->taken.n++] = 1;
        } else if (queue_call(at, 0)->order < queue_call(last, 0)->order) {
            q->chosen.items[q->chosen.n - 1] = i;
        }
    }
    s->n = q->chosen.n;
    s->chosen = q->chosen.items;
    s->taken = q->taken.items;
}

static bool fronts_agree(const struct search *s)
{
    const struct collective_call *first = queue_call(queue_of(s, 0), 0);
    for (size_t i = 1; i < s->n; i++) {
        const struct collective_call *other = queue_call(queue_of(s, i), 0);
        /* A root is known where a call was not refused. */
        if (!agree(s, first, other))
            return false;
        first = first->refused ? other : first;
    }
    return true;
}

/* ---- several threads ------------------------------------------------------------------------- */

/* The queue of a rank, from `i` on, whose front agrees; the thread of the same number if there is one. */
static size_t find_front(const struct search *s, size_t i, const struct collective_call *wanted)
{
    const struct collective_queue *queues = s->scope->queues.items;
    const uint32_t rank = queues[i].rank;
    size_t found = SIZE_MAX;
    for (; i < s->scope->queues.n && queues[i].rank == rank; i++) {
        const bool fits = queue_length(&queues[i]) > 0 && agree(s, wanted, queue_call(&queues[i], 0));
        if (fits && (found == SIZE_MAX || queues[i].thread == wanted->member.call.thread))
            found = i;
    }
    return found;
}

/* Every rank has a thread whose next call agrees with this one: they are chosen. */
static bool choose_like(const struct search *s, const struct collective_call *wanted)
{
    const struct collective_queue *queues = s->scope->queues.items;
    size_t rank = 0;
    for (size_t i = 0; i < s->scope->queues.n; i++) {
        if (i > 0 && queues[i].rank == queues[i - 1].rank)
            continue;
        if (rank == s->n || queues[i].rank != queue_of(s, rank)->rank)
            continue; /* nothing of this rank waits */
        const size_t found = find_front(s, i, wanted);
        if (found == SIZE_MAX)
            return false;
        s->chosen[rank++] = found;
    }
    return true;
}

static bool has_threads(const struct search *s)
{
    for (size_t i = 0; i < s->scope->queues.n; i++) {
        if (s->scope->queues.items[i].several)
            return true;
    }
    return false;
}

/* The calls of the first rank's threads, one after the other. */
static bool choose_any(struct collective_queues *q, struct search *s)
{
    const size_t first = s->chosen[0];
    const uint32_t rank = s->scope->queues.items[first].rank;
    for (size_t i = 0; i < s->scope->queues.n && s->scope->queues.items[i].rank <= rank; i++) {
        const struct collective_queue *at = &s->scope->queues.items[i];
        if (at->rank == rank && queue_length(at) > 0 && choose_like(s, queue_call(at, 0)))
            return true;
    }
    choose_first(q, s);
    return false;
}

/* ---- calls that were refused ----------------------------------------------------------------- */

/* Do two queues agree from these places on? Both may have come to their end. */
static bool agree_at(const struct search *s, const struct collective_queue *a, size_t i,
                     const struct collective_queue *b, size_t k)
{
    const bool a_ends = i >= queue_length(a), b_ends = k >= queue_length(b);
    return a_ends || b_ends ? a_ends && b_ends : agree(s, queue_call(a, i), queue_call(b, k));
}

/* How many calls in front of a queue were refused? */
static size_t count_refused(const struct collective_queue *q)
{
    size_t n = 0;
    while (n < queue_length(q) && queue_call(q, n)->refused)
        n++;
    return n;
}

/* Calls in front agree, some of which were refused. Were those made once more? All that says so are taken. */
static enum agreement look_for_retry(const struct search *s)
{
    const struct collective_queue *sound = NULL;
    bool retried = false;
    for (size_t i = 0; i < s->n && !sound; i++)
        sound = queue_call(queue_of(s, i), 0)->refused ? NULL : queue_of(s, i);
    if (!sound || s->wait == COLLECTIVE_NO_RETRY)
        return AGREEMENT_FOUND;
    for (size_t i = 0; i < s->n; i++) {
        const struct collective_queue *at = queue_of(s, i);
        const size_t n = count_refused(at);
        if (n > 0 && s->wait == COLLECTIVE_WAIT && (queue_length(at) < n + 2 || queue_length(sound) < 2))
            return AGREEMENT_NONE_YET;
        const bool again = n > 0 && !agree_at(s, at, 1, sound, 1) && n < queue_length(at) &&
                           agree_at(s, at, n, sound, 0) && agree_at(s, at, n + 1, sound, 1);
        s->taken[i] = again ? n : 0;
        retried = retried || again;
    }
    for (size_t i = 0; i < s->n && !retried; i++)
        s->taken[i] = 1;
    return retried ? AGREEMENT_RETRY : AGREEMENT_FOUND;
}

static bool leave_out_refused(const struct search *s)
{
    bool any = false;
    for (size_t i = 0; i < s->n; i++) {
        s->taken[i] = queue_call(queue_of(s, i), 0)->refused;
        any = any || s->taken[i];
    }
    return any;
}

/* ---- calls that differ ----------------------------------------------------------------------- */

/* Where a call like this one is first, up to `most`; SIZE_MAX: nowhere. */
static size_t find_call(const struct search *s, const struct collective_queue *q,
                        const struct collective_call *wanted, size_t most)
{
    for (size_t i = 0; i < queue_length(q) && i <= most; i++) {
        if (!queue_call(q, i)->refused && agree(s, wanted, queue_call(q, i)))
            return i;
    }
    return SIZE_MAX;
}

/* How many calls are at most before one like this, in any queue? */
static size_t distance_to(const struct search *s, const struct collective_call *wanted, size_t most)
{
    size_t distance = 0;
    for (size_t i = 0; i < s->n; i++) {
        const size_t at = find_call(s, queue_of(s, i), wanted, most);
        if (at == SIZE_MAX)
            return SIZE_MAX;
        distance = at > distance ? at : distance;
    }
    return distance;
}

/* The first calls that agree again; what is before them is taken. A better place than the one that was found would need a
 * call behind the end of a queue. */
static enum agreement synchronize(const struct search *s)
{
    const size_t lookahead = has_threads(s) ? LOOKAHEAD_THREADS : LOOKAHEAD;
    const struct collective_queue *first = queue_of(s, 0);
    const struct collective_call *best = NULL;
    size_t distance = SIZE_MAX, shortest = SIZE_MAX;
    for (size_t i = 0; i < s->n; i++) {
        const size_t n = queue_length(queue_of(s, i));
        shortest = n < shortest ? n : shortest;
    }
    for (size_t i = 0; i < queue_length(first) && i < distance && i < LOOKAHEAD; i++) {
        const struct collective_call *wanted = queue_call(first, i);
        const size_t most = distance == SIZE_MAX ? LOOKAHEAD : distance - 1;
        const size_t found = wanted->refused ? SIZE_MAX : distance_to(s, wanted, most);
        if (found < distance) {
            distance = found;
            best = wanted;
        }
    }
    if (s->wait != COLLECTIVE_END && shortest < lookahead && (has_threads(s) || distance > shortest))
        return AGREEMENT_NONE_YET;
    for (size_t i = 0; i < s->n; i++)
        s->taken[i] = best ? find_call(s, queue_of(s, i), best, distance) : 1;
    return AGREEMENT_DIFFERS;
}

enum agreement collective_agreement(struct collective_queues *q, const struct collective_scope *scope,
                                    enum collective_wait wait)
{
    struct search s = {.scope = scope, .wait = wait};
    choose_first(q, &s);
    if (fronts_agree(&s) || (has_threads(&s) && choose_any(q, &s)))
        return look_for_retry(&s);
    if ((!has_threads(&s) || wait == COLLECTIVE_END) && leave_out_refused(&s))
        return AGREEMENT_RETRY;
    return synchronize(&s);
}
