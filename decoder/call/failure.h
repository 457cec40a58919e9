/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of calls that did something all the same: classes, by their names. */
#ifndef REFRAIN_FAILURE_H
#define REFRAIN_FAILURE_H

#include <stdbool.h>

#include "src/core/trace/functable.h"

#define FAILURES_UNDERWAY 15

struct failures {
    int64_t truncate; /* the message was too long for the buffer: it was received */
    int64_t underway[FAILURES_UNDERWAY];
};

/* The table's error codes; what it does not name, no call has. */
void failures_find(struct failures *f, const struct functable *t);
/* Of a collective operation that failed so on this process: has it come to it, as the others have? All errors
 * but these are found in the arguments, by a call that then does nothing. */
bool failure_is_underway(const struct failures *f, int64_t error);

#endif
