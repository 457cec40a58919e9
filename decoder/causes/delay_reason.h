/* SPDX-License-Identifier: BSD-3-Clause */
/* Why some wait: what costs most of it, in a line.
 *
 *     because rank 3 (80 %), ranks 1-2 compute 4.3 times as long between MPI_Recv (p.c:13) and MPI_Send (p.c:18) (explains 58 %: …)
 *     without that delay the run would take 6.911 s instead of 7.790 s
 *
 * That somebody is longer there than those who wait may come about in several ways (enum reason_kind), which are to be mended in
 * different ways. */
#ifndef REFRAIN_DELAY_REASON_H
#define REFRAIN_DELAY_REASON_H

#include "delays_text.h"

enum reason_kind {
    REASON_LONGER, /* some have more to do than others */
    REASON_ALTERNATES, /* a different one has, each time: those who are late wait as long as others, at other times */
    REASON_SERIALIZED, /* all have the same to do, but those who wait cannot do it meanwhile */
    REASON_TRANSFER    /* a call takes long in which nobody waits for another call any more */
};

/* What would have to be otherwise, for nobody to wait because of it, and how long the run takes then (removals.h). */
struct removal {
    bool any;              /* somebody makes them wait */
    enum reason_kind kind; /* REASON_SERIALIZED: they would not wait; otherwise … */
    uint32_t place;        /* … this would be shorter, a critical_key >> 32 */
    uint64_t run, without; /* ns: the run, from MPI_Init on, and without it; 0 and 0: not known */
};

/* Whose reason. */
struct reason_request {
    uint32_t site, kinds;    /* waiting in calls at this site, of these kinds (EVENTS of wait_event.h), … */
    uint64_t time;           /* … in all so long: ns, … */
    const uint64_t *by_lane; /* … and of each lane */
    const struct removal *without; /* NULL: that is not known */
};

/* All but `run` and `without`. */
enum refrain_status delays_find_removal(const struct delays *d, const struct causes_view *v,
                                        const struct reason_request *r, struct removal *out);

/* Nothing, if nobody makes them wait. */
enum refrain_status delays_put_reason(const struct delays *d, const struct causes_view *v,
                                      const struct reason_request *r, struct bytes *out);
/* The same as a member of the open object; null, if nobody makes them wait. */
enum refrain_status delays_put_reason_json(const struct delays *d, const struct causes_view *v,
                                           const struct reason_request *r, const char *name, struct json *j);

#endif
