/* SPDX-License-Identifier: BSD-3-Clause */
/* The call sites of a trace as a tree: functions that call functions, and at the ends those of MPI.
 *
 *     0 program
 *     1   main
 *     2     exchange     called in line 80
 *     3       MPI_Recv   called in line 31      <- site 5 */
#ifndef REFRAIN_WAITS_CALL_TREE_H
#define REFRAIN_WAITS_CALL_TREE_H

#include "decoder/trace/reader.h"
#include "decoder/trace/symbols.h"
#include "severities.h"

struct call_region {
    char *name; /* owned */
    bool is_mpi;
};

struct call_node {
    uint32_t parent; /* the root's is itself */
    uint32_t region;
    int line; /* of the call, in the caller; 0: not known */
};

struct call_tree {
    ARRAY(struct call_region) regions;
    ARRAY(struct call_node) nodes; /* parents before their children; the root is number 0 */
    uint32_t *of_site;             /* and, behind the last site, of what is at none: the root */
};

/* Of the sites that have values. */
enum refrain_status call_tree_create(struct call_tree *t, const struct reader *r, const struct symbols *s,
                                     const struct severities *values);
void call_tree_free(struct call_tree *t); /* also of a zeroed struct */

#endif
