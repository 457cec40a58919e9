/* SPDX-License-Identifier: BSD-3-Clause */
#include "causal_stream.h"

#include "src/core/base/bisect.h"
#include "src/core/base/log.h"
#include "src/core/base/mix.h"

#include <stdlib.h>

enum refrain_status causal_stream_create(struct causal_stream *s, size_t n_lanes,
                                         const struct causal_sink *sink)
{
    *s = (struct causal_stream){.sink = *sink,
                                .lanes = calloc(n_lanes + 1, sizeof *s->lanes),
                                .unused_links = CAUSAL_NONE,
                                .most_pending = CAUSAL_MOST_PENDING};
    if (!s->lanes) {
        log_error("out of memory: %zu threads", n_lanes);
        return REFRAIN_ERR_MEMORY;
    }
    s->n_lanes = n_lanes;
    for (size_t i = 0; i < n_lanes; i++)
        s->lanes[i].blocked_on = CAUSAL_NONE;
    return REFRAIN_OK;
}

void causal_stream_free(struct causal_stream *s)
{
    for (size_t i = 0; i < s->n_lanes; i++)
        array_free(&s->lanes[i].calls);
    free(s->lanes);
    map_free(&s->mark_of_call);
    array_free(&s->marks);
    array_free(&s->unused_marks);
    array_free(&s->links);
    array_free(&s->joints);
    array_free(&s->unused_joints);
    array_free(&s->ready);
    array_free(&s->causes);
    *s = (struct causal_stream){0};
}

/* ---- marks ------------------------------------------------------------------------------------- */

static uint64_t key_of(struct causal_name call)
{
    return mix_lightly(call.lane, call.number);
}

static COLD struct pending_call *search_call(struct pending_call *calls, size_t n, uint64_t number)
{
    if (number > calls[n - 1].call.number)
        return NULL;
    const size_t at = BISECT(i, n, calls[i].call.number < number);
    return calls[at].first <= number ? &calls[at] : NULL;
}

/* If no number in between is missing (polls leave some out), the position is the difference of the
 * numbers. */
static inline struct pending_call *find_call(struct causal_stream *s, struct causal_name name)
{
    struct causal_lane *l = &s->lanes[name.lane];
    const size_t n = l->calls.n - l->first;
    if (n == 0)
        return NULL;
    struct pending_call *calls = l->calls.items + l->first;
    if (name.number < calls[0].first)
        return NULL;
    const uint64_t behind = name.number - calls[0].call.number;
    if (behind < n && calls[behind].call.number == name.number)
        return &calls[behind];
    return search_call(calls, n, name.number);
}

/* A kept call stores its mark; the marks of other calls are in the map. */
static uint32_t find_mark(struct causal_stream *s, struct causal_name call)
{
    const struct pending_call *p = find_call(s, call);
    if (p)
        return p->mark;
    const uint64_t key = key_of(call);
    size_t at;
    uint32_t v = map_first(&s->mark_of_call, key, &at);
    for (; v != MAP_NONE; v = map_next(&s->mark_of_call, key, &at)) {
        if (s->marks.items[v].lane == call.lane && s->marks.items[v].number == call.number)
            return v;
    }
    return CAUSAL_NONE;
}

/* Makes the mark of a call or, without a lane, of a joint. */
static bool make_mark(struct causal_stream *s, struct causal_name call, uint32_t *mark)
{
    const struct causal_mark m = {.lane = call.lane, .number = call.number, .waiters = CAUSAL_NONE};
    if (s->unused_marks.n == 0) {
        /* The list of unused marks must always have room for all marks. */
        if (!array_push(&s->marks, m) || !array_reserve(&s->unused_marks, s->marks.n))
            return false;
        s->unused_marks.items[s->unused_marks.n++] = (uint32_t)(s->marks.n - 1);
    }
    *mark = s->unused_marks.items[--s->unused_marks.n];
    s->marks.items[*mark] = m;
    return true;
}

/* Frees the mark if it has no holds and links. A joint is kept until its members have begun. */
static void drop_mark(struct causal_stream *s, uint32_t mark)
{
    struct causal_mark *m = &s->marks.items[mark];
    const struct causal_name call = {m->lane, m->number};
    const bool is_joint = m->lane == CAUSAL_NONE;
    if (m->holds > 0 || m->links > 0 || (is_joint && !m->entered))
        return;
    struct pending_call *p = is_joint ? NULL : find_call(s, call);
    if (p)
        p->mark = CAUSAL_NONE;
    else if (!is_joint)
        map_remove(&s->mark_of_call, key_of(call), mark);
    s->unused_marks.items[s->unused_marks.n++] = mark;
    if (m->entered)
        s->sink.forget(s->sink.context, mark);
}

/* ---- calls that are kept ------------------------------------------------------------------------- */

