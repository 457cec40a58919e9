/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators: their sizes, and names on which all members agree without any message.
 *
 * Creation of a communicator is collective, in the same order on all members. So the tuple (creating
 * function, parent, number of the creation on that parent, first member) names the communicator, and every
 * member can compute it alone. If only the members of the new communicator take part, the number counts
 * earlier creations by the same function, of the same parent, with the same tag and members. Two groups
 * may have the same tag and first member, so the number also contains a hash of tag and members.
 *
 * A freed number keeps its name, and is reused for the same function, parent and members. So a loop that
 * makes and frees a communicator needs only one number. Reuse needs all members to see the creations and
 * deletions in the same order. This holds if only one thread of a process is in MPI at a time. With
 * MPI_THREAD_MULTIPLE nothing orders the deletion of one communicator and the creation of another, so only
 * numbers of communicators with one member are reused:
 *
 *     rank 0, thread 1   free comm1 ──┐                       rank 1, thread 1              ┌── free comm1
 *             thread 0                └── dup: comm2, not 1           thread 0   dup: comm2 ┘
 *
 * Only threads inside the tracer (thread.h) may call these functions. The data of a communicator changes
 * only in calls that the program may not make at the same time. */
#ifndef REFRAIN_COMM_H
#define REFRAIN_COMM_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/core/base/status.h"

struct comm {
    int64_t slot;              /* slot of its handle */
    int size, rank;            /* size of the local group, rank in it */
    int remote_size;           /* -1: not an intercommunicator */
    int64_t leader;            /* rank of the local group's first member in MPI_COMM_WORLD; -1: not in it */
    int64_t remote_leader;     /* the same for the remote group; -1 also if there is no remote group */
    uint64_t members;          /* hash of the world ranks of both groups, the same on both sides */
    _Atomic uint64_t sequence; /* number of collective creations on all communicators of this number */
};

/* Look up a communicator that the application passes. NULL if it is not a communicator; then do not pass
 * it to MPI, which would call the application's error handler. */
struct comm *comm_find(MPI_Comm comm);

/* Lengths of arrays that depend on a communicator (lengths.def). Those that return int64_t
 * return a number of elements, or ARRAY_UNUSED if `comm` is not a communicator. */
int64_t comm_members(MPI_Comm comm); /* of the local group */
int64_t comm_peers(MPI_Comm comm);   /* members that a collective talks to (remote group if inter) */
int64_t comm_dims(MPI_Comm comm);    /* Cartesian dimensions */
int64_t comm_nodes(MPI_Comm comm);   /* nodes of its graph */
int64_t comm_edges(MPI_Comm comm);
int64_t comm_neighbors(MPI_Comm comm, int rank); /* in its graph */
int64_t comm_in_degree(MPI_Comm comm);
int64_t comm_out_degree(MPI_Comm comm);
bool comm_is_weighted(MPI_Comm comm);
bool comm_is_root(MPI_Comm comm, int root); /* is this process the one that `root` names? */

/* Ask MPI for the data of a communicator; out->slot stays 0. */
enum refrain_status comm_describe(MPI_Comm comm, struct comm *out);
/* Store the data of the communicator whose handle's slot is c->slot. */
enum refrain_status comm_enter(const struct comm *c);
/* Number of earlier communicators with the same members, tag and origin. Its upper bits are a hash of
 * members and tag, to distinguish it from communicators with other members or another tag. `origin` stands
 * for the other parts of the name; it need not be the same on all members. */
enum refrain_status comm_count_by_members(const struct comm *c, uint64_t tag, uint64_t origin,
                                          uint64_t *sequence);

/* Enter MPI_COMM_WORLD and MPI_COMM_SELF. MPI must be initialised. */
enum refrain_status comm_start(void);
void comm_clear(void);

#endif
