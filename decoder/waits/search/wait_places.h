/* SPDX-License-Identifier: BSD-3-Clause */
/* What values are told apart by, if not by call sites: parts of the program that a lane is in, one after the other.
 *
 *     lane 0   calls 0 … 4: place 0     5 … 16: place 2     17 …: place 0 */
#ifndef REFRAIN_WAIT_PLACES_H
#define REFRAIN_WAIT_PLACES_H

#include "src/core/base/array.h"
#include "src/core/base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct wait_places {
    size_t n; /* places */
    bool
        by_meetings; /* the search adds changes: behind a collective operation of all ranks a lane is at its site + 1 */
    struct wait_lane_places {
        ARRAY(struct wait_place_change {
            uint64_t call; /* from this one on, until the next change */
            uint32_t place;
        })
        changes; /* ascending; the first one is of call 0 */
    } * lanes;   /* as the search numbers them (wait_lanes.h) */
    size_t n_lanes;
};

enum refrain_status wait_places_create(struct wait_places *p, size_t n_lanes);
void wait_places_free(struct wait_places *p); /* also of a zeroed struct */
/* From the lane's call on. Changes come in order; what is no change is left out. */
enum refrain_status wait_places_add(struct wait_places *p, size_t lane, uint64_t call, uint32_t place);
uint32_t wait_places_find(const struct wait_places *p, size_t lane, uint64_t call);

#endif
