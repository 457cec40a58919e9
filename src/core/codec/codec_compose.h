/* SPDX-License-Identifier: BSD-3-Clause */
/* How lists over ranks are written: in the smallest of the forms of codec_derived.h. Permuted and added lists
 * have headers of their own (torus_permutation.h, codec_added.h); this is about compositions, and chooses.
 *
 * Compositions: lists that depend on the same thing have it written once.
 *
 * Ranks on the left and right side of a grid whose borders are left out, with the distance to their only
 * neighbour in this direction, and the tag that they send it:
 *
 *     ranks      4  7  8 11 12 15        K  0  1  0  1  0  1     which side: classes, by first appearance
 *     distance   1 -1  1 -1  1 -1        V  1 -1                 value of each class
 *     tag        9  6  9  6  9  6        V  9  6
 *
 * Value i of a list is V[K[i]]. K and V are series as all others; the writer looks for a K for the lists over
 * one set of ranks. Lists are permuted if that saves more than classes do; what is left goes by classes, then
 * by addition. */
#ifndef REFRAIN_CODEC_COMPOSE_H
#define REFRAIN_CODEC_COMPOSE_H

#include "src/core/passes/codec_tables.h"

/* Put those lists of the trace that are derived from others into the tables, and what they consist of.
 * These are the first series that the tables get. Slots that are cut out of global lists have none, nor have
 * running sums. */
enum refrain_status codec_compose(const struct trace *t, struct codec_tables *tables);

#endif
