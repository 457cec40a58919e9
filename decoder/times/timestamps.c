/* SPDX-License-Identifier: BSD-3-Clause */
#include "timestamps.h"

#include "src/core/base/log.h"
#include "times_reach.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

/* Mean gap and duration of the calls of a row. */
struct timestamps_mean {
    uint64_t gap, duration;
};

/* The means of one entry of the shape; the lane's rank is in one of its groups. */
struct timestamps_means {
    struct timestamps_mean *rows; /* NULL until needed; indexed as the group's rows */
};

/* ---- which times the trace has --------------------------------------------------------------- */

static bool has_means(const struct trace *t)
{
    for (size_t i = 0; i < t->shapes.n; i++) {
        const struct shape *shape = &t->shapes.items[i];
        for (size_t e = 0; shape->kind == LANE_THREAD && e < shape->entries.n; e++) {
            const struct entry *entry = &shape->entries.items[e];
            for (size_t g = 0; g < entry->groups.n; g++) {
                if (entry->groups.items[g].timings.n > 0)
                    return true;
            }
        }
    }
    return false;
}

static bool has_calls(const struct trace *t)
{
    for (size_t i = 0; i < t->shapes.n; i++) {
        if (t->shapes.items[i].kind == LANE_THREAD)
            return true;
    }
    return false;
}

bool timestamps_exist(const struct reader *r)
{
    return lane_times_exist(r) || has_means(&r->trace);
}

