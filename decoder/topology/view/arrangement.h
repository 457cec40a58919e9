/* SPDX-License-Identifier: BSD-3-Clause */
/* Where in a picture the nodes of a pattern are.
 *
 *     2 dimensions   a grid                       3 dimensions   planes in parallel projection, one above the other
 *     1 dimension    a line, or a circle          more           a plane or a stack for each place in the others
 *     trees          levels                       anything else  a circle */
#ifndef REFRAIN_ARRANGEMENT_H
#define REFRAIN_ARRANGEMENT_H

#include "decoder/topology/identify/candidate.h"

struct arrangement_view {
    double distance; /* of planes, in distances of nodes; 0: so that they do not overlap */
    double angle;    /* of the y axis of planes, in degrees; 0: the default */
};

struct arrangement_point {
    double x, y;
};

struct arrangement {
    uint32_t n;
    const struct candidate *lattice;             /* NULL: it is none */
    double width, height;                        /* points are inside, from 0 */
    double step;                                 /* between neighbours, about */
    struct arrangement_point *points;            /* by node of the pattern */
    struct arrangement_point axes[LATTICE_DIMS]; /* of a lattice: how far a dimension moves a node */
};

/* c: NULL for a graph that is no pattern, of n nodes. It is kept by reference. */
enum refrain_status arrangement_create(struct arrangement *l, const struct candidate *c, uint32_t n,
                                       const struct arrangement_view *view);
void arrangement_free(struct arrangement *l); /* also of a zeroed struct */
/* Does an edge leave the picture, or its plane, so that only a piece at each end is drawn? *way: where to, from a, as
 * far as if it went on there. */
bool arrangement_leaves(const struct arrangement *l, uint32_t a, uint32_t b, struct arrangement_point *way);

#endif
