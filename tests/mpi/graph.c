/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 3 4 */
/* Graph topologies: the old kind, and distributed graphs with and without weights. */
#include "expect.h"

enum { MAX = 8 };

static int right, left;

/* A chain: every process has edges to the previous and the next one. index[i] is the number of
 * edges of processes 0 … i. */
static void chain(void)
{
    int index[MAX], edges[2 * MAX], n = 0;
    for (int i = 0; i < size; i++) {
        if (i > 0)
            edges[n++] = i - 1;
        if (i < size - 1)
            edges[n++] = i + 1;
        index[i] = n;
    }
    const char *index_list = int_list(size, index), *edge_list = rank_list(n, edges);
    int map;
    MPI_Graph_map(MPI_COMM_WORLD, size, index, edges, &map);
    OK("MPI_Graph_map(" WORLD ", nnodes=%d, index=%s, edges=%s, newrank=%s)", size, index_list, edge_list,
       rank_text(map));
    MPI_Comm comm;
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &comm);
    OK("MPI_Graph_create(comm_old=MPI_COMM_WORLD, nnodes=%d, index=%s, edges=%s, reorder=0, "
       "comm_graph=comm0)",
       size, index_list, edge_list);
    int nodes, n_edges, count, kind;
    MPI_Graphdims_get(comm, &nodes, &n_edges);
    OK("MPI_Graphdims_get(comm=comm0, nnodes=%d, nedges=%d)", size, n);
    MPI_Graph_get(comm, nodes, n_edges, index, edges);
    OK("MPI_Graph_get(comm=comm0, maxindex=%d, maxedges=%d, index=%s, edges=%s)", size, n, index_list,
       edge_list);
    MPI_Topo_test(comm, &kind);
    OK("MPI_Topo_test(comm=comm0, status=MPI_GRAPH)");

    int first = rank > 0 ? index[rank - 1] : 0, neighbors[MAX], out = rank, in[MAX];
    MPI_Graph_neighbors_count(comm, rank, &count);
    OK("MPI_Graph_neighbors_count(comm=comm0, rank=%d, nneighbors=%d)", rank, index[rank] - first);
    MPI_Graph_neighbors(comm, rank, count, neighbors);
    OK("MPI_Graph_neighbors(comm=comm0, rank=%d, maxneighbors=%d, neighbors=%s)", rank, count,
       rank_list(count, edges + first));
    MPI_Neighbor_allgather(&out, 1, MPI_INT, in, 1, MPI_INT, comm);
    OK("MPI_Neighbor_allgather(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, recvbuf=ptr, recvcount=1, "
       "recvtype=MPI_INT, comm=comm0)");
    MPI_Comm_free(&comm);
    OK("MPI_Comm_free(comm=comm0)");
}

/* Asks a distributed ring for its neighbours; asks for weights only if there are some. */
static void ask(MPI_Comm comm, int number, int weighted, int in_weight, int out_weight)
{
    int indegree, outdegree, has_weights, source, destination, weights[2], kind;
    MPI_Topo_test(comm, &kind);
    OK("MPI_Topo_test(comm=comm%d, status=MPI_DIST_GRAPH)", number);
    MPI_Dist_graph_neighbors_count(comm, &indegree, &outdegree, &has_weights);
    OK("MPI_Dist_graph_neighbors_count(comm=comm%d, indegree=1, outdegree=1, weighted=%d)", number, weighted);
    if (weighted) {
        MPI_Dist_graph_neighbors(comm, 1, &source, &weights[0], 1, &destination, &weights[1]);
        OK("MPI_Dist_graph_neighbors(comm=comm%d, maxindegree=1, sources=[%d], sourceweights=[%d], "
           "maxoutdegree=1, "
           "destinations=[%d], destweights=[%d])",
           number, left, in_weight, right, out_weight);
    } else {
        MPI_Dist_graph_neighbors(comm, 1, &source, MPI_UNWEIGHTED, 1, &destination, MPI_UNWEIGHTED);
        OK("MPI_Dist_graph_neighbors(comm=comm%d, maxindegree=1, sources=[%d], sourceweights=MPI_UNWEIGHTED, "
           "maxoutdegree=1, destinations=[%d], destweights=MPI_UNWEIGHTED)",
           number, left, right);
    }
}

