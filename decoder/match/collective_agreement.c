/* SPDX-License-Identifier: BSD-3-Clause */
#include "collective_queues_impl.h"

/* How many calls of each thread are examined: to see whether a refused call was repeated, … */
#define LOOKAHEAD 64
/* … before different calls are accepted as different, … */
#define LOOKAHEAD_DIFFERENT 1024
/* … in the same case if a rank has several threads, whose order may be the reason; */
#define LOOKAHEAD_THREADS 4096
/* … and to choose between threads of a rank with equal next calls, for which this many calls must
 * wait. */
#define LOOKAHEAD_LIKE  8
#define LOOKAHEAD_WAITS 32

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

/* The roots of calls that were refused for their arguments are not compared, nor those in an
 * intercommunicator, where each process has another value. */
static bool agree(const struct search *s, const struct collective_call *a, const struct collective_call *b)
{
    return a->family == b->family &&
           (a->root == b->root || s->scope->inter || a->member.refused || b->member.refused);
}

/* Chooses for each rank the thread whose call came first. */
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
        /* The root is known from a call that was not refused. */
        if (!agree(s, first, other))
            return false;
        first = first->member.refused ? other : first;
    }
    return true;
}

/* ---- several threads ------------------------------------------------------------------------- */

static bool has_threads(const struct search *s)
{
    for (size_t i = 0; i < s->scope->queues.n; i++) {
        if (s->scope->queues.items[i].several)
            return true;
    }
    return false;
}

/* Returns how many calls of two queues agree, as far as that matters. Calls that have not come yet
 * count as equal. */
static size_t count_alike(const struct search *s, const struct collective_queue *a,
                          const struct collective_queue *b)
{
    size_t i = 0;
    while (i < LOOKAHEAD_LIKE && i < queue_length(a) && i < queue_length(b) &&
           agree(s, queue_call(a, i), queue_call(b, i)))
        i++;
    return i == queue_length(a) || i == queue_length(b) ? LOOKAHEAD_LIKE : i;
}

/* A choice of queues, one per rank, whose next calls agree. */
struct likeness {
    size_t least; /* smallest number of agreeing calls of a rank; 0: there is no such choice */
    bool sure;    /* no rank had a choice */
};

/* Returns the queue of a rank, from `i` on, that continues most like this one; among equals, the
 * thread with the same number. SIZE_MAX if the next calls of all differ. */
static size_t find_like(const struct search *s, size_t i, const struct collective_queue *wanted,
                        struct likeness *likeness)
{
    const struct collective_queue *queues = s->scope->queues.items;
    const uint32_t rank = queues[i].rank;
    size_t found = SIZE_MAX, most = 0;
    for (; i < s->scope->queues.n && queues[i].rank == rank; i++) {
        const size_t alike = queue_length(&queues[i]) > 0 ? count_alike(s, wanted, &queues[i]) : 0;
        if (alike > 0 && found != SIZE_MAX)
            likeness->sure = false;
        if (alike > most || (alike > 0 && alike == most && queues[i].thread == wanted->thread)) {
            found = i;
            most = alike;
        }
    }
    likeness->least = most < likeness->least ? most : likeness->least;
    return found;
}

/* Chooses for every rank a thread whose next call agrees with the next one of this queue. */
static struct likeness choose_like(const struct search *s, const struct collective_queue *wanted)
{
    const struct collective_queue *queues = s->scope->queues.items;
    struct likeness likeness = {LOOKAHEAD_LIKE, true};
    size_t rank = 0;
    for (size_t i = 0; i < s->scope->queues.n && likeness.least > 0; i++) {
        if (i > 0 && queues[i].rank == queues[i - 1].rank)
            continue;
        if (rank == s->n || queues[i].rank != queue_of(s, rank)->rank)
            continue; /* this rank has no waiting calls */
        const size_t found =
            queues[i].rank == wanted->rank ? (size_t)(wanted - queues) : find_like(s, i, wanted, &likeness);
        if (found != SIZE_MAX)
            s->chosen[rank++] = found;
    }
    return likeness;
}

