/* SPDX-License-Identifier: BSD-3-Clause */
#include "collective_queues_impl.h"

#include "src/core/base/bisect.h"
#include "src/core/base/log.h"
#include "src/core/base/mix.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void free_queues(struct collective_scope *s)
{
    for (size_t i = 0; i < s->queues.n; i++)
        array_free(&s->queues.items[i].calls);
    array_free(&s->queues);
}

void collective_queues_free(struct collective_queues *q)
{
    for (size_t i = 0; i < q->scopes.n; i++)
        free_queues(&q->scopes.items[i]);
    map_free(&q->by_name);
    array_free(&q->scopes);
    array_free(&q->unused);
    array_free(&q->chosen);
    array_free(&q->taken);
    array_free(&q->members);
}

/* ---- scopes ---------------------------------------------------------------------------------- */

static uint64_t key_of(const struct operation_scope *name)
{
    return mix(mix((uint64_t)name->comm, name->owner), name->object);
}

static int compare_names(const struct operation_scope *a, const struct operation_scope *b)
{
    if (a->comm != b->comm)
        return a->comm < b->comm ? -1 : 1;
    if (a->owner != b->owner)
        return a->owner < b->owner ? -1 : 1;
    return a->object < b->object ? -1 : a->object > b->object;
}

static uint32_t find(const struct collective_queues *q, const struct operation_scope *name)
{
    const uint64_t key = key_of(name);
    size_t at;
    uint32_t v = map_first(&q->by_name, key, &at);
    while (v != MAP_NONE && compare_names(&q->scopes.items[v].name, name) != 0)
        v = map_next(&q->by_name, key, &at);
    return v;
}

/* Returns MAP_NONE if memory is short. */
static uint32_t add(struct collective_queues *q, const struct operation *op)
{
    /* The list of unused scopes must have room for it, too, so that returning it needs no
     * memory. */
    if (q->unused.n == 0) {
        if (!array_push(&q->scopes, (struct collective_scope){0}) || !array_reserve(&q->unused, q->scopes.n))
            return MAP_NONE;
        q->unused.items[q->unused.n++] = (uint32_t)(q->scopes.n - 1);
    }
    const uint32_t number = q->unused.items[q->unused.n - 1];
    if (!map_add(&q->by_name, key_of(&op->scope), number))
        return MAP_NONE;
    q->unused.n--;
    q->scopes.items[number] = (struct collective_scope){
        .name = op->scope, .expected = op->members, .used = true, .inter = op->inter};
    return number;
}

/* Communicators are few and used again and again, so they stay; windows, requests and spawns come
 * and go. */
static void remove_if_idle(struct collective_queues *q, uint32_t number)
{
    struct collective_scope *s = &q->scopes.items[number];
    if (s->n_ranks > 0 || s->name.object == 0)
        return;
    map_remove(&q->by_name, key_of(&s->name), number);
    free_queues(s);
    s->used = false;
    q->unused.items[q->unused.n++] = number;
}

/* ---- queues ---------------------------------------------------------------------------------- */

/* Returns the queue of a thread, which is created if needed; NULL if memory is short. */
static struct collective_queue *queue_of(struct collective_scope *s, const struct call_ref *call)
{
    struct collective_queue *items = s->queues.items;
    const size_t at =
        BISECT(i, s->queues.n,
               items[i].rank < call->rank || (items[i].rank == call->rank && items[i].thread < call->thread));
    if (at < s->queues.n && items[at].rank == call->rank && items[at].thread == call->thread)
        return &items[at];
    if (!array_reserve(&s->queues, 1))
        return NULL;
    items = s->queues.items;
    for (size_t i = s->queues.n++; i > at; i--)
        items[i] = items[i - 1];
    items[at] = (struct collective_queue){.rank = call->rank, .thread = call->thread};
    return &items[at];
}

/* Has the rank no waiting calls in any of its queues? */
static bool is_idle(const struct collective_scope *s, const struct collective_queue *one)
{
    const struct collective_queue *const items = s->queues.items, *const end = items + s->queues.n;
    const struct collective_queue *first = one, *at;
    while (first > items && first[-1].rank == one->rank)
        first--;
    for (at = first; at < end && at->rank == one->rank; at++) {
        if (queue_length(at) > 0)
            return false;
    }
    return true;
}

bool collective_queues_join(struct collective_queues *q, const struct operation *op, uint32_t family,
                            bool several, uint32_t *scope)
{
    assert(op->kind == OPERATION_COLLECTIVE);
    uint32_t number = find(q, &op->scope);
    if (number == MAP_NONE)
        number = add(q, op);
    if (number == MAP_NONE)
        return false;
    struct collective_scope *s = &q->scopes.items[number];
    struct collective_queue *queue = queue_of(s, &op->call);
    if (!queue)
        return false;
    const bool idle = is_idle(s, queue);
    const struct collective_call call = {
        .member = {op->call, op->sent, op->received, op->second, op->refused},
        .function = op->function,
        .family = family,
        .root = op->root,
        .number = op->number,
        .order = s->order++,
    };
    if (!array_push(&queue->calls, call))
        return false;
    queue->several = several;
    s->n_ranks += idle;
    *scope = number;
    return true;
}

/* ---- taking calls from the queues ------------------------------------------------------------ */

