/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's own regions (decoder/region) in a location's events:
 *
 *     refrain_region_begin("sweep")   Enter sweep
 *     MPI_Pcontrol(3)                 Enter MPI_Pcontrol(3)   Enter MPI_Pcontrol   Leave MPI_Pcontrol
 *     refrain_region_end("sweep")     Leave MPI_Pcontrol(3)   Leave sweep
 *
 * In an archive of a span of time a region is as long as what of it lies between the first call that is shown and the
 * end of the span. A region that the program does not end ends with the location's last event. */
#ifndef REFRAIN_OTF2_REGIONS_H
#define REFRAIN_OTF2_REGIONS_H

#include "decoder/region/region_stack.h"
#include "otf2_shared.h"

struct otf2_writer;

/* Of a location. */
struct otf2_regions {
    struct text_table names;
    ARRAY(OTF2_RegionRef) numbers; /* by name */
    struct region_stack stack;
    size_t entered;          /* of the open regions, the outermost so many are among the events */
    struct region_step step; /* of the call at hand */
};

void otf2_regions_start(struct otf2_regions *r, const struct otf2_shared *x);
void otf2_regions_stop(struct otf2_regions *r); /* also of a zeroed struct */

/* Before a call's own records, which say nothing of it if it is one of the program's words (otf2_is_region), and after
 * them. `shown`: is it among the events? */
enum refrain_status otf2_regions_before(struct otf2_writer *w, const struct call *call, struct timestamp at,
                                        bool shown);
enum refrain_status otf2_regions_behind(struct otf2_writer *w, struct timestamp at, bool shown);
/* After the last call. */
enum refrain_status otf2_regions_end(struct otf2_writer *w);

#endif
