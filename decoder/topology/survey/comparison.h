/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the topology that a program gave a communicator with its communication. */
#ifndef REFRAIN_COMPARISON_H
#define REFRAIN_COMPARISON_H

#include "recorded_topology.h"
#include "survey.h"

struct comparison {
    const struct recorded_topology *of;
    const struct comm_members *comm;
    bool
        agrees; /* the communication has this topology, or is a stencil on its coordinates, or lacks only some
                   of its periods */
    bool elsewhere; /* the user gave other coordinates */
    uint64_t edges; /* edges of the declared topology */
    uint64_t used;  /* those of them that the communication uses */
    uint64_t extra; /* edges of the communication that the declared topology does not have */
};

struct comparisons {
    ARRAY(struct comparison) items;
};

/* Compares all declared topologies of communicators with the same processes; equal ones only once. *given
 * gets the coordinates of the first Cartesian topology that agrees (then *agrees is set); if none agrees, of
 * the first Cartesian topology. `known` are coordinates of the user, or NULL. The caller frees *given. */
enum refrain_status comparisons_create(struct comparisons *c, const struct traffic *t, const struct graph *g,
                                       const struct declared *d, const struct communicators *comms,
                                       const struct pattern_library *l, const struct placement *known,
                                       struct placement *given, bool *agrees);

/* If the user knows no coordinates (placement->n_dims is 0), *placement gets the program's coordinates. If no
 * declared topology agrees, choice->where_exact is set: the coordinates then count only for communication
 * that is exactly a lattice on them. Does nothing if the program declares no topology. */
enum refrain_status comparisons_choose(struct comparisons *c, const struct traffic *t,
                                       const struct declared *d, const struct communicators *comms,
                                       const struct pattern_library *l, struct placement *placement,
                                       struct survey_choice *choice);
/* Returns the origin of a survey's topology, such as "MPI_Cart_create", if comparisons_choose chose it;
 * otherwise NULL. */
const char *comparisons_origin(const struct comparisons *c, const struct survey_choice *choice);

/* "8x2 grid by MPI_Cart_create, comm0: …" */
void comparison_put(const struct comparison *c, struct bytes *out);

#endif
