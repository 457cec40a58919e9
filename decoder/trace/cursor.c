/* SPDX-License-Identifier: BSD-3-Clause */
#include "cursor.h"

#include "row_walk.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct cursor_site {
    const struct group *group;
    uint64_t ordinal; /* rank's ordinal in the group */
    uint64_t passed;  /* calls of the site before the current position */
    /* do stream and columns stand at `passed`? They are positioned at the first call */
    bool reached;
    struct rules_cursor stream; /* used if the group has a stream */
    struct series_cursor *columns;
    size_t n_slots;                      /* number of columns that are slots */
    struct series_cursor *order, *fills; /* other columns, NULL if there are none */
    uint64_t fill; /* calls of the filler before the next row of the stream or the order */
    /* Rows evaluated at the rank, as the group's rows; NULL until needed. In a group with columns,
     * each is followed by a copy with the columns' values. */
    int64_t **rows;
};

void row_at(const struct row *row, uint64_t ordinal, uint32_t rank, int64_t *slots)
{
    for (uint32_t i = 0; i < row->n_slots; i++)
        slots[i] = rankfn_at(row_slot(row, i), ordinal, rank);
}

static enum refrain_status no_memory(void)
{
    log_error("out of memory: a cursor over a lane");
    return REFRAIN_ERR_MEMORY;
}

/* Every rank of a shape is in exactly one group of each entry: trace_check checks this. */
enum refrain_status entry_group(const struct entry *entry, uint32_t rank, const struct group **group,
                                uint64_t *ordinal)
{
    for (size_t i = 0; i < entry->groups.n; i++) {
        if (ranks_find(entry->groups.items[i].ranks, rank, ordinal)) {
            *group = &entry->groups.items[i];
            return REFRAIN_OK;
        }
    }
    log_error("rank %u has a call of site %u but no rows of it", rank, entry->site);
    return REFRAIN_ERR_FORMAT;
}

enum refrain_status cursor_start(struct cursor *c, const struct reader *r, const struct lane_ref *lane)
{
    assert(lane->ordinal < series_length(lane->shape->ranks));
    const struct shape *shape = lane->shape;
    const size_t n = shape->entries.n;
    *c = (struct cursor){.reader = r, .lane = *lane, .n_sites = n};
    c->sites = calloc(n + 1, sizeof *c->sites);
    c->entry_of_site = calloc(r->trace.sites.n + 1, sizeof *c->entry_of_site);
    c->skipped = calloc(r->trace.sites.n + 1, sizeof *c->skipped);
    enum refrain_status status = c->sites && c->entry_of_site && c->skipped ? REFRAIN_OK : no_memory();
    for (size_t i = 0; status == REFRAIN_OK && i < n; i++) {
        c->entry_of_site[shape->entries.items[i].site] = (uint32_t)i;
        status = entry_group(&shape->entries.items[i], lane->rank, &c->sites[i].group, &c->sites[i].ordinal);
        if (status == REFRAIN_OK)
            c->sites[i].n_slots = group_slot_columns(c->sites[i].group);
    }
    if (status == REFRAIN_OK)
        status = lane_walk_count(&r->trace, shape, lane->ordinal, lane->rank, c->skipped, &c->calls);
    if (status == REFRAIN_OK)
        status = lane_walk_start(&c->skeleton, &r->trace, shape, lane->ordinal, lane->rank);
    if (status != REFRAIN_OK)
        cursor_stop(c);
    return status;
}

void cursor_stop(struct cursor *c)
{
    for (size_t i = 0; c->sites && i < c->n_sites; i++) {
        struct cursor_site *s = &c->sites[i];
        rules_cursor_stop(&s->stream);
        free(s->columns);
        for (size_t k = 0; s->rows && k < s->group->rows.n; k++)
            free(s->rows[k]);
        free(s->rows);
    }
    lane_walk_stop(&c->skeleton);
    free(c->sites);
    free(c->entry_of_site);
    free(c->skipped);
    *c = (struct cursor){0};
}

