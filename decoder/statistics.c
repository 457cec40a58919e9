#include "statistics.h"

#include "cursor.h"
#include "log.h"
#include "stream_walk.h"
#include "volume.h"

#include <stdlib.h>
#include <string.h>

/* What is being summed up, and scratch for the site at hand. */
struct sum {
    struct statistics *statistics;
    const struct reader *reader;
    const struct definitions *definitions;
    const struct ranges *ranks;
    uint32_t site, function;
    struct volume_plan plan;
    ARRAY(int64_t) slots;
    ARRAY(bool) used;
};

static void add(struct sum *s, uint32_t rank, uint64_t times, struct volume v)
{
    struct tally *tallies[] = {
        &s->statistics->functions[s->function],
        s->statistics->ranks ? &s->statistics->ranks[rank - s->reader->trace.first_rank] : NULL,
        s->statistics->sites ? &s->statistics->sites[s->site] : NULL};
    for (size_t i = 0; i < sizeof tallies / sizeof tallies[0]; i++) {
        if (!tallies[i])
            continue;
        tallies[i]->calls += times;
        tallies[i]->sent += times * v.sent;
        tallies[i]->received += times * v.received;
    }
}

static bool reserve(struct sum *s, uint32_t n)
{
    s->slots.n = s->used.n = 0;
    return array_reserve(&s->slots, (size_t)n + 1) && array_reserve(&s->used, (size_t)n + 1);
}

/* What the call in s->slots moves. */
static enum refrain_status evaluate(struct sum *s, uint32_t rank, uint32_t n, bool *personal,
                                    struct volume *v)
{
    const struct call call = {
        .rank = rank, .site = s->site, .function = s->function, .slots = s->slots.items, .n_slots = n};
    memset(s->used.items, false, n * sizeof(bool));
    return volume_of(&s->plan, s->reader, s->definitions, &call, s->used.items, personal, v);
}

/* How often the ranks of a group call the site and each of its rows, and when the first call of a row is
 * (only looked for where columns make a difference). */
