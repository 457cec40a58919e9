/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends of a lane, in the order in which its calls completed them. What became of a send is known when its receive
 * has been posted, in any order; it is used in the order of the calls, so that results do not depend on the order
 * of the walk:
 *
 *     call 3   Send    not known yet               the next one to be used
 *     call 7   Waitall 2 of 3 known
 *     call 9   Send    known                       waits for those before it
 *
 * A message that is never received would hold up all others: after WAIT_SENDS_MOST calls it is given up. */
#ifndef REFRAIN_WAIT_SENDS_H
#define REFRAIN_WAIT_SENDS_H

#include "decoder/match/matching.h"

#define WAIT_SENDS_MOST 1024

struct known_send {
    struct matching_sent sent;
    bool alone; /* its receiver was outside of MPI from before the call that completed it until the posting */
};

struct sending_call {
    uint64_t call;
    uint32_t left; /* sends of which nothing is known yet */
    ARRAY(struct known_send) known;
};

/* The calls from `first` on are open. */
struct wait_sends {
    struct sending_call *items;
    size_t n, cap, first;
};

void wait_sends_free(struct wait_sends *s); /* also of a zeroed struct */
/* The lane's last call completes one more send. Returns false when memory is short. */
bool wait_sends_expect(struct wait_sends *s, uint64_t call);
/* A send is known. Ignores sends that were given up. Returns false when memory is short. */
bool wait_sends_settle(struct wait_sends *s, const struct known_send *sent);
/* Returns the first call if all is known of its sends, or if it is given up; NULL: it has to be waited for.
 * `end`: the trace has ended, so nothing more will be known. */
const struct sending_call *wait_sends_ready(const struct wait_sends *s, bool end);
/* Removes the first call. */
void wait_sends_pop(struct wait_sends *s);

#endif
