/* SPDX-License-Identifier: BSD-3-Clause */
/* Patterns that are no lattices: each is a rule that says which edges n nodes have. */
#ifndef REFRAIN_PATTERN_RULES_H
#define REFRAIN_PATTERN_RULES_H

#include "pattern.h"

struct pattern_rule {
    const char *word; /* in the library */
    /* Some rules have a number, the arity, which the library's line says; if it does not, each up to
     * `most_arity` is a candidate. 0: takes none, and is given 0. */
    uint32_t most_arity;
    bool splits; /* so many nodes against the others: their numbers are the name */
    bool (*exists)(uint32_t n, uint32_t arity);          /* can there be n nodes? */
    uint64_t (*count_edges)(uint32_t n, uint32_t arity); /* NULL: they are made to be counted */
    enum refrain_status (*put_edges)(uint32_t n, uint32_t arity, struct graph_edges *edges);
};

#define ARITY_ANY UINT32_MAX /* as most_arity: up to half of the nodes */

extern const struct pattern_rule pattern_rules[];
extern const size_t n_pattern_rules;

/* Of the pattern of NAS CG: a node's place in the transposed matrix. */
uint32_t pattern_transposed(uint32_t n, uint32_t node);

#endif
