/* SPDX-License-Identifier: BSD-3-Clause */
/* What the program says of its topology by refrain_topology_cart. */
#ifndef REFRAIN_OWN_TOPOLOGY_H
#define REFRAIN_OWN_TOPOLOGY_H

#include "recorded_topology.h"

/* Adds it as a topology of MPI_COMM_WORLD. One that not all ranks have a place of their own in is left out: it is nothing to
 * compare with. */
enum refrain_status own_topology_add(struct declared *to, const struct reader *r,
                                     const struct communicators *c);

#endif
