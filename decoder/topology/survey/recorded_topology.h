/* SPDX-License-Identifier: BSD-3-Clause */
/* The topologies that a program gives its communicators, from the calls that made them:
 *
 *     MPI_Cart_create(comm_old, ndims=2, dims=[8, 2], periods=[1, 0], …, comm_cart=comm0)    8x2 grid, periodic in x
 *     MPI_Cart_sub(comm=comm0, remain_dims=[0, 1], newcomm=comm1)                             2-node line
 *     MPI_Graph_create, MPI_Dist_graph_create, MPI_Dist_graph_create_adjacent                 edges */
#ifndef REFRAIN_RECORDED_TOPOLOGY_H
#define REFRAIN_RECORDED_TOPOLOGY_H

#include "communicators.h"
#include "rank_placement.h"

struct recorded_topology {
    uint32_t comm;        /* index in the communicators */
    const char *function; /* the function that made it */
    struct placement
        cart; /* has no dimensions for a graph. Places by rank in the communicator; if there are none, the
                 places follow the rule of MPI_Cart_create */
    struct graph_edges edges; /* of a graph: between ranks of the communicator */
    int64_t parent;           /* of MPI_Cart_sub: the communicator with all dimensions, as in group_view */
    uint32_t remain;          /* a bit for each dimension of `parent` that remains; 0 when `cart` has these
                                 dimensions */
};

struct declared {
    ARRAY(struct recorded_topology) items; /* ascending by communicator */
};

/* Finds the topologies. A communicator is left out if its number differs between calls of one site; this is
 * possible if the program makes and frees communicators again and again. */
enum refrain_status declared_create(struct declared *d, const struct reader *r,
                                    const struct definitions *definitions, const struct communicators *c);
/* Copies the places of the n members of a Cartesian topology, by rank in the communicator. */
enum refrain_status recorded_topology_place(const struct recorded_topology *t, uint32_t n,
                                            struct placement *out);
void declared_free(struct declared *d); /* also of a zeroed struct */
/* Returns the topology of communicator number `comm` in the communicators; NULL if it has none. */
const struct recorded_topology *declared_find(const struct declared *d, uint32_t comm);

#endif