static struct pending_call *last_of(struct causal_lane *l)
{
    return l->first < l->calls.n ? &l->calls.items[l->calls.n - 1] : NULL;
}

static bool link_to(struct causal_stream *s, uint32_t *links, uint32_t mark, uint32_t kind)
{
    uint32_t link = s->unused_links;
    if (link == CAUSAL_NONE) {
        if (!array_push(&s->links, ((struct causal_link){0})))
            return false;
        link = (uint32_t)(s->links.n - 1);
    } else {
        s->unused_links = s->links.items[link].next;
    }
    s->links.items[link] = (struct causal_link){mark, kind, *links};
    *links = link;
    s->marks.items[mark].links++;
    return true;
}

static void unlink_all(struct causal_stream *s, uint32_t *links)
{
    while (*links != CAUSAL_NONE) {
        const uint32_t link = *links;
        struct causal_link *this = &s->links.items[link];
        s->marks.items[this->mark].links--;
        drop_mark(s, this->mark);
        *links = this->next;
        this->next = s->unused_links;
        s->unused_links = link;
    }
}

/* ---- continuing ---------------------------------------------------------------------------------- */

static uint32_t *next_waiter(struct causal_stream *s, uint32_t waiter)
{
    return waiter < s->n_lanes ? &s->lanes[waiter].next_waiter
                               : &s->joints.items[waiter - s->n_lanes].next_waiter;
}

/* Makes all waiters of the mark ready. */
static bool wake(struct causal_stream *s, struct causal_mark *m)
{
    for (uint32_t w = m->waiters; w != CAUSAL_NONE; w = *next_waiter(s, w)) {
        if (w < s->n_lanes)
            s->lanes[w].blocked_on = CAUSAL_NONE;
        if (!array_push(&s->ready, w))
            return false;
    }
    m->waiters = CAUSAL_NONE;
    return true;
}

static void wait_for(struct causal_stream *s, uint32_t waiter, uint32_t mark)
{
    *next_waiter(s, waiter) = s->marks.items[mark].waiters;
    s->marks.items[mark].waiters = waiter;
}

static enum refrain_status enter(struct causal_stream *s, struct pending_call *p)
{
    struct causal_mark *m = p->mark == CAUSAL_NONE ? NULL : &s->marks.items[p->mark];
    p->entered = true;
    if (m) {
        m->entered = true;
        m->at = p->call.enter;
        if (!wake(s, m))
            return REFRAIN_ERR_MEMORY;
    }
    return s->sink.enter(s->sink.context, &p->call, p->mark);
}

/* Returns the first of these links whose mark has not begun. */
static uint32_t first_missing(const struct causal_stream *s, uint32_t links)
{
    while (links != CAUSAL_NONE && s->marks.items[s->links.items[links].mark].entered)
        links = s->links.items[links].next;
    return links;
}

/* Has everything happened that the call depends on? If not, the lane waits for the first missing
 * mark. */
static bool may_leave(struct causal_stream *s, uint32_t lane, const struct pending_call *p)
{
    const uint32_t missing = first_missing(s, p->links);
    if (missing == CAUSAL_NONE)
        return true;
    s->lanes[lane].blocked_on = s->links.items[missing].mark;
    wait_for(s, lane, s->lanes[lane].blocked_on);
    return false;
}

/* Fills s->causes, without causes that have not happened. */
static bool find_causes(struct causal_stream *s, uint32_t links)
{
    s->causes.n = 0;
    for (uint32_t i = links; i != CAUSAL_NONE; i = s->links.items[i].next) {
        const uint32_t mark = s->links.items[i].mark;
        const struct causal_mark *m = &s->marks.items[mark];
        if (m->entered &&
            !array_push(&s->causes, ((struct causal_cause){m->lane, mark, s->links.items[i].kind, m->at})))
            return false;
    }
    return true;
}

static enum refrain_status leave(struct causal_stream *s, struct pending_call *p)
{
    if (!find_causes(s, p->links))
        return REFRAIN_ERR_MEMORY;
    const enum refrain_status status = s->sink.leave(s->sink.context, &p->call, s->causes.items, s->causes.n);
    unlink_all(s, &p->links);
    return status;
}

/* Have all members begun? If not, the joint waits for one of them. */
static enum refrain_status run_joint(struct causal_stream *s, uint32_t number)
{
    struct causal_joint *j = &s->joints.items[number];
    struct causal_mark *m = &s->marks.items[j->mark];
    enum refrain_status status = REFRAIN_OK;
    j->missing = first_missing(s, j->missing);
    if (j->missing != CAUSAL_NONE) {
        wait_for(s, (uint32_t)s->n_lanes + number, s->links.items[j->missing].mark);
        return REFRAIN_OK;
    }
    if (!find_causes(s, j->links))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < s->causes.n; i++)
        m->at = s->causes.items[i].at > m->at ? s->causes.items[i].at : m->at;
    m->entered = true;
    if (s->sink.join)
        status = s->sink.join(s->sink.context, j->mark, s->causes.items, s->causes.n);
    unlink_all(s, &j->links);
    if (status == REFRAIN_OK && !wake(s, m))
        status = REFRAIN_ERR_MEMORY;
    drop_mark(s, j->mark);
    s->unused_joints.items[s->unused_joints.n++] = number;
    return status;
}

