/* SPDX-License-Identifier: BSD-3-Clause */
/* Giving a group a column for a slot that it keeps in its rows, because another group has one.
 *
 *     rows 0: {tag 5}  1: {tag 9}    stream (0 1)^50        the column's series: (5 9)^50
 *
 * Made first and interned later, so that a refinement that does not pay leaves nothing behind in the trace.
 */
#ifndef REFRAIN_MERGE_GIVEN_H
#define REFRAIN_MERGE_GIVEN_H

#include "merge_parts.h"

struct merge_given {
    ARRAY(struct series *) series; /* owned; neighbouring ranks with the same values share one */
    ARRAY(uint32_t) of_rank;       /* ordinal -> series; one entry for all ranks when there is one series */
};

void merge_given_free(struct merge_given *given);
/* Expand the slot over the stream of the group, whose ranks made `calls` calls each. Stops when *steps comes
 * to 0: then what was made is incomplete. *given is to be freed also after an error. */
enum refrain_status merge_given_make(const struct group *g, uint32_t slot, uint64_t calls, uint64_t *steps,
                                     struct merge_given *given);
size_t merge_given_cost(const struct merge_given *given);
/* The column as a function of the ranks of the group, its series among the trace's. */
enum refrain_status merge_given_intern(const struct merge_given *given, struct trace *t,
                                       const struct series *ranks, struct rankfn *out);

#endif