struct row_use {
    uint64_t calls;    /* of each rank, if of_rank is NULL */
    uint64_t *of_rank; /* calls of each rank */
    uint64_t *times;   /* in the stream */
    uint64_t *first;
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

/* Do all ranks of the group have the same in the slots that count? */
static bool is_uniform(const struct sum *s, const struct row *row)
{
    for (uint32_t i = 0; i < row->n_slots; i++) {
        if (s->used.items[i] && !(row->slots[i].forms & RANKFN_CONSTANT))
            return false;
    }
    return true;
}

/* Does a column hold a slot that counts? With a filler, rows come first at another call on each rank, so that
 * what a row means that depends on a column is not known before; with an order not even how often they come.
 */
static bool is_walked(const struct sum *s, const struct group *group, uint32_t n)
{
    if (group_order(group) || (group_filler(group) && group->columns.n > 1))
        return true;
    for (size_t c = 0; c < group->columns.n; c++) {
        const uint32_t slot = group->columns.items[c].slot;
        if (slot < n && s->used.items[slot])
            return true;
    }
    return false;
}

/* Put the columns' values of call number `index` of the site over a row. */
static void patch(const struct sum *s, const struct group *group, uint64_t ordinal, uint32_t rank,
                  uint64_t index, uint32_t n)
{
    for (size_t c = 0; c < group->columns.n; c++) {
        const struct column *column = &group->columns.items[c];
        if (column->slot >= n)
            continue;
        const int64_t which = rankfn_at(&column->series, ordinal, rank);
        const uint64_t value = (uint64_t)series_at(s->reader->trace.columns.items[which], index);
        s->slots.items[column->slot] = (int64_t)((uint64_t)s->slots.items[column->slot] + value);
    }
}

/* One row, at each of the group's ranks. *walk: the calls have to be looked at one by one, nothing was added.
 */
static enum refrain_status sum_row(struct sum *s, const struct group *group, const struct row_use *use,
                                   uint32_t number, bool *walk)
{
    const struct row *row = &group->rows.items[number];
    struct series_cursor cursor;
    struct volume v = {0};
    bool uniform = false, personal;
    int64_t rank;
    if (!reserve(s, row->n_slots))
        return REFRAIN_ERR_MEMORY;
    series_cursor_start(&cursor, group->ranks);
    for (uint64_t ordinal = 0; series_cursor_next(&cursor, &rank); ordinal++) {
        if (!ranges_has(s->ranks, (uint64_t)rank))
            continue;
        if (!uniform) {
            row_at(row, ordinal, (uint32_t)rank, s->slots.items);
            patch(s, group, ordinal, (uint32_t)rank, use->first[number], row->n_slots);
            enum refrain_status status = evaluate(s, (uint32_t)rank, row->n_slots, &personal, &v);
            if (status != REFRAIN_OK)
                return status;
            if ((*walk = is_walked(s, group, row->n_slots)))
                return REFRAIN_OK;
            uniform = !personal && is_uniform(s, row);
        }
        add(s, (uint32_t)rank, times_of(group, use, number, ordinal), v);
    }
    return REFRAIN_OK;
}

/* All calls of the site by one rank, one by one: those of row `wanted`. */
static enum refrain_status walk_rank(struct sum *s, const struct group *group, uint64_t calls,
                                     uint32_t wanted, uint64_t ordinal, uint32_t rank,
                                     struct series_cursor *columns)
{
    const struct row *row = &group->rows.items[wanted];
    const struct trace *trace = &s->reader->trace;
    struct stream_walk walk;
    uint32_t number;
    uint64_t count;
    bool personal;
    for (size_t c = 0; c < group->columns.n; c++)
        series_cursor_start(&columns[c],
                            trace->columns.items[rankfn_at(&group->columns.items[c].series, ordinal, rank)]);
    enum refrain_status status = stream_walk_group(&walk, trace, group, ordinal, rank, calls);
    if (status != REFRAIN_OK)
        return status;
    row_at(row, ordinal, rank, s->slots.items);
    for (count = 0; status == REFRAIN_OK && (count > 0 || stream_walk_next(&walk, &number, &count));
         count--) {
        struct volume v;
        for (size_t c = 0; c < group->columns.n; c++) {
            const uint32_t slot = group->columns.items[c].slot;
            int64_t value;
            if (series_cursor_next(&columns[c], &value) && slot < row->n_slots)
                s->slots.items[slot] =
                    (int64_t)((uint64_t)rankfn_at(&row->slots[slot], ordinal, rank) + (uint64_t)value);
        }
        if (number == wanted && (status = evaluate(s, rank, row->n_slots, &personal, &v)) == REFRAIN_OK)
            add(s, rank, 1, v);
    }
    stream_walk_stop(&walk);
    return status;
}

static enum refrain_status walk_row(struct sum *s, const struct group *group, const struct row_use *use,
                                    uint32_t wanted)
{
    struct series_cursor cursor, *columns = calloc(group->columns.n + 1, sizeof *columns);
    enum refrain_status status = REFRAIN_OK;
    int64_t rank;
    if (!columns) {
        log_error("out of memory: %zu columns", group->columns.n);
        return REFRAIN_ERR_MEMORY;
    }
    series_cursor_start(&cursor, group->ranks);
    for (uint64_t i = 0; status == REFRAIN_OK && series_cursor_next(&cursor, &rank); i++) {
        if (ranges_has(s->ranks, (uint64_t)rank))
            status = walk_rank(s, group, calls_of(use, i), wanted, i, (uint32_t)rank, columns);
    }
    free(columns);
    return status;
}

static enum refrain_status count_rows(const struct group *group, struct row_use *use)
{
    const uint32_t n = (uint32_t)group->rows.n;
    enum refrain_status status = REFRAIN_OK;
    use->times = calloc(n + (size_t)1, sizeof *use->times);
    use->first = calloc(n + (size_t)1, sizeof *use->first);
    if (!use->times || !use->first) {
        log_error("out of memory: %u rows", n);
        return REFRAIN_ERR_MEMORY;
    }
    if (!group->stream)
        return REFRAIN_OK;
    rules_count(group->stream, use->times, n);
    if (group_slot_columns(group) == 0 || group_filler(group))
        return REFRAIN_OK;

