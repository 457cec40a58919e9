/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds a lane that computes longer than others regularly. Delays (delays.h) also contain what happens now and then:
 * a lane that the system stops, a page fault, an interrupt. On a busy machine that is most of them, and hides a
 * smaller excess that comes each time. The lower quartile of the times shows that one:
 *
 *     times between two calls, us                     sum    lower quartile
 *     rank 0    100  101  100  102  900  100  101    1504         100
 *     rank 1    120  121  120  122  121  119  120     843         120        20 longer each time: 140
 *
 * If the visits of a place are of different kinds, short and long ones in most lanes, quartiles only show the short
 * ones: then it does not count. A place that not all lanes reach is compared among those that do, and with a place of the same kind in the
 * others. */
#ifndef REFRAIN_REGULAR_H
#define REFRAIN_REGULAR_H

#include "decoder/causes/causes_text.h"
#include "decoder/causes/delays.h"

enum { REGULAR_PLACES = 3 };

struct regular_place {
    uint32_t behind, site; /* of the calls before and after it */
    uint64_t excess;       /* ns: number of times, times the difference of the quartiles */
    uint64_t lower, usual; /* ns: the lower quartile of this lane; the median of those of all lanes */
};

struct regular {
    uint32_t lane;
    uint64_t excess; /* ns: at all places; 0: there is no such lane */
    uint64_t cost;   /* ns: of waiting that its computing before the calls of these places causes */
    struct regular_place places[REGULAR_PLACES]; /* first what tells most: much, and much in proportion */
    size_t n;
};

/* Finds the lane with the largest excess, which is at least a share of the run (`run`, ns). */
enum refrain_status regular_find(struct regular *out, const struct delays *d, const struct wait_lanes *lanes,
                                 const struct trace *t, uint64_t run);
/* "Each time, not only now and then, rank 1 computes longer: 317.0 ms in all (6.4 % of the run), between
 * MPI_Recv (p.c:13) and MPI_Send (p.c:18): at least 1.118 ms in 3 of 4 times, most ranks at least 48.20 us" */
void regular_put(const struct regular *r, const struct causes_view *v, uint64_t run, struct bytes *out);
/* A member of the open object: "regular", null if there is no such lane. */
void regular_put_json(const struct regular *r, const struct causes_view *v, uint64_t run, struct json *j);

#endif
