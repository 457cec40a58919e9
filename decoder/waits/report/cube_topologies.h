/* SPDX-License-Identifier: BSD-3-Clause */
/* The topologies of a run for CUBE: those that the program has recorded, and the one that was identified or given. */
#ifndef REFRAIN_CUBE_TOPOLOGIES_H
#define REFRAIN_CUBE_TOPOLOGIES_H

#include "decoder/cube/cube.h"
#include "src/core/base/array.h"
#include "waits_topology.h"

struct cube_topologies {
    ARRAY(struct cube_topology) items;
    ARRAY(char *) names;
    ARRAY(uint32_t *) coordinates;
};

/* Of ranks; a rank's first thread alone has its place. */
enum refrain_status cube_topologies_create(struct cube_topologies *c, const struct waits_topology *t,
                                           const struct cube_location *locations, size_t n);
void cube_topologies_free(struct cube_topologies *c); /* also of a zeroed struct */

#endif
