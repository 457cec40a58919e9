/* SPDX-License-Identifier: BSD-3-Clause */
/* How well a run (run_begin.h) uses its threads, after the model of the POP centre of excellence
 * (pop-coe.eu):
 *
 *     thread 0   ████████████▒▒▒▒████▒▒   16 computing        load balance   = mean computing / most computing = 12 / 16
 *     thread 1   ██████▒▒▒▒▒▒▒▒▒▒██▒▒▒▒    8                  communication  = most computing / time           = 16 / 22
 *                |        time 22     |                       parallel       = mean computing / time, the product of both
 *
 * Communication is serialization x transfer, where `ideal` is the time of the run with a network that takes
 * no time (resimulation.h): serialization = most computing / ideal, transfer = ideal / time. */
#ifndef REFRAIN_EFFICIENCY_H
#define REFRAIN_EFFICIENCY_H

#include "decoder/util/json.h"
#include "decoder/waits/search/wait_search.h"

struct efficiency {
    uint64_t begin;     /* ns: begin of the run */
    uint64_t time;      /* ns: length of the run */
    uint64_t computing; /* ns: computing of all threads together */
    uint64_t most;      /* ns: computing of the thread that computes most */
    size_t threads;     /* number of threads that make calls */
    uint64_t ideal;     /* ns: simulated time with a network that takes no time; 0: not known */
    uint64_t simulated; /* ns: the time as simulated from the recorded intervals and dependencies */
    /* ns of the run, of all lanes, in which a thread has ended and the next one, which takes its lane, has made no call:
     * that is no computing. 0: not known, or hardly more than rounding */
    uint64_t absent;
};

/* The run's time of all lanes with calls, ns. The search must be over, here and below. */
uint64_t efficiency_all_time(const struct wait_search *s);
/* *by_lane: computing of each lane in the run, in ns, without what is `absent`; the caller frees it with free(). */
enum refrain_status efficiency_computing(const struct wait_search *s, uint64_t **by_lane);
enum refrain_status efficiency_find(struct efficiency *e, const struct wait_search *s);
/* From 0 to 1; 1 if there is no computing, or no time. */
double efficiency_load_balance(const struct efficiency *e);
double efficiency_communication(const struct efficiency *e);
/* The product of these two is efficiency_communication. If `ideal` is not known, they are 1 and
 * efficiency_communication. */
double efficiency_serialization(const struct efficiency *e);
double efficiency_transfer(const struct efficiency *e);

/* "Parallel efficiency 54.5 % = load balance 75.0 % x communication efficiency 72.7 % (serialization 80.0 % x
 * transfer 90.9 %), in the 7.412 s after MPI_Init" */
void efficiency_put_text(const struct efficiency *e, struct bytes *out);
void efficiency_put_json(const struct efficiency *e, const char *name, struct json *j);

#endif
