/* SPDX-License-Identifier: BSD-3-Clause */
/* Lengths of arrays that depend on the communicator. Only collective calls pass such arrays. For an
 * invalid communicator, MPI itself calls the error handler. */
#include "src/record/comm.h"

#include "call.h"

int64_t comm_members(MPI_Comm comm)
{
    const struct comm *c = comm_find(comm);
    return c ? c->size : ARRAY_UNUSED;
}

int64_t comm_peers(MPI_Comm comm)
{
    const struct comm *c = comm_find(comm);
    if (!c)
        return ARRAY_UNUSED;
    return c->remote_size >= 0 ? c->remote_size : c->size;
}

bool comm_is_root(MPI_Comm comm, int root)
{
    const struct comm *c = comm_find(comm);
    if (!c)
        return false;
    return c->remote_size >= 0 ? root == MPI_ROOT : root == c->rank;
}

/* Return MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH or MPI_UNDEFINED. */
static int topology(MPI_Comm comm)
{
    const struct comm *c = comm_find(comm);
    int kind;
    if (!c || c->remote_size >= 0 || PMPI_Topo_test(comm, &kind) != MPI_SUCCESS)
        return MPI_UNDEFINED;
    return kind;
}

int64_t comm_dims(MPI_Comm comm)
{
    int dims;
    if (topology(comm) != MPI_CART || PMPI_Cartdim_get(comm, &dims) != MPI_SUCCESS)
        return ARRAY_UNUSED;
    return dims;
}

int64_t comm_nodes(MPI_Comm comm)
{
    int nodes, edges;
    if (topology(comm) != MPI_GRAPH || PMPI_Graphdims_get(comm, &nodes, &edges) != MPI_SUCCESS)
        return ARRAY_UNUSED;
    return nodes;
}

int64_t comm_edges(MPI_Comm comm)
{
    int nodes, edges;
    if (topology(comm) != MPI_GRAPH || PMPI_Graphdims_get(comm, &nodes, &edges) != MPI_SUCCESS)
        return ARRAY_UNUSED;
    return edges;
}

int64_t comm_neighbors(MPI_Comm comm, int rank)
{
    const struct comm *c = comm_find(comm);
    int neighbors;
    if (topology(comm) != MPI_GRAPH || rank < 0 || rank >= c->size ||
        PMPI_Graph_neighbors_count(comm, rank, &neighbors) != MPI_SUCCESS)
        return ARRAY_UNUSED;
    return neighbors;
}

struct degrees {
    int64_t in, out;
    bool weighted;
};

static struct degrees degrees_of(MPI_Comm comm)
{
    int in, out, weighted;
    int64_t n;
    switch (topology(comm)) {
    case MPI_CART:
        n = comm_dims(comm);
        n = n < 0 ? n : 2 * n;
        return (struct degrees){n, n, false};
    case MPI_GRAPH:
        n = comm_neighbors(comm, comm_find(comm)->rank);
        return (struct degrees){n, n, false};
    case MPI_DIST_GRAPH:
        if (PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted) == MPI_SUCCESS)
            return (struct degrees){in, out, weighted};
        break;
    }
    return (struct degrees){ARRAY_UNUSED, ARRAY_UNUSED, false};
}

int64_t comm_in_degree(MPI_Comm comm)
{
    return degrees_of(comm).in;
}

int64_t comm_out_degree(MPI_Comm comm)
{
    return degrees_of(comm).out;
}

bool comm_is_weighted(MPI_Comm comm)
{
    return degrees_of(comm).weighted;
}
