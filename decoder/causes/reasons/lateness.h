/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares what the late lanes of a reason do at its places, in the whole run, with what other lanes do there:
 *
 *     between MPI_Gather and MPI_Allreduce      rank 0 (late)   rank 1   rank 2   rank 3
 *                                                  285 ms        45 ms    45 ms    45 ms     6.3 times as long
 *
 * The delays (delays.h) do not show this: of a place they only have the times that made others wait. */
#ifndef REFRAIN_LATENESS_H
#define REFRAIN_LATENESS_H

#include "delay_reason.h"

struct lateness {
    /* Lanes that reach the first place, after the same call if the late ones have one in common. */
    size_t all, late, named; /* named: those of the reason; late ones with a small share are not */
    size_t n_others; /* of these, those that are not late; 0: the times below are of late lanes only */
    bool has_more;   /* others reach it, too, but mostly after another call */
    bool alike;      /* at each place, no late lane takes much longer than another one */
    bool comparable; /* others are there, or nobody who waits is missing there */
    /* In the whole run, ns: by a late lane, on average, and by most others: the median, so that other late lanes do
     * not count. Of several places, those with others. */
    uint64_t taken, usual;
    uint64_t times;                   /* how many times a late lane is there; 0: there are several places */
    struct preceding_longest longest; /* of these, of a single late lane that computes; otherwise 0 */
};

/* `waiting`: ns, by lane. Returns false when memory is short. */
bool lateness_find(struct lateness *out, const struct causes_view *v, const struct reason *r,
                   const uint64_t *waiting);

#endif
