/* SPDX-License-Identifier: BSD-3-Clause */
#include "path_overlay.h"

enum refrain_status path_overlay_find(const struct critical_path *path, const struct wait_lanes *lanes,
                                      size_t most, struct timeline_overlay *x)
{
    struct critical_stays stays;
    enum refrain_status status = critical_route_find(&path->route, path->last_lane, path->begin,
                                                     path->begin + path->length, most, &stays);
    for (size_t i = 0; i < stays.n && status == REFRAIN_OK; i++) {
        const struct critical_stay *stay = &stays.items[i];
        const struct wait_lane *lane = &lanes->items[stay->lane];
        if (!array_push(&x->path, ((struct timeline_stay){stay->from, stay->to, lane->rank, lane->thread})))
            status = REFRAIN_ERR_MEMORY;
    }
    x->path_is_cut = path->route.cut;
    array_free(&stays);
    return status;
}
