/* SPDX-License-Identifier: BSD-3-Clause */
#include "joined_lanes.h"

#include "src/core/base/log.h"

#include <stdlib.h>

/* The lane that costs most belongs to the few, and lanes that cost at least ALIKE times as much. They are few if
 * they are at most half of all, and if they cost at least MOST of the whole. */
#define ALIKE 0.5
#define MOST  0.6

/* Chooses the few lanes. Returns false if they are not few. */
static bool choose(bool *lanes, const uint64_t *costs, size_t n)
{
    uint64_t all = 0, most = 0, of_few = 0;
    size_t few = 0;
    for (size_t i = 0; i < n; i++) {
        all += costs[i];
        most = costs[i] > most ? costs[i] : most;
    }
    for (size_t i = 0; i < n; i++) {
        lanes[i] = most > 0 && (double)costs[i] >= ALIKE * (double)most;
        few += lanes[i];
        of_few += lanes[i] ? costs[i] : 0;
    }
    return few > 0 && 2 * few <= n && (double)of_few >= MOST * (double)all;
}

enum refrain_status joined_lanes_find(bool **lanes, const struct delays *d, size_t n,
                                      const struct delays_wanted *wanted)
{
    uint64_t *costs = calloc(n + 1, sizeof *costs);
    *lanes = calloc(n + 1, sizeof **lanes);
    const bool ok = costs && *lanes;
    for (size_t i = 0; ok && i < d->items.n; i++) {
        const struct delay *this = &d->items.items[i];
        if (critical_activity(this->key) == CRITICAL_COMPUTING && delays_are_wanted(wanted, this))
            costs[critical_lane(this->key)] += this->direct + this->further;
    }
    if (!ok || !choose(*lanes, costs, n)) {
        free(*lanes);
        *lanes = NULL;
    }
    free(costs);
    if (ok)
        return REFRAIN_OK;
    log_error("out of memory: the delays of %zu threads", n);
    return REFRAIN_ERR_MEMORY;
}
