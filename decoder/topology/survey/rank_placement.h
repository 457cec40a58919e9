/* SPDX-License-Identifier: BSD-3-Clause */
/* Known coordinates of ranks: from the program's Cartesian topology, or from the user.
 *
 *     MPI_Cart_create, 3 x 2, periodic in x      rank 0: 0,0   1: 0,1   2: 1,0   3: 1,1   4: 2,0   5: 2,1 */
#ifndef REFRAIN_RANK_PLACEMENT_H
#define REFRAIN_RANK_PLACEMENT_H

#include "decoder/topology/identify/identify.h"
#include "traffic.h"

struct placement {
    unsigned n_dims;
    uint32_t sizes[LATTICE_DIMS];
    uint32_t periodic; /* a bit for each dimension */
    uint32_t n;        /* nodes */
    uint32_t *at;      /* by node: its place, numbered with x fastest (candidate.h); IMAGE_NONE: no place */
};

void placement_free(struct placement *p); /* also of a zeroed struct */
/* Returns the number of places; UINT64_MAX if there are too many. */
uint64_t placement_places(const struct placement *p);
/* Reads dimensions such as "8x8", "8x8p" (both are periodic), "8px4" (the first is periodic), "8ox4p" (the
 * second is periodic). Sets only the dimensions, not the places of nodes. */
enum refrain_status placement_parse(struct placement *p, const char *text);
/* placement_reserve makes n nodes without places. placement_of returns the place of coordinates, which must
 * be within their dimensions. */
enum refrain_status placement_reserve(struct placement *p, uint32_t n);
uint32_t placement_of(const struct placement *p, const uint32_t *coordinates);
/* Gives n nodes the places of MPI_Cart_create: in order, the last dimension fastest. */
enum refrain_status placement_fill(struct placement *p, uint32_t n);
/* Copies the places of some nodes, keeping only dimensions in which they differ: a row of a grid becomes a
 * line. If one of the nodes has no place, none gets one. */
enum refrain_status placement_of_some(struct placement *p, const struct placement *all, const uint32_t *nodes,
                                      uint32_t n);
/* Reads the nodes' places from a file with lines rank,x,y,… If p has no dimensions, they are made as large as
 * needed. (placement_file.c) */
enum refrain_status placement_read(struct placement *p, const struct traffic *t, const char *path);
/* "8x8 grid, periodic in x" */
void placement_put_name(const struct placement *p, struct bytes *out);

/* Finds the lattice with these coordinates that is nearest to a graph, among all patterns of the library. The
 * known periods are used; other periods only if they give exactly the graph. (placement_lattice.c) */
enum refrain_status placement_identify(struct topology *t, const struct graph *g,
                                       const struct pattern_library *l, const struct placement *p);
/* Adds the number of candidates that each test leaves, without regard to coordinates, and other names of the
 * same graph. */
enum refrain_status placement_explain(struct topology *t, const struct graph *g,
                                      const struct pattern_library *l);

#endif
