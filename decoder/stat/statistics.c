/* SPDX-License-Identifier: BSD-3-Clause */
#include "statistics.h"

#include "decoder/call/other_requests.h"
#include "decoder/trace/cursor.h"
#include "decoder/times/lane_times.h"
#include "run_share.h"
#include "single_times.h"
#include "site_volume.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

/* The sums, and scratch for the current site. */
struct sum {
    struct statistics *statistics;
    const struct reader *reader;
    const struct ranges *ranks;
    struct roles roles;
    struct volume_source volumes;
    struct other_requests others;
    uint32_t thread, site, function;
    struct volume_sum volume;
    ARRAY(int64_t) slots;
};

/* Adds this many calls, which move v together. */
static void add(struct sum *s, uint32_t rank, uint64_t calls, struct volume v)
{
    struct tally *tallies[] = {
        &s->statistics->functions[s->function],
        s->statistics->ranks ? &s->statistics->ranks[rank - s->reader->trace.first_rank] : NULL,
        s->statistics->sites ? &s->statistics->sites[s->site] : NULL};
    for (size_t i = 0; i < sizeof tallies / sizeof tallies[0]; i++) {
        if (!tallies[i])
            continue;
        tallies[i]->calls += calls;
        tallies[i]->sent += v.sent;
        tallies[i]->received += v.received;
    }
}

/* How often the ranks of a group call the site and each of its rows. */
struct row_use {
    uint64_t calls;    /* per rank, if of_rank is NULL */
    uint64_t *of_rank; /* calls of each rank */
    uint64_t *times;   /* in the stream */
};

static uint64_t calls_of(const struct row_use *use, uint64_t ordinal)
{
    return use->of_rank ? use->of_rank[ordinal] : use->calls;
}

static uint64_t times_of(const struct group *group, const struct row_use *use, uint32_t row, uint64_t ordinal)
{
    if (!group->stream)
        return calls_of(use, ordinal);
    if (row == 0 && group_filler(group))
        return calls_of(use, ordinal) - rules_length(group->stream) + use->times[0];
    return use->times[row];
}

/* Do all ranks of the group have the same values in the slots that count? */
static bool is_uniform(const struct sum *s, const struct row *row)
{
    for (uint32_t i = 0; i < row->n_slots; i++) {
        if (s->volume.uses.items[i] != VOLUME_UNUSED && !(row_slot(row, i)->forms & RANKFN_CONSTANT))
            return false;
    }
    return !s->volume.personal;
}

/* Sums the calls of one row without columns, for each of the group's ranks. */
static enum refrain_status sum_row(struct sum *s, const struct group *group, const struct row_use *use,
                                   uint32_t number)
{
    const struct row *row = &group->rows.items[number];
    struct series_cursor cursor;
    struct volume v = {0};
    bool uniform = false;
    int64_t rank;
    s->slots.n = 0;
    if (!array_reserve(&s->slots, (size_t)row->n_slots + 1))
        return REFRAIN_ERR_MEMORY;
    series_cursor_start(&cursor, group->ranks);
    for (uint64_t ordinal = 0; series_cursor_next(&cursor, &rank); ordinal++) {
        if (!ranges_has(s->ranks, (uint64_t)rank))
            continue;
        if (!uniform) {
            const struct call call = {.rank = (uint32_t)rank,
                                      .thread = s->thread,
                                      .site = s->site,
                                      .function = s->function,
                                      .slots = s->slots.items,
                                      .n_slots = row->n_slots};
            row_at(row, ordinal, (uint32_t)rank, s->slots.items);
            enum refrain_status status = volume_sum_of(&s->volumes, &call, &s->volume);
            if (status != REFRAIN_OK)
                return status;
            v = volume_at(&s->volume, s->slots.items);
            uniform = is_uniform(s, row);
        }
        const uint64_t times = times_of(group, use, number, ordinal);
        add(s, (uint32_t)rank, times, (struct volume){v.sent * times, v.received * times});
    }
    return REFRAIN_OK;
}

/* The number of calls of each row is known, so no walk is necessary. */
static enum refrain_status sum_rows(struct sum *s, const struct group *group, struct row_use *use)
{
    const uint32_t n = (uint32_t)group->rows.n;
    enum refrain_status status = REFRAIN_OK;
    use->times = calloc(n + (size_t)1, sizeof *use->times);
    if (!use->times) {
        log_error("out of memory: %u rows", n);
        return REFRAIN_ERR_MEMORY;
    }
    if (group->stream)
        status = rules_count(group->stream, use->times, n);
    for (uint32_t i = 0; status == REFRAIN_OK && i < n; i++) {
        if (!group->stream || use->times[i] > 0 || (i == 0 && group_filler(group)))
            status = sum_row(s, group, use, i);
    }
    return status;
}

