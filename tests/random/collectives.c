/* SPDX-License-Identifier: BSD-3-Clause */
#include "layout.h"

#include <stdlib.h>

/* One operation. All members know all of it. */
struct operation {
    int n, root;
    bool in_place, waits; /* if that is possible; blocking */
    enum basic basic;
    MPI_Datatype type;
    int size; /* bytes of an element */
    /* from each member to each other; row 0 is for operations with one count per member */
    int counts[MOST_RANKS][MOST_RANKS];
    /* of the data that this process sends and receives, or of row 0 if row 0 is used */
    int displs[2][MOST_RANKS];
    int sends[MOST_RANKS], receives[MOST_RANKS]; /* counts of this process */
    int bytes[2][MOST_RANKS];                    /* displacements in bytes */
    MPI_Datatype types[MOST_RANKS];
    char *in, *out; /* from calloc */
    MPI_Request request;
};

static struct operation plan(struct place *p)
{
    struct dice *d = &p->plan;
    struct operation o = {.n = dice_below(d, dice_chance(d, 10) ? 2000 : 20),
                          .root = dice_below(d, p->size),
                          .in_place = dice_chance(d, 25),
                          .waits = dice_chance(d, 60),
                          .basic = dice_chance(d, 50) ? BASIC_INT : BASIC_DOUBLE,
                          .request = MPI_REQUEST_NULL};
    int places[2] = {0};
    o.type = basic_type(o.basic);
    o.size = basic_bytes(o.basic);
    for (int i = 0; i < p->size; i++)
        for (int k = 0; k < p->size; k++)
            o.counts[i][k] = dice_below(d, 8);
    const int gap = dice_below(d, 3);
    for (int i = 0; i < p->size; i++) {
        o.sends[i] = o.counts[p->rank][i];
        o.receives[i] = o.counts[i][p->rank];
        o.types[i] = o.type;
        for (int side = 0; side < 2; side++) {
            o.displs[side][i] = places[side];
            o.bytes[side][i] = places[side] * o.size;
        }
        places[0] += 8 + gap;
        places[1] += 8;
    }
    const size_t elements = (size_t)p->size * (size_t)(o.n + 16);
    o.in = calloc(elements, (size_t)o.size);
    o.out = calloc(elements, (size_t)o.size);
    if (!o.in || !o.out)
        abort();
    return o;
}

