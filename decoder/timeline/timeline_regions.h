/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's own regions in a picture: kept one by one, longer ones before shorter ones where there are too many, as
 * calls are; none where lanes share lines. */
#ifndef REFRAIN_TIMELINE_REGIONS_H
#define REFRAIN_TIMELINE_REGIONS_H

#include "decoder/region/region_stack.h"
#include "decoder/times/timed_lane.h"

/* In turns, by the number of the name. */
enum { TIMELINE_REGION_COLOURS = 8 };
extern const char *const timeline_region_colours[TIMELINE_REGION_COLOURS];

struct timeline_region {
    uint64_t enter, leave; /* within what is shown */
    uint32_t lane, name, depth;
};

struct timeline_regions {
    struct text_table names;
    ARRAY(struct timeline_region) items; /* by lane, and there by their begin, outer ones first */
    uint64_t grain;                      /* none that is shorter was kept; 0: all were */
    size_t most;                         /* so many are kept */
    uint64_t from, to;
    struct region_stack stack; /* of the lane that is looked at */
};

/* At most `most`, of what lies between. `roles` have to stay. */
void timeline_regions_start(struct timeline_regions *x, const struct reader *r, const struct roles *roles,
                            uint64_t from, uint64_t to, size_t most);
void timeline_regions_free(struct timeline_regions *x); /* also of a zeroed struct */
/* The next call of a lane. */
enum refrain_status timeline_regions_follow(struct timeline_regions *x, uint32_t lane,
                                            const struct timed_lane *timed);
/* There are no more: what is open ends at `end`. */
enum refrain_status timeline_regions_end_lane(struct timeline_regions *x, uint32_t lane, uint64_t end);
/* After the last lane. */
void timeline_regions_sort(struct timeline_regions *x);

#endif
