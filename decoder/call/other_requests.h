/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests that are no messages although their statuses have bytes: file requests and generalized requests.
 * Sums over statuses must leave them out.
 *
 *     MPI_File_iread(…, request=req3)     3 is a number of other requests of this thread for good,
 *     MPI_Wait(req3, {bytes=64})          so these 64 bytes are none of a message
 *
 * A number belongs to the call site that made it first (src/core/base/id_allocator.h): no message has it,
 * before or after. So only the calls that make such requests are examined, once for each number. */
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

/* Time grows with the size of the trace and with the numbers, not with calls. The definitions must stay
 * valid. */
enum refrain_status other_requests_find(struct other_requests *o, const struct reader *r,
                                        const struct definitions *d, const struct roles *roles);
/* Is `handle`, in a call of this thread, such a request? */
bool other_requests_have(const struct other_requests *o, uint32_t rank, uint32_t thread, int64_t handle);
void other_requests_free(struct other_requests *o);

#endif
