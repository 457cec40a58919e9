/* SPDX-License-Identifier: BSD-3-Clause */
/* The topologies of single communicators, in classes:
 *
 *     8 of MPI_Comm_split, 8 ranks each: 8-node ring       the rows of a grid
 *
 * Communicators that the same calls made are one class if they have equally many members and equal
 * topologies. */
#ifndef REFRAIN_SEPARATELY_H
#define REFRAIN_SEPARATELY_H

#include "recorded_topology.h"
#include "survey.h"

struct comm_class {
    const struct comm_members *first;
    char *name; /* name of the topology; names of all components if the messages do not connect all members */
    struct traffic_sum sum;
    ARRAY(uint32_t) comms; /* indices in the communicators */
};

struct separately {
    ARRAY(struct comm_class) classes; /* in the order of their first communicators */
};

/* Finds the classes. The cells of m must have labels. Communicators without messages are in no class.
 * Coordinates are those of the communicator's own Cartesian topology, otherwise those of its members in
 * `choice`. They are used only if the communication is exactly a lattice on them. */
enum refrain_status separately_create(struct separately *s, const struct matrix *m,
                                      const struct communicators *c, const struct declared *declared,
                                      const struct pattern_library *l, const struct survey_choice *choice);
void separately_free(struct separately *s); /* also of a zeroed struct */

#endif