enum refrain_status timestamps_check(const struct reader *r, bool synthetic)
{
    if (lane_times_exist(r))
        return REFRAIN_OK;
    if (!synthetic) {
        log_error(
            "%s has no times of single calls: record with --timing lossy, or use means with --synthetic-time",
            r->path);
        return REFRAIN_ERR_USAGE;
    }
    if (has_calls(&r->trace) && !timestamps_exist(r)) {
        log_error("%s has no times at all: it was recorded with --timing off", r->path);
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

/* ---- rows that have times -------------------------------------------------------------------- */

static enum refrain_status add_rows(struct timestamps_source *s, uint32_t site, const struct group *g)
{
    for (size_t i = 0; i < g->rows.n; i++) {
        const struct row *row = &g->rows.items[i];
        if (row->timing >= g->timings.n || row->class == 0)
            continue;
        if (!array_push(&s->times, &g->timings.items[row->timing]) ||
            !map_set(&s->by_class, row->class, (uint32_t)(s->times.n - 1)))
            return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < g->timings.n; i++)
        timing_merge(&s->of_site[site], &g->timings.items[i]);
    return REFRAIN_OK;
}

enum refrain_status timestamps_find_origin(const struct reader *r, uint64_t *origin)
{
    assert(lane_times_exist(r));
    *origin = UINT64_MAX;
    for (uint64_t rank = 0; reader_next_rank(r, &rank); rank++) {
        uint64_t base;
        const enum refrain_status status = lane_times_base(r, (uint32_t)rank, &base);
        if (status != REFRAIN_OK)
            return status;
        const uint64_t begin = rank_clock_global(rank_clocks_find(&r->trace.clocks, (uint32_t)rank), base);
        if (base > 0 && begin < *origin)
            *origin = begin;
    }
    return REFRAIN_OK;
}

/* Warns how many calls get estimated times, if any. */
static enum refrain_status tell_reach(const struct timestamps_source *s)
{
    struct times_reach reach;
    const enum refrain_status status = times_reach_find(&reach, s->reader);
    if (status != REFRAIN_OK || reach.timed == reach.calls)
        return status;
    log_warning("%s: %" PRIu64 " of %" PRIu64
                " calls have times of their own; the last calls of each thread get mean times",
                s->reader->path, reach.timed, reach.calls);
    return REFRAIN_OK;
}

enum refrain_status timestamps_source_create(struct timestamps_source *s, const struct reader *r,
                                             bool synthetic)
{
    const struct trace *t = &r->trace;
    *s = (struct timestamps_source){.reader = r, .synthetic = !lane_times_exist(r), .may_nest = true};
    enum refrain_status status = timestamps_check(r, synthetic);
    if (status == REFRAIN_OK && !s->synthetic)
        status = timestamps_find_origin(r, &s->origin);
    if (status == REFRAIN_OK && !s->synthetic)
        status = tell_reach(s);
    if (status == REFRAIN_OK && !s->synthetic && has_means(t))
        status = nesting_is_possible(t, &s->may_nest);
    s->of_site = malloc((t->sites.n + 1) * sizeof *s->of_site);
    if (status == REFRAIN_OK && !s->of_site) {
        log_error("out of memory: the times of %zu sites", t->sites.n);
        status = REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; status == REFRAIN_OK && i < t->sites.n; i++)
        timing_clear(&s->of_site[i]);
    for (size_t i = 0; i < t->shapes.n; i++) {
        const struct shape *shape = &t->shapes.items[i];
        for (size_t e = 0; shape->kind == LANE_THREAD && e < shape->entries.n; e++) {
            const struct entry *entry = &shape->entries.items[e];
            for (size_t g = 0; status == REFRAIN_OK && g < entry->groups.n; g++)
                status = add_rows(s, entry->site, &entry->groups.items[g]);
        }
    }
    if (status != REFRAIN_OK)
        timestamps_source_free(s);
    return status;
}

void timestamps_source_free(struct timestamps_source *s)
{
    array_free(&s->times);
    map_free(&s->by_class);
    free(s->of_site);
    *s = (struct timestamps_source){0};
}

/* ---- synthetic ------------------------------------------------------------------------------- */

static uint64_t rounded_mean(const struct timing_moments *m, uint64_t count)
{
    const double mean = timing_mean(m, count);
    return mean > 0 ? (uint64_t)(mean + 0.5) : 0;
}

static struct timestamps_mean mean_of(const struct timing *t)
{
    return (struct timestamps_mean){rounded_mean(&t->gap, t->count), rounded_mean(&t->duration, t->count)};
}

/* Returns the times of a row whose times are stored at another row of its class; those of the site
 * if that row is unknown. */
static struct timestamps_mean mean_elsewhere(const struct timestamps_source *s, uint32_t site,
                                             const struct row *row)
{
    const uint32_t i = row->class == 0 ? MAP_NONE : map_get(&s->by_class, row->class);
    return mean_of(i == MAP_NONE ? &s->of_site[site] : s->times.items[i]);
}

static enum refrain_status make_means(struct timestamps_means *means, const struct timestamps_source *s,
                                      const struct call *call)
{
    const struct group *group = call->group;
    means->rows = calloc(group->rows.n + 1, sizeof *means->rows);
    if (!means->rows) {
        log_error("out of memory: the times of %zu rows", group->rows.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < group->rows.n; i++) {
        const struct row *row = &group->rows.items[i];
        means->rows[i] = row->timing < group->timings.n ? mean_of(&group->timings.items[row->timing])
                                                        : mean_elsewhere(s, call->site, row);
    }
    return REFRAIN_OK;
}

/* Finds the gap before a call, and its duration. */
static enum refrain_status gap_and_duration(struct timestamps *s, const struct call *call,
                                            struct timestamps_mean *out)
{
    struct timestamps_means *means = &s->means[call->entry];
    if (!means->rows) {
        const enum refrain_status status = make_means(means, s->source, call);
        if (status != REFRAIN_OK)
            return status;
    }
    *out = means->rows[call->row];
    return REFRAIN_OK;
}

/* ---- the times of a lane's calls ------------------------------------------------------------- */

enum refrain_status timestamps_start(struct timestamps *s, const struct timestamps_source *source,
                                     const struct lane_ref *lane)
{
    assert(lane->ordinal < series_length(lane->shape->ranks));
    *s = (struct timestamps){.source = source, .n_means = lane->shape->entries.n};
    const uint32_t rank = lane->rank - source->reader->trace.first_rank;
    if (source->correction)
        s->correction = rank_corrections_find(&source->correction[rank], lane->shape->number);
    if (source->rma_records) {
        s->rma_records = &source->rma_records[rank];
        s->thread = lane->shape->number;
        s->next_rma_record = rma_records_of_thread(s->rma_records, s->thread);
    }
    if (!source->synthetic) {
        bool there;
        s->clock = rank_clocks_find(&source->reader->trace.clocks, lane->rank);
        enum refrain_status status = lane_times_start(&s->times, source->reader, lane, &there);
        if (status == REFRAIN_OK && source->may_nest)
            status = nesting_find(&s->nesting, source->reader, lane);
        if (status != REFRAIN_OK) {
            lane_times_stop(&s->times);
            return status;
        }
    }
    s->means = calloc(s->n_means + 1, sizeof *s->means);
    if (!s->means) {
        log_error("out of memory: the times of %zu sites", s->n_means);
        timestamps_stop(s);
        return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

static enum refrain_status next_synthetic(struct timestamps *s, const struct call *call,
                                          struct timestamp *out)
{
    struct timestamps_mean mean;
    const enum refrain_status status = gap_and_duration(s, call, &mean);
    if (status != REFRAIN_OK)
        return status;
    out->enter = timing_sum(s->now, mean.gap);
    out->leave = timing_sum(out->enter, mean.duration);
    s->now = out->leave;
    return REFRAIN_OK;
}

/* Returns the time since the origin, by rank 0's clock. If a clock's offset is badly known, a time
 * may be before the origin; it becomes 0. */
static uint64_t since_origin(struct timestamps *s, uint64_t local)
{
    const uint64_t global = rank_clock_global_near(s->clock, local, &s->step);
    return global > s->source->origin ? global - s->source->origin : 0;
}

static struct timestamp corrected(const struct timestamps *s, struct timestamp t)
{
    return (struct timestamp){clock_correction_time(s->correction, t.enter),
                              clock_correction_time(s->correction, t.leave)};
}

/* Begins the outer calls that have the present call inside. */
static enum refrain_status begin_outer(struct timestamps *s, const struct call *call,
                                       const struct timestamp *local)
{
    enum refrain_status status;
    while (nesting_open(&s->nesting, call->index, local, &status)) {
        struct timestamp *outer = &s->nesting.open.items[s->nesting.open.n - 1].timestamp;
        *outer = (struct timestamp){since_origin(s, outer->enter), since_origin(s, outer->leave)};
        outer->enter = outer->enter > s->free ? outer->enter : s->free;
        s->free = timing_sum(outer->enter, 2);
        *outer = s->correction ? corrected(s, *outer) : *outer;
    }
    return status;
}

/* Takes the next time by the rank's own clock. */
static enum refrain_status take_local(struct timestamps *s, const struct call *call, struct timestamp *out)
{
    enum refrain_status status = REFRAIN_OK;
    if (!s->supplied) {
        lane_times_take(&s->times, call->site, out, &status);
        return status;
    }
    if (s->next == s->next_end) {
        size_t n = 0;
        status = s->source->supply->next(s->supplied, &s->next, &n);
        s->next_end = status == REFRAIN_OK ? s->next + n : s->next;
    }
    if (status == REFRAIN_OK)
        *out = *s->next++;
    return status;
}

static enum refrain_status next_timed(struct timestamps *s, const struct call *call, struct timestamp *out)
{
    struct timestamp local;
    const enum refrain_status status = take_local(s, call, &local);
    if (status != REFRAIN_OK)
        return status;
    *out = (struct timestamp){since_origin(s, local.enter), since_origin(s, local.leave)};
    s->now = out->leave;
    return s->nesting.calls.n > 0 ? begin_outer(s, call, &local) : REFRAIN_OK;
}

/* Returns the call's records that need room beyond its own times. */
static uint64_t more_records(struct timestamps *s, const struct call *call)
{
    uint64_t records = 0;
    for (; s->rma_records && s->next_rma_record < s->rma_records->items.n; s->next_rma_record++) {
        const struct rma_record_count *count = &s->rma_records->items.items[s->next_rma_record];
        if (count->thread != s->thread || count->call > call->index)
            break;
        records += count->call == call->index ? count->records : 0;
    }
    return records;
}

enum refrain_status timestamps_next(struct timestamps *s, const struct call *call, struct timestamp *out)
{
    const enum refrain_status status =
        lane_times_have(&s->times, call->index) ? next_timed(s, call, out) : next_synthetic(s, call, out);
    if (status != REFRAIN_OK)
        return status;
    out->enter = out->enter > s->free ? out->enter : s->free;
    const uint64_t room = TIMESTAMPS_LEAST + call->n_slots / 2 + more_records(s, call);
    const uint64_t least = timing_sum(out->enter, room + room / (CLOCK_CORRECTION_RATE / 2) + 1);
    out->leave = out->leave > least ? out->leave : least;
    s->free = timing_sum(out->leave, 2);
    if (s->correction)
        *out = corrected(s, *out);
    struct nesting_call outer;
    if (s->nesting.open.n > 0 && nesting_close(&s->nesting, call->index, &outer))
        out->enter = outer.timestamp.enter;
    return status;
}

enum refrain_status timestamps_use_supply(struct timestamps *s)
{
    const struct time_supply *supply = s->source ? s->source->supply : NULL;
    if (!supply || !s->times.piece || s->times.piece->calls == 0)
        return REFRAIN_OK;
    assert(lane_times_index(&s->times) == 0);
    time_walk_stop(&s->times.times); /* gives its memory back */
    return supply->begin(supply->context, &s->times.lane, s->times.piece->calls, &s->supplied);
}

void timestamps_stop(struct timestamps *s)
{
    if (s->supplied)
        s->source->supply->end(s->supplied);
    for (size_t i = 0; s->means && i < s->n_means; i++)
        free(s->means[i].rows);
    free(s->means);
    lane_times_stop(&s->times);
    nesting_free(&s->nesting);
    *s = (struct timestamps){0};
}
