/* SPDX-License-Identifier: BSD-3-Clause */
#include "late_lanes.h"

#include "src/core/base/log.h"

#include <stdlib.h>

/* Returns what the lane computes before the calls of the places. */
static double computing(const struct wait_search *s, const struct delay_place *places, size_t n, size_t lane)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t *row = severities_row(&s->computing, 0, critical_site(places[i].lanes.items[0].key));
        sum += row ? (double)row[lane] : 0;
    }
    return sum;
}

/* Returns the mean of what lanes compute, weighted. */
static double mean_computing(const struct wait_search *s, const struct delay_place *places, size_t n,
                             const uint64_t *weights)
{
    double sum = 0, all = 0;
    for (size_t lane = 0; lane < s->lanes.n; lane++) {
        sum += weights[lane] > 0 ? computing(s, places, n, lane) * (double)weights[lane] : 0;
        all += (double)weights[lane];
    }
    return all > 0 ? sum / all : 0;
}

/* If those that wait compute at a place at most this share of what the late lanes do, it is not theirs: they do
 * something else meanwhile. */
#define NOT_THEIRS 0.1

/* Adds the lanes that compute as long as those that cause the waiting, but not if these were more than half of the
 * lanes that come there; or of all lanes, if the place is not that of those that wait. */
static void add_as_late(struct late_lanes *l, const struct wait_search *s, const struct delay_place *places,
                        size_t n, double late, double others)
{
    const double half = (late + others) / 2, least = half > AS_LATE * late ? half : AS_LATE * late;
    size_t all = 0, are_late = 0;
    for (size_t lane = 0; lane < s->lanes.n; lane++) {
        const double here = computing(s, places, n, lane);
        all += here > 0 || others <= NOT_THEIRS * late;
        are_late += l->are[lane] || here >= least;
    }
    for (size_t lane = 0; 2 * are_late <= all && lane < s->lanes.n; lane++) {
        if (l->are[lane] || computing(s, places, n, lane) < least)
            continue;
        l->are[lane] = true;
        l->as_late = true;
    }
}

enum refrain_status late_lanes_find(struct late_lanes *out, const struct wait_search *s,
                                    const struct delay_place *places, size_t n, uint64_t cost,
                                    const uint64_t *waiting)
{
    uint64_t *costs = calloc(s->lanes.n + 1, sizeof *costs);
    *out = (struct late_lanes){.are = calloc(s->lanes.n + 1, sizeof *out->are)};
    if (!costs || !out->are) {
        log_error("out of memory: the delays of %zu threads", s->lanes.n);
        free(costs);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < places[i].lanes.n; k++)
            costs[critical_lane(places[i].lanes.items[k].key)] += places[i].lanes.items[k].value;
    for (size_t lane = 0; lane < s->lanes.n; lane++)
        out->are[lane] = costs[lane] > 0 && (double)costs[lane] >= LATE_LEAST * (double)cost;
    if (critical_activity(places[0].lanes.items[0].key) == CRITICAL_COMPUTING) {
        const double late = mean_computing(s, places, n, costs),
                     others = mean_computing(s, places, n, waiting);
        if (others < late)
            add_as_late(out, s, places, n, late, others);
    }
    free(costs);
    return REFRAIN_OK;
}

void late_lanes_free(struct late_lanes *l)
{
    free(l->are);
    *l = (struct late_lanes){0};
}
