/* SPDX-License-Identifier: BSD-3-Clause */
#include "wait_report.h"

#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

static void add_row(const struct severities *s, uint32_t metric, uint32_t site, uint64_t *by_lane)
{
    const uint64_t *row = severities_row(s, metric, site);
    for (size_t i = 0; row && i < s->n_lanes; i++)
        by_lane[i] += row[i];
}

/* Adds the metric's own values, at one site or all. */
static void add_own(const struct severities *s, uint32_t metric, uint32_t site, uint64_t *by_lane)
{
    if (site != WAIT_ALL_SITES) {
        add_row(s, metric, site, by_lane);
        return;
    }
    for (uint32_t i = 0; i < s->n_sites; i++)
        add_row(s, metric, i, by_lane);
}

/* Is `metric` included in `above`? */
static bool counts_for(const struct metrics *m, uint32_t metric, uint32_t above)
{
    while (metric != above) {
        if (metric == METRIC_NONE || m->items[metric]->part)
            return false;
        metric = m->parents[metric];
    }
    return true;
}

static void add_all(const struct wait_search *s, const struct severities *of, uint32_t metric, uint32_t site,
                    uint64_t *out)
{
    for (uint32_t i = metric; i < s->metrics->n; i++) {
        if (counts_for(s->metrics, i, metric))
            add_own(of, i, site, out);
    }
}

void wait_report_add_lanes(const struct wait_search *s, uint32_t metric, uint32_t site, uint64_t *by_lane)
{
    add_all(s, &s->values, metric, site, by_lane);
}

void wait_report_add_directions(const struct wait_search *s, uint32_t metric, uint32_t site,
                                uint64_t *by_direction)
{
    add_all(s, &s->directions, metric, site, by_direction);
}

uint64_t wait_report_value(const struct wait_report *r, uint32_t metric, uint32_t site)
{
    const size_t n = r->search->lanes.n;
    uint64_t sum = 0;
    memset(r->scratch, 0, n * sizeof *r->scratch);
    wait_report_add_lanes(r->search, metric, site, r->scratch);
    for (size_t i = 0; i < n; i++)
        sum += r->scratch[i];
    return sum;
}

uint64_t wait_report_of_rank(const struct wait_search *s, const uint64_t *by_lane, uint32_t rank)
{
    const uint32_t *first = s->lanes.first + (rank - s->lanes.first_rank);
    uint64_t sum = 0;
    for (uint32_t i = first[0]; i < first[1]; i++)
        sum += by_lane[i];
    return sum;
}

uint64_t wait_report_error(const struct wait_search *s, uint32_t metric, uint32_t site)
{
    uint64_t tallies[TALLIES] = {0};
    add_own(&s->tallies, metric, site, tallies);
    return tallies[TALLY_INEXACT] * s->slack;
}

static int by_time(const void *a, const void *b)
{
    const struct wait_cause *x = a, *y = b;
    if (x->time != y->time)
        return x->time > y->time ? -1 : 1;
    if (x->metric != y->metric)
        return x->metric < y->metric ? -1 : 1;
    return x->site < y->site ? -1 : x->site > y->site;
}

static bool add_cause(struct wait_report *r, uint32_t metric, uint32_t site)
{
    const struct wait_search *s = r->search;
    uint64_t tallies[TALLIES] = {0};
    if (!severities_row(&s->values, metric, site))
        return true;
    add_own(&s->tallies, metric, site, tallies);
    const struct wait_cause c = {metric, site, wait_report_value(r, metric, site), tallies[TALLY_INSTANCES],
                                 tallies[TALLY_INEXACT] * s->slack};
    return array_push(&r->causes, c);
}

/* If a call did not return, it is the last of its lane. */
static void add_lane(struct wait_report *r, const struct wait_lane *l)
{
    const struct wait_search *s = r->search;
    uint64_t begin, end;
    wait_search_run_span(s, &begin, &end);
    const uint64_t since = l->last - l->unreturned, from = since > begin ? since : begin,
                   to = l->last < end ? l->last : end;
    r->threads++;
    r->unreturned += to > from ? to - from : 0;
}

static void count_lanes(struct wait_report *r)
{
    const struct wait_lanes *l = &r->search->lanes;
    for (uint32_t i = 0; i < l->n_ranks; i++) {
        bool any = false;
        for (uint32_t k = l->first[i]; k < l->first[i + 1] && wait_search_has(r->search, l->first_rank + i);
             k++) {
            if (!l->items[k].has_calls)
                continue;
            add_lane(r, &l->items[k]);
            any = true;
        }
        r->ranks += any;
    }
    r->ranks = r->ranks > 0 ? r->ranks : 1;
    r->threads = r->threads > 0 ? r->threads : 1;
}

enum refrain_status wait_report_create(struct wait_report *r, const struct wait_search *s, uint32_t metric)
{
    *r = (struct wait_report){.search = s, .scratch = calloc(s->lanes.n + 1, sizeof *r->scratch)};
    bool ok = r->scratch;
    uint64_t begin, end;
    count_lanes(r);
    wait_search_run_span(s, &begin, &end);
    r->length = end - begin;
    r->run = r->length * r->threads;
    if (ok)
        r->init = wait_report_value(r, metrics_find(s->metrics, "mpi_init"), WAIT_ALL_SITES);
    for (uint32_t i = 0; i < s->metrics->n; i++) {
        if (ok && metrics_is_cause(s->metrics, i)) {
            const uint64_t value = wait_report_value(r, i, WAIT_ALL_SITES);
            r->waiting += value;
            r->starting += metrics_is_waiting(s->metrics, i) ? 0 : value;
        }
        for (uint32_t k = 0; ok && k < s->values.n_sites && metrics_is_wanted(s->metrics, i, metric); k++)
            ok = add_cause(r, i, k);
    }
    if (!ok) {
        log_error("out of memory: causes of waiting");
        wait_report_free(r);
        return REFRAIN_ERR_MEMORY;
    }
    if (r->causes.n > 0)
        qsort(r->causes.items, r->causes.n, sizeof *r->causes.items, by_time);
    return REFRAIN_OK;
}

void wait_report_free(struct wait_report *r)
{
    free(r->scratch);
    array_free(&r->causes);
    *r = (struct wait_report){0};
}
