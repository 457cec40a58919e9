/* SPDX-License-Identifier: BSD-3-Clause */
/* Hints for the next walk over all messages (matching.h, in_order): what became of those of which this walk
 * has found out too late for itself.
 *
 *     17  MPI_Irecv(source=ANY)   request 0            until call 90 nobody knows what it takes, so that
 *     18  MPI_Irecv(source=2)     request 1            nobody knows either which message of rank 2 call 40
 *     40  MPI_Wait(request 1)                          has, and what came of that
 *     90  MPI_Wait(request 0)     from 2, tag 5        -> fate of call 17: it takes one from 2, tag 5
 *
 * The next walk knows the fates of receives that were overtaken like this, and of what was cancelled. Others
 * it finds out in time. There are few in most programs; no more than so many are kept. */
#ifndef REFRAIN_MATCH_HINTS_H
#define REFRAIN_MATCH_HINTS_H

#include "operation.h"
#include "src/core/base/map.h"

#define MATCH_HINTS_MAX 1000000

struct fate {
    struct operation_post {
        uint64_t call;
        uint32_t rank, thread, nth;
        bool sends; /* or receives */
    } post;
    bool taken; /* otherwise it has no part in any message */
    int64_t peer, tag;
};

/* Zeroed it is empty. */
struct match_hints {
    bool known; /* a walk has come to its end */
    struct map by_post;
    ARRAY(struct fate) fates;
};

void match_hints_free(struct match_hints *f);
/* Of a completion. False when memory is short. */
bool match_hints_add(struct match_hints *f, const struct operation *completion, bool taken);
/* Of an operation that begins; NULL: nothing is known. Valid until the next is added. */
const struct fate *match_hints_find(const struct match_hints *f, const struct operation *op);

#endif
