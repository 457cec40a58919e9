/* SPDX-License-Identifier: BSD-3-Clause */
#include "lateness.h"

#include "chain_start.h"

#include <stdlib.h>

/* Lanes that take up to so many times as long as another one do about the same. */
#define ALIKE 2

/* What lanes do at one place. */
struct at_place {
    size_t n_late, n_others;
    double late, times;               /* sums of the late ones */
    double least, most;               /* of the late ones */
    struct preceding_longest longest; /* of a late one */
    double usual;                     /* the median of the others, the lower one of two */
};

/* A place, as it is printed. */
struct place {
    uint32_t site, behind; /* of computing: the calls around it; `behind` may be PRECEDING_ANY */
    bool computes;
};

static struct place place_of(const struct causes_view *v, const struct delay_place *p)
{
    const uint64_t key = causes_worst(p->lanes.items, p->lanes.n);
    const uint32_t common = causes_common_behind(v, p->lanes.items, p->lanes.n);
    return (struct place){critical_site(key), common == PRECEDING_NONE ? PRECEDING_ANY : common,
                          critical_activity(key) == CRITICAL_COMPUTING};
}

static bool has_visited(const struct wait_search *s, uint32_t site, size_t lane)
{
    const uint64_t *visits = severities_row(&s->values, s->visits, site);
    return visits && visits[lane] > 0;
}

static bool is_there(const struct causes_view *v, const struct place *p, size_t lane)
{
    return has_visited(v->search, p->site, lane) &&
           (!p->computes || p->behind == PRECEDING_ANY ||
            preceding_has(v->preceding, (uint32_t)lane, p->site, p->behind));
}

/* Has the lane more than a little share of what the place costs? */
static bool has_share(const struct delay_place *p, size_t lane)
{
    for (size_t i = 0; i < p->lanes.n; i++) {
        if (critical_lane(p->lanes.items[i].key) == lane)
            return p->lanes.items[i].value > (p->direct + p->further) / 20;
    }
    return false;
}

/* Returns the time in the lane's calls at the site, without the waiting in them; ns. */
static uint64_t time_of_calls(const struct wait_search *s, uint32_t site, size_t lane)
{
    const uint64_t *all = severities_row(&s->values, s->profile_of_site[site], site);
    uint64_t waits = 0;
    for (uint32_t i = 0; i < s->metrics->n; i++) {
        const uint64_t *row = severities_row(&s->values, i, site);
        if (row && metrics_is_cause(s->metrics, i) && !(s->metrics->items[i]->events & EVENTS(EVENT_OVERLAP)))
            waits += row[lane];
    }
    return all && all[lane] > waits ? all[lane] - waits : 0;
}

/* Returns what the lane does at the place, and how many times; ns. */
static uint64_t time_of(const struct causes_view *v, const struct place *p, size_t lane, uint64_t *times)
{
    if (p->computes)
        return preceding_sum(v->preceding, (uint32_t)lane, p->site, p->behind, times);
    const uint64_t *visits = severities_row(&v->search->values, v->search->visits, p->site);
    *times = visits ? visits[lane] : 0;
    return time_of_calls(v->search, p->site, lane);
}

