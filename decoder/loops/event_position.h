/* SPDX-License-Identifier: BSD-3-Clause */
/* Which call of a lane an event of its loop model is of (call_event.h), without walking what lies before.
 *
 *     calls     Irecv Isend Wait  Irecv Isend Wait  …        events  recv send  recv send  …
 *     number    0     1     2     3     4     5                      0    1     2    3
 *
 * How many events lie before a call is counted site by site: the skeleton tells how often each site was
 * called before (lane_walk.h), and the site how many events so many of its first calls have. That is a
 * product where all its rows have as many; otherwise rows are counted in the site's stream. Where they come
 * in no order, or a column decides what events there are, the calls of that site are walked, once.
 *
 * The call is then found by bisection, or sooner, since numbers of calls and of events mostly grow alike. */
#ifndef REFRAIN_EVENT_POSITION_H
#define REFRAIN_EVENT_POSITION_H

#include "lift_site.h"

struct position_site;

struct event_position {
    struct call_event_source *source;
    struct lane_ref lane;
    struct position_site *sites; /* as the shape's entries */
    struct lane_walk walk;
    uint64_t *passed;       /* scratch: calls of each site of the trace */
    uint64_t calls, events; /* of the whole lane */
};

/* The source's lane becomes this one. After an error there is nothing to stop. */
enum refrain_status event_position_start(struct event_position *p, struct call_event_source *source,
                                         const struct lane_ref *lane);
void event_position_stop(struct event_position *p); /* also of a zeroed struct */

/* A call, and how many events lie before it. */
struct positioned_call {
    uint64_t call, events;
};

/* A call that is not behind the event's, EVENT_POSITION_NEAR before it at most. `event` is a number of the
 * lane's, and `from` a call that is not behind it. */
#define EVENT_POSITION_NEAR 64
enum refrain_status event_position_near(struct event_position *p, uint64_t event, struct positioned_call from,
                                        struct positioned_call *out);
/* How many events a call of the lane's cursor has. */
enum refrain_status event_position_weight(struct event_position *p, const struct call *call,
                                          uint64_t *events);

#endif
