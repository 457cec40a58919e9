/* SPDX-License-Identifier: BSD-3-Clause */
/* The loop models of many lanes (lift.h), lifted by several threads at once.
 *
 * Each thread has templates of its own. Models are taken in the order of the lanes, and templates get their numbers
 * as they come in these: so the result is the same however many threads there are. */
#ifndef REFRAIN_LIFT_LANES_H
#define REFRAIN_LIFT_LANES_H

#include "decoder/event/call_event.h"
#include "loop_groups.h"

struct lift_lanes {
    const struct reader *reader;
    const struct definitions *definitions;
    enum call_event_mode mode;
    size_t window;                /* as for nlr_create */
    ARRAY(struct lane_ref) lanes; /* the caller's to fill, and to free */
    ARRAY(uint32_t)
    communicators; /* out: numbers in the run of those that models name, ascending; the
                      caller's to free */
};

/* All lanes' models go into the groups, whose templates are `templates`. */
enum refrain_status lift_lanes(struct lift_lanes *l, struct event_templates *templates,
                               struct loop_groups *groups);

#endif
