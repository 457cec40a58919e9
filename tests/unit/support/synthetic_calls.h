/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of synthetic programs: functions with their parameters, a call as a row of slots, and for each
 * function one that makes a call. Only for the parts of synthetic.h. */
#ifndef REFRAIN_TEST_SYNTHETIC_CALLS_H
#define REFRAIN_TEST_SYNTHETIC_CALLS_H

#include "src/core/trace/trace.h"
#include "synthetic.h"

enum { CALL_SLOTS = 128 };

enum function_index { SEND, RECV, ISEND, IRECV, WAITALL, REDUCE, GATHER, DEFINE, FUNCTIONS };

struct call {
    uint32_t lane, function, line, n;
    int64_t slots[CALL_SLOTS];
};

/* Calls are passed to the program's user one at a time: the master of a large run makes many. */
typedef void call_taker(void *taker, const struct call *c);

struct synthetic_rank {
    const struct synthetic_run *run;
    int64_t rank, size;
    uint64_t random;
    call_taker *take;
    void *taker;
};

/* What the functions are. The table is only read: its items are constant. */
struct functable call_functions(void);

/* Runs the program of one rank. */
void call_run(const struct synthetic_run *run, uint32_t rank, call_taker *take, void *taker);

/* A call each, at a line of the program. */
void call_send(struct synthetic_rank *r, uint32_t line, int64_t count, int64_t dest, int64_t tag);
void call_recv(struct synthetic_rank *r, uint32_t line, int64_t count, int64_t source, int64_t tag);
void call_reduce(struct synthetic_rank *r, uint32_t line, int64_t count, int64_t root);
/* An array of n counts. */
void call_gather(struct synthetic_rank *r, uint32_t line, int64_t n, const int64_t *counts);
/* `request` is the number of the request. */
void call_irecv(struct synthetic_rank *r, uint32_t line, int64_t count, int64_t source, int64_t tag,
                int64_t request);
void call_isend(struct synthetic_rank *r, uint32_t line, int64_t count, int64_t dest, int64_t tag,
                int64_t request);
/* Receives from `sources`, whose requests come first, and n - n_sources sends. */
void call_waitall(struct synthetic_rank *r, uint32_t line, int64_t n, const int64_t *sources,
                  int64_t n_sources, int64_t count, int64_t tag);
/* In the definitions lane. */
void call_define(struct synthetic_rank *r, uint32_t line, int64_t symbol, int64_t size);

#endif
