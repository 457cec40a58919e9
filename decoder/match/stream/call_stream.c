/* SPDX-License-Identifier: BSD-3-Clause */
#include "call_stream.h"

#include "decoder/times/timed_lane.h"
#include "operation_impl.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>

/* A thread takes this many calls in its turn. */
#define TURN 64

/* Why a call must wait: it makes a request with this key (posting), and the older one must be
 * gone; or it needs the request. If it completes the request, the thread that made the request
 * must no longer be able to. */
struct waiting {
    uint64_t key;
    bool posting, completes;
};

struct stream_lane {
    /* at its next call if that is held, otherwise at its last taken call */
    struct timed_lane timed;
    struct call_fields_table table;
    const struct call_fields *fields; /* of that call */
    uint32_t thread;
    uint64_t taken; /* number of calls so far */
    uint64_t stuck; /* calls from here on did not return; UINT64_MAX: not known yet */
    uint64_t until; /* the lane is paused at this call */
    /* those of calls to come, without those already satisfied */
    const struct precedence *precedences;
    size_t n_precedences;
    bool held;    /* the next call has been read, but not taken */
    bool ended;   /* there is no next call */
    bool stopped; /* by call_stream_stop */
    bool waits;   /* the call waits if the reason still holds */
    struct waiting waiting;
    uint64_t looked; /* value of the stream's `progress` at the last check */
};

struct call_stream {
    struct operations operations; /* with everything in flight */
    size_t at;                    /* the next operation */
    size_t n_lanes, current;
    uint32_t left; /* calls of the current lane in this turn */
    bool ahead;    /* set by call_stream_go_ahead */
    bool drained;  /* the operations belong to requests that never completed */
    struct stream_lane *lanes;
    uint64_t progress; /* number of taken calls and of lanes that began to wait */
};

/* ---- lanes ----------------------------------------------------------------------------------- */

static enum refrain_status add_lane(struct call_stream *s, const struct lane_ref *ref)
{
    const struct operation_source *source = s->operations.source;
    struct stream_lane *grown = realloc(s->lanes, (s->n_lanes + 1) * sizeof *grown);
    if (!grown) {
        log_error("out of memory: the lanes of rank %u", s->operations.rank);
        return REFRAIN_ERR_MEMORY;
    }
    s->lanes = grown;
    struct stream_lane *l = &s->lanes[s->n_lanes];
    *l = (struct stream_lane){.thread = ref->shape->number, .stuck = UINT64_MAX, .until = UINT64_MAX};
    l->precedences =
        definitions_precedences(source->definitions, s->operations.rank, l->thread, &l->n_precedences);
    enum refrain_status status = timed_lane_start(&l->timed, source->reader, source->timestamps, ref);
    if (status != REFRAIN_OK)
        return status;
    if (source->pool)
        status = timed_lane_read_ahead(&l->timed, source->pool);
    if (status == REFRAIN_OK)
        status = call_fields_table_start(&l->table, &source->volumes, ref);
    if (status == REFRAIN_OK)
        s->n_lanes++;
    else
        timed_lane_stop(&l->timed);
    return status;
}

enum refrain_status call_stream_create(const struct operation_source *source, uint32_t rank,
                                       struct call_stream **out)
{
    struct call_stream *s = calloc(1, sizeof *s);
    enum refrain_status status = REFRAIN_OK;
    struct lane_ref lane;
    if (!s) {
        log_error("out of memory: the calls of rank %u", rank);
        return REFRAIN_ERR_MEMORY;
    }
    s->left = TURN;
    operations_start(&s->operations, source, rank);
    for (size_t at = 0;
         status == REFRAIN_OK && reader_next_lane(source->reader, rank, LANE_THREAD, &at, &lane);)
        status = add_lane(s, &lane);
    if (status == REFRAIN_OK)
        *out = s;
    else
        call_stream_free(s);
    return status;
}

void call_stream_free(struct call_stream *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n_lanes; i++) {
        call_fields_table_stop(&s->lanes[i].table);
        timed_lane_stop(&s->lanes[i].timed);
    }
    free(s->lanes);
    operations_stop(&s->operations);
    free(s);
}

size_t call_stream_lanes(const struct call_stream *s)
{
    return s->n_lanes;
}

uint32_t call_stream_thread(const struct call_stream *s, size_t lane)
{
    assert(lane < call_stream_lanes(s));
    return s->lanes[lane].thread;
}

