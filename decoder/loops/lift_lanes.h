/* SPDX-License-Identifier: BSD-3-Clause */
/* The loop models of many lanes (lift.h), lifted by several threads at once.
 *
 * Each thread has its own templates. Models are taken in the order of the lanes, and templates are numbered
 * in the order in which the models use them. So the result does not depend on the number of threads. */
#ifndef REFRAIN_LIFT_LANES_H
#define REFRAIN_LIFT_LANES_H

#include "decoder/event/call_event.h"
#include "loop_groups.h"

struct lift_lanes {
    const struct reader *reader;
    const struct definitions *definitions;
    enum call_event_mode mode;
    size_t window;                /* as for nlr_create */
    size_t most;                  /* as for lift_lane */
    ARRAY(struct lane_ref) lanes; /* filled and freed by the caller */
    ARRAY(uint32_t)
    communicators; /* output: the communicators that models name, by number in the run, ascending; freed by
                      the caller */
};

/* Adds all lanes of the reader's trace to l->lanes. */
enum refrain_status lift_lanes_choose_all(struct lift_lanes *l);
/* Adds the models of all lanes to the groups. `templates` are the groups' templates. */
enum refrain_status lift_lanes(struct lift_lanes *l, struct event_templates *templates,
                               struct loop_groups *groups);

#endif
