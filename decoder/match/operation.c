/* SPDX-License-Identifier: BSD-3-Clause */
#include "operation.h"

#include "operation_impl.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

/* Calls of a thread before it is the next one's turn. */
#define TURN 64

/* ---- what is the same for all ranks ---------------------------------------------------------- */

static int64_t constant(const struct functable *t, const char *set, const char *name)
{
    for (size_t i = 0; i < t->constants.n; i++) {
        const struct constant *c = &t->constants.items[i];
        if (strcmp(c->name, name) == 0 && (!set || strcmp(c->set, set) == 0))
            return c->value;
    }
    return INT64_MIN;
}

static bool has_function(const struct functable *t, const char *name)
{
    for (size_t i = 0; i < t->functions.n; i++) {
        if (strcmp(t->functions.items[i].name, name) == 0)
            return true;
    }
    return false;
}

enum refrain_status operation_source_create(struct operation_source *s, const struct reader *r,
                                            const struct definitions *d)
{
    const struct functable *t = &r->trace.functions;
    *s = (struct operation_source){.reader = r,
                                   .definitions = d,
                                   .any_source = constant(t, "RANK", "MPI_ANY_SOURCE"),
                                   .any_tag = constant(t, "TAG", "MPI_ANY_TAG"),
                                   .proc_null = constant(t, "RANK", "MPI_PROC_NULL"),
                                   .root = constant(t, "RANK", "MPI_ROOT"),
                                   .pending = constant(t, NULL, "MPI_ERR_PENDING"),
                                   .no_succeed = constant(t, NULL, "MPI_MODE_NOSUCCEED"),
                                   .cancels = has_function(t, "MPI_Cancel"),
                                   .partners =
                                       has_function(t, "MPI_Win_start") || has_function(t, "MPI_Win_post")};
    failures_find(&s->failures, t);
    enum refrain_status status = roles_find(t, &s->roles);
    if (status == REFRAIN_OK)
        status = groups_create(&s->groups, r, d);
    if (status != REFRAIN_OK)
        operation_source_free(s);
    return status;
}

void operation_source_free(struct operation_source *s)
{
    groups_free(&s->groups);
    free(s->roles);
    *s = (struct operation_source){0};
}

/* ---- a rank ---------------------------------------------------------------------------------- */

static enum refrain_status add_lane(struct operations *o, const struct lane_ref *ref)
{
    const struct operation_source *s = o->source;
    struct operation_lane *grown = realloc(o->lanes, (o->n_lanes + 1) * sizeof *grown);
    if (!grown) {
        log_error("out of memory: the lanes of rank %u", o->rank);
        return REFRAIN_ERR_MEMORY;
    }
    o->lanes = grown;
    struct operation_lane *l = &o->lanes[o->n_lanes];
    *l = (struct operation_lane){.thread = ref->shape->number};
    enum refrain_status status = cursor_start(&l->cursor, s->reader, ref);
    if (status != REFRAIN_OK)
        return status;
    status = call_fields_table_start(&l->forms, s->reader, s->definitions, s->roles, ref);
    if (status == REFRAIN_OK && s->timestamps &&
        (status = timestamps_start(&l->timestamps, s->timestamps, ref)) != REFRAIN_OK)
        call_fields_table_stop(&l->forms);
    if (status == REFRAIN_OK)
        o->n_lanes++;
    else
        cursor_stop(&l->cursor);
    return status;
}

enum refrain_status operations_create(const struct operation_source *s, uint32_t rank,
                                      struct operations **out)
{
    struct operations *o = calloc(1, sizeof *o);
    enum refrain_status status = REFRAIN_OK;
    struct lane_ref lane;
    if (!o) {
        log_error("out of memory: the operations of rank %u", rank);
        return REFRAIN_ERR_MEMORY;
    }
    o->source = s;
    o->rank = rank;
    o->left = TURN;
    requests_start(&o->requests);
    for (size_t at = 0; status == REFRAIN_OK && reader_next_lane(s->reader, rank, LANE_THREAD, &at, &lane);)
        status = add_lane(o, &lane);
    if (status == REFRAIN_OK)
        *out = o;
    else
        operations_free(o);
    return status;
}

void operations_free(struct operations *o)
{
    if (!o)
        return;
    for (size_t i = 0; i < o->n_lanes; i++) {
        timestamps_stop(&o->lanes[i].timestamps);
        call_fields_table_stop(&o->lanes[i].forms);
        cursor_stop(&o->lanes[i].cursor);
    }
    free(o->lanes);
    requests_stop(&o->requests);
    windows_files_free(&o->windows_files);
    process_groups_free(&o->groups);
    map_free(&o->by_what);
    array_free(&o->counters);
    array_free(&o->queue);
    free(o);
}

size_t operations_lanes(const struct operations *o)
{
    return o->n_lanes;
}

