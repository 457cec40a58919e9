/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks of an export, and their ranks in each communicator.
 *
 *     ranks of the run      0  1  2  3  4  5        exported with --rank 1,4-5
 *     locations                0        1  2        the group COMM_LOCATIONS
 *     comm0 {5, 3, 4}       5 -> 0, 4 -> 1          by rank in the communicator: locations 2, 1
 *
 * Groups are lists of locations. In a communicator, only exported members have ranks. So each rank that the
 * archive names belongs to one of its locations. Communicators are numbered: MPI_COMM_WORLD, MPI_COMM_SELF,
 * then all others with exported members, in the order of the run.
 *
 * An intercommunicator becomes one communicator of both groups, with the first group's members first. OTF2
 * 3.0 has a definition for intercommunicators, but its own Python bindings cannot read it, nor can the tools
 * that use these bindings. */
#ifndef REFRAIN_OTF2_RANKS_H
#define REFRAIN_OTF2_RANKS_H

#include "decoder/trace/definitions.h"
#include "decoder/trace/ranges.h"

#define OTF2_NOBODY UINT32_MAX /* no rank, no location, no communicator */
enum { OTF2_COMM_WORLD, OTF2_COMM_SELF, OTF2_COMM_FIRST };

struct otf2_comm {
    uint32_t id;         /* OTF2_NOBODY: no exported members, or the trace lacks a member's record */
    uint32_t parent;     /* id, smaller than this id; OTF2_NOBODY: no known parent */
    uint32_t n;          /* exported members */
    uint32_t *members;   /* locations of the exported members, by rank in the communicator */
    uint32_t *sorted;    /* pairs of a location and its position in `members`, ascending by location */
    uint32_t n_all;      /* all members, exported or not */
    uint32_t *positions; /* by member of n_all: its position in `members`; OTF2_NOBODY: not exported */
    uint32_t n_first;    /* members of n_all in the first group of an intercommunicator; otherwise n_all */
};

struct otf2_ranks {
    const struct reader *reader;
    const struct definitions *definitions;
    uint32_t n;          /* locations */
    uint32_t *ranks;     /* by location: its rank of the run, ascending */
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
/* Returns the communicator of a handle. The handle is a constant, or has the communicator's number in the
 * run, as in struct group_view (groups.h). OTF2_NOBODY if the handle is no communicator, or not known. */
uint32_t otf2_comm(const struct otf2_ranks *x, int64_t handle);
/* Returns the rank in a communicator for a rank of the run; OTF2_NOBODY if that rank is not an exported
 * member. */
uint32_t otf2_rank_in(const struct otf2_ranks *x, uint32_t comm, int64_t rank);
/* Returns the exported rank of the root in a collective operation that `rank` takes part in. `root` is the
 * root's number in the communicator, or in its remote group. */
uint32_t otf2_root_in(const struct otf2_ranks *x, uint32_t comm, uint32_t rank, int64_t root);

#endif
