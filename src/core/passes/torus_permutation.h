/* SPDX-License-Identifier: BSD-3-Clause */
/* Permuted lists: lists over the ranks of a grid that have the same values in another order, as if one list
 * were seen from different places.
 *
 * If the steps of a program go around a torus, each rank does in one step what its neighbour did in the step
 * before. An example with ranks on a grid of 3 x 3: counts of messages in two steps, and the number of bytes
 * that arrive in the second step:
 *
 *     base              3 3 2  3 3 2  2 2 0
 *     counts, step 1    5 5 4  5 5 4  4 4 2             base + 2
 *     counts, step 2    5 5 4  4 4 2  5 5 4             base + 2, one row further: places 3 4 5  6 7 8  0 1 2
 *     bytes, step 2     40 40 32  32 32 16  40 40 32    8 base + 16, there as well
 *
 * Value i of a list is shift + slope i + scale base[place i], where places are a map of a torus (torus.h).
 * Grids of all shapes are tried, also a single row. A slope of -1 finds lists of partners minus the own rank.
 * The numbers 0 1 2 … are always a base, because partners and cells are numbers of places.
 *
 * Without this pass the 48 traces of bench/ablation.sh are 2.4 % larger. */
#ifndef REFRAIN_TORUS_PERMUTATION_H
#define REFRAIN_TORUS_PERMUTATION_H

#include "src/core/base/array.h"
#include "src/core/series/series.h"
#include "torus.h"

#define PERMUTED_COST      6 /* approximate bytes of a permuted list */
#define PERMUTED_RANKS_MIN 9 /* fewer ranks match a grid by chance */
#define PERMUTED_RANKS_MAX (UINT32_C(1) << 16)

/* Lists over the same ranks, expanded. */
struct rank_list {
    const struct series *series; /* borrowed */
    size_t cost;                 /* bytes */
    int64_t *values;             /* owned */
};

struct rank_lists {
    struct rank_list *items;
    size_t n, cap;
    uint32_t n_ranks; /* length of each list */
};

void rank_lists_free(struct rank_lists *l);
enum refrain_status rank_lists_add(struct rank_lists *l, const struct series *list);

struct permuted_list {
    uint32_t list; /* number in rank_lists */
    uint32_t base, map;
    struct torus_position at; /* shift of the map */
    int64_t scale, shift, slope;
};

struct torus_permutations {
    ARRAY(struct series *) bases; /* owned; NULL: not needed */
    ARRAY(struct torus_map) maps;
    ARRAY(struct permuted_list) lists; /* in the order of rank_lists */
    int64_t saved;                     /* bytes saved, compared with plain lists */
};

void torus_permutations_free(struct torus_permutations *t);
/* Find the lists that become smaller as permuted lists. */
enum refrain_status torus_permutations_find(const struct rank_lists *l, struct torus_permutations *out);

#endif
