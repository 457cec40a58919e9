/* SPDX-License-Identifier: BSD-3-Clause */
/* Which calls are one collective operation. The calls of a scope (operation.h) wait in queues, one for each thread of each
 * rank, and those in front are one operation if they agree: in the function, and in the root if it has one.
 *
 *     scope MPI_COMM_WORLD       front
 *     rank 0, thread 0           Bcast(0)  Barrier       Bcast of 0, 1, 1.1; then Barrier of 0 and 1: of the
 *     rank 1, thread 0           Barrier   Allreduce     threads of a rank any may be next
 *     rank 1, thread 1           Bcast(0)
 *
 * A call that was refused, since its arguments are wrong, keeps its place where the others have come to the operation. It is
 * left out where the calls behind it tell that it was made once more.
 *
 * Where calls do not agree, the first that do are looked for, with as few calls as possible before them. What is
 * before them is one set of calls that differ.
 *
 * Where nothing tells the order of a rank's threads, the one is next whose calls go on most like those of other ranks. */
#ifndef REFRAIN_COLLECTIVE_QUEUES_H
#define REFRAIN_COLLECTIVE_QUEUES_H

#include "matching.h"

struct collective_call {
    struct matching_member member;
    uint32_t function, family; /* the latter as in struct role */
    int64_t root;
    uint64_t number; /* of struct operation */
    uint64_t order;  /* in which the scope's calls came */
};

/* Of one thread; the calls from `first` on are waiting. */
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
    uint32_t n_ranks; /* of which calls wait */
    uint64_t order;   /* calls so far */
    uint64_t
        next_try; /* so many of them have to be there before those that wait are looked at again; 0: they have
                          not been looked at in vain */
    ARRAY(struct collective_queue) queues; /* by rank and thread */
};

struct collective_queues {
    bool ordered; /* calls of a rank's threads come as they were made; the caller's to set */
    struct map by_name;
    ARRAY(struct collective_scope) scopes;
    ARRAY(uint32_t) unused;
    /* For collective_queues_next: */
    ARRAY(size_t) chosen; /* a queue of each rank, and how many of its calls are taken */
    ARRAY(size_t) taken;
    ARRAY(struct matching_member) members;
};

/* Calls that are taken from the queues together. */
struct collective_set {
    struct matching_collective collective; /* valid until the next call */
    bool refused; /* there is nothing to tell: all of them were refused, or one was made once more */
};

void collective_queues_free(struct collective_queues *q);
/* A call of a rank, which has several threads or one, with the family of its function (role.h). False when memory is short;
 * *scope is where it was put, to be asked for what is next. */
bool collective_queues_join(struct collective_queues *q, const struct operation *op, uint32_t family,
                            bool several, uint32_t *scope);

/* May more calls come, and are they to be waited for? */
enum collective_wait {
    COLLECTIVE_WAIT,     /* they are; */
    COLLECTIVE_NO_RETRY, /* but not to find out whether a call that was refused was made once more; */
    COLLECTIVE_END       /* none will come, so that what is there has to do */
};
/* The next set of a scope; false if there is none, or none yet, or memory is short (then *status says so). */
bool collective_queues_next(struct collective_queues *q, uint32_t scope, enum collective_wait wait,
                            struct collective_set *out, enum refrain_status *status);
/* Calls have come to a scope since it was looked at in vain: the next time it will be asked it looks at them, too. */
bool collective_queues_look_again(struct collective_queues *q, uint32_t scope);
/* Scopes with calls that wait, by name; the array is the caller's to free. NULL when memory is short. */
uint32_t *collective_queues_left(const struct collective_queues *q, size_t *n);

#endif
