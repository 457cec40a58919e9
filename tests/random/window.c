/* SPDX-License-Identifier: BSD-3-Clause */
#include "layout.h"

#include <stdlib.h>

enum { CELLS = 32 }; /* ints in each target that only one origin accesses */

struct window {
    MPI_Win win;
    uint64_t id;
    int *memory; /* NULL: the window's own */
    int local[4 * CELLS];
};

static void named(struct place *p, struct window *w)
{
    w->id = dice_next(&p->plan);
    log_sync(p->log, p->id);
    log_name(p->log, w->id);
}

static void create(struct place *p, struct window *w)
{
    const MPI_Aint bytes = (MPI_Aint)sizeof(int) * CELLS * p->size;
    if (dice_chance(&p->plan, 50)) {
        w->memory = calloc((size_t)bytes, 1);
        if (!w->memory)
            abort();
        CALL(p->log, MPI_Win_create, w->memory, bytes, sizeof(int), MPI_INFO_NULL, p->comm, &w->win);
    } else {
        void *memory;
        CALL(p->log, MPI_Win_allocate, bytes, sizeof(int), MPI_INFO_NULL, p->comm, &memory, &w->win);
    }
    named(p, w);
}

/* ---- accesses -------------------------------------------------------------------------------- */

/* Logs that the last call is an event of the window; without a target if that is MPI_PROC_NULL. */
static void window_event(struct place *p, const struct window *w, int target)
{
    log_window(p->log, target == MPI_PROC_NULL ? LOG_NOTHING : place_world(p, target), w->id);
}

/* Logs that the last call moved this many ints to the target and back. */
static void moved(struct place *p, const struct window *w, int target, int there, int back)
{
    if (target == MPI_PROC_NULL)
        return;
    window_event(p, w, target);
    const int me = place_world(p, p->rank), other = place_world(p, target), size = (int)sizeof(int);
    if (there >= 0)
        log_access(p->log, me, other, (long long)there * size);
    if (back >= 0)
        log_access(p->log, other, me, (long long)back * size);
    log_volume(p->log, there > 0 ? (long long)there * size : 0, back > 0 ? (long long)back * size : 0);
}

enum { NEITHER = -1 };

static void access_target(struct place *p, struct window *w, int target)
{
    const int n = dice_below(&p->own, CELLS);
    const MPI_Aint at = (MPI_Aint)p->rank * CELLS;
    int *out = w->local, *in = w->local + CELLS, *old = w->local + 2 * CELLS;
    switch (dice_below(&p->own, 7)) {
    case 0:
        CALL(p->log, MPI_Put, out, n, MPI_INT, target, at, n, MPI_INT, w->win);
        moved(p, w, target, n, NEITHER);
        break;
    case 1:
        CALL(p->log, MPI_Get, in, n, MPI_INT, target, at, n, MPI_INT, w->win);
        moved(p, w, target, NEITHER, n);
        break;
    case 2:
        CALL(p->log, MPI_Accumulate, out, n, MPI_INT, target, at, n, MPI_INT, MPI_SUM, w->win);
        moved(p, w, target, n, NEITHER);
        break;
    case 3:
        CALL(p->log, MPI_Get_accumulate, out, n, MPI_INT, old, n, MPI_INT, target, at, n, MPI_INT, MPI_SUM,
             w->win);
        moved(p, w, target, n, n);
        break;
    case 4: /* the origin buffer is not read */
        CALL(p->log, MPI_Get_accumulate, NULL, 0, MPI_INT, old, n, MPI_INT, target, at, n, MPI_INT, MPI_NO_OP,
             w->win);
        moved(p, w, target, 0, n);
        break;
    case 5:
        CALL(p->log, MPI_Fetch_and_op, out, old, MPI_INT, target, at, MPI_SUM, w->win);
        moved(p, w, target, 1, 1);
        break;
    default:
        CALL(p->log, MPI_Compare_and_swap, out, in, old, MPI_INT, target, at, w->win);
        moved(p, w, target, 1, 1);
    }
}

/* A single access, with a request. */
static void access_with_request(struct place *p, struct window *w, int target)
{
    const int n = dice_below(&p->own, CELLS);
    const MPI_Aint at = (MPI_Aint)p->rank * CELLS;
    MPI_Request request;
    if (dice_chance(&p->own, 50)) {
        CALL(p->log, MPI_Rput, w->local, n, MPI_INT, target, at, n, MPI_INT, w->win, &request);
        moved(p, w, target, n, NEITHER);
    } else {
        CALL(p->log, MPI_Rget, w->local + CELLS, n, MPI_INT, target, at, n, MPI_INT, w->win, &request);
        moved(p, w, target, NEITHER, n);
    }
    CALL(p->log, MPI_Wait, &request, MPI_STATUS_IGNORE);
}

