/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests that are no messages, though their statuses have bytes: of files, and generalized ones. Who sums
 * up statuses has to leave these out.
 *
 *     MPI_File_iread(…, request=req3)     3 is a number of other requests of this thread for good,
 *     MPI_Wait(req3, {bytes=64})          so these 64 bytes are none of a message
 *
 * A number belongs to the call site that made it first (src/core/base/id_allocator.h): no message has it,
 * before or after. So no call but the makers' has to be looked at, and of these each number once. */
#ifndef REFRAIN_OTHER_REQUESTS_H
#define REFRAIN_OTHER_REQUESTS_H

#include "decoder/trace/definitions.h"
#include "role.h"

struct other_request {
    uint32_t rank, thread; /* number of the lane */
    uint64_t number;
};

struct other_requests {
    const struct definitions *definitions;
    struct map by_hash; /* of an item -> its place */
    ARRAY(struct other_request) items;
};

/* In time of the trace's size and of the numbers, not of the calls. The definitions have to stay. */
enum refrain_status other_requests_find(struct other_requests *o, const struct reader *r,
                                        const struct definitions *d, const struct roles *roles);
/* Is it one of them? `handle` as a call of the rank's thread has it. */
bool other_requests_have(const struct other_requests *o, uint32_t rank, uint32_t thread, int64_t handle);
void other_requests_free(struct other_requests *o);

#endif
