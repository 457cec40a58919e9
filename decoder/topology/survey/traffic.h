/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages and bytes between each two ranks, both directions together; and the graph of the pairs that
 * matter.
 *
 *     0 -> 1  90 bytes       pair 0 1  100 bytes        threshold 5 %: pairs below 5 bytes are left out,
 *     1 -> 0  10 bytes       pair 1 2    2 bytes        here pair 1 2 */
#ifndef REFRAIN_TRAFFIC_H
#define REFRAIN_TRAFFIC_H

#include "decoder/matrix/group_sends.h"
#include "decoder/topology/identify/graph.h"

struct traffic_sum {
    uint64_t messages, bytes;
};

struct traffic_pair {
    uint32_t a, b; /* a < b; nodes */
    struct traffic_sum sum;
};

/* Nodes are the ranks of the run, less first_rank; or the members of a communicator, in its order. */
struct traffic {
    uint32_t first_rank, n_ranks;
    struct traffic_member {
        uint32_t rank, node;
    } * members;                      /* by rank; NULL: all ranks of the run */
    uint32_t *ranks;                  /* by node: the member's rank; NULL if there are no members */
    ARRAY(struct traffic_pair) pairs; /* ascending */
    struct traffic_sum to_self, outside, all;
    bool of_windows; /* messages are accesses to windows */
};

/* Makes the traffic of a finished matrix. */
enum refrain_status traffic_create(struct traffic *t, const struct matrix *m);
/* Makes the traffic of some of the matrix's cells, between n of its ranks (NULL: all ranks). Messages from or
 * to other ranks count as outside. */
enum refrain_status traffic_create_of(struct traffic *t, const struct matrix *m,
                                      const struct matrix_cell *cells, size_t n_cells, const uint32_t *ranks,
                                      uint32_t n);
/* Makes the traffic of all messages of a trace from its groups of ranks (group_sends.h), without a matrix.
 * *all is false if the groups do not give all messages; then there is nothing to free. */
enum refrain_status traffic_create_by_groups(struct traffic *t, const struct reader *r,
                                             const struct definitions *d, bool *all);
/* Return the rank of a node in the run, and the node of a rank; TRAFFIC_NOBODY if the rank has no node. */
uint32_t traffic_rank(const struct traffic *t, uint32_t node);
#define TRAFFIC_NOBODY UINT32_MAX
uint32_t traffic_node(const struct traffic *t, uint32_t rank);
void traffic_free(struct traffic *t); /* also of a zeroed struct */

/* Returns the weight of a pair for the threshold: bytes, or messages if `by_messages` is set or no message
 * has bytes. */
uint64_t traffic_weight(const struct traffic *t, const struct traffic_sum *sum, bool by_messages);
/* Makes an edge for each pair whose weight is at least `threshold` (0 … 1) times the largest weight. With 0,
 * pairs with only empty messages get an edge, too. */
enum refrain_status traffic_graph(const struct traffic *t, double threshold, bool by_messages,
                                  struct graph *g);

/* Reads a matrix from a file with lines "from,to,messages,bytes" as `refrain matrix --csv` prints them, or
 * "from to", optionally followed by bytes. Commas, blanks or tabs separate fields. A first line of words,
 * empty lines, and text after # are ignored. (matrix_file.c) */
enum refrain_status matrix_read(struct matrix *m, const char *path);

#endif
