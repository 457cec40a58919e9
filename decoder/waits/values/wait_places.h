/* SPDX-License-Identifier: BSD-3-Clause */
/* Places: the parts of the program that a lane passes, one after the other. They replace call sites as rows
 * of the values.
 *
 *     lane 0   calls 0 … 4: place 0     5 … 16: place 2     17 …: place 0
 *     kept     mark 0: 0 | +5: 2 | +12: 0 … | mark: 1093: 4 | +3: 1 …          some three bytes a change */
#ifndef REFRAIN_WAIT_PLACES_H
#define REFRAIN_WAIT_PLACES_H

#include "src/core/base/array.h"
#include "src/core/base/bytes.h"
#include "src/core/base/status.h"

struct wait_place_change {
    uint64_t call; /* from this one on, until the next change */
    uint32_t place;
};

struct wait_lane_places {
    struct bytes changes; /* of each: calls since the one before, place; after a mark */
    ARRAY(struct wait_place_mark {
        struct wait_place_change change; /* one mark for every MARKED changes (wait_places.c); the first one
                                            is at call 0 */
        size_t at;                       /* of the changes after it */
    })
    marks;
    size_t since;                   /* changes after the last mark */
    struct wait_place_change last;  /* the last change, not yet in `changes` */
    uint64_t kept;                  /* call of the change before it */
    struct wait_place_change found; /* the last result of wait_places_find, … */
    uint64_t found_until;           /* … which holds up to the call before this one */
};

struct wait_places {
    size_t n;         /* places */
    bool by_meetings; /* the search adds the changes: after a collective operation of all ranks, the lane's
                        place is the call's site + 1 */
    struct wait_lane_places *lanes; /* as the search numbers them (wait_lanes.h) */
    size_t n_lanes;
};

enum refrain_status wait_places_create(struct wait_places *p, size_t n_lanes);
void wait_places_free(struct wait_places *p); /* also of a zeroed struct */
/* The lane is at `place` from `call` on. Changes must come in order, the first one at call 0; a call without
 * a change of place is ignored. */
enum refrain_status wait_places_add(struct wait_places *p, size_t lane, uint64_t call, uint32_t place);
uint32_t wait_places_find(struct wait_places *p, size_t lane, uint64_t call);

#endif