/* Takes the longest of the times if it is longer; calls have none. */
static void take_longest(struct preceding_longest *longest, const struct causes_view *v,
                         const struct place *p, size_t lane)
{
    const struct preceding_longest this =
        p->computes ? preceding_longest(v->preceding, (uint32_t)lane, p->site, p->behind)
                    : (struct preceding_longest){0};
    *longest = this.time > longest->time ? this : *longest;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Is the lane late, here or for another reason? */
static bool is_late(const struct reason *r, const struct delay_place *p, size_t lane)
{
    return r->lanes.are[lane] || has_share(p, lane) || (r->of.which == DELAYS_OF_OTHERS && r->of.lanes[lane]);
}

/* If no other lane comes from the same call, but each comes here as often, whichever call is before, they all do the
 * same: then the call before does not count.
 *
 *     rank 1 (late)   --[ MPI_Bcast ]-- 1.3 s --[ MPI_Wtime ]--
 *     rank 0          --[ MPI_Isend ]-- 0.9 s --[ MPI_Wtime ]--     400 ms longer
 */
static struct place widened(const struct causes_view *v, const struct reason *r, const struct delay_place *of)
{
    struct place p = place_of(v, of), any = p;
    const uint64_t *visits = severities_row(&v->search->values, v->search->visits, p.site);
    uint64_t times, of_late = 0;
    any.behind = PRECEDING_ANY;
    if (!p.computes || p.behind == PRECEDING_ANY || !visits)
        return p;
    for (size_t lane = 0; lane < v->search->lanes.n; lane++) {
        if (!is_late(r, of, lane) && is_there(v, &p, lane))
            return p;
        time_of(v, &p, lane, &times);
        if (r->lanes.are[lane] && times == visits[lane] && (of_late == 0 || of_late == times))
            of_late = times;
        else if (r->lanes.are[lane])
            return p;
    }
    for (size_t lane = 0; lane < v->search->lanes.n; lane++) {
        if (visits[lane] != of_late)
            return p;
    }
    return any;
}

/* `sorted`: room for a number of each lane. */
static struct at_place sum_up(const struct causes_view *v, const struct reason *r,
                              const struct delay_place *of, double *sorted)
{
    const struct place p = widened(v, r, of);
    struct at_place sum = {0};
    for (size_t lane = 0; lane < v->search->lanes.n; lane++) {
        uint64_t times;
        const double time = (double)time_of(v, &p, lane, &times);
        if (r->lanes.are[lane]) {
            sum.least = times > 0 && (sum.n_late == 0 || time < sum.least) ? time : sum.least;
            sum.most = time > sum.most ? time : sum.most;
            sum.late += time;
            sum.times += (double)times;
            take_longest(&sum.longest, v, &p, lane);
            sum.n_late += times > 0;
        } else if (!is_late(r, of, lane) && is_there(v, &p, lane)) {
            sorted[sum.n_others++] = time;
        }
    }
    if (sum.n_others > 0) {
        qsort(sorted, sum.n_others, sizeof *sorted, ascending);
        sum.usual = sorted[(sum.n_others - 1) / 2];
    }
    return sum;
}

/* Counts the lanes that reach the first place. */
static void count_lanes(struct lateness *c, const struct causes_view *v, const struct reason *r,
                        const uint64_t *waiting)
{
    const struct place p = widened(v, r, r->places);
    size_t missing = 0;
    for (size_t lane = 0; lane < v->search->lanes.n; lane++) {
        const bool there = is_there(v, &p, lane), late = is_late(r, r->places, lane);
        c->has_more = c->has_more || (!there && has_visited(v->search, p.site, lane));
        c->all += there;
        c->late += there && late;
        c->named += there && r->lanes.are[lane];
        c->n_others += there && !late;
        missing += !there && chain_waits(v->search, waiting, lane);
    }
    c->comparable = c->n_others > 0 || (missing == 0 && c->all > 1);
}

bool lateness_find(struct lateness *out, const struct causes_view *v, const struct reason *r,
                   const uint64_t *waiting)
{
    double taken = 0, usual = 0, times = 0, *sorted = malloc((v->search->lanes.n + 1) * sizeof *sorted);
    *out = (struct lateness){.alike = true};
    if (!sorted)
        return false;
    count_lanes(out, v, r, waiting);
    for (size_t i = 0; i < r->n_places; i++) {
        const struct at_place here = sum_up(v, r, &r->places[i], sorted);
        if (here.n_late == 0 || (out->n_others > 0 && here.n_others == 0))
            continue;
        out->alike = out->alike && here.most <= ALIKE * here.least;
        taken += here.late / (double)here.n_late;
        usual += here.usual;
        times = here.times / (double)here.n_late;
        if (r->n_places == 1 && here.n_late == 1)
            out->longest = here.longest;
    }
    free(sorted);
    out->taken = (uint64_t)(taken + 0.5);
    out->usual = (uint64_t)(usual + 0.5);
    out->times = r->n_places == 1 ? (uint64_t)(times + 0.5) : 0;
    return true;
}