/* Taken calls leave the array when they are more than the waiting ones. */
static bool take(struct collective_queues *q, struct collective_queue *queue, size_t n)
{
    if (!array_reserve(&q->members, n))
        return false;
    for (size_t i = 0; i < n; i++)
        q->members.items[q->members.n++] = queue_call(queue, i)->member;
    queue->first += n;
    if (queue->first > queue->calls.n / 2) {
        queue->calls.n = queue_length(queue);
        memmove(queue->calls.items, queue->calls.items + queue->first,
                queue->calls.n * sizeof *queue->calls.items);
        queue->first = 0;
    }
    return true;
}

/* Describes the chosen calls; the first one of all determines the set's description. */
static void describe(const struct collective_queues *q, const struct collective_scope *s,
                     struct collective_set *out)
{
    struct matching_collective *c = &out->collective;
    bool any = false;
    out->refused = true;
    c->scope = s->name;
    c->expected = s->expected;
    c->inter = s->inter;
    for (size_t i = 0; i < q->chosen.n; i++) {
        const struct collective_queue *queue = &s->queues.items[q->chosen.items[i]];
        for (size_t k = 0; k < q->taken.items[i]; k++) {
            const struct collective_call *call = queue_call(queue, k);
            if (!any || (out->refused && !call->member.refused))
                c->function = call->function;
            if (!any || call->number < c->number)
                c->number = call->number;
            out->refused = out->refused && call->member.refused;
            any = true;
        }
    }
}

/* Finds the first call after the differing ones, where the queues agree again. */
static void find_end(const struct collective_queues *q, const struct collective_scope *s,
                     struct matching_collective *c)
{
    bool differs = false;
    for (size_t i = 0; i < q->chosen.n; i++)
        differs = differs || q->taken.items[i] != 1;
    const struct collective_queue *queue = &s->queues.items[q->chosen.items[0]];
    if (differs && queue_length(queue) > 0)
        c->until = &queue_call(queue, 0)->member.call;
}

static int by_call(const void *a, const void *b)
{
    const struct call_ref *x = &((const struct matching_member *)a)->call,
                          *y = &((const struct matching_member *)b)->call;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->call < y->call ? -1 : x->call > y->call;
}

bool collective_queues_next(struct collective_queues *q, uint32_t scope, enum collective_wait wait,
                            struct collective_set *out, enum refrain_status *status)
{
    assert(scope < q->scopes.n);
    struct collective_scope *s = &q->scopes.items[scope];
    *status = REFRAIN_OK;
    const bool ready = s->n_ranks >= s->expected && s->order >= s->next_try;
    if (!s->used || s->n_ranks == 0 || (wait != COLLECTIVE_END && !ready))
        return false;
    q->chosen.n = q->taken.n = q->members.n = 0;
    if (!array_reserve(&q->chosen, s->n_ranks) || !array_reserve(&q->taken, s->n_ranks)) {
        *status = REFRAIN_ERR_MEMORY;
        return false;
    }
    const enum agreement agreement = collective_agreement(q, s, wait);
    if (agreement == AGREEMENT_NONE_YET) {
        s->next_try = s->order + s->n_ranks / 2;
        return false;
    }
    *out = (struct collective_set){.collective.agree = agreement == AGREEMENT_FOUND};
    describe(q, s, out);
    out->refused = out->refused || agreement == AGREEMENT_RETRY;
    s->next_try = 0;
    for (size_t i = 0; i < q->chosen.n; i++) {
        struct collective_queue *queue = &s->queues.items[q->chosen.items[i]];
        if (!take(q, queue, q->taken.items[i])) {
            *status = REFRAIN_ERR_MEMORY;
            return false;
        }
        s->n_ranks -= q->taken.items[i] > 0 && is_idle(s, queue);
    }
    if (agreement == AGREEMENT_DIFFERS)
        find_end(q, s, &out->collective);
    qsort(q->members.items, q->members.n, sizeof *q->members.items, by_call);
    out->collective.members = q->members.items;
    out->collective.n = q->members.n;
    remove_if_idle(q, scope);
    return true;
}

bool collective_queues_look_again(struct collective_queues *q, uint32_t scope)
{
    assert(scope < q->scopes.n);
    struct collective_scope *s = &q->scopes.items[scope];
    if (!s->used || s->next_try <= s->order)
        return false;
    s->next_try = s->order;
    return true;
}

static int by_name(const void *a, const void *b, void *context)
{
    const struct collective_scope *scopes = context;
    return compare_names(&scopes[*(const uint32_t *)a].name, &scopes[*(const uint32_t *)b].name);
}

uint32_t *collective_queues_left(const struct collective_queues *q, size_t *n)
{
    uint32_t *left = malloc((q->scopes.n + 1) * sizeof *left);
    *n = 0;
    if (!left) {
        log_error("out of memory: collective operations on %zu communicators", q->scopes.n);
        return NULL;
    }
    for (size_t i = 0; i < q->scopes.n; i++) {
        if (q->scopes.items[i].used && q->scopes.items[i].n_ranks > 0)
            left[(*n)++] = (uint32_t)i;
    }
    qsort_r(left, *n, sizeof *left, by_name, q->scopes.items);
    return left;
}
