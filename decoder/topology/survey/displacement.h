/* SPDX-License-Identifier: BSD-3-Clause */
/* Communication in the coordinates of a lattice that it is not an edge of: how far it goes.
 *
 *     MG on a torus of 4 x 4 x 4     (2,0,0)   32 pairs      the coarse levels
 *     a transposition                transposed, 28 pairs    (x,y) with (y,x)
 *
 * Both ways are one: of (2,-1) and (-2,1) the one whose first step that is not 0 is positive. Across the border of a ring it is the shorter
 * way. */
#ifndef REFRAIN_DISPLACEMENT_H
#define REFRAIN_DISPLACEMENT_H

#include "survey.h"

struct displacement {
    int32_t steps[LATTICE_DIMS];
    uint32_t site; /* the call site that sends; MATRIX_NO_SITE where they are not told apart */
    uint64_t n_pairs;
    struct traffic_sum sum;
};

struct displacements {
    ARRAY(struct displacement) items; /* most bytes first, then most messages */
    bool transposed;                  /* each pair is x,y with y,x */
    uint64_t n_pairs;
    struct traffic_sum sum;       /* of all of these, */
    struct traffic_sum elsewhere; /* and of what has no coordinates */
};

/* Of the pairs of t, or of those of them that are no edges of the lattice. The lattice is the one component of a survey of as many
 * nodes. */
enum refrain_status displacements_create(struct displacements *d, const struct survey *base,
                                         const struct traffic *t, bool but_edges);
/* Of the messages of a matrix with labels, each as its sender has it: (1,0) is one thing, (-1,0) another. comm NULL: of all
 * communicators. A survey that is no lattice has no steps. */
enum refrain_status displacements_of_senders(struct displacements *d, const struct survey *base,
                                             const struct matrix *m, const int64_t *comm, bool by_site);
void displacements_free(struct displacements *d); /* also of a zeroed struct */
/* "(1,0) (2,0)", or "x,y with y,x"; nothing if there are none, or more than DISPLACEMENTS_FEW. */
#define DISPLACEMENTS_FEW 8
void displacements_put(const struct displacements *d, unsigned n_dims, struct bytes *out);
/* "(2,0,0)" */
void displacement_put(const struct displacement *d, unsigned n_dims, struct bytes *out);
/* "x+1", "(x-1, y+1)" as `refrain logical` has it, "self", "-" without dimensions. */
void displacement_put_direction(const struct displacement *d, unsigned n_dims, struct bytes *out);

/* Has the survey coordinates for this? */
bool survey_is_lattice(const struct survey *s);

#endif
