/* SPDX-License-Identifier: BSD-3-Clause */
/* Patterns that are no lattices. Each pattern is a rule that makes the edges between n nodes. */
#ifndef REFRAIN_PATTERN_RULES_H
#define REFRAIN_PATTERN_RULES_H

#include "pattern.h"

struct pattern_rule {
    const char *word; /* in the library */
    /* Some rules have a number, the arity, which the library's line contains. If the line contains no arity,
     * every arity up to `most_arity` is a candidate. 0: the rule has no arity and is called with 0. */
    uint32_t most_arity;
    bool splits; /* the rule splits the nodes into two sets; their sizes are the name */
    bool (*exists)(uint32_t n, uint32_t arity);          /* can there be n nodes? */
    uint64_t (*count_edges)(uint32_t n, uint32_t arity); /* NULL: the edges are made and then counted */
    enum refrain_status (*put_edges)(uint32_t n, uint32_t arity, struct graph_edges *edges);
};

#define ARITY_ANY UINT32_MAX /* as most_arity: up to half of the nodes */

extern const struct pattern_rule pattern_rules[];
extern const size_t n_pattern_rules;

/* Returns a node's place in the transposed matrix, in the pattern of NAS CG. */
uint32_t pattern_transposed(uint32_t n, uint32_t node);

#endif
