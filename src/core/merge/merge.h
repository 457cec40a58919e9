/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges the traces of two neighbouring ranges of ranks. The functions are pure, and associative as far as
 * the expanded calls are concerned. MPI_Finalize runs them up a binomial tree, `refrain merge` runs them
 * on parts left behind, and the scale test on synthetic ranks. */
#ifndef REFRAIN_MERGE_H
#define REFRAIN_MERGE_H

#include "src/core/trace/trace.h"

/* into ⊕ next: into's ranks must come before next's (into->first_rank + into->n_ranks <=
 * next->first_rank). The content of next is used up: next is empty afterwards, also after an error. After
 * an error `into` may only be freed.
 *
 * 1. Sites, functions, constants and modules are united; next's skeletons are renamed to the united sites.
 * 2. Shapes of the same kind, number and skeleton become one (found by hash, compared once).
 * 3. In each entry, groups with the same stream, rows of the same lengths and the same columns become one:
 * their slots are concatenated as rank functions.
 * 4. Groups that differ only by coincidence are refined: they get a stream over *pairs* of row numbers, if
 * that costs less than two groups and the expanded stream is not longer than MERGE_REFINE_MAX. Rows that
 * were split share their timing. */
#define MERGE_REFINE_MAX (UINT64_C(1) << 20)
enum refrain_status merge_traces(struct trace *into, struct trace *next);

/* Call this after the last merge. It chooses one form for every rank function: if a function has both
 * forms, offset for slots that hold ranks, constant for other slots. */
enum refrain_status merge_finish(struct trace *t);

#endif