uint64_t cursor_calls(const struct cursor *c)
{
    return c->calls;
}

/* Estimates the cost of seeking, in calls. */
static uint64_t find_near(const struct cursor *c)
{
    const struct trace *t = &c->reader->trace;
    uint64_t elements = lane_walk_seek_cost(&c->skeleton);
    for (size_t i = 0; i < c->n_sites; i++) {
        const struct group *group = c->sites[i].group;
        elements += group->stream ? group->stream->first[group->stream->n_rules] : 0;
        for (size_t k = 0; k < group->columns.n; k++) {
            const int64_t which =
                rankfn_at(&group->columns.items[k].series, c->sites[i].ordinal, c->lane.rank);
            elements += series_weight(t->columns.items[which]);
        }
    }
    return 1 + elements / CURSOR_ELEMENTS_A_CALL;
}

static enum refrain_status walk_to(struct cursor *c, uint64_t index)
{
    enum refrain_status status = REFRAIN_OK;
    struct call call;
    while (c->index < index && cursor_next(c, &call, &status))
        ;
    return status;
}

uint64_t cursor_near(struct cursor *c)
{
    if (c->near == 0)
        c->near = find_near(c);
    return c->near;
}

enum refrain_status cursor_seek(struct cursor *c, uint64_t index)
{
    assert(index <= c->calls);
    const size_t n = c->reader->trace.sites.n;
    if (index >= c->index && index - c->index <= cursor_near(c) && index <= c->calls)
        return walk_to(c, index);
    enum refrain_status status = lane_walk_seek(&c->skeleton, index, c->skipped, (uint32_t)n);
    if (status != REFRAIN_OK)
        return status;
    for (size_t i = 0; i < c->n_sites; i++) {
        c->sites[i].passed = c->skipped[c->lane.shape->entries.items[i].site];
        c->sites[i].reached = false;
    }
    c->index = index;
    return REFRAIN_OK;
}

/* Reads how many calls of the filler come before the next row of the stream. After the stream, all
 * calls are the filler's. */
static void refill(struct cursor_site *s)
{
    int64_t fill;
    s->fill = series_cursor_next(s->fills, &fill) ? (uint64_t)fill : UINT64_MAX;
}

/* Returns the number of the stream's next row after `passed` calls of the site: these are rows and
 * the filler calls before them. */
static uint64_t reach_filler(struct cursor_site *s, uint64_t passed)
{
    const struct series *fills = s->fills->series;
    const uint64_t row = row_walk_unfilled(fills, passed);
    passed -= series_total_before(fills, row) + row;
    series_cursor_seek(s->fills, row);
    refill(s);
    s->fill -= s->fill == UINT64_MAX ? 0 : passed;
    return row;
}

/* Moves stream and columns of a site to its position. */
static enum refrain_status reach(const struct cursor *c, struct cursor_site *s)
{
    const struct group *group = s->group;
    enum refrain_status status;
    if (!s->rows) {
        s->rows = calloc(group->rows.n + 1, sizeof *s->rows);
        s->columns = calloc(group->columns.n + 1, sizeof *s->columns);
        if (!s->rows || !s->columns)
            return no_memory();
    }
    uint64_t row = s->passed;
    for (size_t i = 0; i < group->columns.n; i++) {
        const struct column *column = &group->columns.items[i];
        const int64_t which = rankfn_at(&column->series, s->ordinal, c->lane.rank);
        series_cursor_start(&s->columns[i], c->reader->trace.columns.items[which]);
        if (column->slot == COLUMN_ORDER)
            s->order = &s->columns[i];
        else if (column->slot == COLUMN_FILLER)
            s->fills = &s->columns[i];
        else
            series_cursor_seek(&s->columns[i], s->passed);
    }
    if (s->fills)
        row = reach_filler(s, s->passed);
    if (s->order)
        series_cursor_seek(s->order, row);
    if (group->stream) {
        rules_cursor_stop(&s->stream);
        if ((status = rules_cursor_start(&s->stream, group->stream)) != REFRAIN_OK ||
            (status = rules_cursor_seek(&s->stream, row, NULL, 0)) != REFRAIN_OK)
            return status;
    }
    s->reached = true;
    return REFRAIN_OK;
}

