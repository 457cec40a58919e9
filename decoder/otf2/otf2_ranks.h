/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks of an export, and their ranks in each communicator.
 *
 *     ranks of the run      0  1  2  3  4  5        exported with --rank 1,4-5
 *     locations                0        1  2        the group COMM_LOCATIONS
 *     comm0 {5, 3, 4}       5 -> 0, 4 -> 1          by rank in the communicator: locations 2, 1
 *
 * Groups are lists of locations, and ranks in a communicator are those among its exported members. So an
 * archive is closed: a rank in it is always one of its own. Communicators are numbered: MPI_COMM_WORLD,
 * MPI_COMM_SELF, then, in the order of the run, those that have members here.
 *
 * An intercommunicator is one communicator of both groups, the first group's members first: OTF2 3.0 has a
 * definition for it that its own Python bindings, and so tools that are built on these, cannot read. */
#ifndef REFRAIN_OTF2_RANKS_H
#define REFRAIN_OTF2_RANKS_H

#include "decoder/trace/definitions.h"
#include "decoder/trace/ranges.h"

#define OTF2_NOBODY UINT32_MAX /* no rank, no location, no communicator */
enum { OTF2_COMM_WORLD, OTF2_COMM_SELF, OTF2_COMM_FIRST };

struct otf2_comm {
    uint32_t id;         /* OTF2_NOBODY: without members here, or some member's record is not in the trace */
    uint32_t parent;     /* id, smaller than its own; OTF2_NOBODY: none that is known */
    uint32_t n;          /* members that are exported */
    uint32_t *members;   /* their locations, by rank in the communicator */
    uint32_t *sorted;    /* locations and positions in `members` by turns, ascending by location */
    uint32_t n_all;      /* exported or not */
    uint32_t *positions; /* of each of these in `members`; OTF2_NOBODY: not exported */
    uint32_t n_first;    /* of the first group of an intercommunicator; otherwise n_all */
};

struct otf2_ranks {
    const struct reader *reader;
    const struct definitions *definitions;
    uint32_t n;          /* locations */
    uint32_t *ranks;     /* of each, ascending */
    uint32_t *locations; /* by rank of the run; OTF2_NOBODY: not exported */
    int64_t world, self; /* the handles of these communicators, -1: the run does not use it */
    uint32_t n_comms;
    struct otf2_comm *comms;  /* by number in the run */
    uint32_t n_ids, *numbers; /* number of each id from OTF2_COMM_FIRST on */
};

/* If `chosen` has no items, all ranks are exported. */
enum refrain_status otf2_ranks_create(struct otf2_ranks *x, const struct reader *r,
                                      const struct definitions *d, const struct ranges *chosen);
void otf2_ranks_free(struct otf2_ranks *x);

/* Returns the location of a rank of the run; OTF2_NOBODY if the rank is not exported or does not exist. */
uint32_t otf2_location(const struct otf2_ranks *x, int64_t rank);
/* The communicator that a handle means, which is a constant, or has the communicator's number in the run as
 * struct group_view has it (groups.h); OTF2_NOBODY if it is none, or not known. */
uint32_t otf2_comm(const struct otf2_ranks *x, int64_t handle);
/* Returns the rank in a communicator for a rank of the run; OTF2_NOBODY if it is not an exported member. */
uint32_t otf2_rank_in(const struct otf2_ranks *x, uint32_t comm, int64_t rank);
/* The root of a collective operation by `rank`: number `root` in the communicator, or in its remote group. */
uint32_t otf2_root_in(const struct otf2_ranks *x, uint32_t comm, uint32_t rank, int64_t root);

#endif
