/* SPDX-License-Identifier: BSD-3-Clause */
/* The communicators of a run and their members. Communicators that one call made on different processes have
 * the same origin; for example, the rows of a grid, made by MPI_Comm_split. */
#ifndef REFRAIN_COMMUNICATORS_H
#define REFRAIN_COMMUNICATORS_H

#include "decoder/trace/definitions.h"

struct comm_members {
    int64_t comm;         /* as in group_view (decoder/call/groups.h) */
    uint32_t n;           /* members that the trace has, of both groups */
    uint32_t *ranks;      /* in the run, in the order of the communicator */
    const char *function; /* the function that made it; NULL: it exists from the beginning */
    uint64_t origin;      /* equal for communicators that the same calls made */
};

struct communicators {
    ARRAY(struct comm_members) items; /* MPI_COMM_WORLD first, then by number */
};

/* The reader must outlive *c. */
enum refrain_status communicators_create(struct communicators *c, const struct reader *r,
                                         const struct definitions *d);
void communicators_free(struct communicators *c); /* also of a zeroed struct */

/* "MPI_COMM_WORLD", "comm3" */
void communicators_put_name(const struct comm_members *s, struct bytes *out);
/* Returns the communicator with this name or number (3 is comm3). NULL, and the error is logged, if there is
 * none. */
const struct comm_members *communicators_find(const struct communicators *c, const char *text);
/* Returns the index of a communicator in `items`; `comm` is as in group_view. UINT32_MAX: none. */
uint32_t communicators_index(const struct communicators *c, int64_t comm);

#endif