/* ---- repetitions ----------------------------------------------------------------------------- */

/* Counts the calls of each site in the next `unit` calls. */
static enum refrain_status count_unit(const struct cursor *c, uint64_t unit, uint64_t *calls)
{
    const struct trace *t = &c->reader->trace;
    const uint32_t n = (uint32_t)t->sites.n;
    struct lane_walk walk;
    uint64_t *before = calloc(n + (size_t)1, sizeof *before);
    if (!before)
        return no_memory();
    enum refrain_status status = lane_walk_start(&walk, t, c->lane.shape, c->lane.ordinal, c->lane.rank);
    if (status == REFRAIN_OK) {
        status = lane_walk_seek(&walk, c->index, before, n);
        if (status == REFRAIN_OK)
            status = lane_walk_seek(&walk, c->index + unit, calls, n);
        for (uint32_t i = 0; status == REFRAIN_OK && i < n; i++)
            calls[i] -= before[i];
        lane_walk_stop(&walk);
    }
    free(before);
    return status;
}

/* Lists the repetitions of the site's rows from its next call on; false if nothing says what repeats. */
static bool list_site(const struct cursor *c, struct cursor_site *s, struct repetitions *out)
{
    static const struct repetition forever = {.period = 1, .times = INT64_MAX, .still = true};
    if (!s->reached && reach(c, s) != REFRAIN_OK)
        return false;
    if (s->n_slots > 0 || s->fills)
        return false;
    if (s->order) {
        series_cursor_repetitions(s->order, out);
        repetitions_keep_still(out);
    } else if (s->group->stream) {
        rules_cursor_repetitions(&s->stream, out);
    } else {
        *out = (struct repetitions){.items = {forever}, .n = 1};
    }
    return true;
}

/* Lists what repeats, in units of calls: the skeleton, then each site. Returns the number of lists; 0: nothing
 * repeats. */
static size_t list_units(struct cursor *c, uint64_t unit, const uint64_t *calls, struct repetitions *lists)
{
    struct repetitions given;
    size_t n = 1;
    rules_cursor_repetitions(&c->skeleton.skeleton, &given);
    repetitions_in_units(&given, unit, &lists[0]);
    for (size_t i = 0; i < c->n_sites && lists[n - 1].n > 0; i++) {
        const uint64_t of_site = calls[c->lane.shape->entries.items[i].site];
        if (of_site == 0)
            continue;
        if (!list_site(c, &c->sites[i], &given))
            return 0;
        repetitions_in_units(&given, of_site, &lists[n++]);
    }
    return lists[n - 1].n > 0 ? n : 0;
}

enum refrain_status cursor_repetition(struct cursor *c, uint64_t unit, uint64_t *period, uint64_t *times)
{
    assert(unit > 0);
    *period = *times = 0;
    /* Loops of the shape have counts that change. */
    if (c->lane.shape->loops.n > 0 || c->calls - c->index < 2 * unit)
        return REFRAIN_OK;
    uint64_t *calls = calloc(c->reader->trace.sites.n + 1, sizeof *calls);
    struct repetitions *lists = malloc((c->n_sites + 1) * sizeof *lists);
    enum refrain_status status = calls && lists ? count_unit(c, unit, calls) : no_memory();
    if (status == REFRAIN_OK) {
        const size_t n = list_units(c, unit, calls, lists);
        uint64_t units;
        if (n > 0 && repetitions_agree(lists, n, (c->calls - c->index) / unit, 2, &units, times))
            *period = units * unit;
    }
    free(calls);
    free(lists);
    return status;
}

