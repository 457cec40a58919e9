/* SPDX-License-Identifier: BSD-3-Clause */
/* Merging the traces of two neighbouring ranges of ranks: pure, and associative as far as what is expanded
 * goes. MPI_Finalize runs it up a binomial tree, `refrain merge` on parts left behind, the scale test on
 * synthetic ranks. */
#ifndef REFRAIN_MERGE_H
#define REFRAIN_MERGE_H

#include "src/core/trace/trace.h"

/* into ⊕ next: into's ranks come before next's (into->first_rank + into->n_ranks <= next->first_rank). What
 * next holds is used up: afterwards it is empty, also after an error, when `into` may only be freed.
 *
 * 1. Sites, functions, constants and modules are united; next's skeletons are renamed to the united sites.
 * 2. Shapes of the same kind, number and skeleton become one (found by hash, compared once).
 * 3. In each entry, groups with the same stream, rows of the same lengths and the same columns become one:
 * their slots are concatenated as rank functions.
 * 4. Groups that differ only by coincidence are refined: the stream over *pairs* of row numbers, where that
 * costs less than two groups and the expanded stream is not longer than MERGE_REFINE_MAX. Rows that were
 * split share their timing. */
#define MERGE_REFINE_MAX (UINT64_C(1) << 20)
enum refrain_status merge_traces(struct trace *into, struct trace *next);

/* After the last merge: settle every rank function on one form (offset for slots that hold ranks, constant
 * for others, where both hold). */
enum refrain_status merge_finish(struct trace *t);

#endif