/* ---- which thread waits ---------------------------------------------------------------------- */

/* Returns s->n_lanes if there is none. */
static size_t lane_of_thread(const struct call_stream *s, uint32_t thread)
{
    size_t i = 0;
    while (i < s->n_lanes && s->lanes[i].thread != thread)
        i++;
    return i;
}

static size_t lane_of_key(const struct call_stream *s, uint64_t key)
{
    return lane_of_thread(s, (uint32_t)(key >> 32 & INT32_MAX));
}

/* Must the lane's next call follow one that another lane has not made yet? */
static bool is_early(const struct call_stream *s, struct stream_lane *l)
{
    while (l->n_precedences > 0 && l->precedences->from <= l->taken) {
        const size_t before = lane_of_thread(s, l->precedences->before);
        if (before < s->n_lanes && !s->lanes[before].ended && s->lanes[before].taken < l->precedences->calls)
            return true;
        l->precedences++;
        l->n_precedences--;
    }
    return false;
}

/* Returns the time that decides when a call has its turn. */
static uint64_t turn_of(const struct stream_lane *l)
{
    const uint32_t receives = ROLE_RECEIVE | ROLE_RECEIVE_FOUND | ROLE_PROBE | ROLE_COMPLETE;
    return l->fields->role->actions & receives ? l->timed.timestamp.leave : l->timed.timestamp.enter;
}

/* Can the thread that made a request no longer complete it before this thread does? */
static bool is_past(const struct call_stream *s, const struct stream_lane *home, uint64_t key,
                    const struct stream_lane *l)
{
    return home->ended || (home->waits && home->waiting.posting && home->waiting.key == key) ||
           (s->operations.source->by_time && home->held && turn_of(home) >= turn_of(l));
}

static bool is_in_use(const struct call_stream *s, uint64_t key)
{
    return requests_find(&s->operations.requests, key) != REQUEST_NONE;
}

static bool holds(const struct call_stream *s, const struct waiting *w, const struct stream_lane *l)
{
    const bool there = is_in_use(s, w->key);
    if (w->posting)
        return there;
    const size_t home = lane_of_key(s, w->key);
    if (home >= s->n_lanes || &s->lanes[home] == l)
        return false;
    return there ? w->completes && !is_past(s, &s->lanes[home], w->key, l) : !s->lanes[home].ended;
}

/* Does the call wait for this reason? While a call waits for another thread's request, that thread
 * continues. */
static bool waits_for(struct call_stream *s, struct stream_lane *l, struct waiting w)
{
    if (!holds(s, &w, l))
        return false;
    if (!l->waits || l->waiting.key != w.key)
        s->progress++;
    l->waits = true;
    l->waiting = w;
    l->looked = s->progress;
    const size_t home = lane_of_key(s, w.key);
    if (!w.posting && home < s->n_lanes) {
        s->current = home;
        s->left = UINT32_MAX;
    }
    return true;
}

static bool must_wait(struct call_stream *s, struct stream_lane *l)
{
    const struct operations *o = &s->operations;
    const struct call *call = &l->timed.call;
    const struct call_fields *f = l->fields;
    struct completion c;
    uint64_t key;
    for (int message = 0; message < 2; message++) {
        if (operation_made(o, call, f, message, &key) &&
            waits_for(s, l, (struct waiting){.key = key, .posting = true}))
            return true;
    }
    for (size_t i = 0; operation_completion(o, call, f, &i, &c);) {
        if (operation_key(o, l->thread, c.handle, false, &key) &&
            waits_for(s, l, (struct waiting){.key = key, .completes = true}))
            return true;
    }
    if (!(f->role->actions & (ROLE_START | ROLE_FREE | ROLE_RECEIVE_FOUND)))
        return false;
    const struct slot_range requests = f->row.before[FIELD_REQUESTS], message = f->row.before[FIELD_MESSAGE];
    for (uint32_t i = 0; i < requests.n; i++) {
        if (operation_key(o, l->thread, call->slots[requests.at + i], false, &key) &&
            waits_for(s, l, (struct waiting){.key = key, .completes = f->role->actions & ROLE_FREE}))
            return true;
    }
    return message.n > 0 && operation_key(o, l->thread, call->slots[message.at], true, &key) &&
           waits_for(s, l, (struct waiting){.key = key, .completes = true});
}

/* ---- which thread continues ------------------------------------------------------------------ */

