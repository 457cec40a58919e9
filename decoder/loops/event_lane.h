/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of a lane that its events are of (call_event.h), in any order, and what they were passed and
 * took.
 *
 * Going on by a few calls is walking them; farther, the call is sought (event_position.h, cursor.h), so that
 * nothing in between is expanded. */
#ifndef REFRAIN_EVENT_LANE_H
#define REFRAIN_EVENT_LANE_H

#include "decoder/times/lane_times.h"
#include "event_position.h"

/* What can be asked of an event. */
struct event_value {
    enum {
        EVENT_TIME, /* when its call began, in seconds since the rank's first call, as `refrain text --times`
                     */
        EVENT_EXIT, /* when it ended */
        EVENT_DURATION, /* how long it took, in seconds */
        EVENT_BYTES,    /* sent and received by the call (volume.h), */
        EVENT_SENT,
        EVENT_RECEIVED,
        EVENT_FUNCTION, /* its name */
        EVENT_ARGUMENT  /* of this name, as in `refrain text` */
    } kind;
    const char *name; /* the caller's */
};

struct event_lane {
    struct call_event_source *source;
    struct event_position position;
    struct cursor cursor;
    bool there;       /* this call was reached: */
    struct call call; /* that of the event sought last */
    uint64_t before;  /* events of the calls before */
    uint64_t events;  /* of the call */
    bool timed;
    struct lane_times times;
    uint64_t base;      /* when the rank's first call began */
    bool has_timestamp; /* of the call: */
    struct timestamp timestamp;
    struct volume_sum volume; /* scratch */
};

/* The value that a word names: "time", "bytes" …, or a parameter of a function of the trace. If it is none,
 * or if it wants times that the trace does not have, this is logged (REFRAIN_ERR_USAGE). */
enum refrain_status event_value_find(const struct reader *r, const char *word, struct event_value *out);

/* The lane of a thread of a rank. */
enum refrain_status event_lane_find(const struct reader *r, uint32_t rank, uint32_t thread,
                                    struct lane_ref *lane);
/* The source's renderer has to have symbols (render.h); the lane becomes the source's. */
enum refrain_status event_lane_start(struct event_lane *l, struct call_event_source *source,
                                     const struct lane_ref *lane);
void event_lane_stop(struct event_lane *l); /* also of a zeroed struct */
/* Go to the call of event number `event`. */
enum refrain_status event_lane_seek(struct event_lane *l, uint64_t event);
/* What its call moves. */
enum refrain_status event_lane_volume(struct event_lane *l, struct volume *out);
/* Its value as text; nothing if the function has no such parameter. */
enum refrain_status event_lane_put(struct event_lane *l, const struct event_value *value, struct bytes *out);

#endif
