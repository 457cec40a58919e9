/* SPDX-License-Identifier: BSD-3-Clause */
/* What goes between each two ranks, whichever way; and the graph of the pairs that matter.
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
    uint32_t *ranks;                  /* of these by node; NULL if there are no members */
    ARRAY(struct traffic_pair) pairs; /* ascending */
    struct traffic_sum to_self, outside, all;
};

/* Of a matrix that is finished. */
enum refrain_status traffic_create(struct traffic *t, const struct matrix *m);
/* Of some of its cells, and of n of its ranks (NULL: of all). What others have to do with is outside. */
enum refrain_status traffic_create_of(struct traffic *t, const struct matrix *m,
                                      const struct matrix_cell *cells, size_t n_cells, const uint32_t *ranks,
                                      uint32_t n);
/* Of all messages of a trace by its groups of ranks (group_sends.h); without a matrix of it. *all: false if these do not
 * tell, then there is nothing to be freed. */
enum refrain_status traffic_create_by_groups(struct traffic *t, const struct reader *r,
                                             const struct definitions *d, bool *all);
/* The rank of a node in the run, and the node of a rank; TRAFFIC_NOBODY if it is none. */
uint32_t traffic_rank(const struct traffic *t, uint32_t node);
#define TRAFFIC_NOBODY UINT32_MAX
uint32_t traffic_node(const struct traffic *t, uint32_t rank);
void traffic_free(struct traffic *t); /* also of a zeroed struct */

/* What a pair counts for a threshold: bytes; messages if asked for, or if nothing has bytes. */
uint64_t traffic_weight(const struct traffic *t, const struct traffic_sum *sum, bool by_messages);
/* Edges for the pairs of at least `threshold` (0 … 1) times the largest one: with 0 also for those whose messages
 * are all empty. */
enum refrain_status traffic_graph(const struct traffic *t, double threshold, bool by_messages,
                                  struct graph *g);

/* A matrix from a file: lines "from,to,messages,bytes" as `refrain matrix --csv` prints them, or "from to" with the
 * bytes behind them or nothing; separated by commas, blanks or tabs. A first line of words, empty lines and what
 * follows # do not count. (matrix_file.c) */
enum refrain_status matrix_read(struct matrix *m, const char *path);

#endif
