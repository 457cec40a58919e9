/* SPDX-License-Identifier: BSD-3-Clause */
/* The process groups (MPI_Group) of a rank: their processes, in order. MPI_Win_start and MPI_Win_post open
 * epochs between the members of a group.
 *
 *     MPI_Comm_group(MPI_COMM_WORLD, group0)         0 1 2 3
 *     MPI_Group_incl(group0, [3, 1], group1)         3 1
 *     MPI_Group_difference(group0, group1, group2)   0 2
 *
 * The members of a group follow from the calls that made it. Equal groups are stored once and kept until the
 * end, because an epoch may outlive the handle. */
#ifndef REFRAIN_PROCESS_GROUPS_H
#define REFRAIN_PROCESS_GROUPS_H

#include "decoder/call/groups.h"
#include "decoder/call/role.h"
#include "decoder/trace/cursor.h"

struct process_group {
    size_t n;
    int64_t *ranks; /* ranks in the run; OPERATION_OUTSIDE for a process outside the run */
};

struct process_groups {
    struct map by_hash;   /* of the members -> number */
    struct map by_handle; /* number of the handle -> number of the group; has no unknown groups */
    struct map by_view;   /* side of a communicator -> number of the group of all its processes */
    ARRAY(struct process_group *) groups;
};

/* A call of a function with ROLE_GROUP (role.h) that succeeded. */
struct group_maker {
    const struct reader *reader;
    const struct groups *groups;
    const struct call *call; /* function and slots */
    const struct role *role;
    uint32_t rank;
    const struct group_view *view; /* its communicator, or that of its window or file; NULL: unknown */
    int64_t handle;                /* of the group that it makes */
};

/* Takes such a call. Returns false when memory is short. */
bool process_groups_take(struct process_groups *g, const struct group_maker *maker);
/* From now on no handle is known: those of another rank follow. */
void process_groups_forget(struct process_groups *g);
/* The handle means no group from now on. */
void process_groups_remove(struct process_groups *g, int64_t handle);
/* Returns NULL for an unknown group and for the predefined groups, which have no members. */
const struct process_group *process_groups_find(const struct process_groups *g, int64_t handle);
void process_groups_free(struct process_groups *g);

#endif
