/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges many traces, added one after the other, in the same order as MPI_Finalize's tree: traces of
 * equally many ranks are merged with each other, so long traces are walked only a few times.
 *
 *     taken    1   2     3       4     5       6
 *     held     1   2     2 1     4     4 1     4 2        how many each has merged: the binary digits */
#ifndef REFRAIN_MERGE_TREE_H
#define REFRAIN_MERGE_TREE_H

#include "src/core/trace/trace.h"

/* Zero-initialised is empty. */
struct merge_tree {
    ARRAY(struct trace) held; /* owned */
    uint64_t taken;
};

void merge_tree_free(struct merge_tree *m);
/* Add the next trace, whose ranks must come after those added before. It is used up, also after an error. */
enum refrain_status merge_tree_add(struct merge_tree *m, struct trace *t);
/* Merge all added traces, at least one, into *out. The tree is empty afterwards. */
enum refrain_status merge_tree_finish(struct merge_tree *m, struct trace *out);

#endif