/* Sums all calls of the site, rank by rank. */
static enum refrain_status sum_columns(struct sum *s, const struct group *group, const struct row_use *use)
{
    struct site_volume sum;
    struct series_cursor cursor;
    struct volume v;
    int64_t rank;
    enum refrain_status status = site_volume_start(&sum, &s->volumes, s->thread, s->site, group);
    series_cursor_start(&cursor, group->ranks);
    for (uint64_t i = 0; status == REFRAIN_OK && series_cursor_next(&cursor, &rank); i++) {
        if (!ranges_has(s->ranks, (uint64_t)rank))
            continue;
        status = site_volume_rank(&sum, i, (uint32_t)rank, calls_of(use, i), &v);
        if (status == REFRAIN_OK)
            add(s, (uint32_t)rank, calls_of(use, i), v);
    }
    site_volume_stop(&sum);
    return status;
}

/* Counts calls that move no data. */
static void count_calls(struct sum *s, const struct group *group, const struct row_use *use)
{
    struct series_cursor cursor;
    int64_t rank;
    series_cursor_start(&cursor, group->ranks);
    for (uint64_t i = 0; series_cursor_next(&cursor, &rank); i++) {
        if (ranges_has(s->ranks, (uint64_t)rank))
            add(s, (uint32_t)rank, calls_of(use, i), (struct volume){0});
    }
}

/* Sums the calls of the site by the ranks of a group. `calls`: calls of each rank, if that does
 * not vary. */
static enum refrain_status sum_group(struct sum *s, const struct shape *shape, const struct group *group,
                                     uint64_t calls)
{
    const bool varies = group_varies(shape, s->site, group);
    struct row_use use = {.calls = varies && group->stream ? rules_length(group->stream) : calls};
    enum refrain_status status = REFRAIN_OK;
    if (varies)
        status = lane_walk_calls(&s->reader->trace, shape, s->site, group->ranks, &use.of_rank);
    if (status == REFRAIN_OK && !role_moves(&s->roles.items[s->function]))
        count_calls(s, group, &use);
    else if (status == REFRAIN_OK && (group_slot_columns(group) > 0 || group_order(group)))
        status = sum_columns(s, group, &use);
    else if (status == REFRAIN_OK)
        status = sum_rows(s, group, &use);
    free(use.of_rank);
    free(use.times);
    return status;
}

static enum refrain_status sum_shape(struct sum *s, const struct shape *shape)
{
    const size_t n = s->reader->trace.sites.n;
    uint64_t *counts = calloc(n + 1, sizeof *counts);
    enum refrain_status status = REFRAIN_OK;
    if (!counts) {
        log_error("out of memory: %zu sites", n);
        return REFRAIN_ERR_MEMORY;
    }
    status = rules_count(shape->skeleton, counts, (uint32_t)n);
    s->thread = shape->number;
    for (size_t e = 0; status == REFRAIN_OK && e < shape->entries.n; e++) {
        const struct entry *entry = &shape->entries.items[e];
        s->site = entry->site;
        s->function = s->reader->trace.sites.items[entry->site].function;
        for (size_t g = 0; status == REFRAIN_OK && g < entry->groups.n; g++)
            status = sum_group(s, shape, &entry->groups.items[g], counts[entry->site]);
    }
    free(counts);
    return status;
}

/* ---- times ----------------------------------------------------------------------------------- */

static void add_time(struct tally *t, uint64_t sum)
{
    t->time += sum;
    t->timed = true;
}

static void add_timing(struct tally *t, const struct timing *timing)
{
    add_time(t, timing->duration.sum);
    t->shortest = timing->duration.min < t->shortest ? timing->duration.min : t->shortest;
    t->longest = timing->duration.max > t->longest ? timing->duration.max : t->longest;
}

/* Adds the times of all ranks together. Each timing belongs to exactly one group. */
static void sum_timings(struct statistics *s, const struct trace *trace, const struct shape *shape)
{
    for (size_t e = 0; e < shape->entries.n; e++) {
        const struct entry *entry = &shape->entries.items[e];
        struct tally *t = &s->functions[trace->sites.items[entry->site].function];
        for (size_t g = 0; g < entry->groups.n; g++) {
            const struct group *group = &entry->groups.items[g];
            for (size_t i = 0; i < group->timings.n; i++) {
                const struct timing *timing = &group->timings.items[i];
                if (timing->count == 0)
                    continue;
                add_timing(t, timing);
                s->outside = timing_sum(s->outside, timing->gap.sum);
                if (s->sites)
                    add_timing(&s->sites[entry->site], timing);
            }
        }
    }
}

