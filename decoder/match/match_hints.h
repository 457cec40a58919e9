/* SPDX-License-Identifier: BSD-3-Clause */
/* Hints for the next walk over all messages (matching.h, in_order): the fates of operations that this walk
 * learned too late.
 *
 *     17  MPI_Irecv(source=ANY)   request 0            call 90 shows which message call 17 takes; before,
 *     18  MPI_Irecv(source=2)     request 1            the message of call 18 is not known either, nor the
 *     40  MPI_Wait(request 1)                          send on which call 40 depends
 *     90  MPI_Wait(request 0)     from 2, tag 5        -> fate of call 17: a message from 2, tag 5
 *
 * The next walk knows the fates of receives that were overtaken like call 17, and of cancelled operations. It
 * learns the other fates in time. Most programs need few hints; at most MATCH_HINTS_MAX are kept. */
#ifndef REFRAIN_MATCH_HINTS_H
#define REFRAIN_MATCH_HINTS_H

#include "decoder/match/stream/operation.h"
#include "src/core/base/map.h"

#define MATCH_HINTS_MAX 1000000

struct fate {
    struct operation_post {
        uint64_t call;
        uint32_t rank, thread, nth;
        bool sends; /* false: it receives */
    } post;
    bool taken; /* false: it is no part of any message */
    int64_t peer, tag;
};

/* A zeroed struct is empty. */
struct match_hints {
    bool known; /* an earlier walk is complete */
    struct map by_post;
    ARRAY(struct fate) fates;
};

void match_hints_free(struct match_hints *f);
/* Adds the fate of the operation that `completion` completes. Returns false when memory is short. */
bool match_hints_add(struct match_hints *f, const struct operation *completion, bool taken);
/* Returns the fate of an operation that begins; NULL: not known. Valid until the next match_hints_add. */
const struct fate *match_hints_find(const struct match_hints *f, const struct operation *op);

#endif