/* Reads the lane's next call, if there is one. */
static enum refrain_status read_call(struct call_stream *s, struct stream_lane *l)
{
    enum refrain_status status = REFRAIN_OK;
    if (l->held || l->ended)
        return REFRAIN_OK;
    if (!timed_lane_next(&l->timed, &status)) {
        l->ended = status == REFRAIN_OK;
        s->progress++;
        return status;
    }
    status = call_fields_table_of(&l->table, &l->timed.call, &l->fields);
    l->held = status == REFRAIN_OK;
    return status;
}

static bool is_paused(const struct stream_lane *l)
{
    return l->taken >= l->until;
}

static bool can_go_on(const struct call_stream *s, struct stream_lane *l)
{
    return !l->ended && !l->stopped && !is_paused(l) && !(l->waits && l->looked == s->progress) &&
           !is_early(s, l);
}

/* All lanes wait for each other. The best choice is a lane that completes an existing request.
 * Returns NULL if all have ended. */
static struct stream_lane *choose_forced(struct call_stream *s)
{
    struct stream_lane *any = NULL;
    for (size_t i = 0; i < s->n_lanes; i++) {
        struct stream_lane *l = &s->lanes[i];
        if (l->ended)
            continue;
        if (l->waits && !l->waiting.posting && is_in_use(s, l->waiting.key) && !is_early(s, l))
            return l;
        any = any && (is_early(s, l) || !is_early(s, any)) ? any : l;
    }
    return any;
}

/* Returns the lane with the earliest call that need not wait; NULL if there is none. */
static struct stream_lane *choose_first(struct call_stream *s, enum refrain_status *status)
{
    struct stream_lane *first = NULL;
    uint64_t stopped = UINT64_MAX;
    for (size_t i = 0; i < s->n_lanes; i++) {
        if ((*status = read_call(s, &s->lanes[i])) != REFRAIN_OK)
            return NULL;
    }
    for (size_t i = 0; i < s->n_lanes; i++) {
        struct stream_lane *l = &s->lanes[i];
        if (l->ended || (l->waits && holds(s, &l->waiting, l)) || is_early(s, l))
            continue;
        if (l->stopped)
            stopped = turn_of(l) < stopped ? turn_of(l) : stopped;
        else if (!first || turn_of(l) < turn_of(first))
            first = l;
    }
    return first && (s->ahead || turn_of(first) <= stopped) ? first : NULL;
}

/* Returns the lane whose turn it is; NULL if none can continue or on failure. */
static struct stream_lane *choose(struct call_stream *s, enum refrain_status *status)
{
    if (s->operations.source->by_time && s->n_lanes > 1)
        return choose_first(s, status);
    if (s->n_lanes == 0)
        return NULL;
    if (s->left == 0) {
        s->current = (s->current + 1) % s->n_lanes;
        s->left = TURN;
    }
    for (size_t i = 0; i < s->n_lanes; i++) {
        struct stream_lane *l = &s->lanes[s->current];
        if (can_go_on(s, l)) {
            s->left--;
            return l;
        }
        s->current = (s->current + 1) % s->n_lanes;
        s->left = TURN;
    }
    return NULL;
}

void call_stream_stop(struct call_stream *s, uint32_t thread, bool stop)
{
    for (size_t i = 0; i < s->n_lanes; i++) {
        if (s->lanes[i].thread == thread)
            s->lanes[i].stopped = stop;
    }
}

static bool is_stopped(const struct call_stream *s)
{
    for (size_t i = 0; i < s->n_lanes; i++) {
        if ((s->lanes[i].stopped || is_paused(&s->lanes[i])) && !s->lanes[i].ended)
            return true;
    }
    return false;
}

void call_stream_go_ahead(struct call_stream *s)
{
    s->ahead = true;
}

void call_stream_pause_at(struct call_stream *s, uint64_t call)
{
    assert(s->n_lanes == 1);
    timed_lane_read_until(&s->lanes[0].timed, call);
    s->lanes[0].until = call;
}

bool call_stream_is_paused(const struct call_stream *s)
{
    return s->n_lanes == 1 && is_paused(&s->lanes[0]) && s->at == s->operations.queue.n;
}

struct timed_lane *call_stream_timed(struct call_stream *s)
{
    assert(s->n_lanes == 1);
    return &s->lanes[0].timed;
}

struct operations *call_stream_operations(struct call_stream *s)
{
    return &s->operations;
}

void call_stream_pass(struct call_stream *s, uint64_t calls)
{
    assert(s->n_lanes == 1 && !s->lanes[0].held);
    s->lanes[0].taken += calls;
}

