/* SPDX-License-Identifier: BSD-3-Clause */
/* A value of each rank, for the colours of a picture. */
#ifndef REFRAIN_RANK_VALUES_H
#define REFRAIN_RANK_VALUES_H

#include "decoder/topology/survey/traffic.h"

struct rank_values {
    double *of_rank;
    const char *what, *unit; /* "bytes, sent and received", " B" */
};

/* All 0, for the caller to fill in, by node of the traffic. */
enum refrain_status rank_values_reserve(struct rank_values *v, const struct traffic *t, const char *what,
                                        const char *unit);
/* `what` is "bytes" or "messages", or the path of a file with lines rank,value (kept by reference). */
enum refrain_status rank_values_create(struct rank_values *v, const struct traffic *t, const char *what);
void rank_values_free(struct rank_values *v); /* also of a zeroed struct */

#endif
