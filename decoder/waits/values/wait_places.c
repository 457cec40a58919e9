/* SPDX-License-Identifier: BSD-3-Clause */
#include "wait_places.h"

#include "src/core/base/bisect.h"
#include "src/core/base/log.h"

#include <stdlib.h>

#define MARKED 64 /* changes between two marks */

enum refrain_status wait_places_create(struct wait_places *p, size_t n_lanes)
{
    *p = (struct wait_places){.lanes = calloc(n_lanes + 1, sizeof *p->lanes), .n_lanes = n_lanes};
    if (p->lanes)
        return REFRAIN_OK;
    log_error("out of memory: %zu threads", n_lanes);
    return REFRAIN_ERR_MEMORY;
}

void wait_places_free(struct wait_places *p)
{
    for (size_t i = 0; p->lanes && i < p->n_lanes; i++) {
        bytes_free(&p->lanes[i].changes);
        array_free(&p->lanes[i].marks);
    }
    free(p->lanes);
    *p = (struct wait_places){0};
}

/* Appends a change to those that are kept. */
static bool keep(struct wait_lane_places *l, struct wait_place_change change, uint64_t before)
{
    if (l->marks.n > 0 && ++l->since < MARKED) {
        bytes_put_uint(&l->changes, change.call - before);
        bytes_put_uint(&l->changes, change.place);
        return !l->changes.failed;
    }
    l->since = 0;
    return array_push(&l->marks, ((struct wait_place_mark){change, l->changes.n}));
}

enum refrain_status wait_places_add(struct wait_places *p, size_t lane, uint64_t call, uint32_t place)
{
    struct wait_lane_places *l = &p->lanes[lane];
    const struct wait_place_change change = {call, place};
    if (call > l->last.call && place != l->last.place) {
        if (!keep(l, l->last, l->kept)) {
            log_error("out of memory: where threads are");
            return REFRAIN_ERR_MEMORY;
        }
        l->kept = l->last.call;
        l->last = change;
    } else if (call == l->last.call) {
        l->last = change;
    }
    return REFRAIN_OK;
}

/* Finds the change before the call and the call up to which it holds. */
static void look_up(struct wait_lane_places *l, uint64_t call)
{
    const struct wait_place_mark *mark =
        &l->marks.items[BISECT(i, l->marks.n, l->marks.items[i].change.call <= call) - 1];
    const size_t n = mark + 1 < l->marks.items + l->marks.n ? mark[1].at : l->changes.n;
    struct bytes_reader r = bytes_reader_of(n > 0 ? l->changes.data + mark->at : NULL, n - mark->at);
    struct wait_place_change next = mark->change;
    do {
        l->found = next;
        if (bytes_left(&r) > 0) {
            next.call += bytes_get_uint(&r);
            next.place = (uint32_t)bytes_get_uint(&r);
        } else {
            next = mark + 1 < l->marks.items + l->marks.n ? mark[1].change : l->last;
        }
    } while (next.call <= call);
    l->found_until = next.call;
}

uint32_t wait_places_find(struct wait_places *p, size_t lane, uint64_t call)
{
    struct wait_lane_places *l = &p->lanes[lane];
    if (call >= l->last.call)
        return l->last.place;
    if (call < l->found.call || call >= l->found_until)
        look_up(l, call);
    return l->found.place;
}