static void adjacent(void)
{
    MPI_Comm comm;
    int in_weight = 10 + left, out_weight = 10 + rank;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &comm);
    OK("MPI_Dist_graph_create_adjacent(comm_old=MPI_COMM_WORLD, indegree=1, sources=[%d], "
       "sourceweights=MPI_UNWEIGHTED, outdegree=1, destinations=[%d], destweights=MPI_UNWEIGHTED, "
       "info=MPI_INFO_NULL, reorder=0, comm_dist_graph=comm1)",
       left, right);
    ask(comm, 1, 0, 0, 0);
    MPI_Comm_free(&comm);
    OK("MPI_Comm_free(comm=comm1)");

    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, &in_weight, 1, &right, &out_weight,
                                   MPI_INFO_NULL, 0, &comm);
    /* Function, parent, first member and size are those of an earlier one, which was freed. */
    OK("MPI_Dist_graph_create_adjacent(comm_old=MPI_COMM_WORLD, indegree=1, sources=[%d], "
       "sourceweights=[%d], "
       "outdegree=1, destinations=[%d], destweights=[%d], info=MPI_INFO_NULL, reorder=0, "
       "comm_dist_graph=comm1)",
       left, in_weight, right, out_weight);
    ask(comm, 1, 1, in_weight, out_weight);
    MPI_Comm_free(&comm);
    OK("MPI_Comm_free(comm=comm1)");
}

/* No process has neighbours. */
static void lonely(void)
{
    MPI_Comm comm;
    int none[1] = {0}, indegree, outdegree, weighted;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, none, MPI_WEIGHTS_EMPTY, 0, none, MPI_WEIGHTS_EMPTY,
                                   MPI_INFO_NULL, 0, &comm);
    OK("MPI_Dist_graph_create_adjacent(comm_old=MPI_COMM_WORLD, indegree=0, sources=[], "
       "sourceweights=MPI_WEIGHTS_EMPTY, outdegree=0, destinations=[], destweights=MPI_WEIGHTS_EMPTY, "
       "info=MPI_INFO_NULL, reorder=0, comm_dist_graph=comm1)");
    MPI_Dist_graph_neighbors_count(comm, &indegree, &outdegree, &weighted);
    OK("MPI_Dist_graph_neighbors_count(comm=comm1, indegree=0, outdegree=0, weighted=%d)", weighted);
    MPI_Comm_free(&comm);
    OK("MPI_Comm_free(comm=comm1)");
}

/* Each process declares the edge to its right; rank 0 also declares an empty set. */
static void distributed(void)
{
    MPI_Comm comm;
    int sources[2] = {rank, rank}, degrees[2] = {1, 0}, weight = 7, n = rank == 0 ? 2 : 1;
    MPI_Dist_graph_create(MPI_COMM_WORLD, n, sources, degrees, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                          &comm);
    OK("MPI_Dist_graph_create(comm_old=MPI_COMM_WORLD, n=%d, sources=%s, degrees=%s, destinations=[%d], "
       "weights=MPI_UNWEIGHTED, info=MPI_INFO_NULL, reorder=0, comm_dist_graph=comm2)",
       n, int_list(n, sources), int_list(n, degrees), right);
    ask(comm, 2, 0, 0, 0);
    MPI_Comm other;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, sources, degrees, &right, &weight, MPI_INFO_NULL, 1, &other);
    OK("MPI_Dist_graph_create(comm_old=MPI_COMM_WORLD, n=1, sources=[%d], degrees=[1], destinations=[%d], "
       "weights=[7], info=MPI_INFO_NULL, reorder=1, comm_dist_graph=comm3)",
       rank, right);
    MPI_Comm_free(&comm);
    OK("MPI_Comm_free(comm=comm2)");
    MPI_Comm_free(&other);
    OK("MPI_Comm_free(comm=comm3)");
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    chain();
    adjacent();
    lonely();
    distributed();
    return expect_end();
}