/* ---- the stream's calls ---------------------------------------------------------------------- */

/* Finds the lane's last calls that did not return: one, or several if callbacks were active. */
static enum refrain_status find_stuck(struct stream_lane *l, const struct operation_source *source)
{
    struct cursor cursor;
    struct call call;
    struct row_view row = {0};
    enum refrain_status status = cursor_start(&cursor, source->reader, &l->timed.cursor.lane);
    if (status != REFRAIN_OK)
        return status;
    for (l->stuck = cursor_calls(&cursor); status == REFRAIN_OK && l->stuck > 0; l->stuck--) {
        if ((status = cursor_seek(&cursor, l->stuck - 1)) != REFRAIN_OK ||
            !cursor_next(&cursor, &call, &status))
            break;
        status = row_view_look(&row, &source->reader->trace.functions,
                               &source->volumes.roles->items[call.function], call.function, call.slots,
                               call.n_slots, NULL);
        if (row.returned)
            break;
    }
    cursor_stop(&cursor);
    return status;
}

/* Was the call left by a jump, such as from an error handler? It did not return, but its thread
 * continued. Its effect is unknown, and usually none. */
static bool was_left(const struct call_stream *s, struct stream_lane *l, enum refrain_status *status)
{
    if (l->fields->row.returned)
        return false;
    if (l->stuck == UINT64_MAX)
        *status = find_stuck(l, s->operations.source);
    return l->timed.call.index < l->stuck;
}

/* Takes the lane's next call, unless there is none or it must wait. */
static bool take_call(struct call_stream *s, struct stream_lane *l, bool forced, enum refrain_status *status)
{
    *status = read_call(s, l);
    if (!l->held || (s->n_lanes > 1 && !forced && must_wait(s, l)))
        return false;
    l->held = l->waits = false;
    l->taken++;
    s->progress++;
    const struct call_listener *listener = &s->operations.source->listener;
    if (listener->call)
        *status = listener->call(listener->context, &l->timed.call, &l->timed.timestamp, l->fields);
    if (*status == REFRAIN_OK && l->fields->role->actions && !was_left(s, l, status) && *status == REFRAIN_OK)
        *status = operations_take(&s->operations, &l->timed.call, &l->timed.timestamp, l->fields);
    return *status == REFRAIN_OK;
}

/* Takes one call. Returns its lane; NULL at the end, if no lane can continue, and on failure. */
static struct stream_lane *advance(struct call_stream *s, enum refrain_status *status)
{
    struct stream_lane *l;
    bool taken = false;
    *status = REFRAIN_OK;
    s->at = s->operations.queue.n = 0;
    do {
        if ((l = choose(s, status)))
            taken = take_call(s, l, false, status);
        else if (*status == REFRAIN_OK && !is_stopped(s) && (l = choose_forced(s)))
            taken = take_call(s, l, true, status);
    } while (l && !taken && *status == REFRAIN_OK);
    return taken ? l : NULL;
}

bool call_stream_next(struct call_stream *s, struct stream_call *out, enum refrain_status *status)
{
    const struct stream_lane *l = advance(s, status);
    if (!l)
        return false;
    *out = (struct stream_call){.lane = (size_t)(l - s->lanes),
                                .call = &l->timed.call,
                                .timestamp = &l->timed.timestamp,
                                .around = l->timed.timestamps.nesting.open.items,
                                .n_around = l->timed.timestamps.nesting.open.n,
                                .operations = s->operations.queue.items,
                                .n_operations = s->operations.queue.n};
    return true;
}

/* After the last call: puts operations for the requests still in use. */
static bool drain(struct call_stream *s, enum refrain_status *status)
{
    if (*status != REFRAIN_OK || s->drained || is_stopped(s))
        return false;
    s->drained = true;
    *status = operations_end(&s->operations);
    return *status == REFRAIN_OK;
}

bool call_stream_next_operation(struct call_stream *s, const struct operation **out,
                                enum refrain_status *status)
{
    bool more = true;
    *status = REFRAIN_OK;
    while (s->at == s->operations.queue.n && more)
        more = advance(s, status) || drain(s, status);
    s->ahead = false;
    if (more)
        *out = &s->operations.queue.items[s->at++];
    return more;
}

bool call_stream_is_over(const struct call_stream *s)
{
    return s->drained && s->at == s->operations.queue.n;
}
