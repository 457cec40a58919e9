/* SPDX-License-Identifier: BSD-3-Clause */
/* Access to the calls of a lane's events (call_event.h) in any order, with their arguments and times.
 *
 * A step over a few calls walks them; in an irregular lane, where a search takes long, over many. For a longer
 * step the call is searched (event_position.h, cursor.h), so that the calls in between are not expanded. */
#ifndef REFRAIN_EVENT_LANE_H
#define REFRAIN_EVENT_LANE_H

#include "decoder/times/lane_times.h"
#include "event_position.h"

/* A value that can be asked of an event. */
struct event_value {
    enum {
        EVENT_TIME, /* begin of its call, in seconds since the rank's first call, as `refrain text --times`
                     */
        EVENT_EXIT, /* end of its call, as EVENT_TIME */
        EVENT_DURATION, /* duration of its call, in seconds */
        EVENT_BYTES,    /* sent and received by the call (volume.h) */
        EVENT_SENT,
        EVENT_RECEIVED,
        EVENT_FUNCTION, /* name of the called function */
        EVENT_ARGUMENT  /* the argument `name`, as in `refrain text` */
    } kind;
    const char *name; /* owned by the caller */
};

struct event_lane {
    struct call_event_source *source;
    struct event_position position;
    struct cursor cursor;
    bool there;       /* this call was reached: */
    struct call call; /* the call of the last event that was sought */
    uint64_t before;  /* number of events of the calls before this call */
    uint64_t events;  /* of the call */
    uint64_t further; /* calls that take as long to walk as one seek; 0: not known yet */
    bool timed;
    struct lane_times times;
    uint64_t base;      /* begin of the rank's first call */
    bool has_timestamp; /* the call has a timestamp: */
    struct timestamp timestamp;
    struct volume_sum volume; /* scratch */
};

/* Finds the value that a word names: "time", "bytes" …, or a parameter of a function of the trace. Logs an
 * error (REFRAIN_ERR_USAGE) if the word names no value, or needs times that the trace does not have. */
enum refrain_status event_value_find(const struct reader *r, const char *word, struct event_value *out);

/* Finds the lane of a thread of a rank. */
enum refrain_status event_lane_find(const struct reader *r, uint32_t rank, uint32_t thread,
                                    struct lane_ref *lane);
/* The source's renderer must have symbols (render.h). The lane becomes the source's current lane. */
enum refrain_status event_lane_start(struct event_lane *l, struct call_event_source *source,
                                     const struct lane_ref *lane);
void event_lane_stop(struct event_lane *l); /* also of a zeroed struct */
/* Go to the call of event number `event`. */
enum refrain_status event_lane_seek(struct event_lane *l, uint64_t event);
/* Computes the bytes that the event's call moves. */
enum refrain_status event_lane_volume(struct event_lane *l, struct volume *out);
/* Appends a value of the event as text; nothing if the function has no such parameter. */
enum refrain_status event_lane_put(struct event_lane *l, const struct event_value *value, struct bytes *out);

#endif
