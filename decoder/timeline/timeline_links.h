/* SPDX-License-Identifier: BSD-3-Clause */
/* Links between calls of a timeline (matching.h): both ends of a message, and the calls of a collective
 * operation.
 *
 *     rank 0   ..[Send].......[Barrier   ]..      message: from where MPI_Send began to where the call ended
 *                  \           |        |                  that completed the receive
 *     rank 1   ...[Recv]...........[Barrier]      band: enter and leave of each member
 *
 * Only calls that are kept one by one have a position. So a timeline has links only if it keeps all calls. */
#ifndef REFRAIN_TIMELINE_LINKS_H
#define REFRAIN_TIMELINE_LINKS_H

#include "decoder/trace/definitions.h"
#include "timeline.h"

struct timeline_message {
    uint32_t from, to;       /* lines */
    uint64_t sent, received; /* nanoseconds */
};

struct timeline_member {
    uint32_t line;
    uint64_t enter, leave;
};

struct timeline_links {
    ARRAY(struct timeline_message) messages;
    ARRAY(struct timeline_member) members; /* band i has those from bands[i] on, to bands[i + 1] or the end */
    ARRAY(size_t) bands;
    uint64_t n_messages, n_bands; /* in the trace; if they exceed the limit, none are kept */
    bool left_out;                /* not looked for, because not all calls are kept */
};

/* Finds at most `most` messages, and at most `most` bands of two or more members. */
enum refrain_status timeline_links_create(struct timeline_links *x, const struct timeline *t,
                                          const struct definitions *d, size_t most);
void timeline_links_free(struct timeline_links *x); /* also of a zeroed struct */
size_t timeline_band_size(const struct timeline_links *x, size_t band);
/* Appends notes about links that are left out, one sentence per line. */
void timeline_links_notes(const struct timeline_links *x, struct bytes *out);

#endif