static int any_target(struct place *p)
{
    return dice_chance(&p->own, 10) ? MPI_PROC_NULL : dice_below(&p->own, p->size);
}

/* ---- epochs: one access in each, since two to the same cells have no order -------------------- */

static void fences(struct place *p, struct window *w)
{
    const int n = 1 + dice_below(&p->plan, 3);
    CALL(p->log, MPI_Win_fence, 0, w->win);
    log_sync(p->log, w->id);
    for (int i = 0; i < n; i++) {
        access_target(p, w, any_target(p));
        CALL(p->log, MPI_Win_fence, 0, w->win);
        log_sync(p->log, w->id);
    }
}

static void locks(struct place *p, struct window *w)
{
    const int n = dice_below(&p->own, 4);
    for (int i = 0; i < n; i++) {
        const int target = dice_below(&p->own, p->size),
                  type = dice_chance(&p->own, 50) ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE;
        CALL(p->log, MPI_Win_lock, type, target, 0, w->win);
        window_event(p, w, target);
        if (dice_chance(&p->own, 40)) {
            access_with_request(p, w, target);
            CALL(p->log, MPI_Win_flush, target, w->win);
            window_event(p, w, target);
        }
        access_target(p, w, target);
        CALL(p->log, MPI_Win_unlock, target, w->win);
        window_event(p, w, target);
    }
}

static void lock_all(struct place *p, struct window *w)
{
    const int n = dice_below(&p->own, 4);
    CALL(p->log, MPI_Win_lock_all, 0, w->win);
    window_event(p, w, MPI_PROC_NULL);
    for (int i = 0; i < n; i++) {
        access_target(p, w, any_target(p));
        CALL(p->log, MPI_Win_flush_all, w->win);
        window_event(p, w, MPI_PROC_NULL);
    }
    CALL(p->log, MPI_Win_unlock_all, w->win);
    window_event(p, w, MPI_PROC_NULL);
}

/* Some processes access others, which know their origins. */
static void start_and_post(struct place *p, struct window *w)
{
    int origins[MOST_RANKS], targets[MOST_RANKS], n_origins = 0, n_targets = 0;
    for (int i = 0; i < p->size; i++) {
        if (i == 0 || (i > 1 && dice_chance(&p->plan, 50)))
            origins[n_origins++] = i;
        else
            targets[n_targets++] = i;
    }
    bool origin = false;
    for (int i = 0; i < n_origins; i++)
        origin = origin || origins[i] == p->rank;
    MPI_Group all, others;
    CALL(p->log, MPI_Comm_group, p->comm, &all);
    CALL(p->log, MPI_Group_incl, all, origin ? n_targets : n_origins, origin ? targets : origins, &others);
    if (origin) {
        CALL(p->log, MPI_Win_start, others, 0, w->win);
        for (int i = 0; i < n_targets; i++)
            window_event(p, w, targets[i]);
        for (int i = 0; i < n_targets; i++)
            access_target(p, w, targets[i]);
        CALL(p->log, MPI_Win_complete, w->win);
        window_event(p, w, MPI_PROC_NULL);
    } else {
        CALL(p->log, MPI_Win_post, others, 0, w->win);
        for (int i = 0; i < n_origins; i++)
            window_event(p, w, origins[i]);
        CALL(p->log, MPI_Win_wait, w->win);
        window_event(p, w, MPI_PROC_NULL);
    }
    CALL(p->log, MPI_Group_free, &others);
    CALL(p->log, MPI_Group_free, &all);
}

void phase_window(struct place *p)
{
    static void (*const epochs[])(struct place *, struct window *) = {fences, locks, lock_all,
                                                                      start_and_post};
    if (p->size == 1 || (p->threads && !p->more))
        return; /* Open MPI 4.1 makes no window on one process */
    struct window w = {0};
    create(p, &w);
    const int n = 1 + dice_below(&p->plan, 3);
    for (int i = 0; i < n; i++) {
        epochs[dice_below(&p->plan, 4)](p, &w);
        place_barrier(p);
    }
    CALL(p->log, MPI_Win_free, &w.win);
    log_sync(p->log, w.id);
    free(w.memory);
}
