/* SPDX-License-Identifier: BSD-3-Clause */
/* Where ranks are in the topology of a run, and partners as directions from there.
 *
 *     4x4 grid, rank = 4*y + x       5 -> 6    x+1       rank+1   rank^3   rank 6
 *                                    5 -> 1    y-1       rank-4   rank^4   rank 1
 *
 * What leads from one rank to another may be said in several ways. A statement of the program says it in one way on
 * all ranks: so each rank's partner is known in all of them, and what ranks have in common remains (direction_meet). */
#ifndef REFRAIN_COMPASS_H
#define REFRAIN_COMPASS_H

#include "decoder/topology/survey/survey.h"

/* The ways, in the order in which they are preferred. */
enum direction_law {
    DIRECTION_OFFSET,     /* in the coordinates of a lattice, around its rings: x+1 */
    DIRECTION_WRAPPED,    /* the same, around all dimensions: x^1 of two */
    DIRECTION_TRANSPOSED, /* the place in the transposed matrix (NAS CG) */
    DIRECTION_PARENT,     /* in a tree; in a star, its center */
    DIRECTION_CHILD,      /* child 0, 1 … */
    DIRECTION_DISTANCE,   /* rank+3 */
    DIRECTION_CYCLIC,     /* (rank+3)%16 */
    DIRECTION_BITS,       /* rank^4, or of places in a pattern that is no lattice */
    DIRECTION_RANK,       /* 3 */
    DIRECTION_LAWS
};

struct direction {
    uint32_t laws; /* a bit for each one that holds */
    uint64_t values[DIRECTION_LAWS];
};

struct compass {
    uint32_t first_rank, n_ranks;
    const struct survey *survey;     /* NULL: no communication is known */
    const struct topology *topology; /* of all components; NULL: there is none, or components differ */
    const struct candidate *lattice; /* NULL: no coordinates */
    uint32_t *image;                 /* by rank less first_rank: its node in the pattern; UINT32_MAX: none */
    uint32_t *coordinates;           /* of all places, those of one behind the other */
    uint32_t *rank_at;               /* by component and place */
};

/* The survey has to stay; NULL for none. */
enum refrain_status compass_create(struct compass *c, const struct survey *s, uint32_t first_rank,
                                   uint32_t n_ranks);
void compass_free(struct compass *c); /* also of a zeroed struct */

/* The coordinates of a rank, as many as the lattice has dimensions; NULL if it has none. */
const uint32_t *compass_coordinates(const struct compass *c, uint32_t rank);

/* All ways from one rank to another. */
struct direction compass_direction(const struct compass *c, uint32_t from, uint32_t to);
/* Leaves what two directions have in common in `d`; false if that is nothing, then `d` is as before. */
bool direction_meet(struct direction *d, const struct direction *other);
/* Where the direction leads from a rank, by one of its laws. */
uint32_t compass_follow(const struct compass *c, enum direction_law law, uint64_t value, uint32_t from);
/* The law that is shown, of so many ranks. */
enum direction_law direction_law(const struct direction *d, size_t n_ranks);
/* Does the law say more than numbers of ranks do? */
bool direction_is_strong(uint32_t laws);
/* Is the value a distance or a rank, so that it may grow with an index? */
bool direction_counts(enum direction_law law);
void compass_put_direction(const struct compass *c, enum direction_law law, uint64_t value,
                           struct bytes *out);

#endif
