/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups the calls that form one collective operation. The calls of a scope (operation.h) wait in queues, one
 * for each thread of each rank, and the calls at the front form one operation if they agree in the function,
 * and in the root if there is one.
 *
 *     scope MPI_COMM_WORLD       front
 *     rank 0, thread 0           Bcast(0)  Barrier       first Bcast of 0.0 and 1.1, then Barrier of 0.0 and
 *     rank 1, thread 0           Barrier   Allreduce     1.0: any thread of a rank may be next
 *     rank 1, thread 1           Bcast(0)
 *
 * A call that MPI refused because of wrong arguments keeps its place if the other ranks made the operation.
 * It is left out if the calls after it show that the program repeated it.
 *
 * If the calls do not agree, the search looks for the next calls that do, with as few calls as possible
 * before them. The calls before them form one set of calls that differ.
 *
 * If the order of a rank's threads is not known, the thread whose following calls agree most with those of
 * other ranks is next. */
#ifndef REFRAIN_COLLECTIVE_QUEUES_H
#define REFRAIN_COLLECTIVE_QUEUES_H

#include "matching.h"

struct collective_call {
    struct matching_member member;
    uint32_t function;
    uint32_t family; /* as in struct role */
    int64_t root;
    uint64_t number; /* as in struct operation */
    uint64_t order;  /* number of calls that the scope got before */
};

/* The queue of one thread; the calls from `first` on are waiting. */
struct collective_queue {
    uint32_t rank, thread;
    bool several; /* the rank has other threads */
    size_t first;
    ARRAY(struct collective_call) calls;
};

struct collective_scope {
    struct operation_scope name;
    uint32_t expected; /* members */
    bool used, inter;
    uint32_t n_ranks; /* ranks with waiting calls */
    uint64_t order;   /* number of calls that the scope has got */
    /* If a search of the waiting calls has found nothing: the value of `order` at which to search again. 0:
     * no search has failed. */
    uint64_t next_try;
    ARRAY(struct collective_queue) queues; /* by rank and thread */
};

struct collective_queues {
    bool ordered; /* calls of a rank's threads come in the order in which they were made; set by the caller */
    struct map by_name;
    ARRAY(struct collective_scope) scopes;
    ARRAY(uint32_t) unused;
    /* For collective_queues_next: */
    ARRAY(size_t) chosen; /* a queue of each rank */
    ARRAY(size_t) taken;  /* by chosen queue: how many of its calls are taken */
    ARRAY(struct matching_member) members;
};

/* Calls that are taken from the queues together. */
struct collective_set {
    struct matching_collective collective; /* valid until the next call */
    bool refused; /* report nothing: all calls were refused, or one of them was repeated */
};

void collective_queues_free(struct collective_queues *q);
/* Adds a call. `family`: the family of its function (role.h). `several`: the rank has several threads. *scope
 * is the scope of the call, for collective_queues_next. Returns false when memory is short. */
bool collective_queues_join(struct collective_queues *q, const struct operation *op, uint32_t family,
                            bool several, uint32_t *scope);

/* May the scope wait for more calls? */
enum collective_wait {
    COLLECTIVE_WAIT,     /* wait for more calls */
    COLLECTIVE_NO_RETRY, /* wait, but not to find out whether a refused call was repeated */
    COLLECTIVE_END       /* no more calls will come: decide with the calls that are there */
};
/* Returns the next set of a scope. False if there is none, or none yet, or when memory is short (see
 * *status). */
bool collective_queues_next(struct collective_queues *q, uint32_t scope, enum collective_wait wait,
                            struct collective_set *out, enum refrain_status *status);
/* Have calls come to the scope since the last search that found nothing? Then collective_queues_next searches
 * again. */
bool collective_queues_look_again(struct collective_queues *q, uint32_t scope);
/* Returns the scopes with waiting calls, sorted by name; the caller frees the array. NULL when memory is
 * short. */
uint32_t *collective_queues_left(const struct collective_queues *q, size_t *n);

#endif
