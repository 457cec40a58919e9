/* SPDX-License-Identifier: BSD-3-Clause */
/* Merging many traces that come one after the other, in the order of MPI_Finalize's tree: equally many ranks
 * with equally many, so that what is long is gone through seldom.
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
/* The next trace, whose ranks come behind those before. It is used up, also after an error. */
enum refrain_status merge_tree_add(struct merge_tree *m, struct trace *t);
/* All that were added, one at least, as one trace, into *out. The tree is empty afterwards. */
enum refrain_status merge_tree_finish(struct merge_tree *m, struct trace *out);

#endif
