/* SPDX-License-Identifier: BSD-3-Clause */
/* The communicators of a run, each on its own, summed up:
 *
 *     8 of MPI_Comm_split, 8 ranks each: 8-node ring       the rows of a grid
 *
 * Those that the same calls made, with as many members and equal topologies, are one class. */
#ifndef REFRAIN_SEPARATELY_H
#define REFRAIN_SEPARATELY_H

#include "recorded_topology.h"
#include "survey.h"

struct comm_class {
    const struct comm_members *first;
    char *name; /* of the topology, or of all of them if ranks do not hang together */
    struct traffic_sum sum;
    ARRAY(uint32_t) comms; /* indices in the communicators */
};

struct separately {
    ARRAY(struct comm_class) classes; /* in the order of their first communicators */
};

/* Cells of m with labels. Communicators without messages are in no class. Coordinates are those of the communicator's
 * own Cartesian topology, or what its members have of those that `choice` knows of all ranks, where its communication
 * is a lattice on them. */
enum refrain_status separately_create(struct separately *s, const struct matrix *m,
                                      const struct communicators *c, const struct declared *declared,
                                      const struct pattern_library *l, const struct survey_choice *choice);
void separately_free(struct separately *s); /* also of a zeroed struct */

#endif
