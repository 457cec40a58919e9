/* SPDX-License-Identifier: BSD-3-Clause */
/* One value for each rank, for the colours of a picture. */
#ifndef REFRAIN_RANK_VALUES_H
#define REFRAIN_RANK_VALUES_H

#include "decoder/topology/survey/traffic.h"

struct rank_values {
    double *of_rank;
    const char *what, *unit; /* "bytes, sent and received", " B" */
};

/* Makes values of 0, by node of the traffic; the caller changes them. */
enum refrain_status rank_values_reserve(struct rank_values *v, const struct traffic *t, const char *what,
                                        const char *unit);
/* Makes values from the traffic if `what` is "bytes" or "messages"; otherwise reads the file `what` with
 * lines rank,value. `what` must outlive *v. */
enum refrain_status rank_values_create(struct rank_values *v, const struct traffic *t, const char *what);
void rank_values_free(struct rank_values *v); /* also of a zeroed struct */

#endif