/* EITHER(Bcast, bcast, arguments): calls MPI_Bcast or MPI_Ibcast */
#define EITHER(blocking, nonblocking, ...)                                                                   \
    do {                                                                                                     \
        if (o->waits)                                                                                        \
            CALL(p->log, MPI_##blocking, __VA_ARGS__, p->comm);                                              \
        else                                                                                                 \
            CALL(p->log, MPI_I##nonblocking, __VA_ARGS__, p->comm, &o->request);                             \
    } while (0)

static long long sum(const int *counts, int n)
{
    long long all = 0;
    for (int i = 0; i < n; i++)
        all += counts[i];
    return all;
}

/* Logs the elements that refrain-stat(1) counts: a count for every member counts for each, and
 * data sent from MPI_IN_PLACE does not count. */
static void volume(struct place *p, const struct operation *o, long long sent, long long received)
{
    log_sync(p->log, p->id);
    log_volume(p->log, sent * o->size, received * o->size);
}

static long long of_each(const struct place *p, const struct operation *o)
{
    return (long long)o->n * p->size;
}

static bool at_root(const struct place *p, const struct operation *o)
{
    return p->rank == o->root;
}

static void barrier(struct place *p, struct operation *o)
{
    if (o->waits)
        CALL(p->log, MPI_Barrier, p->comm);
    else
        CALL(p->log, MPI_Ibarrier, p->comm, &o->request);
    volume(p, o, 0, 0);
}

static void bcast(struct place *p, struct operation *o)
{
    EITHER(Bcast, bcast, o->in, o->n, o->type, o->root);
    volume(p, o, at_root(p, o) ? o->n : 0, at_root(p, o) ? 0 : o->n);
}

static void gather(struct place *p, struct operation *o)
{
    const bool in_place = o->in_place && at_root(p, o);
    EITHER(Gather, gather, in_place ? MPI_IN_PLACE : o->in, o->n, o->type, o->out, o->n, o->type, o->root);
    volume(p, o, in_place ? 0 : o->n, at_root(p, o) ? of_each(p, o) : 0);
}

static void gatherv(struct place *p, struct operation *o)
{
    const bool in_place = o->in_place && at_root(p, o);
    EITHER(Gatherv, gatherv, in_place ? MPI_IN_PLACE : o->in, o->counts[0][p->rank], o->type, o->out,
           o->counts[0], o->displs[0], o->type, o->root);
    volume(p, o, in_place ? 0 : o->counts[0][p->rank], at_root(p, o) ? sum(o->counts[0], p->size) : 0);
}

static void scatter(struct place *p, struct operation *o)
{
    const bool in_place = o->in_place && at_root(p, o);
    EITHER(Scatter, scatter, o->in, o->n, o->type, in_place ? MPI_IN_PLACE : o->out, o->n, o->type, o->root);
    volume(p, o, at_root(p, o) ? of_each(p, o) : 0, in_place ? 0 : o->n);
}

static void scatterv(struct place *p, struct operation *o)
{
    const bool in_place = o->in_place && at_root(p, o);
    EITHER(Scatterv, scatterv, o->in, o->counts[0], o->displs[0], o->type, in_place ? MPI_IN_PLACE : o->out,
           o->counts[0][p->rank], o->type, o->root);
    volume(p, o, at_root(p, o) ? sum(o->counts[0], p->size) : 0, in_place ? 0 : o->counts[0][p->rank]);
}

static void allgather(struct place *p, struct operation *o)
{
    EITHER(Allgather, allgather, o->in_place ? MPI_IN_PLACE : o->in, o->n, o->type, o->out, o->n, o->type);
    volume(p, o, o->in_place ? 0 : o->n, of_each(p, o));
}

static void allgatherv(struct place *p, struct operation *o)
{
    EITHER(Allgatherv, allgatherv, o->in_place ? MPI_IN_PLACE : o->in, o->counts[0][p->rank], o->type, o->out,
           o->counts[0], o->displs[1], o->type);
    volume(p, o, o->in_place ? 0 : o->counts[0][p->rank], sum(o->counts[0], p->size));
}

static void alltoall(struct place *p, struct operation *o)
{
    EITHER(Alltoall, alltoall, o->in_place ? MPI_IN_PLACE : o->in, o->n, o->type, o->out, o->n, o->type);
    volume(p, o, o->in_place ? 0 : of_each(p, o), of_each(p, o));
}

static void alltoallv(struct place *p, struct operation *o)
{
    EITHER(Alltoallv, alltoallv, o->in, o->sends, o->displs[0], o->type, o->out, o->receives, o->displs[1],
           o->type);
    volume(p, o, sum(o->sends, p->size), sum(o->receives, p->size));
}

static void alltoallw(struct place *p, struct operation *o)
{
    EITHER(Alltoallw, alltoallw, o->in, o->sends, o->bytes[0], o->types, o->out, o->receives, o->bytes[1],
           o->types);
    volume(p, o, sum(o->sends, p->size), sum(o->receives, p->size));
}

static void reduce(struct place *p, struct operation *o)
{
    const bool in_place = o->in_place && at_root(p, o);
    EITHER(Reduce, reduce, in_place ? MPI_IN_PLACE : o->in, o->out, o->n, o->type, MPI_SUM, o->root);
    volume(p, o, in_place ? 0 : o->n, at_root(p, o) ? o->n : 0);
}

static void allreduce(struct place *p, struct operation *o)
{
    EITHER(Allreduce, allreduce, o->in_place ? MPI_IN_PLACE : o->in, o->out, o->n, o->type, MPI_MAX);
    volume(p, o, o->in_place ? 0 : o->n, o->n);
}

static void reduce_scatter(struct place *p, struct operation *o)
{
    EITHER(Reduce_scatter, reduce_scatter, o->in_place ? MPI_IN_PLACE : o->in, o->out, o->counts[0], o->type,
           MPI_SUM);
    volume(p, o, o->in_place ? 0 : sum(o->counts[0], p->size), o->counts[0][p->rank]);
}

static void reduce_scatter_block(struct place *p, struct operation *o)
{
    EITHER(Reduce_scatter_block, reduce_scatter_block, o->in_place ? MPI_IN_PLACE : o->in, o->out, o->n,
           o->type, MPI_MIN);
    volume(p, o, o->in_place ? 0 : of_each(p, o), o->n);
}

static void scan(struct place *p, struct operation *o)
{
    EITHER(Scan, scan, o->in_place ? MPI_IN_PLACE : o->in, o->out, o->n, o->type, MPI_SUM);
    volume(p, o, o->in_place ? 0 : o->n, o->n);
}

static void exscan(struct place *p, struct operation *o)
{
    EITHER(Exscan, exscan, o->in_place ? MPI_IN_PLACE : o->in, o->out, o->n, o->type, MPI_SUM);
    volume(p, o, o->in_place ? 0 : o->n, o->n);
}

static void (*const operations[])(struct place *, struct operation *) = {
    barrier,
    bcast,
    gather,
    gatherv,
    scatter,
    scatterv,
    allgather,
    allgatherv,
    alltoall,
    alltoallv,
    alltoallw,
    allreduce,
    reduce,
    scan,
    exscan,
    reduce_scatter,
    reduce_scatter_block,
};

void phase_collectives(struct place *p)
{
    enum { MOST = 4 };
    struct operation o[MOST];
    MPI_Request requests[MOST];
    const int n = 1 + dice_below(&p->plan, MOST);
    for (int i = 0; i < n; i++) {
        const int which = dice_below(&p->plan, (int)(sizeof operations / sizeof *operations));
        o[i] = plan(p);
        operations[which](p, &o[i]);
        requests[i] = o[i].request;
    }
    if (dice_chance(&p->own, 50)) {
        CALL(p->log, MPI_Waitall, n, requests, MPI_STATUSES_IGNORE);
    } else {
        for (int i = n - 1; i >= 0; i--)
            if (requests[i] != MPI_REQUEST_NULL)
                CALL(p->log, MPI_Wait, &requests[i], MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < n; i++) {
        free(o[i].in);
        free(o[i].out);
    }
}