/* Chooses the thread of the first rank that the other ranks continue most like; among equals, the
 * one that was chosen before. */
static struct likeness choose_any(struct collective_queues *q, struct search *s)
{
    const struct collective_queue *queues = s->scope->queues.items, *before = queue_of(s, 0), *best = before;
    struct likeness found = choose_like(s, before);
    size_t n = 1;
    for (size_t i = 0; i < s->scope->queues.n && queues[i].rank <= before->rank; i++) {
        if (&queues[i] == before || queue_length(&queues[i]) == 0 || queues[i].rank != before->rank)
            continue;
        const struct likeness likeness = choose_like(s, &queues[i]);
        n += likeness.least > 0;
        if (likeness.least > found.least) {
            found = likeness;
            best = &queues[i];
        }
    }
    if (found.least > 0)
        choose_like(s, best);
    else
        choose_first(q, s);
    found.sure = found.sure && n == 1;
    return found;
}

/* Does each rank have this many waiting calls, in all its threads together? */
static bool wait_enough(const struct search *s, size_t wanted)
{
    size_t n = 0;
    for (size_t i = 0; i < s->scope->queues.n; i++) {
        const struct collective_queue *q = &s->scope->queues.items[i];
        n = i > 0 && q[-1].rank == q->rank ? n + queue_length(q) : queue_length(q);
        if (n < wanted && n > 0 && (i + 1 == s->scope->queues.n || q[1].rank != q->rank))
            return false;
    }
    return true;
}

/* ---- calls that were refused ----------------------------------------------------------------- */

/* Do two queues agree from these places on? Both may be at their end. */
static bool agree_at(const struct search *s, const struct collective_queue *a, size_t i,
                     const struct collective_queue *b, size_t k)
{
    const bool a_ends = i >= queue_length(a), b_ends = k >= queue_length(b);
    return a_ends || b_ends ? a_ends && b_ends : agree(s, queue_call(a, i), queue_call(b, k));
}

/* Returns how many calls at the beginning of a queue were refused. */
static size_t count_refused(const struct collective_queue *q)
{
    size_t n = 0;
    while (n < queue_length(q) && n < LOOKAHEAD && queue_call(q, n)->member.refused)
        n++;
    return n;
}

/* The first n calls of a queue were refused. They were repeated if the calls after them continue
 * as in a sound queue, and for longer than the calls including them. Otherwise, and if both fit
 * all examined calls, they count as not repeated. */
static enum agreement look_behind_refused(const struct search *s, const struct collective_queue *q, size_t n,
                                          const struct collective_queue *sound)
{
    for (size_t i = 0; i < LOOKAHEAD && n < LOOKAHEAD; i++) {
        if (s->wait == COLLECTIVE_WAIT && (queue_length(q) <= n + i || queue_length(sound) <= i))
            return AGREEMENT_NONE_YET;
        const bool once = agree_at(s, q, i, sound, i), again = agree_at(s, q, n + i, sound, i);
        if (!once || !again)
            return again ? AGREEMENT_RETRY : AGREEMENT_FOUND;
    }
    return AGREEMENT_FOUND;
}

/* The first calls agree, but some were refused. Were those repeated? Takes all calls that show
 * this. */
static enum agreement look_for_retry(const struct search *s)
{
    const struct collective_queue *sound = NULL;
    bool retried = false;
    for (size_t i = 0; i < s->n && !sound; i++)
        sound = queue_call(queue_of(s, i), 0)->member.refused ? NULL : queue_of(s, i);
    if (!sound || s->wait == COLLECTIVE_NO_RETRY)
        return AGREEMENT_FOUND;
    for (size_t i = 0; i < s->n; i++) {
        const size_t n = count_refused(queue_of(s, i));
        const enum agreement found =
            n > 0 ? look_behind_refused(s, queue_of(s, i), n, sound) : AGREEMENT_FOUND;
        if (found == AGREEMENT_NONE_YET)
            return found;
        s->taken[i] = found == AGREEMENT_RETRY ? n : 0;
        retried = retried || s->taken[i] > 0;
    }
    for (size_t i = 0; i < s->n && !retried; i++)
        s->taken[i] = 1;
    return retried ? AGREEMENT_RETRY : AGREEMENT_FOUND;
}

