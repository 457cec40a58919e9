/* SPDX-License-Identifier: BSD-3-Clause */
/* The places of a pattern's nodes in a picture.
 *
 *     2 dimensions   a grid                       3 dimensions   planes in parallel projection, one above the other
 *     1 dimension    a line, or a circle          more           a plane or a stack for each place in the others
 *     trees          levels                       anything else  a circle */
#ifndef REFRAIN_ARRANGEMENT_H
#define REFRAIN_ARRANGEMENT_H

#include "decoder/topology/identify/candidate.h"

struct arrangement_view {
    double distance; /* distance of planes; the unit is the distance of neighbours; 0: planes do not
                        overlap */
    double angle;    /* of the y axis of planes, in degrees; 0: the default */
};

struct arrangement_point {
    double x, y;
};

struct arrangement {
    uint32_t n;
    const struct candidate *lattice;             /* NULL: no lattice */
    double width, height;                        /* points are inside, from 0 */
    double step;                                 /* approximate distance of neighbours */
    struct arrangement_point *points;            /* by node of the pattern */
    struct arrangement_point axes[LATTICE_DIMS]; /* of a lattice: how far a dimension moves a node */
};

/* Arranges n nodes. `c` is their pattern, NULL for a graph without a pattern; it must outlive *l. */
enum refrain_status arrangement_create(struct arrangement *l, const struct candidate *c, uint32_t n,
                                       const struct arrangement_view *view);
void arrangement_free(struct arrangement *l); /* also of a zeroed struct */
/* Does the edge leave the picture, or its plane? Then only a piece at each end is drawn. *way: the vector
 * from a to the place where b would be if the lattice continued. */
bool arrangement_leaves(const struct arrangement *l, uint32_t a, uint32_t b, struct arrangement_point *way);

#endif
