/* SPDX-License-Identifier: BSD-3-Clause */
/* Error classes of calls that had an effect although they failed. */
#ifndef REFRAIN_FAILURE_H
#define REFRAIN_FAILURE_H

#include <stdbool.h>

#include "src/core/trace/functable.h"

#define FAILURES_UNDERWAY 15

struct failures {
    int64_t truncate; /* the message was too long for the buffer: it was received */
    int64_t underway[FAILURES_UNDERWAY];
};

/* Finds the error codes in the table. No call returns an error that the table does not name. */
void failures_find(struct failures *f, const struct functable *t);
/* A collective operation failed with this error on this process: did the process take part in it, as the
 * others did? All other errors are found in the arguments; then the call does nothing. */
bool failure_is_underway(const struct failures *f, int64_t error);

#endif
