/* SPDX-License-Identifier: BSD-3-Clause */
/* How well a run uses its threads, after the model of the POP centre of excellence (pop-coe.eu), from the end of MPI_Init on:
 *
 *     thread 0   ████████████▒▒▒▒████▒▒   16 computing        load balance   = mean computing / most computing = 12 / 16
 *     thread 1   ██████▒▒▒▒▒▒▒▒▒▒██▒▒▒▒    8                  communication  = most computing / time           = 16 / 22
 *                |        time 22     |                       parallel       = mean computing / time, the product of both
 *
 * Communication is serialization x transfer, by what the run would take in a network that takes no time (resimulation.h): most computing / ideal,
 * and ideal / time. */
#ifndef REFRAIN_EFFICIENCY_H
#define REFRAIN_EFFICIENCY_H

#include "decoder/util/json.h"
#include "decoder/waits/search/wait_search.h"

struct efficiency {
    uint64_t begin, time; /* ns: when the last thread has left MPI_Init; from there to the end of the run */
    uint64_t computing, most; /* ns: of all threads together, of the one that computes most */
    size_t threads;           /* that make calls */
    uint64_t ideal;           /* ns: what of the time is left in a network that takes none; 0: not known */
    uint64_t simulated;       /* ns: the time, put together again from intervals and dependencies */
};

/* Is what is done at the site, and computed before, part of the run? MPI_Init is not. */
bool efficiency_counts(const struct wait_search *s, uint32_t site);
/* What each lane computes from its MPI_Init on; ns, to be freed with free(). Of a search that is over, as what follows. */
enum refrain_status efficiency_computing(const struct wait_search *s, uint64_t **by_lane);
enum refrain_status efficiency_find(struct efficiency *e, const struct wait_search *s);
/* From 0 to 1; 1 if nothing is computed, or in no time. */
double efficiency_load_balance(const struct efficiency *e);
double efficiency_communication(const struct efficiency *e);
/* Their product is the efficiency of communication; 1 and that, if the ideal is not known. */
double efficiency_serialization(const struct efficiency *e);
double efficiency_transfer(const struct efficiency *e);

/* "Parallel efficiency 54.5 % = load balance 75.0 % x communication efficiency 72.7 % (serialization 80.0 % x transfer 90.9 %), in the 7.412 s
 * after MPI_Init" */
void efficiency_put_text(const struct efficiency *e, struct bytes *out);
void efficiency_put_json(const struct efficiency *e, const char *name, struct json *j);

#endif
