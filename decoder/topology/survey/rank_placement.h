/* SPDX-License-Identifier: BSD-3-Clause */
/* Coordinates that somebody knows: the program, by its Cartesian topology, or the user.
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
    uint32_t *at; /* by node: its place, numbered with x fastest (candidate.h); IMAGE_NONE: it has none */
};

void placement_free(struct placement *p); /* also of a zeroed struct */
/* How many places there are; UINT64_MAX for too many. */
uint64_t placement_places(const struct placement *p);
/* "8x8", "8x8p" with both dimensions periodic, "8px4" with the first one, "8ox4p" with the second one. Places are
 * still to be given. */
enum refrain_status placement_parse(struct placement *p, const char *text);
/* Makes n nodes without places; the place of coordinates, all of which are in their dimensions. */
enum refrain_status placement_reserve(struct placement *p, uint32_t n);
uint32_t placement_of(const struct placement *p, const uint32_t *coordinates);
/* Gives n nodes the places that MPI_Cart_create does: in order, the last dimension fastest. */
enum refrain_status placement_fill(struct placement *p, uint32_t n);
/* The places of some of the nodes, in the dimensions in which they are different: a row of a grid is a line. None have
 * places if one of them has none. */
enum refrain_status placement_of_some(struct placement *p, const struct placement *all, const uint32_t *nodes,
                                      uint32_t n);
/* Gives nodes the places of a file, with lines rank,x,y,…  Without dimensions these are as large as needed.
 * (placement_file.c) */
enum refrain_status placement_read(struct placement *p, const struct traffic *t, const char *path);
/* "8x8 grid, periodic in x" */
void placement_put_name(const struct placement *p, struct bytes *out);

/* The lattice with these coordinates that is nearest to a graph: of all the library's patterns, with periods as
 * they are known, and with any others if one of these is the graph itself. (placement_lattice.c) */
enum refrain_status placement_identify(struct topology *t, const struct graph *g,
                                       const struct pattern_library *l, const struct placement *p);
/* Adds what the tests leave of the library, whatever the coordinates, and other names of the same graph. */
enum refrain_status placement_explain(struct topology *t, const struct graph *g,
                                      const struct pattern_library *l);

#endif
