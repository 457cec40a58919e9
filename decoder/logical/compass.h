/* SPDX-License-Identifier: BSD-3-Clause */
/* The places of ranks in the topology of a run, and partners as directions relative to these places.
 *
 *     4x4 grid, rank = 4*y + x       5 -> 6    x+1       rank+1   rank^3   rank 6
 *                                    5 -> 1    y-1       rank-4   rank^4   rank 1
 *
 * The direction from one rank to another can be named in several ways (laws). A statement of the program must
 * use one way for all ranks. So each rank's partner is described in all ways, and the ways that the ranks
 * have in common remain (direction_meet). */
#ifndef REFRAIN_COMPASS_H
#define REFRAIN_COMPASS_H

#include "decoder/topology/survey/survey.h"

/* The ways to name a direction, in order of preference. */
enum direction_law {
    DIRECTION_OFFSET,     /* in the coordinates of a lattice, wrapping only on its rings: x+1 */
    DIRECTION_WRAPPED,    /* the same, wrapping in all dimensions: x^1 of two */
    DIRECTION_TRANSPOSED, /* the place in the transposed matrix (NAS CG) */
    DIRECTION_PARENT,     /* in a tree; in a star, its center */
    DIRECTION_CHILD,      /* child 0, 1 … */
    DIRECTION_DISTANCE,   /* rank+3 */
    DIRECTION_CYCLIC,     /* (rank+3)%16 */
    DIRECTION_BITS,       /* rank^4, or XOR of places in a pattern that is no lattice */
    DIRECTION_POWER,      /* the same of a single bit, by its number: rank^2^i0 */
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
    const struct topology *topology; /* the same for all components; NULL: none, or components differ */
    const struct candidate *lattice; /* NULL: no coordinates */
    uint32_t *image;                 /* by rank less first_rank: its node in the pattern; UINT32_MAX: none */
    uint32_t *coordinates;           /* of all places, place by place */
    uint32_t *rank_at;               /* by component and place */
};

/* The survey must outlive the compass; NULL for none. */
enum refrain_status compass_create(struct compass *c, const struct survey *s, uint32_t first_rank,
                                   uint32_t n_ranks);
void compass_free(struct compass *c); /* also of a zeroed struct */

/* Returns a rank's coordinates, one per dimension of the lattice; NULL if it has none. */
const uint32_t *compass_coordinates(const struct compass *c, uint32_t rank);

/* Returns all ways to name the direction from one rank to another. */
struct direction compass_direction(const struct compass *c, uint32_t from, uint32_t to);
/* Reduces `d` to the laws that both directions share. If there are none, returns false and leaves `d`
 * unchanged. */
bool direction_meet(struct direction *d, const struct direction *other);
/* Returns the rank to which a law with this value leads from a rank. */
uint32_t compass_follow(const struct compass *c, enum direction_law law, uint64_t value, uint32_t from);
/* Returns the law that is shown for a direction of n_ranks ranks. */
enum direction_law direction_law(const struct direction *d, size_t n_ranks);
/* Do the laws say more than plain rank numbers? */
bool direction_is_strong(uint32_t laws);
/* Does the law flip bits? Then it leads back, too. */
static inline bool direction_flips(enum direction_law law)
{
    return law == DIRECTION_BITS || law == DIRECTION_POWER;
}
/* Is the value a distance, bits, or a rank, so that it may grow with an index? */
bool direction_counts(enum direction_law law);
/* What the value is relative to: "rank", or "node" of a pattern that is not in the order of ranks. */
const char *compass_name(const struct compass *c, enum direction_law law);
void compass_put_direction(const struct compass *c, enum direction_law law, uint64_t value,
                           struct bytes *out);
/* Does the offset lead to a place of the lattice, without wrapping in a dimension that is no ring? */
bool compass_leads(const struct compass *c, uint64_t offset, uint32_t from);
/* Appends both ends: "(x, y) -> (x+1, y)", "rank -> rank^4". `arrow` is the text between them. */
void compass_put_pair(const struct compass *c, enum direction_law law, uint64_t value, const char *arrow,
                      struct bytes *out);

#endif
