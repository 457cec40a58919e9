/* Running sums: displacements that follow from the counts before them.
 *
 * MPI_Alltoallv and its like take an array of counts and one of displacements, which mostly are the sums of
 * the counts so far. With n = 4, slots of the row on one rank:
 *
 *     4   10 20 30 40    4   0  10  30  60       each displacement is the one before it and the count 6 slots
 * back └───┴──┴───────────┴──> +  +
 *
 * What is found are two neighbouring arrays of one length whose elements are so related on every rank of the
 * group; the function's parameters do not matter. Final files only; a reader adds up. */
#ifndef REFRAIN_CODEC_SUMS_H
#define REFRAIN_CODEC_SUMS_H

#include "map.h"
#include "trace.h"

struct codec_sums {
    struct map of_slot; /* codec_slot_key of a slot's function → distance */
};

void codec_sums_free(struct codec_sums *s);
/* The trace has to stay as it is while s lives. O(all values that may be sums), which is bounded. */
enum refrain_status codec_sums_find(const struct trace *t, struct codec_sums *s);
/* d ≥ 2: the slot is the sum of the one before it and the one d before it. 0: it is none. */
uint32_t codec_sums_get(const struct codec_sums *s, const struct rankfn *slot);

#endif