/* ---- the next call --------------------------------------------------------------------------- */

/* Returns the row evaluated at this rank. Evaluates it only once. NULL if memory is short. */
static int64_t *row_of(const struct cursor *c, struct cursor_site *s, uint32_t number)
{
    const struct row *row = &s->group->rows.items[number];
    if (!s->rows[number]) {
        const size_t n = row->n_slots, times = s->n_slots > 0 ? 2 : 1;
        int64_t *slots = malloc((times * n + 1) * sizeof *slots);
        if (!slots) {
            no_memory();
            return NULL;
        }
        row_at(row, s->ordinal, c->lane.rank, slots);
        if (times == 2)
            memcpy(slots + n, slots, n * sizeof *slots);
        s->rows[number] = slots;
    }
    return s->rows[number];
}

/* Returns the row with the columns' values of this call. A column advances at every call, even if
 * the row is too short for its slot. */
static const int64_t *patch(struct cursor_site *s, int64_t *row, uint32_t n)
{
    const struct column *columns = s->group->columns.items;
    int64_t *patched = row + n;
    for (size_t i = 0; i < s->n_slots; i++) {
        if (columns[i].slot < n)
            patched[columns[i].slot] = row[columns[i].slot];
    }
    for (size_t i = 0; i < s->n_slots; i++) {
        int64_t value;
        if (series_cursor_next(&s->columns[i], &value) && columns[i].slot < n)
            patched[columns[i].slot] = (int64_t)((uint64_t)patched[columns[i].slot] + (uint64_t)value);
    }
    return patched;
}

/* Returns the row number of the site's next call. */
static uint32_t next_row(struct cursor_site *s)
{
    uint32_t number = 0;
    int64_t row;
    if (s->fills && s->fill > 0) {
        s->fill -= s->fill == UINT64_MAX ? 0 : 1;
        return 0;
    }
    if (s->group->stream)
        rules_cursor_next(&s->stream, &number);
    if (s->order && series_cursor_next(s->order, &row))
        number = (uint32_t)row;
    if (s->fills)
        refill(s);
    return number;
}

bool cursor_next(struct cursor *c, struct call *call, enum refrain_status *status)
{
    uint32_t site;
    *status = REFRAIN_OK;
    if (!lane_walk_next(&c->skeleton, &site))
        return false;
    const uint32_t entry = c->entry_of_site[site];
    struct cursor_site *s = &c->sites[entry];
    if (!s->reached && (*status = reach(c, s)) != REFRAIN_OK)
        return false;
    const uint32_t number = next_row(s);
    const uint32_t n_slots = s->group->rows.items[number].n_slots;
    int64_t *row = row_of(c, s, number);
    if (!row) {
        *status = REFRAIN_ERR_MEMORY;
        return false;
    }
    const int64_t *slots = s->n_slots > 0 ? patch(s, row, n_slots) : row;
    s->passed++;
    *call = (struct call){.index = c->index++,
                          .rank = c->lane.rank,
                          .thread = c->lane.shape->number,
                          .site = site,
                          .function = c->reader->trace.sites.items[site].function,
                          .entry = entry,
                          .row = number,
                          .group = s->group,
                          .slots = slots,
                          .n_slots = n_slots};
    return true;
}

enum refrain_status cursor_walk(const struct reader *r, const struct lane_ref *lane,
                                enum refrain_status (*take)(void *context, const struct reader *r,
                                                            const struct call *call),
                                void *context)
{
    struct cursor cursor;
    struct call call;
    enum refrain_status status = cursor_start(&cursor, r, lane);
    if (status != REFRAIN_OK)
        return status;
    while (cursor_next(&cursor, &call, &status) && (status = take(context, r, &call)) == REFRAIN_OK)
        ;
    cursor_stop(&cursor);
    return status;
}
