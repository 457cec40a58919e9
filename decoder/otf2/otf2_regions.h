/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's own regions (decoder/region) in a location's events:
 *
 *     refrain_region_begin("sweep")   Enter sweep
 *     MPI_Pcontrol(3)                 Enter MPI_Pcontrol(3)   Enter MPI_Pcontrol   Leave MPI_Pcontrol
 *     refrain_region_end("sweep")     Leave MPI_Pcontrol(3)   Leave sweep
 *
 * If the archive contains only a span of time, a region begins at the first call of the archive at the
 * earliest, and ends with the span at the latest. A region that the program does not end ends with the
 * location's last event. */
#ifndef REFRAIN_OTF2_REGIONS_H
#define REFRAIN_OTF2_REGIONS_H

#include "decoder/region/region_stack.h"
#include "otf2_shared.h"

struct otf2_writer;

/* The regions of one location. */
struct otf2_regions {
    struct text_table names;
    ARRAY(OTF2_RegionRef) numbers; /* by name */
    struct region_stack stack;
    size_t entered;          /* number of open regions with an Enter event; these are the outermost ones */
    struct region_step step; /* of the current call */
};

void otf2_regions_start(struct otf2_regions *r, const struct otf2_shared *x);
void otf2_regions_stop(struct otf2_regions *r); /* also of a zeroed struct */

/* Call these before and after the records of each call. A call that only begins or ends a region
 * (otf2_is_region) has no records. `shown`: the call is in the archive's span of time. */
enum refrain_status otf2_regions_before(struct otf2_writer *w, const struct call *call, struct timestamp at,
                                        bool shown);
enum refrain_status otf2_regions_behind(struct otf2_writer *w, struct timestamp at, bool shown);
/* After the last call. */
enum refrain_status otf2_regions_end(struct otf2_writer *w);

#endif
