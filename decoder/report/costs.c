/* SPDX-License-Identifier: BSD-3-Clause */
#include "costs.h"

#include "decoder/causes/reasons/removals.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

/* MPI_Init, which is apart, comes last. */
static int by_time(const void *a, const void *b)
{
    const struct cost *x = a, *y = b;
    if (x->is_init != y->is_init)
        return x->is_init ? 1 : -1;
    if (x->time != y->time)
        return x->time > y->time ? -1 : 1;
    if (x->calls != y->calls)
        return x->calls > y->calls ? -1 : 1;
    return x->site < y->site ? -1 : x->site > y->site;
}

/* ---- with times of single calls -------------------------------------------------------------- */

static void spread(struct cost *c, const struct wait_search *s, const uint64_t *by_lane)
{
    c->timed = c->by_rank = true;
    c->least = UINT64_MAX;
    for (uint32_t i = 0; i < s->lanes.n_ranks; i++) {
        const uint32_t rank = s->lanes.first_rank + i, threads = s->lanes.first[i + 1] - s->lanes.first[i];
        const uint64_t sum = wait_report_of_rank(s, by_lane, rank);
        if (threads == 0)
            continue;
        const uint64_t time = c->is_init ? sum : sum / threads;
        c->time += sum;
        if (c->least == UINT64_MAX || time > c->most) {
            c->most = time;
            c->most_rank = rank;
        }
        if (time < c->least) {
            c->least = time;
            c->least_rank = rank;
        }
    }
}

/* Adds up what lanes spent between polls at all sites. */
static void add_polling(const struct severities *polling, uint64_t *by_lane)
{
    for (uint32_t site = 0; site < polling->n_sites; site++) {
        const uint64_t *row = severities_row(polling, 0, site);
        for (size_t i = 0; row && i < polling->n_lanes; i++)
            by_lane[i] += row[i];
    }
}

static void find_lanes(const struct cost *c, const struct wait_search *s, uint32_t metric, uint64_t *by_lane)
{
    memset(by_lane, 0, (s->lanes.n + 1) * sizeof *by_lane);
    if (c->site == COSTS_POLLING) {
        add_polling(&s->polling, by_lane);
        return;
    }
    const uint64_t *between = severities_row(&s->polling, 0, c->site);
    wait_report_add_lanes(s, metric, c->site, by_lane);
    for (size_t i = 0; between && i < s->lanes.n; i++)
        by_lane[i] -= between[i];
}

static enum refrain_status add_times(struct costs *c, const struct waits *w)
{
    const struct wait_search *s = &w->search;
    const uint32_t metric = metrics_find(&w->metrics, "time");
    uint64_t *by_lane = malloc((s->lanes.n + 1) * sizeof *by_lane), *computing;
    if (!by_lane) {
        log_error("out of memory: %zu threads", s->lanes.n);
        return REFRAIN_ERR_MEMORY;
    }
    const enum refrain_status status = efficiency_computing(s, &computing);
    for (size_t i = 0; i < c->items.n && status == REFRAIN_OK; i++) {
        const bool computes = c->items.items[i].site == COSTS_COMPUTING;
        if (!computes)
            find_lanes(&c->items.items[i], s, metric, by_lane);
        spread(&c->items.items[i], s, computes ? computing : by_lane);
    }
    if (status == REFRAIN_OK)
        free(computing);
    free(by_lane);
    return status;
}

/* ---- with sums ------------------------------------------------------------------------------- */

static uint64_t run_of(const struct trace *t, bool *timed)
{
    uint64_t run = 0;
    for (size_t i = 0; i < t->shapes.n; i++) {
        const struct shape *shape = &t->shapes.items[i];
        for (size_t e = 0; shape->kind == LANE_THREAD && e < shape->entries.n; e++) {
            const struct entry *entry = &shape->entries.items[e];
            for (size_t g = 0; g < entry->groups.n; g++) {
                const struct group *group = &entry->groups.items[g];
                for (size_t k = 0; k < group->timings.n; k++) {
                    const struct timing *timing = &group->timings.items[k];
                    run = timing_sum(run, timing_sum(timing->duration.sum, timing->gap.sum));
                    *timed = *timed || timing->count > 0;
                }
            }
        }
    }
    return run;
}

