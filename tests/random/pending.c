/* SPDX-License-Identifier: BSD-3-Clause */
#include "requests.h"

#include <stdlib.h>

void pending_add(struct pending *q, struct transfer t)
{
    if (q->n == (int)(sizeof q->items / sizeof *q->items))
        abort();
    q->items[q->n++] = t;
}

/* ---- persistent requests --------------------------------------------------------------------- */

/* Notes what the last call has started. */
static void started(struct place *p, struct transfer *t)
{
    t->active = true;
    t->posted = p->log->calls - 1;
    if (t->peer == MPI_PROC_NULL)
        log_none(p->log);
    else if (!t->receives)
        transfer_sent(p, t);
    else
        log_post(p->log, t->peer == MPI_ANY_SOURCE ? LOG_NOTHING : place_world(p, t->peer),
                 t->tag == MPI_ANY_TAG ? LOG_NOTHING : t->tag, p->id);
}

void pending_start(struct place *p, struct pending *q, bool receives)
{
    MPI_Request requests[2 * MOST_MESSAGES];
    struct transfer *transfers[2 * MOST_MESSAGES];
    const bool together = dice_chance(&p->own, 50);
    int n = 0;
    for (int i = 0; i < q->n; i++) {
        struct transfer *t = &q->items[i];
        if (t->receives != receives)
            continue;
        if (!receives)
            layout_sign(&t->layout, t->bytes, p->log->calls);
        if (together) {
            transfers[n] = t;
            requests[n++] = t->request;
        } else {
            CALL(p->log, MPI_Start, &t->request);
            started(p, t);
        }
    }
    if (!together)
        return;
    CALL(p->log, MPI_Startall, n, requests);
    for (int i = 0; i < n; i++) {
        transfers[i]->request = requests[i];
        started(p, transfers[i]);
    }
}

/* ---- completion ------------------------------------------------------------------------------ */

/* The active requests. Complete ones are inactive or null: later calls skip them. */
struct set {
    MPI_Request requests[2 * MOST_MESSAGES];
    struct transfer *transfers[2 * MOST_MESSAGES];
    /* these two: MPI_…_IGNORE, or their addresses */
    MPI_Status statuses[2 * MOST_MESSAGES], *all, *one;
    int indices[2 * MOST_MESSAGES];
    int n, left;
};

/* Request `at` was completed by the last call, with this status. */
static void complete(struct place *p, struct set *s, int at, const MPI_Status *status)
{
    struct transfer *t = s->transfers[at];
    t->request = s->requests[at];
    t->active = false;
    s->left--;
    if (t->receives)
        transfer_received(p, t, s->one == MPI_STATUS_IGNORE ? NULL : status);
}

static void complete_all(struct place *p, struct set *s)
{
    for (int i = 0; i < s->n; i++)
        complete(p, s, i, &s->statuses[i]);
}

/* The last call completed `n` of them. */
static void complete_some(struct place *p, struct set *s, int n)
{
    for (int i = 0; i < n; i++)
        complete(p, s, s->indices[i], &s->statuses[i]);
    place_yield(n == 0);
}

static void wait_all(struct place *p, struct set *s)
{
    CALL(p->log, MPI_Waitall, s->n, s->requests, s->all);
    complete_all(p, s);
}

static void wait_any(struct place *p, struct set *s)
{
    while (s->left > 0) {
        CALL(p->log, MPI_Waitany, s->n, s->requests, s->indices, s->one);
        complete_some(p, s, 1);
    }
}

static void wait_some(struct place *p, struct set *s)
{
    int n;
    while (s->left > 0) {
        CALL(p->log, MPI_Waitsome, s->n, s->requests, &n, s->indices, s->all);
        complete_some(p, s, n);
    }
}

/* Waits for each, beginning at a random one. */
static void wait_each(struct place *p, struct set *s)
{
    const int first = s->n > 0 ? dice_below(&p->own, s->n) : 0;
    for (int i = 0; i < s->n; i++) {
        const int at = (first + i) % s->n;
        CALL(p->log, MPI_Wait, &s->requests[at], s->one);
        complete(p, s, at, s->statuses);
    }
}

static void test_all(struct place *p, struct set *s)
{
    for (int flag = 0; !flag;) {
        CALL(p->log, MPI_Testall, s->n, s->requests, &flag, s->all);
        if (flag)
            complete_all(p, s);
        place_yield(!flag);
    }
}

static void test_any(struct place *p, struct set *s)
{
    int flag;
    while (s->left > 0) {
        CALL(p->log, MPI_Testany, s->n, s->requests, s->indices, &flag, s->one);
        complete_some(p, s, flag ? 1 : 0);
    }
}

static void test_some(struct place *p, struct set *s)
{
    int n;
    while (s->left > 0) {
        CALL(p->log, MPI_Testsome, s->n, s->requests, &n, s->indices, s->all);
        complete_some(p, s, n);
    }
}

static void test_each(struct place *p, struct set *s)
{
    int flag;
    for (int i = 0; s->left > 0; i = (i + 1) % s->n) {
        if (!s->transfers[i]->active)
            continue;
        CALL(p->log, MPI_Test, &s->requests[i], &flag, s->one);
        if (flag)
            complete(p, s, i, s->statuses);
        place_yield(!flag);
    }
}

/* From now on, the library owns the request, and also its datatype and buffer. */
static void let_go(struct place *p, struct transfer *t)
{
    CALL(p->log, MPI_Request_free, &t->request);
    t->active = t->persistent = false;
    layout_free(p, &t->layout, false);
    t->layout = (struct layout){0};
}

void pending_complete(struct place *p, struct pending *q, int percent_freed)
{
    static void (*const ways[])(struct place *, struct set *) = {wait_all, wait_any, wait_some, wait_each,
                                                                 test_all, test_any, test_some, test_each};
    struct set s;
    bool wild = false;
    s.n = 0;
    for (int i = 0; i < q->n; i++) {
        struct transfer *t = &q->items[i];
        if (t->active && !t->receives && dice_chance(&p->own, percent_freed)) {
            let_go(p, t);
        } else if (t->active && t->persistent && t->peer == MPI_PROC_NULL) {
            /* MPICH never treats it as active. */
            CALL(p->log, MPI_Wait, &t->request, MPI_STATUS_IGNORE);
            t->active = false;
        } else if (t->active) {
            wild = wild || t->peer == MPI_ANY_SOURCE || t->tag == MPI_ANY_TAG;
            s.transfers[s.n] = t;
            s.requests[s.n++] = t->request;
        }
    }
    s.left = s.n;
    s.all = s.one = s.statuses;
    if (!wild && dice_chance(&p->own, 40)) {
        s.all = MPI_STATUSES_IGNORE;
        s.one = MPI_STATUS_IGNORE;
    }
    ways[dice_below(&p->own, 8)](p, &s);
}

void pending_free(struct place *p, struct pending *q)
{
    for (int i = 0; i < q->n; i++) {
        struct transfer *t = &q->items[i];
        if (t->persistent)
            CALL(p->log, MPI_Request_free, &t->request);
        layout_free(p, &t->layout, true);
    }
}