/* A later call may still need its mark. */
static bool pop(struct causal_stream *s, struct causal_lane *l)
{
    const struct pending_call *p = &l->calls.items[l->first];
    const uint32_t mark = p->mark;
    if (mark != CAUSAL_NONE &&
        !map_add(&s->mark_of_call, key_of((struct causal_name){p->call.lane, p->call.number}), mark))
        return false;
    s->pending--;
    if (++l->first < l->calls.n && l->first * 2 < l->calls.n)
        return true;
    const size_t left = l->calls.n - l->first;
    for (size_t i = 0; i < left; i++)
        l->calls.items[i] = l->calls.items[l->first + i];
    l->calls.n = left;
    l->first = 0;
    return true;
}

static enum refrain_status run_lane(struct causal_stream *s, uint32_t lane)
{
    struct causal_lane *l = &s->lanes[lane];
    enum refrain_status status = REFRAIN_OK;
    while (status == REFRAIN_OK && l->blocked_on == CAUSAL_NONE && l->first < l->calls.n) {
        struct pending_call *p = &l->calls.items[l->first];
        if (!p->closed)
            break;
        if (!p->entered)
            status = enter(s, p);
        if (status != REFRAIN_OK || p->unsettled > 0 || !may_leave(s, lane, p))
            break;
        status = leave(s, p);
        if (!pop(s, l))
            status = REFRAIN_ERR_MEMORY;
    }
    return status;
}

/* Runs a waiter (a lane or a joint) and all waiters that it releases. */
static enum refrain_status run(struct causal_stream *s, uint32_t first)
{
    enum refrain_status status = REFRAIN_OK;
    if (!array_push(&s->ready, first))
        return REFRAIN_ERR_MEMORY;
    while (status == REFRAIN_OK && s->ready.n > 0) {
        const uint32_t next = s->ready.items[--s->ready.n];
        status = next < s->n_lanes ? run_lane(s, next) : run_joint(s, next - (uint32_t)s->n_lanes);
    }
    return status;
}

static void unblock(struct causal_stream *s, uint32_t lane)
{
    struct causal_lane *l = &s->lanes[lane];
    if (l->blocked_on == CAUSAL_NONE)
        return;
    uint32_t *at = &s->marks.items[l->blocked_on].waiters;
    while (*at != lane)
        at = next_waiter(s, *at);
    *at = l->next_waiter;
    l->blocked_on = CAUSAL_NONE;
}

static bool is_before(const struct pending_call *a, const struct pending_call *b)
{
    if ((a->unsettled > 0) != (b->unsettled > 0))
        return a->unsettled > 0;
    return a->call.enter < b->call.enter;
}

/* No lane can continue: releases one of the complete calls. Waiting calls keep their causes as long
 * as some causes are incomplete; these block. Chooses the one that began first. False if there is
 * none. */
static bool force(struct causal_stream *s, enum refrain_status *status)
{
    uint32_t first = CAUSAL_NONE;
    for (uint32_t i = 0; i < s->n_lanes; i++) {
        const struct causal_lane *l = &s->lanes[i];
        if (l->first < l->calls.n && l->calls.items[l->first].closed &&
            (first == CAUSAL_NONE ||
             is_before(&l->calls.items[l->first], &s->lanes[first].calls.items[s->lanes[first].first])))
            first = i;
    }
    if (first == CAUSAL_NONE)
        return false;
    struct causal_lane *l = &s->lanes[first];
    unblock(s, first);
    s->forced++;
    *status = leave(s, &l->calls.items[l->first]);
    if (!pop(s, l))
        *status = REFRAIN_ERR_MEMORY;
    if (*status == REFRAIN_OK)
        *status = run(s, first);
    return true;
}

/* ---- adding and settling calls ------------------------------------------------------------------- */

