/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the calls of a lane that were made inside other calls, in a callback.
 *
 *     time       |###### Allreduce ######|        a lane has its calls in the order in which they ended:
 *                   |# Type_size #|               Type_size, Allreduce
 *
 * So the outer call comes after the inner one. One walk over the lane's times finds the calls that began
 * before the one before them had ended; a second one, beside the calls, says which of these are open.
 *
 * Rounded times may put the bounds of two calls in the wrong order. A call is within another one if most of
 * it is. Calls that are open at the same time are within one another in any case, also in a damaged trace.
 * Memory grows with the number of calls that have others inside. */
#ifndef REFRAIN_NESTING_H
#define REFRAIN_NESTING_H

#include "lane_times.h"
#include "src/core/base/array.h"

/* A call that may have others inside. */
struct nesting_call {
    uint64_t index;
    uint32_t site;
    struct timestamp timestamp; /* by the rank's clock; once open, as set by the caller of nesting_open */
};

struct nesting {
    ARRAY(struct nesting_call) calls; /* by when they began, outer ones before inner ones */
    size_t next;                      /* index in `calls` of the next call that may open */
    ARRAY(struct nesting_call) open;  /* around the present call, the outermost one first */
};

/* May calls of the trace be within others? Where times were aggregated, that shows in them, without a
 * walk. */
enum refrain_status nesting_is_possible(const struct trace *t, bool *possible);
/* Finds the nesting of the calls of a lane that have times. A zeroed struct is the nesting of a lane without
 * calls inside of others. */
enum refrain_status nesting_find(struct nesting *n, const struct reader *r, const struct lane_ref *lane);
/* Completes the nesting after `calls` were added, in any order. nesting_find calls it. */
void nesting_sort(struct nesting *n);
/* Does a call begin before the present one, which is the lane's number `index`? Then that call is added to
 * `open`, as the last one. The caller repeats this until the answer is no. */
bool nesting_open(struct nesting *n, uint64_t index, const struct timestamp *present,
                  enum refrain_status *status);
/* Is the present call the one that was opened last? Then it is not open any more. */
bool nesting_close(struct nesting *n, uint64_t index, struct nesting_call *out);
void nesting_free(struct nesting *n); /* also of a zeroed one */

#endif