uint32_t operations_thread(const struct operations *o, size_t lane)
{
    return o->lanes[lane].thread;
}

/* ---- which thread goes on -------------------------------------------------------------------- */

static size_t lane_of_key(const struct operations *o, uint64_t key)
{
    const uint32_t thread = (uint32_t)(key >> 32 & INT32_MAX);
    size_t i = 0;
    while (i < o->n_lanes && o->lanes[i].thread != thread)
        i++;
    return i;
}

/* When it is the turn of a call that has been read. */
static uint64_t turn_of(const struct operation_lane *l)
{
    const uint32_t receives = ROLE_RECEIVE | ROLE_RECEIVE_FOUND | ROLE_PROBE | ROLE_COMPLETE;
    return l->form->role->actions & receives ? l->timestamp.leave : l->timestamp.enter;
}

/* Can the thread that made a request no longer complete it before this one does? */
static bool is_past(const struct operations *o, const struct operation_lane *home, uint64_t key,
                    const struct operation_lane *l)
{
    return home->ended || (home->waits && home->waiting.posting && home->waiting.key == key) ||
           (o->source->timestamps && home->held && turn_of(home) >= turn_of(l));
}

static bool holds(const struct operations *o, const struct waiting *w, const struct operation_lane *l)
{
    const bool there = requests_find(&o->requests, w->key) != REQUEST_NONE;
    if (w->posting)
        return there;
    const size_t home = lane_of_key(o, w->key);
    if (home >= o->n_lanes || &o->lanes[home] == l)
        return false;
    return there ? w->completes && !is_past(o, &o->lanes[home], w->key, l) : !o->lanes[home].ended;
}

/* If the reason holds, the call waits. One that waits for another thread's request lets that go on. */
static bool waits_for(struct operations *o, struct operation_lane *l, struct waiting w)
{
    if (!holds(o, &w, l))
        return false;
    if (!l->waits || l->waiting.key != w.key)
        o->progress++;
    l->waits = true;
    l->waiting = w;
    l->looked = o->progress;
    const size_t home = lane_of_key(o, w.key);
    if (!w.posting && home < o->n_lanes) {
        o->current = home;
        o->left = UINT32_MAX;
    }
    return true;
}

static bool must_wait(struct operations *o, struct operation_lane *l)
{
    const struct call_fields *f = l->form;
    struct completion c;
    uint64_t key;
    int64_t handle;
    for (int message = 0; message < 2; message++) {
        if (operation_made(l, message, &handle) && operation_key(o, l, handle, message, &key) &&
            waits_for(o, l, (struct waiting){.key = key, .posting = true}))
            return true;
    }
    for (size_t i = 0; operation_completion(o, l, &i, &c);) {
        if (operation_key(o, l, c.handle, false, &key) &&
            waits_for(o, l, (struct waiting){.key = key, .completes = true}))
            return true;
    }
    if (!(f->role->actions & (ROLE_START | ROLE_FREE | ROLE_RECEIVE_FOUND)))
        return false;
    const struct slot_range requests = f->before[FIELD_REQUESTS], message = f->before[FIELD_MESSAGE];
    for (uint32_t i = 0; i < requests.n; i++) {
        if (operation_key(o, l, l->call.slots[requests.at + i], false, &key) &&
            waits_for(o, l, (struct waiting){.key = key, .completes = f->role->actions & ROLE_FREE}))
            return true;
    }
    return message.n > 0 && operation_key(o, l, l->call.slots[message.at], true, &key) &&
           waits_for(o, l, (struct waiting){.key = key, .completes = true});
}

struct timestamp operation_timestamp(struct timestamp call, size_t i, size_t n)
{
    const uint64_t length = call.leave - call.enter, each = length > 3 * (uint64_t)n ? 2 : 1;
    return length > n ? (struct timestamp){call.enter + 1 + i, call.leave - each * (n - i)} : call;
}

/* Read the lane's next call, if there is one. */
static enum refrain_status read_call(struct operations *o, struct operation_lane *l)
{
    enum refrain_status status = REFRAIN_OK;
    if (l->held || l->ended)
        return REFRAIN_OK;
    if (!cursor_next(&l->cursor, &l->call, &status)) {
        l->ended = status == REFRAIN_OK;
        o->progress++;
        return status;
    }
    if (o->source->timestamps &&
        (status = timestamps_next(&l->timestamps, &l->call, &l->timestamp)) != REFRAIN_OK)
        return status;
    status = call_fields_table_of(&l->forms, &l->call, &l->form);
    l->held = status == REFRAIN_OK;
    return status;
}

/* Those of a call are known. */
static void number_operations(struct operations *o)
{
    uint32_t n = 0;
    for (size_t i = 0; i < o->queue.n; i++) {
        struct operation *op = &o->queue.items[i];
        const bool happened =
            op->kind != OPERATION_TEST && !(op->kind == OPERATION_COMPLETE && op->outcome == OPERATION_NEVER);
        op->call.i = n;
        n += happened;
    }
    for (size_t i = 0; i < o->queue.n; i++)
        o->queue.items[i].call.n = n;
}

