/* SPDX-License-Identifier: BSD-3-Clause */
/* A random correct program that logs what it does.
 *
 *     random SEED PREFIX      each thread leaves a log, PREFIX.RANK.THREAD (log.h)
 *
 * The seed and the number of ranks decide everything except what the MPI library decides: which
 * message a wildcard takes, how often a poll fails. The program is a sequence of phases; loops and
 * communicators contain sequences. */
#include "place.h"

#include <pthread.h>
#include <stdlib.h>

enum { DEEPEST = 3, BUFFER = 32 << 20, MORE = 10000 /* seeds from there on: place.more */ };

static void sequence(struct place *p, int depth);

/* ---- loops ----------------------------------------------------------------------------------- */

/* Repeats a body. `own` continues, or is the same in each iteration. */
static void loop(struct place *p, int depth)
{
    const int most = depth > 0 ? 5 : 12, n = dice_below(&p->plan, most + 1);
    const struct dice plan = dice_fork(p->plan, 1), own = dice_fork(p->own, 2);
    const bool same = dice_chance(&p->plan, 70), varies = dice_chance(&p->plan, 15);
    struct dice after = p->plan;
    for (int i = 0; i < n; i++) {
        p->plan = varies ? dice_fork(plan, (uint64_t)i) : plan;
        if (same)
            p->own = own;
        sequence(p, depth + 1);
    }
    dice_next(&after);
    p->plan = after;
}

/* ---- communicators --------------------------------------------------------------------------- */

/* A new communicator of those of `parent` that have `color`, in the order of `keys` and then of
 * their ranks. */
static struct place part(const struct place *parent, const int *colors, const int *keys, int color)
{
    struct place p = *parent;
    int members[MOST_RANKS];
    p.plan = dice_fork(parent->plan, 100 + (uint64_t)color);
    p.id = dice_next(&p.plan);
    p.size = 0;
    for (int i = 0; i < parent->size; i++) {
        int at = p.size;
        if (colors[i] != color)
            continue;
        for (; at > 0 && keys[members[at - 1]] > keys[i]; at--)
            members[at] = members[at - 1];
        members[at] = i;
        p.size++;
    }
    for (int i = 0; i < p.size; i++) {
        p.world[i] = parent->world[members[i]];
        if (members[i] == parent->rank)
            p.rank = i;
    }
    return p;
}

static void duplicate(struct place *p, struct place *sub)
{
    const int colors[MOST_RANKS] = {0};
    *sub = part(p, colors, colors, 0);
    CALL(p->log, MPI_Comm_dup, p->comm, &sub->comm);
    log_sync(p->log, p->id);
}

static void split(struct place *p, struct place *sub)
{
    int colors[MOST_RANKS], keys[MOST_RANKS];
    for (int i = 0; i < p->size; i++) {
        colors[i] = dice_below(&p->plan, 4) - 1;
        keys[i] = dice_below(&p->plan, 3);
    }
    const int color = colors[p->rank];
    CALL(p->log, MPI_Comm_split, p->comm, color < 0 ? MPI_UNDEFINED : color, keys[p->rank], &sub->comm);
    log_sync(p->log, p->id);
    const MPI_Comm comm = sub->comm;
    *sub = part(p, colors, keys, color);
    sub->comm = comm;
}

static void create(struct place *p, struct place *sub, bool by_group)
{
    int colors[MOST_RANKS], keys[MOST_RANKS] = {0}, members[MOST_RANKS], n = 0;
    for (int i = 0; i < p->size; i++) {
        colors[i] = i == 0 || dice_chance(&p->plan, 60);
        if (colors[i])
            members[n++] = i;
    }
    const bool member = colors[p->rank];
    MPI_Group all, some;
    MPI_Comm comm = MPI_COMM_NULL;
    *sub = part(p, colors, keys, 1);
    CALL(p->log, MPI_Comm_group, p->comm, &all);
    CALL(p->log, MPI_Group_incl, all, n, members, &some);
    if (!by_group) {
        CALL(p->log, MPI_Comm_create, p->comm, some, &comm);
        log_sync(p->log, p->id);
    } else if (member) {
        CALL(p->log, MPI_Comm_create_group, p->comm, some, 7, &comm);
        log_name(p->log, sub->id);
        log_sync(p->log, sub->id);
    }
    if (member && !by_group)
        log_name(p->log, sub->id);
    sub->comm = comm;
    CALL(p->log, MPI_Group_free, &some);
    CALL(p->log, MPI_Group_free, &all);
}

static void grid(struct place *p, struct place *sub)
{
    int dims[2] = {0}, periods[2] = {dice_below(&p->plan, 2), dice_below(&p->plan, 2)};
    const int colors[MOST_RANKS] = {0};
    *sub = part(p, colors, colors, 0);
    CALL(p->log, MPI_Dims_create, p->size, 2, dims);
    CALL(p->log, MPI_Cart_create, p->comm, 2, dims, periods, 0, &sub->comm);
    log_sync(p->log, p->id);
}