/* Adds the sums of each selected rank. */
static void sum_rank_times(struct statistics *s, const struct trace *trace, const struct ranges *ranks,
                           bool functions)
{
    for (size_t i = 0; i < trace->rank_times.n; i++) {
        const struct rank_time *times = &trace->rank_times.items[i];
        struct series_cursor at_rank, at_sum;
        int64_t rank, sum;
        series_cursor_start(&at_rank, times->ranks);
        series_cursor_start(&at_sum, times->sums);
        while (series_cursor_next(&at_rank, &rank) && series_cursor_next(&at_sum, &sum)) {
            if (!ranges_has(ranks, (uint64_t)rank))
                continue;
            if (functions)
                add_time(&s->functions[times->function], (uint64_t)sum);
            if (s->ranks && !s->functions[times->function].is_init)
                add_time(&s->ranks[rank - trace->first_rank], (uint64_t)sum);
        }
    }
}

/* ---- sums of functions ----------------------------------------------------------------------- */

static void sum_accesses(struct statistics *s, const struct roles *roles)
{
    for (size_t i = 0; i < roles->n; i++) {
        if (!(roles->items[i].actions & ROLE_RMA))
            continue;
        s->accesses += s->functions[i].calls;
        s->written += s->functions[i].sent;
        s->read += s->functions[i].received;
    }
}

static void sum_collectives(struct statistics *s, const struct roles *roles)
{
    for (size_t i = 0; i < roles->n; i++) {
        if (!(roles->items[i].actions & ROLE_COLLECTIVE) || roles->items[i].scope != ROLE_COMM)
            continue;
        s->collective_sent += s->functions[i].sent;
        s->collective_received += s->functions[i].received;
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

static void mark_init(const struct sum *s)
{
    const struct trace *t = &s->reader->trace;
    for (size_t i = 0; i < t->functions.functions.n; i++)
        s->statistics->functions[i].is_init = s->roles.items[i].actions & ROLE_INIT;
    for (size_t i = 0; s->statistics->sites && i < t->sites.n; i++)
        s->statistics->sites[i].is_init = s->roles.items[t->sites.items[i].function].actions & ROLE_INIT;
}

static struct tally *tallies_create(size_t n)
{
    struct tally *tallies = calloc(n + 1, sizeof *tallies);
    for (size_t i = 0; tallies && i < n; i++)
        tallies[i].shortest = UINT64_MAX;
    if (!tallies)
        log_error("out of memory: %zu sums", n);
    return tallies;
}

enum refrain_status statistics_compute(struct statistics *s, const struct reader *r,
                                       const struct definitions *d, const struct ranges *ranks,
                                       enum statistics_by by)
{
    const struct trace *trace = &r->trace;
    const bool all = ranks->items.n == 0;
    struct sum sum = {.statistics = s, .reader = r, .ranks = ranks};
    enum refrain_status status = REFRAIN_OK;

    *s = (struct statistics){.functions = tallies_create(trace->functions.functions.n)};
    if (by == STATISTICS_BY_RANK)
        s->ranks = tallies_create(trace->n_ranks);
    if (by == STATISTICS_BY_SITE)
        s->sites = tallies_create(trace->sites.n);
    if (!s->functions || (by == STATISTICS_BY_RANK && !s->ranks) || (by == STATISTICS_BY_SITE && !s->sites))
        status = REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_OK)
        status = roles_find(&sum.roles, &trace->functions);
    volume_source_start(&sum.volumes, r, d, &sum.roles);
    sum.volumes.others = &sum.others;
    if (status == REFRAIN_OK)
        status = other_requests_find(&sum.others, r, d, &sum.roles);
    for (size_t i = 0; status == REFRAIN_OK && i < trace->shapes.n; i++) {
        if (trace->shapes.items[i].kind != LANE_THREAD)
            continue;
        status = sum_shape(&sum, &trace->shapes.items[i]);
        if (status == REFRAIN_OK && all)
            sum_timings(s, trace, &trace->shapes.items[i]);
    }
    if (status == REFRAIN_OK)
        mark_init(&sum);
    if (status == REFRAIN_OK && trace->rank_times.n > 0)
        sum_rank_times(s, trace, ranks, !all);
    else if (status == REFRAIN_OK && (!all || s->ranks) && lane_times_exist(r))
        status = single_times_sum(s, r, ranks);
    if (status == REFRAIN_OK)
        status = run_share_find(s, r, &sum.roles, ranks);
    if (status == REFRAIN_OK) {
        sum_collectives(s, &sum.roles);
        sum_accesses(s, &sum.roles);
    }
    array_free(&sum.slots);
    volume_sum_free(&sum.volume);
    other_requests_free(&sum.others);
    roles_free(&sum.roles);
    if (status != REFRAIN_OK)
        statistics_free(s);
    return status;
}

void statistics_free(struct statistics *s)
{
    free(s->functions);
    free(s->ranks);
    free(s->sites);
    *s = (struct statistics){0};
}
