/* SPDX-License-Identifier: BSD-3-Clause */
#include "timed_lane.h"

#include "decoder/util/thread_pool.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Reads this many calls ahead, or fewer if they have many slots. */
#define CALLS_AHEAD 1024
#define SLOTS_AHEAD (1 << 14)

struct timed_call {
    struct call call;
    struct timestamp timestamp;
};

struct timed_calls {
    struct timed_call *items;
    size_t n;
    ARRAY(int64_t) slots; /* copies of the slots that the cursor overwrites with the next call's */
    bool ended;           /* there are no more calls */
};

struct timed_ahead {
    struct thread_pool *pool;
    struct timed_calls now, next;
    size_t at;                  /* index in `now` */
    size_t most;                /* capacity in calls */
    enum refrain_status status; /* of the call after `now` */
    uint64_t until;             /* calls from this number on are not read */
    struct thread_pool_job job; /* reads `next` */
    bool begun;                 /* the job; … */
    bool done;                  /* … its calls are in `next` */
};

enum refrain_status timed_lane_start(struct timed_lane *l, const struct reader *r,
                                     const struct timestamps_source *source, const struct lane_ref *lane)
{
    *l = (struct timed_lane){0};
    enum refrain_status status = cursor_start(&l->cursor, r, lane);
    if (status == REFRAIN_OK && source &&
        (status = timestamps_start(&l->timestamps, source, lane)) != REFRAIN_OK)
        timed_lane_stop(l);
    return status;
}

enum refrain_status timed_lane_read_ahead(struct timed_lane *l, struct thread_pool *pool)
{
    const uint64_t calls = cursor_calls(&l->cursor);
    struct timed_ahead *a = l->ahead = calloc(1, sizeof *a);
    if (a) {
        a->pool = pool;
        a->until = UINT64_MAX;
        a->most = calls < CALLS_AHEAD ? calls + 1 : CALLS_AHEAD;
        a->now.items = malloc(a->most * sizeof *a->now.items);
        a->next.items = malloc(a->most * sizeof *a->next.items);
    }
    if (a && a->now.items && a->next.items)
        return timestamps_use_supply(&l->timestamps);
    log_error("out of memory: calls that are read ahead");
    return REFRAIN_ERR_MEMORY;
}

static bool is_patched(const struct call *call)
{
    return group_slot_columns(call->group) > 0;
}

static bool keep_slots(struct timed_calls *c, const struct call *call)
{
    if (!array_reserve(&c->slots, call->n_slots))
        return false;
    if (call->n_slots > 0)
        memcpy(c->slots.items + c->slots.n, call->slots, call->n_slots * sizeof *call->slots);
    c->slots.n += call->n_slots;
    return true;
}

/* Reads the next call into c->items[c->n]. */
static bool read_call(struct timed_lane *l, struct timed_calls *c, enum refrain_status *status)
{
    struct timed_call *to = &c->items[c->n];
    if (!cursor_next(&l->cursor, &to->call, status))
        return false;
    to->timestamp = (struct timestamp){0};
    if (l->timestamps.source)
        *status = timestamps_next(&l->timestamps, &to->call, &to->timestamp);
    if (*status == REFRAIN_OK && is_patched(&to->call) && !keep_slots(c, &to->call))
        *status = REFRAIN_ERR_MEMORY;
    return *status == REFRAIN_OK;
}

static enum refrain_status read_next(void *context, size_t number, unsigned thread)
{
    struct timed_lane *l = context;
    struct timed_calls *c = &l->ahead->next;
    enum refrain_status status = REFRAIN_OK;
    (void)number;
    (void)thread;
    for (c->n = c->slots.n = 0; c->n < l->ahead->most && c->slots.n < SLOTS_AHEAD && !c->ended &&
                                l->cursor.index < l->ahead->until;) {
        if (read_call(l, c, &status))
            c->n++;
        else
            c->ended = true;
    }
    /* Slots may have moved while the array grew, so the pointers are set now. */
    const int64_t *slots = c->slots.items;
    for (size_t i = 0; i < c->n; i++) {
        if (is_patched(&c->items[i].call)) {
            c->items[i].call.slots = slots;
            slots += c->items[i].call.n_slots;
        }
    }
    return status;
}

static void begin(struct timed_lane *l)
{
    struct timed_ahead *a = l->ahead;
    thread_pool_begin(a->pool, &a->job, 1, read_next, l);
    a->begun = true;
}

static void finish(struct timed_ahead *a)
{
    if (!a->begun)
        return;
    a->status = thread_pool_end(a->pool, 0, &a->job);
    a->begun = false;
    a->done = true;
}

/* Exchanges the calls that were read with those that were taken. Returns false if there are no
 * more. */
static bool go_on(struct timed_lane *l)
{
    struct timed_ahead *a = l->ahead;
    if (a->now.ended)
        return false;
    if (!a->begun && !a->done)
        begin(l);
    finish(a);
    const struct timed_calls taken = a->now;
    a->now = a->next;
    a->next = taken;
    a->at = 0;
    a->done = false;
    if (!a->now.ended && l->cursor.index < a->until)
        begin(l);
    return a->now.n > 0;
}

bool timed_lane_next_ahead(struct timed_lane *l, enum refrain_status *status)
{
    struct timed_ahead *a = l->ahead;
    if (a->at == a->now.n && !go_on(l)) {
        *status = a->status;
        return false;
    }
    const struct timed_call *next = &a->now.items[a->at++];
    *status = REFRAIN_OK;
    l->call = next->call;
    l->timestamp = next->timestamp;
    return true;
}

uint64_t timed_lane_reach(struct timed_lane *l)
{
    if (l->ahead)
        finish(l->ahead);
    return l->cursor.index;
}

void timed_lane_read_until(struct timed_lane *l, uint64_t until)
{
    const uint64_t reach = timed_lane_reach(l);
    assert(until >= reach);
    (void)reach;
    if (l->ahead)
        l->ahead->until = until;
}

static void stop_ahead(struct timed_ahead *a)
{
    finish(a);
    free(a->now.items);
    free(a->next.items);
    array_free(&a->now.slots);
    array_free(&a->next.slots);
    free(a);
}

void timed_lane_stop(struct timed_lane *l)
{
    if (l->ahead)
        stop_ahead(l->ahead);
    timestamps_stop(&l->timestamps);
    cursor_stop(&l->cursor);
    *l = (struct timed_lane){0};
}
