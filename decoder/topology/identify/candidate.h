/* SPDX-License-Identifier: BSD-3-Clause */
/* A pattern at one size: the 6-point stencil on a 4 x 4 torus. */
#ifndef REFRAIN_CANDIDATE_H
#define REFRAIN_CANDIDATE_H

#include "pattern.h"

enum { LATTICE_DIMS = 32 };

struct candidate {
    const struct pattern *pattern;
    uint32_t n;      /* nodes */
    uint32_t arity;  /* of a rule that takes one */
    unsigned n_dims; /* of a lattice; 0 for rules */
    uint32_t sizes[LATTICE_DIMS];
    uint32_t periodic;          /* a bit for each dimension; none where the size is 2 */
    uint8_t axis[LATTICE_DIMS]; /* which coordinate of the offsets a dimension is */
    uint32_t mirrored;          /* a bit for each dimension in which offsets go the other way */
};

struct candidates {
    struct candidate *items;
    size_t n, cap;
};

/* Appends all that have n nodes and from least to most edges, in the library's order. A lattice comes once for each
 * choice of sizes and periods, larger sizes first; its dimensions may be turned and mirrored. *n_all: how many have n
 * nodes, whatever their edges. */
enum refrain_status candidates_enumerate(struct candidates *list, const struct pattern_library *l, uint32_t n,
                                         uint64_t least, uint64_t most, uint64_t *n_all);

/* Nodes of a lattice are numbered with x fastest: node = x + size of x * (y + size of y * …). */
enum refrain_status candidate_graph(const struct candidate *c, struct graph *g);

/* The coordinates of a node, n_dims of them. */
void candidate_coordinates(const struct candidate *c, uint32_t node, uint32_t *coordinates);
/* The neighbours of a node of a lattice, each once: at most two for each offset. */
unsigned candidate_neighbours(const struct candidate *c, uint32_t node, uint32_t *near);
/* Is dimension d closed to a ring? One of two nodes is both; a torus has those as rings, too. */
bool candidate_is_periodic(const struct candidate *c, unsigned d);

/* As the name of a topology: "5x4 torus", "hypercube 4". */
void candidate_put_name(const struct candidate *c, struct bytes *out);
/* x, y, z, x4, … */
void candidate_put_axis(unsigned d, struct bytes *out);

/* Are both grids, and the same graph? A ring of four is the product of two pairs; but for this, a product of lines and
 * rings has only one set of factors (Sabidussi 1960, Vizing 1963). Sets *grids to whether that could be asked. */
bool candidate_same_grid(const struct candidate *c, const struct candidate *d, bool *grids);

#endif