/* Take the lane's next call, unless it has to wait. */
static enum refrain_status step(struct operations *o, struct operation_lane *l, bool forced)
{
    enum refrain_status status = read_call(o, l);
    if (!l->held)
        return status;
    if (o->n_lanes > 1 && !forced && must_wait(o, l))
        return REFRAIN_OK;
    l->held = l->waits = false;
    o->progress++;
    if (l->form->role->actions && (status = operation_take(o, l)) == REFRAIN_OK)
        number_operations(o);
    return status;
}

static bool can_go_on(const struct operations *o, const struct operation_lane *l)
{
    return !l->ended && !l->stopped && !(l->waits && l->looked == o->progress);
}

/* All wait for one another. The best that can be done is to believe in one that completes a request which is
 * there. NULL if all have ended. */
static struct operation_lane *choose_forced(struct operations *o)
{
    struct operation_lane *any = NULL;
    for (size_t i = 0; i < o->n_lanes; i++) {
        struct operation_lane *l = &o->lanes[i];
        if (l->ended)
            continue;
        if (!l->waiting.posting && requests_find(&o->requests, l->waiting.key) != REQUEST_NONE)
            return l;
        any = any ? any : l;
    }
    return any;
}

/* The lane whose call comes first of those that can go on; NULL if none can. */
static struct operation_lane *choose_first(struct operations *o, enum refrain_status *status)
{
    struct operation_lane *first = NULL;
    uint64_t stopped = UINT64_MAX;
    for (size_t i = 0; i < o->n_lanes; i++) {
        if ((*status = read_call(o, &o->lanes[i])) != REFRAIN_OK)
            return NULL;
    }
    for (size_t i = 0; i < o->n_lanes; i++) {
        struct operation_lane *l = &o->lanes[i];
        if (l->ended || (l->waits && holds(o, &l->waiting, l)))
            continue;
        if (l->stopped)
            stopped = turn_of(l) < stopped ? turn_of(l) : stopped;
        else if (!first || turn_of(l) < turn_of(first))
            first = l;
    }
    return first && (o->ahead || turn_of(first) <= stopped) ? first : NULL;
}

/* The lane whose turn it is; NULL if none can go on, and when something fails. */
static struct operation_lane *choose(struct operations *o, enum refrain_status *status)
{
    if (o->source->timestamps && o->n_lanes > 1)
        return choose_first(o, status);
    if (o->n_lanes == 0)
        return NULL;
    if (o->left == 0) {
        o->current = (o->current + 1) % o->n_lanes;
        o->left = TURN;
    }
    for (size_t i = 0; i < o->n_lanes; i++) {
        struct operation_lane *l = &o->lanes[o->current];
        if (can_go_on(o, l)) {
            o->left--;
            return l;
        }
        o->current = (o->current + 1) % o->n_lanes;
        o->left = TURN;
    }
    return NULL;
}

/* Behind the last call: what is still in use. */
static enum refrain_status drain(struct operations *o)
{
    enum refrain_status status = REFRAIN_OK;
    o->drained = true;
    for (size_t i = 0; i < o->requests.slots.n && status == REFRAIN_OK; i++) {
        const struct request *r = &o->requests.slots.items[i];
        if (r->used && r->active)
            status = operation_finish(o, r, NULL, NULL, OPERATION_NEVER);
    }
    return status;
}

void operations_stop(struct operations *o, uint32_t thread, bool stop)
{
    for (size_t i = 0; i < o->n_lanes; i++) {
        if (o->lanes[i].thread == thread)
            o->lanes[i].stopped = stop;
    }
}

static bool is_stopped(const struct operations *o)
{
    for (size_t i = 0; i < o->n_lanes; i++) {
        if (o->lanes[i].stopped && !o->lanes[i].ended)
            return true;
    }
    return false;
}

void operations_go_ahead(struct operations *o)
{
    o->ahead = true;
}

bool operations_are_over(const struct operations *o)
{
    return o->drained && o->at == o->queue.n;
}

bool operations_next(struct operations *o, const struct operation **out, enum refrain_status *status)
{
    *status = REFRAIN_OK;
    while (o->at == o->queue.n) {
        o->at = o->queue.n = 0;
        struct operation_lane *l = choose(o, status);
        if (l) {
            *status = step(o, l, false);
        } else if (*status != REFRAIN_OK || is_stopped(o)) {
            o->ahead = false;
            return false;
        } else if ((l = choose_forced(o))) {
            *status = step(o, l, true);
        } else if (!o->drained) {
            *status = drain(o);
        } else {
            return false;
        }
        if (*status != REFRAIN_OK)
            return false;
    }
    *out = &o->queue.items[o->at++];
    o->ahead = false;
    return true;
}