enum refrain_status causal_stream_call(struct causal_stream *s, const struct causal_call *call,
                                       bool continues)
{
    struct causal_lane *l = &s->lanes[call->lane];
    struct pending_call *last = last_of(l);
    enum refrain_status status = REFRAIN_OK;
    struct causal_call this = *call;
    if (last && continues) {
        last->call.enter = this.enter > last->call.enter ? this.enter : last->call.enter;
        last->call.leave = this.leave > last->call.leave ? this.leave : last->call.leave;
        last->call.site = this.site;
        last->call.number = this.number;
        if (last->mark != CAUSAL_NONE)
            s->marks.items[last->mark].number = this.number;
        l->last = last->call.leave;
        return REFRAIN_OK;
    }
    /* The recorder puts an outer call after its inner calls. */
    this.enter = this.enter > l->last ? this.enter : l->last;
    this.leave = this.leave > this.enter ? this.leave : this.enter;
    l->last = this.leave;
    if (last) {
        last->closed = true;
        status = run(s, call->lane);
    }
    if (status == REFRAIN_OK &&
        !array_push(&l->calls,
                    ((struct pending_call){
                        .call = this, .first = this.number, .mark = CAUSAL_NONE, .links = CAUSAL_NONE})))
        status = REFRAIN_ERR_MEMORY;
    s->pending++;
    while (status == REFRAIN_OK && s->pending > s->most_pending && force(s, &status))
        ;
    return status;
}

void causal_stream_expect(struct causal_stream *s, struct causal_name call)
{
    struct pending_call *p = find_call(s, call);
    if (p)
        p->unsettled++;
}

enum refrain_status causal_stream_settle(struct causal_stream *s, struct causal_name call,
                                         const struct causal_name *cause, uint32_t kind)
{
    struct pending_call *p = find_call(s, call);
    const uint32_t mark = cause ? find_mark(s, *cause) : CAUSAL_NONE;
    if (!p || p->unsettled == 0)
        return REFRAIN_OK;
    p->unsettled--;
    if (mark != CAUSAL_NONE && !link_to(s, &p->links, mark, kind))
        return REFRAIN_ERR_MEMORY;
    return p->unsettled == 0 ? run(s, call.lane) : REFRAIN_OK;
}

enum refrain_status causal_stream_hold(struct causal_stream *s, struct causal_name call)
{
    uint32_t mark = find_mark(s, call);
    struct pending_call *p = mark == CAUSAL_NONE ? find_call(s, call) : NULL;
    if (p) {
        if (!make_mark(s, call, &mark))
            return REFRAIN_ERR_MEMORY;
        p->mark = mark;
    }
    if (mark != CAUSAL_NONE)
        s->marks.items[mark].holds++;
    return REFRAIN_OK;
}

void causal_stream_release(struct causal_stream *s, struct causal_name call)
{
    const uint32_t mark = find_mark(s, call);
    if (mark == CAUSAL_NONE || s->marks.items[mark].holds == 0)
        return;
    s->marks.items[mark].holds--;
    drop_mark(s, mark);
}

/* ---- joints -------------------------------------------------------------------------------------- */

enum refrain_status causal_stream_join(struct causal_stream *s, const struct causal_name *calls, size_t n,
                                       uint32_t before, uint32_t *joint)
{
    struct causal_joint j = {.links = CAUSAL_NONE};
    if (s->unused_joints.n == 0) {
        if (!array_push(&s->joints, j) || !array_reserve(&s->unused_joints, s->joints.n))
            return REFRAIN_ERR_MEMORY;
        s->unused_joints.items[s->unused_joints.n++] = (uint32_t)(s->joints.n - 1);
    }
    if (!make_mark(s, (struct causal_name){CAUSAL_NONE, 0}, &j.mark))
        return REFRAIN_ERR_MEMORY;
    bool ok = before == CAUSAL_NONE || link_to(s, &j.links, before, 0);
    for (size_t i = 0; i < n && ok; i++) {
        const uint32_t mark = find_mark(s, calls[i]);
        ok = mark == CAUSAL_NONE || link_to(s, &j.links, mark, 0);
    }
    if (!ok)
        return REFRAIN_ERR_MEMORY;
    const uint32_t number = s->unused_joints.items[--s->unused_joints.n];
    s->marks.items[j.mark].holds = 1;
    j.missing = j.links;
    s->joints.items[number] = j;
    *joint = j.mark;
    return run(s, (uint32_t)s->n_lanes + number);
}

void causal_stream_keep(struct causal_stream *s, uint32_t joint)
{
    s->marks.items[joint].holds++;
}

void causal_stream_part(struct causal_stream *s, uint32_t joint)
{
    s->marks.items[joint].holds--;
    drop_mark(s, joint);
}

enum refrain_status causal_stream_depend(struct causal_stream *s, struct causal_name call, uint32_t joint,
                                         uint32_t kind)
{
    struct pending_call *p = find_call(s, call);
    return !p || p->unsettled == 0 || link_to(s, &p->links, joint, kind) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

enum refrain_status causal_stream_end(struct causal_stream *s)
{
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t i = 0; i < s->n_lanes && status == REFRAIN_OK; i++) {
        struct pending_call *last = last_of(&s->lanes[i]);
        if (last) {
            last->closed = true;
            status = run(s, i);
        }
    }
    while (status == REFRAIN_OK && force(s, &status))
        ;
    return status;
}
