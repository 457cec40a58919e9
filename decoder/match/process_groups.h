/* SPDX-License-Identifier: BSD-3-Clause */
/* What the groups of a rank (MPI_Group) are: which processes, in which order. Epochs of MPI_Win_start and
 * MPI_Win_post are between the members of one.
 *
 *     MPI_Comm_group(MPI_COMM_WORLD, group0)         0 1 2 3
 *     MPI_Group_incl(group0, [3, 1], group1)         3 1
 *     MPI_Group_difference(group0, group1, group2)   0 2
 *
 * Found by following the calls that make groups. Equal groups are kept once, and until the end: an epoch
 * outlives the handle. */
#ifndef REFRAIN_PROCESS_GROUPS_H
#define REFRAIN_PROCESS_GROUPS_H

#include "src/core/base/array.h"
#include "src/core/base/map.h"

struct process_group {
    size_t n;
    int64_t *ranks; /* in the run; OPERATION_OUTSIDE for a process that is not in it */
};

struct process_groups {
    struct map by_hash;   /* of the members -> number */
    struct map by_handle; /* number of the handle -> number; those that are not known are not there */
    ARRAY(struct process_group *) groups;
};

/* A call of a function with ROLE_GROUP (role.h); false when memory is short. */
struct taking;
bool process_groups_take(struct process_groups *g, const struct taking *t);
/* NULL for one that is not known, and for the predefined ones, which have no members. */
const struct process_group *process_groups_find(const struct process_groups *g, int64_t handle);
void process_groups_free(struct process_groups *g);

#endif
