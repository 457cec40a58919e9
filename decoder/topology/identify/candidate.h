/* SPDX-License-Identifier: BSD-3-Clause */
/* A pattern at one size: the 6-point stencil on a 4 x 4 torus. */
#ifndef REFRAIN_CANDIDATE_H
#define REFRAIN_CANDIDATE_H

#include "pattern.h"

enum { LATTICE_DIMS = 32 };

struct candidate {
    const struct pattern *pattern;
    uint32_t n;      /* nodes */
    uint32_t arity;  /* arity of a rule that has one */
    unsigned n_dims; /* of a lattice; 0 for rules */
    uint32_t sizes[LATTICE_DIMS];
    uint32_t periodic;          /* a bit for each dimension; none where the size is 2 */
    uint8_t axis[LATTICE_DIMS]; /* by dimension: its coordinate in the offsets */
    uint32_t mirrored;          /* a bit for each dimension in which offsets are negated */
};

struct candidates {
    struct candidate *items;
    size_t n, cap;
};

/* Appends all candidates with n nodes and `least` to `most` edges, in the library's order. A lattice comes
 * once for each choice of sizes and periods, larger sizes first; its dimensions may be permuted and mirrored.
 * *n_all is the number of candidates with n nodes and any number of edges. */
enum refrain_status candidates_enumerate(struct candidates *list, const struct pattern_library *l, uint32_t n,
                                         uint64_t least, uint64_t most, uint64_t *n_all);

/* Nodes of a lattice are numbered with x fastest: node = x + size of x * (y + size of y * …). */
enum refrain_status candidate_graph(const struct candidate *c, struct graph *g);

/* Writes the n_dims coordinates of a node. */
void candidate_coordinates(const struct candidate *c, uint32_t node, uint32_t *coordinates);
/* Writes the neighbours of a lattice's node, without repeats, and returns their number: at most two for each
 * offset. */
unsigned candidate_neighbours(const struct candidate *c, uint32_t node, uint32_t *near);
/* Is dimension d a ring? A dimension of two nodes is both line and ring; in a torus it counts as a ring. */
bool candidate_is_periodic(const struct candidate *c, unsigned d);

/* Appends the name of a topology: "5x4 torus", "hypercube 4". */
void candidate_put_name(const struct candidate *c, struct bytes *out);
/* x, y, z, x4, … */
void candidate_put_axis(unsigned d, struct bytes *out);

/* Are both candidates grids, and the same graph? A ring of four is the product of two pairs. Apart from this,
 * a product of lines and rings has only one set of factors (Sabidussi 1960, Vizing 1963). *grids says whether
 * both are grids. */
bool candidate_same_grid(const struct candidate *c, const struct candidate *d, bool *grids);

#endif
