/* SPDX-License-Identifier: BSD-3-Clause */
/* The topology on which waiting is reported: a survey of the messages, and the grid for the search. */
#ifndef REFRAIN_WAITS_TOPOLOGY_H
#define REFRAIN_WAITS_TOPOLOGY_H

#include "decoder/topology/survey/recorded_topology.h"
#include "decoder/topology/survey/survey.h"
#include "decoder/waits/values/wait_grid.h"

struct waits_topology {
    /* The caller's: */
    const char *origin; /* source of the topology: "given", "MPI_Cart_create", "identified" */
    bool recorded;      /* it is the program */
    const struct survey *survey;
    const struct declared *declared;
    const struct communicators *communicators;
    /* Made of these: */
    struct wait_grid grid; /* of no dimensions: the ranks form none */
};

enum refrain_status waits_topology_create(struct waits_topology *t);
void waits_topology_free(struct waits_topology *t); /* also of a zeroed struct */

/* "4x2 grid (identified)" */
void waits_topology_put_name(const struct waits_topology *t, struct bytes *out);
/* "x-1 (west)", "x-1 y+1 (south-west)", "further away" */
void waits_topology_put_direction(const struct wait_grid *g, uint32_t direction, struct bytes *out);

/* Roles: the corners first, the interior last. */
enum waits_role { WAITS_CORNER, WAITS_EDGE, WAITS_FACE, WAITS_INTERIOR, WAITS_NOWHERE, WAITS_ROLES };
extern const char *const waits_roles[WAITS_ROLES];
enum waits_role waits_role_of(const struct wait_grid *g, uint32_t rank);

#endif
