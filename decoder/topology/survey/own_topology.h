/* SPDX-License-Identifier: BSD-3-Clause */
/* The topology that the program declares by refrain_topology_cart. */
#ifndef REFRAIN_OWN_TOPOLOGY_H
#define REFRAIN_OWN_TOPOLOGY_H

#include "recorded_topology.h"

/* Adds the declared topology as a topology of MPI_COMM_WORLD. The topology is left out if two ranks have the
 * same place, or a rank has none: the communication cannot be compared with it. */
enum refrain_status own_topology_add(struct declared *to, const struct reader *r,
                                     const struct communicators *c);

#endif
