/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts a rank in a communicator into a rank in the run.
 *
 * Ranks in a communicator are those of its group; of an intercommunicator, a peer's is that in the remote
 * group. Members of other worlds are in no trace of this one. */
#ifndef REFRAIN_GROUPS_H
#define REFRAIN_GROUPS_H

#include "decoder/trace/definitions.h"

struct groups {
    const struct definitions *definitions;
    uint32_t first_rank, n_ranks;
    int64_t world, self;     /* handle slots of the constants */
    struct map by_position;  /* hash of (communicator, side, rank in it) -> member */
    ARRAY(uint32_t) members; /* of each communicator, on both sides, as far as the trace has them */
};

/* A communicator as one of its members sees it. */
struct group_view {
    int64_t comm;   /* a handle slot: constants as they are, others with the number in the whole run */
    uint32_t owner; /* for MPI_COMM_SELF, which each process has its own of: the process; otherwise 0 */
    uint32_t rank;  /* rank in the run whose view this is */
    uint32_t n;     /* members of both groups that the trace has */
    bool inter, second;
};

#define GROUPS_NOBODY (-1) /* no process of this trace */

/* The definitions must stay valid. */
enum refrain_status groups_create(struct groups *g, const struct reader *r, const struct definitions *d);
void groups_free(struct groups *g);

/* Finds the communicator that `slot` means for this rank. Returns false if it is not known. */
bool groups_view(const struct groups *g, uint32_t rank, int64_t slot, struct group_view *out);
/* Returns the rank in the run of a peer: number `rank` of the group, or of the remote group. GROUPS_NOBODY if
 * the trace does not contain it. */
int64_t groups_peer(const struct groups *g, const struct group_view *v, int64_t rank);

#endif
