/* SPDX-License-Identifier: BSD-3-Clause */
/* A profile in the form that CUBE reads: one number for each metric, call path and location.
 *
 *     metrics (a forest)        call paths (one tree)           locations
 *     0 time [sec]              0 app                            0 rank 0, thread 0, on node 0
 *     1   mpi                   1   solve   MPI_Allreduce        1 rank 1, thread 0, on node 0
 *     2     mpi_latesender      2   halo.c:31   MPI_Wait         2 rank 2, thread 0, on node 1
 *
 *     value(2, 2) = 0.0 0.3 0.0       seconds of late senders at halo.c:31, by location
 *
 * Values of a metric include the values of the metrics below it. Values of a call path do not include the
 * values of the call paths below it. The caller owns all texts. There are two formats: CUBE 3 is one XML
 * document; CUBE 4 is an archive of a document and the values. Both follow the behaviour of public
 * readers. */
#ifndef REFRAIN_CUBE_H
#define REFRAIN_CUBE_H

#include "src/core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CUBE_NONE UINT32_MAX

enum { CUBE_DIMS_MAX = 8 };

struct cube_metric {
    const char *name, *title, *unit, *description; /* unit: sec, occ or bytes */
    uint32_t parent;                               /* a metric before this one, or CUBE_NONE */
    bool is_count;                                 /* whole numbers; otherwise seconds */
};

struct cube_region {
    const char *name, *file; /* the file may be "" */
};

struct cube_call_path {
    uint32_t parent, region;
    const char *file; /* of the call; may be "" */
    uint32_t line;    /* 0: not known */
};

struct cube_location {
    uint32_t rank, thread, node;
};

struct cube_topology {
    const char *name;
    unsigned n_dims;
    uint32_t sizes[CUBE_DIMS_MAX];
    bool is_periodic[CUBE_DIMS_MAX];
    const uint32_t *coordinates; /* n_dims numbers for each location; if the first one is CUBE_NONE, the
                                    location has no place */
};

struct cube {
    const char *machine;
    const char *const *nodes;
    const struct cube_metric *metrics;
    const struct cube_region *regions;
    const struct cube_call_path *call_paths; /* depth first; [0] is the only root */
    const struct cube_location *locations;   /* by node, then by rank, then by thread */
    const struct cube_topology *topologies;
    size_t n_nodes, n_metrics, n_regions, n_call_paths, n_locations, n_topologies;
    /* Sets one number for each location. Returns false if all of these numbers are 0. */
    bool (*value)(const void *context, size_t metric, size_t call_path, double *values);
    const void *context;
};

/* Does the path end in .cube or .cubex? REFRAIN_ERR_USAGE if not. */
enum refrain_status cube_path_check(const char *path);
/* Writes a file: CUBE 4 if the path ends in .cubex, CUBE 3 if in .cube (cube_path_check). */
enum refrain_status cube_write(const struct cube *c, const char *path);

#endif
