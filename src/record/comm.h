/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators: how many processes they have, and names for them on which all members agree without any
 * message.
 *
 * Creation of a communicator is collective, in the same order on all members. So (creating function, parent,
 * number of the creation on that parent, first member) names it, and every member can work that out alone.
 * Where only the members of the new communicator take part, the number counts the creations by the same
 * function, of the same parent, with the same tag and members, and a hash of the last two stands beside it: two
 * groups may have tag and first member in common.
 *
 * A number that is free again keeps its name, and goes to a communicator of the same function, parent and
 * members: so a loop that makes and frees one needs one. All members give the same communicator the same of
 * these names if all have seen the same creations and deletions before. That is so where one thread of a
 * process is in MPI at a time. With MPI_THREAD_MULTIPLE nothing orders the deletion of one communicator and the
 * creation of another, and no number goes to a second communicator:
 *
 *     rank 0, thread 1   free comm1 ──┐                       rank 1, thread 1              ┌── free comm1
 *             thread 0                └── dup: comm2, not 1           thread 0   dup: comm2 ┘
 *
 * For threads that are inside the tracer (thread.h). What is known of a communicator changes only in calls
 * that the program may not make at the same time. */
#ifndef REFRAIN_COMM_H
#define REFRAIN_COMM_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/core/base/status.h"

struct comm {
    int64_t slot;    /* of its handle */
    int size, rank;  /* of and in the local group */
    int remote_size; /* -1: no intercommunicator */
    int64_t leader;  /* rank in MPI_COMM_WORLD of the local group's first member; -1: it is not in there */
    int64_t remote_leader;     /* of the remote group's; -1 also where there is none */
    uint64_t members;          /* hash of the world ranks of both groups, the same on both sides */
    _Atomic uint64_t sequence; /* how many communicators were made of this number collectively */
};

/* What is known of a communicator that the application passes; NULL if it is none (then MPI must not be asked
 * about it: that would call the application's error handler). */
struct comm *comm_find(MPI_Comm comm);

/* Arrays by communicator (lengths.def). The number of elements, or ARRAY_UNUSED if the communicator is none.
 */
int64_t comm_members(MPI_Comm comm); /* of the local group */
int64_t comm_peers(MPI_Comm comm); /* that a collective talks to: the remote group of an intercommunicator */
int64_t comm_dims(MPI_Comm comm);  /* Cartesian dimensions */
int64_t comm_nodes(MPI_Comm comm); /* of its graph */
int64_t comm_edges(MPI_Comm comm);
int64_t comm_neighbors(MPI_Comm comm, int rank); /* in its graph */
int64_t comm_in_degree(MPI_Comm comm);
int64_t comm_out_degree(MPI_Comm comm);
bool comm_is_weighted(MPI_Comm comm);
bool comm_is_root(MPI_Comm comm, int root); /* is this process the one that `root` names? */

/* What MPI says of a communicator; the slot stays 0. */
enum refrain_status comm_describe(MPI_Comm comm, struct comm *out);
/* Remembers what a symbol, c->slot, stands for. */
enum refrain_status comm_enter(const struct comm *c);
/* How many communicators with these members and tag, and of the same origin, there were before: to be told
 * apart from those with others, the number has a hash of members and tag in its upper bits. `origin` is what
 * else is in the name, and may be this process's own number for it. */
enum refrain_status comm_count_by_members(const struct comm *c, uint64_t tag, uint64_t origin,
                                          uint64_t *sequence);

/* Once MPI is up: MPI_COMM_WORLD and MPI_COMM_SELF. */
enum refrain_status comm_start(void);
void comm_clear(void);

#endif
