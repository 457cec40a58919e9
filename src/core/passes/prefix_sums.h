/* SPDX-License-Identifier: BSD-3-Clause */
/* Running sums: displacements that follow from the counts before them.
 *
 * MPI_Alltoallv and similar functions take an array of counts and an array of displacements. A displacement
 * is usually the sum of the counts before it. With n = 4, slots of the row on one rank:
 *
 *     4   10 20 30 40    4   0  10  30  60       each displacement is the one before it plus the count
 *         └──┼──┼────────────┴──> +  +           6 slots before it
 *
 * Displacements of MPI_Alltoallw or MPI_Type_create_hindexed are in bytes. The factor of the array
 * is then the size of an element.
 *
 *     4   10 20 30 40    4   0  80 240 480       8 times the count
 *
 * The search finds two neighbouring arrays of the same length if the second one has such sums on every rank
 * of the group; the function's parameters do not matter. Only final files have running sums; a reader adds up
 * the counts.
 *
 * Without this pass the 48 traces of bench/ablation.sh are 33.2 % larger. */
#ifndef REFRAIN_PREFIX_SUMS_H
#define REFRAIN_PREFIX_SUMS_H

#include "src/core/base/map.h"
#include "src/core/trace/trace.h"

/* A slot is the sum of the slot before it and `factor` times the slot `distance` >= 2 slots before
 * it. Or its array is the transpose of the array `distance` slots before (transposed_counts.h). */
struct prefix_sum {
    uint32_t distance;
    bool transposed;
    int64_t factor; /* not 0; 0 if transposed */
};

struct prefix_sums {
    ARRAY(struct prefix_sum) arrays;
    struct map of_slot; /* address of a slot's function -> number of its array */
};

void prefix_sums_free(struct prefix_sums *s);
/* Find all sums. The trace must not change while s is in use. The work is bounded. */
enum refrain_status prefix_sums_find(const struct trace *t, struct prefix_sums *s);
/* Note that slots first … end - 1 of the row are of this kind. */
enum refrain_status prefix_sums_add(struct prefix_sums *s, const struct row *row, uint32_t first,
                                    uint32_t end, struct prefix_sum sum);
/* Are both NULL, or sums of the same kind? */
bool prefix_sum_equal(const struct prefix_sum *a, const struct prefix_sum *b);
/* Return the sum of a slot; NULL if the slot is no sum. */
const struct prefix_sum *prefix_sums_get(const struct prefix_sums *s, const struct rankfn *slot);

#endif
