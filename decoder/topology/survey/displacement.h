/* SPDX-License-Identifier: BSD-3-Clause */
/* Distances of communication in the coordinates of a lattice.
 *
 *     MG on a torus of 4 x 4 x 4     (2,0,0)   32 pairs      the coarse levels
 *     a transposition                transposed, 28 pairs    (x,y) with (y,x)
 *
 * For displacements_create, both directions of a pair count as one displacement: from (2,-1) and (-2,1), the
 * one whose first nonzero step is positive is used. On a ring the shorter way around is used. */
#ifndef REFRAIN_DISPLACEMENT_H
#define REFRAIN_DISPLACEMENT_H

#include "survey.h"

struct displacement {
    int32_t steps[LATTICE_DIMS];
    uint32_t site; /* call site of the sends; MATRIX_NO_SITE if sites are not distinguished */
    uint64_t n_pairs;
    struct traffic_sum sum;
};

struct displacements {
    ARRAY(struct displacement) items; /* most bytes first, then most messages */
    bool transposed;                  /* each pair is x,y with y,x */
    uint64_t n_pairs;
    struct traffic_sum sum;       /* of all displacements */
    struct traffic_sum elsewhere; /* of pairs without coordinates */
};

/* Finds the displacements of the pairs of t; with `but_edges`, only of pairs that are not edges of the
 * lattice. `base` is a survey with one component, the lattice, and as many nodes as t. */
enum refrain_status displacements_create(struct displacements *d, const struct survey *base,
                                         const struct traffic *t, bool but_edges);
/* Finds the displacements of the messages of a matrix with labels, as seen from the sender: (1,0) and (-1,0)
 * differ. comm NULL: messages of all communicators. If the survey is no lattice, displacements have no
 * steps. */
enum refrain_status displacements_of_senders(struct displacements *d, const struct survey *base,
                                             const struct matrix *m, const int64_t *comm, bool by_site);
void displacements_free(struct displacements *d); /* also of a zeroed struct */
/* "(1,0) (2,0)", or "x,y with y,x"; writes nothing if there are none, or more than DISPLACEMENTS_FEW that are
 * not transposed. */
#define DISPLACEMENTS_FEW 8
void displacements_put(const struct displacements *d, unsigned n_dims, struct bytes *out);
/* "(2,0,0)" */
void displacement_put(const struct displacement *d, unsigned n_dims, struct bytes *out);
/* "x+1", "(x-1, y+1)" as `refrain logical` has it, "self", "-" without dimensions. */
void displacement_put_direction(const struct displacement *d, unsigned n_dims, struct bytes *out);

/* Does the survey have lattice coordinates, as displacements need? */
bool survey_is_lattice(const struct survey *s);

#endif
