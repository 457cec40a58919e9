/* How many bytes of messages a call sends and receives, as far as its own record tells.
 *
 * Sent: count times the size of the datatype, as passed; counts of the v and w collectives are summed up, a
 * count that holds for every member of the communicator is taken once. Received: what the statuses say; for
 * collectives count times size again. A rooted collective has its root-only side at the root. Nothing goes to
 * or comes from MPI_PROC_NULL, nothing is sent from MPI_IN_PLACE. Creating a persistent request moves
 * nothing, and neither do its starts, whose records do not name the message. Files count as partners: written
 * is sent, read is received. */
#ifndef REFRAIN_VOLUME_H
#define REFRAIN_VOLUME_H

#include "cursor.h"
#include "definitions.h"

struct volume {
    uint64_t sent, received;
};

/* The rules that concern one function, found once. */
struct volume_rule;
struct volume_plan {
    const struct volume_rule *rules[8];
    unsigned n;
    bool statuses; /* do statuses tell what was received? */
};
void volume_plan(struct volume_plan *plan, const char *function);

/* For a call of `rank`. used[i] is set for each slot that the result depends on (used may be NULL), *personal
 * if it depends on the rank beyond its slots. */
enum refrain_status volume_of(const struct volume_plan *plan, const struct reader *r,
                              const struct definitions *d, const struct call *call, bool *used,
                              bool *personal, struct volume *out);

#endif