static bool leave_out_refused(const struct search *s)
{
    bool any = false;
    for (size_t i = 0; i < s->n; i++) {
        s->taken[i] = queue_call(queue_of(s, i), 0)->member.refused;
        any = any || s->taken[i];
    }
    return any;
}

/* ---- calls that differ ----------------------------------------------------------------------- */

/* Returns the first place of a call like this one, up to `most`; SIZE_MAX if there is none. */
static size_t find_call(const struct search *s, const struct collective_queue *q,
                        const struct collective_call *wanted, size_t most)
{
    for (size_t i = 0; i < queue_length(q) && i <= most; i++) {
        if (!queue_call(q, i)->member.refused && agree(s, wanted, queue_call(q, i)))
            return i;
    }
    return SIZE_MAX;
}

/* Returns the largest number of calls before a call like this, over all queues. */
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

/* Returns the first calls that agree again after at most `most` calls of each queue; NULL if there
 * are none. *distance: the largest number of calls before them. */
static const struct collective_call *find_meeting(const struct search *s, size_t most, size_t *distance)
{
    const struct collective_queue *first = queue_of(s, 0);
    const struct collective_call *best = NULL;
    *distance = most + 1;
    for (size_t i = 0; i < queue_length(first) && i < *distance; i++) {
        const struct collective_call *wanted = queue_call(first, i);
        if (wanted->member.refused || find_call(s, first, wanted, i) < i)
            continue;
        const size_t found = distance_to(s, wanted, *distance - 1);
        if (found < *distance) {
            *distance = found;
            best = wanted;
        }
    }
    return best;
}

/* Takes the calls before the first ones that agree again. A better place would need a call after
 * the end of a queue. If there is no such place, takes all calls that were examined, except those
 * of threads, where another thread may be meant. */
static enum agreement synchronize(const struct search *s)
{
    const bool threads = has_threads(s);
    const size_t lookahead = threads ? LOOKAHEAD_THREADS : LOOKAHEAD_DIFFERENT;
    size_t distance, shortest = SIZE_MAX;
    for (size_t i = 0; i < s->n; i++) {
        const size_t n = queue_length(queue_of(s, i));
        shortest = n < shortest ? n : shortest;
    }
    const struct collective_call *best = find_meeting(s, threads ? LOOKAHEAD : lookahead, &distance);
    if (s->wait != COLLECTIVE_END && shortest < lookahead && (threads || distance > shortest))
        return AGREEMENT_NONE_YET;
    for (size_t i = 0; i < s->n; i++) {
        const size_t n = queue_length(queue_of(s, i));
        if (best)
            s->taken[i] = find_call(s, queue_of(s, i), best, distance);
        else
            s->taken[i] = threads ? 1 : n < lookahead ? n : lookahead;
    }
    return AGREEMENT_DIFFERS;
}

enum agreement collective_agreement(struct collective_queues *q, const struct collective_scope *scope,
                                    enum collective_wait wait)
{
    struct search s = {.scope = scope, .wait = wait};
    choose_first(q, &s);
    const bool threads = has_threads(&s);
    if ((!threads || q->ordered) && fronts_agree(&s))
        return look_for_retry(&s);
    const struct likeness found = threads ? choose_any(q, &s) : (struct likeness){0};
    if (found.least > 0 && !found.sure && wait == COLLECTIVE_WAIT && !q->ordered &&
        !wait_enough(&s, LOOKAHEAD_WAITS))
        return AGREEMENT_NONE_YET;
    if (found.least > 0)
        return look_for_retry(&s);
    if ((!threads || wait == COLLECTIVE_END) && leave_out_refused(&s))
        return AGREEMENT_RETRY;
    return synchronize(&s);
}
