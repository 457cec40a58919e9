/* SPDX-License-Identifier: BSD-3-Clause */
/* The call sites of a trace as one tree of call paths, from the program to its MPI calls.
 *
 *     sites                                                      tree
 *     0  MPI_Send  exchange (halo.c:31) < main (app.c:80)         0 app
 *     1  MPI_Recv  exchange (halo.c:33) < main (app.c:80)         1   main
 *     2  MPI_Recv  exchange (halo.c:33) < main (app.c:95)         2     exchange, called at app.c:80
 *                                                                 3       MPI_Send, called at halo.c:31
 *                                                                 4       MPI_Recv, called at halo.c:33
 *                                                                 5     exchange, called at app.c:95
 *                                                                 6       MPI_Recv, called at halo.c:33
 *
 * Without call paths in the trace a site has the frame of its own call: the tree has three levels. */
#ifndef REFRAIN_CALL_PATHS_H
#define REFRAIN_CALL_PATHS_H

#include "decoder/trace/symbols.h"
#include "decoder/util/text_table.h"

struct call_path {
    uint32_t parent;   /* MAP_NONE: of the root alone */
    uint32_t function; /* a text of `functions` */
    uint32_t file;     /* of the call; a text of `files`, of which number 0 is "" */
    uint32_t line;     /* 0: not known */
};

struct call_paths {
    struct text_table functions; /* MPI's have MPI_ in front, others are as symbols.h has them */
    struct text_table files;
    ARRAY(struct call_path) items; /* depth first; [0] is the program */
    uint32_t *of_site;             /* the path of each site's calls */
};

/* `s` may be zeroed: then addresses stand for functions. */
enum refrain_status call_paths_create(struct call_paths *p, const struct trace *t, const struct symbols *s);
void call_paths_free(struct call_paths *p); /* also of a zeroed struct */

#endif
