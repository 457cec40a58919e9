/* SPDX-License-Identifier: BSD-3-Clause */
/* What goes between each two ranks, whichever way; and the graph of the pairs that matter.
 *
 *     0 -> 1  90 bytes       pair 0 1  100 bytes        threshold 5 %: pairs below 5 bytes are left out,
 *     1 -> 0  10 bytes       pair 1 2    2 bytes        here pair 1 2 */
#ifndef REFRAIN_TRAFFIC_H
#define REFRAIN_TRAFFIC_H

#include "decoder/matrix/matrix.h"
#include "graph.h"

struct traffic_sum {
    uint64_t messages, bytes;
};

struct traffic_pair {
    uint32_t a, b; /* a < b; ranks less first_rank */
    struct traffic_sum sum;
};

struct traffic {
    uint32_t first_rank, n_ranks;
    ARRAY(struct traffic_pair) pairs; /* ascending */
    struct traffic_sum to_self, outside, all;
};

/* Of a matrix that is finished. */
enum refrain_status traffic_create(struct traffic *t, const struct matrix *m);
void traffic_free(struct traffic *t); /* also of a zeroed struct */

/* What a pair counts for a threshold: bytes; messages if asked for, or if nothing has bytes. */
uint64_t traffic_weight(const struct traffic *t, const struct traffic_sum *sum, bool by_messages);
/* Edges for the pairs of at least `threshold` (0 … 1) times the largest one. */
enum refrain_status traffic_graph(const struct traffic *t, double threshold, bool by_messages,
                                  struct graph *g);

/* A matrix from a file: lines "from,to,messages,bytes" as `refrain matrix --csv` prints them, or "from to" with the
 * bytes behind them or nothing; separated by commas, blanks or tabs. A first line of words, empty lines and what
 * follows # do not count. (matrix_file.c) */
enum refrain_status matrix_read(struct matrix *m, const char *path);

#endif