/* A sequence of phases on a new communicator, of which not all have to be members. */
static void communicator(struct place *p, int depth)
{
    struct place sub = *p;
    sub.comm = MPI_COMM_NULL;
    const int kind = dice_below(&p->plan, 5);
    switch (kind) {
    case 0:
        duplicate(p, &sub);
        break;
    case 1:
        split(p, &sub);
        break;
    case 2:
        grid(p, &sub);
        break;
    default:
        create(p, &sub, kind == 3);
    }
    dice_next(&p->plan);
    if (sub.comm == MPI_COMM_NULL)
        return;
    if (kind < 3)
        log_name(p->log, sub.id);
    sequence(&sub, depth + 1);
    p->own = sub.own;
    CALL(p->log, MPI_Comm_free, &sub.comm);
    log_sync(p->log, sub.id);
}

/* ---- the program ----------------------------------------------------------------------------- */

static void phase(struct place *p, int depth)
{
    static void (*const later[])(struct place *) = {phase_neighbors, phase_inter, phase_persistent};
    const int which = dice_below(&p->plan, depth < DEEPEST ? 100 : 70);
    struct dice after = dice_fork(p->plan, 3);
    if (p->more && dice_chance(&p->plan, 30))
        later[dice_below(&p->plan, 3)](p);
    else if (which < 30)
        phase_messages(p);
    else if (which < 40)
        phase_shift(p);
    else if (which < 42)
        phase_cancel(p);
    else if (which < 62)
        phase_collectives(p);
    else if (which < 70)
        phase_window(p);
    else if (which < 86)
        loop(p, depth);
    else
        communicator(p, depth);
    p->plan = after;
}

static void sequence(struct place *p, int depth)
{
    const int n = 1 + dice_below(&p->plan, depth > 0 || p->threads ? 4 : 12);
    for (int i = 0; i < n; i++)
        phase(p, depth);
}

/* A second thread with its own communicator. */
struct second {
    struct place place;
    struct log log;
};
static void *run_second(void *context)
{
    struct second *s = context;
    sequence(&s->place, 0);
    CALL(&s->log, MPI_Comm_free, &s->place.comm);
    log_sync(&s->log, s->place.id);
    return NULL;
}

static void run(struct place *p, const char *prefix)
{
    pthread_t thread;
    static struct second second;
    uint64_t id;
    if (!p->threads) {
        sequence(p, 0);
        return;
    }
    second.place = *p;
    id = dice_next(&p->plan);
    CALL(p->log, MPI_Comm_dup, MPI_COMM_WORLD, &second.place.comm);
    log_sync(p->log, p->id);
    log_name(p->log, id);
    log_open(&second.log, prefix, p->rank, 1);
    log_name_of(&second.log, p->log->calls - 1, 0, id);
    second.place.log = &second.log;
    second.place.id = id;
    second.place.plan = dice_fork(p->plan, 4);
    second.place.own = dice_fork(p->own, 5);
    if (pthread_create(&thread, NULL, run_second, &second) != 0)
        abort();
    sequence(p, 0);
    pthread_join(thread, NULL);
    log_close(&second.log);
}

int main(int argc, char **argv)
{
    static char buffer[BUFFER];
    static struct log log;
    if (argc != 3)
        return 2;
    struct place p = {.log = &log, .comm = MPI_COMM_WORLD, .id = 1, .plan = {strtoull(argv[1], NULL, 10)}};
    p.more = p.plan.state >= MORE;
    p.plan.state = dice_next(&p.plan);
    p.threads = dice_chance(&p.plan, 25);
    if (p.threads) {
        int provided;
        CALL(&log, MPI_Init_thread, &argc, &argv, MPI_THREAD_MULTIPLE, &provided);
        if (provided < MPI_THREAD_MULTIPLE)
            return 1;
    } else {
        CALL(&log, MPI_Init, &argc, &argv);
    }
    CALL(&log, MPI_Comm_rank, MPI_COMM_WORLD, &p.rank);
    CALL(&log, MPI_Comm_size, MPI_COMM_WORLD, &p.size);
    log_open(&log, argv[2], p.rank, 0);
    if (p.size > MOST_RANKS)
        return 2;
    for (int i = 0; i < p.size; i++)
        p.world[i] = i;
    p.own = dice_fork(p.plan, 1000 + (uint64_t)p.rank);
    CALL(&log, MPI_Buffer_attach, buffer, BUFFER);
    run(&p, argv[2]);
    void *address;
    int size;
    CALL(&log, MPI_Buffer_detach, &address, &size);
    CALL(&log, MPI_Finalize);
    log_close(&log);
    return 0;
}
