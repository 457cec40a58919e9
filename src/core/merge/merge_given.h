/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a column for a slot that a group keeps in its rows, because another group has a column for the
 * slot.
 *
 *     rows 0: {tag 5}  1: {tag 9}    stream (0 1)^50        the column's series: (5 9)^50
 *
 * The column is made first and interned later. So a refinement that saves nothing leaves nothing behind in
 * the trace. */
#ifndef REFRAIN_MERGE_GIVEN_H
#define REFRAIN_MERGE_GIVEN_H

#include "merge_parts.h"

struct merge_given {
    ARRAY(struct series *) series; /* owned; neighbouring ranks with the same values share one */
    ARRAY(uint32_t) of_rank;       /* ordinal -> series; one entry for all ranks when there is one series */
};

void merge_given_free(struct merge_given *given);
/* Expand the slot over the stream of the group, whose ranks made `calls` calls each. It stops when *steps
 * reaches 0; then *given is incomplete. *given must be freed, also after an error. */
enum refrain_status merge_given_make(const struct group *g, uint32_t slot, uint64_t calls, uint64_t *steps,
                                     struct merge_given *given);
size_t merge_given_cost(const struct merge_given *given);
/* Add the series to the trace's columns, and set *out: the column as a function of the ranks of the group. */
enum refrain_status merge_given_intern(const struct merge_given *given, struct trace *t,
                                       const struct series *ranks, struct rankfn *out);

#endif
