/* SPDX-License-Identifier: BSD-3-Clause */
#include "rma_record_counting.h"

#include "call_stream.h"
#include "src/core/base/bisect.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

/* Timestamps have room for this many records in addition to one for each operation of a call. */
#define RMA_RECORDS_LEAST 2

/* Accesses to a window at one target: the records still to come for local completion (here) and
 * for completion at the target (there). */
struct target {
    int64_t rank;
    uint64_t here, there;
};

struct window {
    struct operation_scope scope;
    ARRAY(struct target) targets; /* ascending by rank */
};

/* The counts of one rank. */
struct counting {
    const struct operation_source *source;
    ARRAY(struct window) windows; /* few at a time */
    struct rank_rma_records *rma_records;
};

/* Returns the index of the operation's window; c->windows.n if it is new. */
static size_t window_of(const struct counting *c, const struct operation *op)
{
    size_t i = 0;
    for (; i < c->windows.n; i++) {
        const struct operation_scope *s = &c->windows.items[i].scope;
        if (s->comm == op->scope.comm && s->owner == op->scope.owner && s->object == op->scope.object)
            break;
    }
    return i;
}

/* Returns the index of the operation's target, or the index where it belongs. */
static size_t target_of(const struct window *w, const struct operation *op)
{
    return BISECT(i, w->targets.n, w->targets.items[i].rank < op->peer);
}

static bool is_target(const struct window *w, size_t i, const struct operation *op)
{
    return i < w->targets.n && w->targets.items[i].rank == op->peer;
}

/* An access that fetches is complete at its target when it is complete at the origin. */
static bool fetches(const struct counting *c, uint32_t function)
{
    return c->source->roles.items[function].actions & ROLE_GET;
}

static bool take_access(struct counting *c, const struct operation *op)
{
    const size_t number = window_of(c, op);
    if (op->peer < 0)
        return true;
    if (number == c->windows.n && !array_push(&c->windows, ((struct window){.scope = op->scope})))
        return false;
    struct window *w = &c->windows.items[number];
    const size_t i = target_of(w, op);
    if (!is_target(w, i, op)) {
        if (!array_reserve(&w->targets, 1))
            return false;
        memmove(w->targets.items + i + 1, w->targets.items + i,
                (w->targets.n++ - i) * sizeof *w->targets.items);
        w->targets.items[i] = (struct target){.rank = op->peer};
    }
    w->targets.items[i].here += fetches(c, op->function) ? 2 : 1;
    w->targets.items[i].there += !fetches(c, op->function);
    return true;
}

/* Takes the completion of an access by its request. */
static void take_completion(struct counting *c, const struct operation *op)
{
    const uint64_t records = fetches(c, op->posted_by) ? 2 : 1;
    const size_t number = window_of(c, op);
    if (number == c->windows.n)
        return;
    const struct window *w = &c->windows.items[number];
    const size_t i = target_of(w, op);
    if (is_target(w, i, op))
        w->targets.items[i].here -= w->targets.items[i].here < records ? 0 : records;
}

/* Takes the end of an epoch, or a flush, for one target or all. */
static bool take_end(struct counting *c, const struct operation *op)
{
    const bool here_only = c->source->roles.items[op->function].actions & ROLE_LOCAL;
    struct rma_record_count count = {.thread = op->call.thread, .call = op->call.call};
    const size_t number = window_of(c, op);
    if (number == c->windows.n)
        return true;
    const struct window *w = &c->windows.items[number];
    for (size_t i = op->peer == OPERATION_ANY ? 0 : target_of(w, op);
         i < w->targets.n && (op->peer == OPERATION_ANY || is_target(w, i, op)); i++) {
        struct target *t = &w->targets.items[i];
        count.records += t->here + (here_only ? 0 : t->there);
        t->here = 0;
        t->there = here_only ? t->there : 0;
    }
    return count.records <= RMA_RECORDS_LEAST || array_push(&c->rma_records->items, count);
}

/* Forgets a window that was freed. */
static void forget(struct counting *c, const struct operation *op)
{
    const size_t number = window_of(c, op);
    if (number == c->windows.n)
        return;
    array_free(&c->windows.items[number].targets);
    c->windows.items[number] = c->windows.items[--c->windows.n];
}

static bool take(struct counting *c, const struct operation *op)
{
    if (op->failed || op->scope.object == 0)
        return true;
    switch (op->kind) {
    case OPERATION_RMA:
        return take_access(c, op);
    case OPERATION_COMPLETE:
        if (op->of == OPERATION_RMA && op->outcome == OPERATION_DONE)
            take_completion(c, op);
        return true;
    case OPERATION_COLLECTIVE:
        if (c->source->roles.items[op->function].actions & ROLE_ENDS)
            forget(c, op);
        return true;
    case OPERATION_CLOSE:
        return op->epoch == ROLE_EXPOSURE || take_end(c, op);
    case OPERATION_FLUSH:
        return take_end(c, op);
    default:
        return true;
    }
}

static int by_thread_and_call(const void *a, const void *b)
{
    const struct rma_record_count *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->call < y->call ? -1 : x->call > y->call;
}

static enum refrain_status find_rank(const struct operation_source *source, uint32_t rank,
                                     struct rank_rma_records *out)
{
    struct counting c = {.source = source, .rma_records = out};
    struct call_stream *stream;
    const struct operation *op;
    enum refrain_status status = call_stream_create(source, rank, &stream);
    if (status != REFRAIN_OK)
        return status;
    while (call_stream_next_operation(stream, &op, &status)) {
        if (!take(&c, op)) {
            status = REFRAIN_ERR_MEMORY;
            break;
        }
    }
    if (out->items.n > 0)
        qsort(out->items.items, out->items.n, sizeof *out->items.items, by_thread_and_call);
    call_stream_free(stream);
    for (size_t i = 0; i < c.windows.n; i++)
        array_free(&c.windows.items[i].targets);
    array_free(&c.windows);
    return status;
}

static bool accesses_windows(const struct operation_source *s)
{
    for (size_t i = 0; i < s->reader->trace.functions.functions.n; i++) {
        if (s->roles.items[i].actions & ROLE_RMA)
            return true;
    }
    return false;
}

enum refrain_status rma_records_count(const struct reader *r, const struct definitions *d,
                                      struct rank_rma_records **out)
{
    struct operation_source source;
    struct rank_rma_records *rma_records = NULL;
    enum refrain_status status = operation_source_create(&source, r, d);
    if (status != REFRAIN_OK)
        return status;
    if (accesses_windows(&source)) {
        rma_records = calloc(r->trace.n_ranks + (size_t)1, sizeof *rma_records);
        if (!rma_records) {
            log_error("out of memory: the accesses of %u ranks", r->trace.n_ranks);
            status = REFRAIN_ERR_MEMORY;
        }
    }
    for (uint64_t rank = 0; rma_records && status == REFRAIN_OK && reader_next_rank(r, &rank); rank++)
        status = find_rank(&source, (uint32_t)rank, &rma_records[rank - r->trace.first_rank]);
    operation_source_free(&source);
    if (status == REFRAIN_OK)
        *out = rma_records;
    else
        rma_records_free(rma_records, r->trace.n_ranks);
    return status;
}
