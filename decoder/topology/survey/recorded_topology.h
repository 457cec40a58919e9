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
    const char *function; /* that made it */
    struct placement
        cart; /* no dimensions for a graph. Places by rank in the communicator; without: as MPI gives them */
    struct graph_edges edges; /* of a graph: between ranks of the communicator */
    int64_t parent;  /* of MPI_Cart_sub: the communicator whose dimensions remain, as in group_view; */
    uint32_t remain; /* a bit for each of these; none once they are known */
};

struct declared {
    ARRAY(struct recorded_topology) items; /* ascending by communicator */
};

/* A communicator whose number in the calls varies from call to call at one site, as one that is made and freed again
 * and again may, is not among them. */
enum refrain_status declared_create(struct declared *d, const struct reader *r,
                                    const struct definitions *definitions, const struct communicators *c);
/* The places of a Cartesian one's n members, by rank in the communicator. */
enum refrain_status recorded_topology_place(const struct recorded_topology *t, uint32_t n,
                                            struct placement *out);
void declared_free(struct declared *d); /* also of a zeroed struct */
/* NULL if it has none. */
const struct recorded_topology *declared_find(const struct declared *d, uint32_t comm);

#endif