static void add_sums(struct costs *c, const struct reader *r, const struct statistics *s)
{
    bool timed = false;
    uint64_t run = run_of(&r->trace, &timed), mpi = 0;
    for (size_t i = 0; i < c->items.n; i++) {
        struct cost *cost = &c->items.items[i];
        if (!costs_has_site(cost))
            continue;
        cost->time = s->sites[cost->site].time;
        cost->timed = s->sites[cost->site].timed;
        mpi = timing_sum(mpi, cost->time);
    }
    for (size_t i = 0; i < c->items.n; i++) {
        if (c->items.items[i].site == COSTS_COMPUTING) {
            c->items.items[i].time = run > mpi ? run - mpi : 0;
            c->items.items[i].timed = timed;
        }
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

const char *costs_name(const struct reader *r, const struct cost *c)
{
    return c->site == COSTS_COMPUTING ? "computation"
           : c->site == COSTS_POLLING ? "between polls"
                                      : reader_function(r, c->site);
}

static bool any(const struct severities *s)
{
    for (size_t site = 0; site < s->n_sites; site++) {
        if (severities_row(s, 0, site))
            return true;
    }
    return false;
}

static bool add_rows(struct costs *c, const struct reader *r, const struct statistics *s,
                     const struct waits *waits)
{
    const struct cost computing = {.site = COSTS_COMPUTING}, polling = {.site = COSTS_POLLING};
    bool ok = array_push(&c->items, computing);
    if (waits && any(&waits->search.polling))
        ok = ok && array_push(&c->items, polling);
    for (uint32_t i = 0; i < r->trace.sites.n && ok; i++) {
        const struct tally *t = &s->sites[i];
        const struct cost cost = {
            .site = i, .is_init = t->is_init, .calls = t->calls, .sent = t->sent, .received = t->received};
        if (t->calls > 0 && reader_function(r, i)[0] != '@')
            ok = array_push(&c->items, cost);
    }
    return ok;
}

/* In a run that was cut off, some ranks may be missing. */
static void count_lanes(struct costs *c, const struct reader *r)
{
    struct lane_ref lane;
    for (uint64_t rank = 0; reader_next_rank(r, &rank); rank++) {
        const uint32_t before = c->threads;
        for (size_t at = 0; reader_next_lane(r, (uint32_t)rank, LANE_THREAD, &at, &lane);)
            c->threads++;
        c->ranks += c->threads > before;
    }
    c->ranks = c->ranks > 0 ? c->ranks : 1;
    c->threads = c->threads > 0 ? c->threads : 1;
}

static void add_up(struct costs *c)
{
    for (size_t i = 0; i < c->items.n; i++) {
        const struct cost *cost = &c->items.items[i];
        c->timed = c->timed || cost->timed;
        uint64_t *sum = cost->is_init ? &c->init : cost->site == COSTS_COMPUTING ? &c->computing : &c->mpi;
        *sum = timing_sum(*sum, cost->time);
        c->calls += cost->calls;
        c->sent += cost->sent;
        c->received += cost->received;
    }
}

static uint64_t run_of_threads(const struct costs *c, const struct wait_search *s)
{
    uint64_t begin, end;
    wait_search_run_span(s, &begin, &end);
    return (end - begin) * c->threads;
}

enum refrain_status costs_create(struct costs *c, const struct reader *r, const struct statistics *s,
                                 const struct waits *waits)
{
    enum refrain_status status = REFRAIN_OK;
    *c = (struct costs){0};
    if (!add_rows(c, r, s, waits)) {
        log_error("out of memory: %zu call sites", r->trace.sites.n);
        status = REFRAIN_ERR_MEMORY;
    } else if (waits) {
        status = add_times(c, waits);
    } else {
        add_sums(c, r, s);
    }
    if (status != REFRAIN_OK) {
        costs_free(c);
        return status;
    }
    count_lanes(c, r);
    add_up(c);
    c->run = waits ? run_of_threads(c, &waits->search) : timing_sum(c->computing, c->mpi);
    qsort(c->items.items, c->items.n, sizeof *c->items.items, by_time);
    return REFRAIN_OK;
}

void costs_free(struct costs *c)
{
    array_free(&c->items);
    *c = (struct costs){0};
}