    struct rules_cursor stream;
    uint32_t number, missing = 0;
    for (uint32_t i = 0; i < n; i++) {
        use->first[i] = use->calls;
        missing += use->times[i] > 0;
    }
    if ((status = rules_cursor_start(&stream, group->stream)) != REFRAIN_OK)
        return status;
    for (uint64_t i = 0; missing > 0 && rules_cursor_next(&stream, &number); i++) {
        if (use->first[number] == use->calls) {
            use->first[number] = i;
            missing--;
        }
    }
    rules_cursor_stop(&stream);
    return REFRAIN_OK;
}

/* The calls of the site by the ranks of a group. `calls` is how often each made it, if that does not vary. */
static enum refrain_status sum_group(struct sum *s, const struct shape *shape, const struct group *group,
                                     uint64_t calls)
{
    const bool varies = group_varies(shape, s->site, group);
    struct row_use use = {.calls = varies && group->stream ? rules_length(group->stream) : calls};
    enum refrain_status status = count_rows(group, &use);
    if (status == REFRAIN_OK && varies)
        status = lane_walk_calls(&s->reader->trace, shape, s->site, group->ranks, &use.of_rank);
    for (uint32_t i = 0; status == REFRAIN_OK && i < group->rows.n; i++) {
        bool walk = false;
        if (group->stream && use.times[i] == 0 && !(i == 0 && group_filler(group)))
            continue;
        status = sum_row(s, group, &use, i, &walk);
        if (status == REFRAIN_OK && walk)
            status = walk_row(s, group, &use, i);
    }
    free(use.of_rank);
    free(use.times);
    free(use.first);
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
    for (size_t e = 0; status == REFRAIN_OK && e < shape->entries.n; e++) {
        const struct entry *entry = &shape->entries.items[e];
        s->site = entry->site;
        s->function = s->reader->trace.sites.items[entry->site].function;
        volume_plan(&s->plan, reader_function(s->reader, entry->site));
        for (size_t g = 0; status == REFRAIN_OK && g < entry->groups.n; g++)
            status = sum_group(s, shape, &entry->groups.items[g], counts[entry->site]);
    }
    free(counts);
    return status;
}

/* ---- times -----------------------------------------------------------------------------------------------
 */

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

/* Times of all ranks together; every timing belongs to one group only. */
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
                if (s->sites)
                    add_timing(&s->sites[entry->site], timing);
            }
        }
    }
}

/* Sums of each rank, for the ranks that were asked for. */
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
            if (s->ranks)
                add_time(&s->ranks[rank - trace->first_rank], (uint64_t)sum);
        }
    }
}

/* ---- all -------------------------------------------------------------------------------------------------
 */

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
    struct sum sum = {.statistics = s, .reader = r, .definitions = d, .ranks = ranks};
    enum refrain_status status = REFRAIN_OK;

    *s = (struct statistics){.functions = tallies_create(trace->functions.functions.n)};
    if (by == STATISTICS_BY_RANK)
        s->ranks = tallies_create(trace->n_ranks);
    if (by == STATISTICS_BY_SITE)
        s->sites = tallies_create(trace->sites.n);
    if (!s->functions || (by == STATISTICS_BY_RANK && !s->ranks) || (by == STATISTICS_BY_SITE && !s->sites))
        status = REFRAIN_ERR_MEMORY;
    for (size_t i = 0; status == REFRAIN_OK && i < trace->shapes.n; i++) {
        if (trace->shapes.items[i].kind != LANE_THREAD)
            continue;
        status = sum_shape(&sum, &trace->shapes.items[i]);
        if (status == REFRAIN_OK && all)
            sum_timings(s, trace, &trace->shapes.items[i]);
    }
    if (status == REFRAIN_OK)
        sum_rank_times(s, trace, ranks, !all);
    array_free(&sum.slots);
    array_free(&sum.used);
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
