/* SPDX-License-Identifier: BSD-3-Clause */
/* Patterns of communication: a library of lines, each of which stands for a topology at any number of nodes.
 *
 *     grid: lattice                                  a grid of any number of dimensions, each periodic or not
 *     6-point stencil: lattice (1,0) (0,1) (1,-1)    a lattice in which each node has these neighbours, and
 *                                                    the opposite ones; coordinates are x first
 *     diagonal: square torus lattice (1,1)           as many nodes in each direction; all periodic
 *     3-ary tree: tree 3
 *     star: star                                     one of the rules that pattern_rules.h has
 *
 * candidate.h has patterns at one size. */
#ifndef REFRAIN_PATTERN_H
#define REFRAIN_PATTERN_H

#include "graph.h"
#include "src/core/base/bytes.h"

enum { PATTERN_DIMS = 4, PATTERN_OFFSETS = 40 };

enum pattern_kind {
    PATTERN_GRID,    /* lattice of unit offsets in any number of dimensions */
    PATTERN_STENCIL, /* lattice with the offsets of its line */
    PATTERN_RULE,    /* see pattern_rules.h */
};

struct pattern {
    char *name;
    enum pattern_kind kind;
    /* of a stencil */
    bool square, torus_only, grid_only;
    unsigned n_dims, n_offsets;
    int8_t offsets[PATTERN_OFFSETS][PATTERN_DIMS];
    /* of a rule */
    unsigned rule;  /* in pattern_rules */
    uint32_t arity; /* 0: every arity, or the rule has none */
};

struct pattern_library {
    struct pattern *items;
    size_t n, cap;
};

/* Creates the library of built-in patterns, in order of preference of their names. */
enum refrain_status pattern_library_create(struct pattern_library *l);
void pattern_library_free(struct pattern_library *l); /* also of a zeroed struct */
/* Adds a user's patterns before the existing ones, so that they are preferred. Empty lines, and text after #,
 * are ignored. */
enum refrain_status pattern_library_read(struct pattern_library *l, const char *path);

#endif
