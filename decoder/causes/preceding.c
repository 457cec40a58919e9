/* SPDX-License-Identifier: BSD-3-Clause */
#include "preceding.h"

#include "src/core/base/log.h"

#include <stdbool.h>
#include <stdlib.h>

static enum refrain_status no_memory(size_t n)
{
    log_error("out of memory: calls before %zu", n);
    return REFRAIN_ERR_MEMORY;
}

enum refrain_status preceding_create(struct preceding *p, size_t n_sites, size_t n_lanes)
{
    *p = (struct preceding){n_sites, n_lanes, calloc(n_sites + 1, sizeof *p->sites)};
    return p->sites ? REFRAIN_OK : no_memory(n_sites);
}

void preceding_free(struct preceding *p)
{
    for (size_t i = 0; p->sites && i < p->n_sites; i++) {
        for (size_t k = 0; p->sites[i] && k < p->sites[i]->n; k++)
            free(p->sites[i]->of_lane[k]);
        free(p->sites[i]);
    }
    free(p->sites);
    *p = (struct preceding){0};
}

/* Sets s->last to the list of the preceding call. */
static enum refrain_status find_list(const struct preceding *p, struct preceding_site *s, uint32_t behind)
{
    size_t i = 0;
    if (s->last < s->n && s->behind[s->last] == behind)
        return REFRAIN_OK;
    while (i < s->n && s->behind[i] != behind)
        i++;
    s->last = i < PRECEDING_MOST ? i : PRECEDING_MOST - 1;
    if (s->last < s->n)
        return REFRAIN_OK;
    struct preceding_time *of_lane = calloc(p->n_lanes + 1, sizeof *of_lane);
    if (!of_lane)
        return no_memory(p->n_lanes);
    s->behind[s->n] = s->n == PRECEDING_MOST - 1 ? PRECEDING_NONE : behind;
    s->of_lane[s->n++] = of_lane;
    return REFRAIN_OK;
}

enum refrain_status preceding_add(struct preceding *p, uint32_t lane, uint32_t site, uint32_t behind,
                                  uint64_t time, uint64_t at)
{
    struct preceding_site **s = &p->sites[site];
    if (time == 0)
        return REFRAIN_OK;
    if (!*s && !(*s = calloc(1, sizeof **s)))
        return no_memory(1);
    const enum refrain_status status = find_list(p, *s, behind);
    if (status != REFRAIN_OK)
        return status;
    struct preceding_time *t = &(*s)->of_lane[(*s)->last][lane];
    t->sum += time;
    if (time > t->longest.time)
        t->longest = (struct preceding_longest){time, at};
    quantile_add(&t->times, (double)time);
    return REFRAIN_OK;
}

uint32_t preceding_find(const struct preceding *p, uint32_t lane, uint32_t site)
{
    const struct preceding_site *s = site < p->n_sites ? p->sites[site] : NULL;
    uint32_t behind = PRECEDING_NONE;
    uint64_t most = 0;
    for (size_t i = 0; s && i < s->n; i++) {
        const uint64_t sum = s->of_lane[i][lane].sum;
        behind = sum > most ? s->behind[i] : behind;
        most = sum > most ? sum : most;
    }
    return behind;
}

/* This part of what a lane computes is little. A lane that computes no more than this longer than others computes
 * about as much. */
#define PRECEDING_NOISE 0.05

/* Returns how much more the lane computes than the mean of the others that have this pair of calls, ns. */
static double excess(const struct preceding *p, const struct preceding_time *of_lane, uint32_t lane)
{
    double sum = 0;
    size_t others = 0;
    for (size_t i = 0; i < p->n_lanes; i++) {
        if (i == lane || of_lane[i].sum == 0)
            continue;
        sum += (double)of_lane[i].sum;
        others++;
    }
    return (double)of_lane[lane].sum - (others > 0 ? sum / (double)others : 0);
}

uint32_t preceding_find_longer(const struct preceding *p, uint32_t lane, uint32_t site)
{
    const struct preceding_site *s = site < p->n_sites ? p->sites[site] : NULL;
    uint32_t behind = PRECEDING_NONE;
    double most = 0, all = 0;
    for (size_t i = 0; s && i < s->n; i++) {
        const double more = s->of_lane[i][lane].sum > 0 ? excess(p, s->of_lane[i], lane) : 0;
        all += (double)s->of_lane[i][lane].sum;
        behind = more > most ? s->behind[i] : behind;
        most = more > most ? more : most;
    }
    return most > PRECEDING_NOISE * all ? behind : preceding_find(p, lane, site);
}

uint64_t preceding_sum(const struct preceding *p, uint32_t lane, uint32_t site, uint32_t behind,
                       uint64_t *times)
{
    const struct preceding_site *s = site < p->n_sites ? p->sites[site] : NULL;
    uint64_t sum = 0;
    *times = 0;
    for (size_t i = 0; s && i < s->n; i++) {
        if (behind != PRECEDING_ANY && s->behind[i] != behind)
            continue;
        sum += s->of_lane[i][lane].sum;
        *times += s->of_lane[i][lane].times.n;
    }
    return sum;
}

struct preceding_longest preceding_longest(const struct preceding *p, uint32_t lane, uint32_t site,
                                           uint32_t behind)
{
    const struct preceding_site *s = site < p->n_sites ? p->sites[site] : NULL;
    struct preceding_longest longest = {0};
    for (size_t i = 0; s && i < s->n; i++) {
        const struct preceding_longest *here = &s->of_lane[i][lane].longest;
        if ((behind == PRECEDING_ANY || s->behind[i] == behind) && here->time > longest.time)
            longest = *here;
    }
    return longest;
}

bool preceding_has(const struct preceding *p, uint32_t lane, uint32_t site, uint32_t behind)
{
    const struct preceding_site *s = site < p->n_sites ? p->sites[site] : NULL;
    uint64_t own = 0, all = 0;
    for (size_t i = 0; s && i < s->n; i++) {
        all += s->of_lane[i][lane].sum;
        own += s->behind[i] == behind ? s->of_lane[i][lane].sum : 0;
    }
    return (double)own > PRECEDING_NOISE * (double)all;
}
