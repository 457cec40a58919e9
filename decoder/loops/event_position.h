/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the call that makes event number n of a lane's loop model (call_event.h), without walking the calls
 * before it.
 *
 *     calls     Irecv Isend Wait  Irecv Isend Wait  …        events  recv send  recv send  …
 *     number    0     1     2     3     4     5                      0    1     2    3
 *
 * The events before a call are counted site by site. The skeleton shows how often each site was called before
 * (lane_walk.h). The events of the first n calls of a site are a product if all rows of the site have equally
 * many events; otherwise the rows are counted in the site's stream. If the rows are irregular, or a column
 * decides which events there are, the calls of that site are walked once.
 *
 * The call is then found by bisection, or faster, since call numbers and event numbers usually grow in
 * proportion. */
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

/* Makes this lane the source's lane. After an error, do not call event_position_stop. */
enum refrain_status event_position_start(struct event_position *p, struct call_event_source *source,
                                         const struct lane_ref *lane);
void event_position_stop(struct event_position *p); /* also of a zeroed struct */

/* A call, and the number of events before it. */
struct positioned_call {
    uint64_t call, events;
};

/* Finds a call that is at most EVENT_POSITION_NEAR before the event's call, and not after it. `event` is an
 * event number of the lane; `from` is a call that is not after the event's call. */
#define EVENT_POSITION_NEAR 64
enum refrain_status event_position_near(struct event_position *p, uint64_t event, struct positioned_call from,
                                        struct positioned_call *out);
/* Estimates how many calls take as long to walk as event_position_near. */
uint64_t event_position_cost(const struct event_position *p);
/* Counts the events of a call of the lane's cursor. */
enum refrain_status event_position_weight(struct event_position *p, const struct call *call,
                                          uint64_t *events);

#endif
