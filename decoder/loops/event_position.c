/* SPDX-License-Identifier: BSD-3-Clause */
#include "event_position.h"

#include "src/core/base/bisect.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* From `call` on, calls of the site have an equal number of events. */
struct position_run {
    uint64_t call, events; /* events: before this call */
    uint64_t each;
};

/* A site's calls and their events. */
struct position_site {
    struct lift_site site;
    enum { POSITION_EQUAL, POSITION_BY_ROW, POSITION_WALKED } how;
    uint64_t calls; /* in the lane */
    /* For POSITION_BY_ROW: */
    struct rules_cursor stream;
    uint64_t *counts;                /* scratch, by row */
    ARRAY(struct position_run) runs; /* for POSITION_WALKED; empty until needed */
    struct event_list events;        /* scratch */
};

static enum refrain_status no_memory(void)
{
    log_error("out of memory: finding events in a lane");
    return REFRAIN_ERR_MEMORY;
}

/* ---- the events of a site -------------------------------------------------------------------- */

static uint64_t row_events(const struct position_site *s, size_t row)
{
    return s->site.rows[row].items.n;
}

static bool rows_are_equal(const struct position_site *s)
{
    for (size_t i = 1; i < s->site.group->rows.n; i++) {
        if (row_events(s, i) != row_events(s, 0))
            return false;
    }
    return true;
}

/* Does a column decide which events a call has? */
static bool column_decides(const struct lift_site *s)
{
    for (size_t i = 0; i < s->n_columns; i++) {
        if (s->columns[i].still)
            return true;
    }
    return false;
}

static enum refrain_status open_site(struct position_site *s, struct event_position *p,
                                     const struct entry *entry)
{
    enum refrain_status status = lift_site_open(&s->site, p->source, &p->lane, entry);
    if (status != REFRAIN_OK)
        return status;
    const struct group *group = s->site.group;
    s->calls = p->passed[entry->site];
    if (column_decides(&s->site))
        s->how = POSITION_WALKED;
    else if (rows_are_equal(s))
        s->how = POSITION_EQUAL;
    else
        s->how = group->stream ? POSITION_BY_ROW : POSITION_WALKED;
    if (s->how != POSITION_BY_ROW)
        return REFRAIN_OK;
    s->counts = calloc(group->rows.n, sizeof *s->counts);
    return s->counts ? rules_cursor_start(&s->stream, group->stream) : no_memory();
}

static void close_site(struct position_site *s)
{
    lift_site_close(&s->site);
    rules_cursor_stop(&s->stream);
    free(s->counts);
    array_free(&s->runs);
    event_list_free(&s->events);
}

/* Counts the events of the first `calls` calls: the stream gives the rows, all others are the
 * filler's. */
static enum refrain_status count_rows(struct position_site *s, uint64_t calls, uint64_t *events)
{
    const struct group *group = s->site.group;
    const uint64_t rows =
        s->site.walk.has_fills ? row_walk_unfilled(s->site.walk.fills.series, calls) : calls;
    memset(s->counts, 0, group->rows.n * sizeof *s->counts);
    const enum refrain_status status =
        rules_cursor_seek(&s->stream, rows, s->counts, (uint32_t)group->rows.n);
    *events = (calls - rows) * row_events(s, 0);
    for (size_t i = 0; i < group->rows.n; i++)
        *events += s->counts[i] * row_events(s, i);
    return status;
}

/* Walks all calls and notes where their number of events changes. */
static enum refrain_status walk_calls(struct position_site *s, struct call_event_source *source)
{
    enum refrain_status status = REFRAIN_OK;
    struct position_run run = {.each = UINT64_MAX};
    uint64_t events = 0;
    for (uint64_t i = 0; i < s->calls && status == REFRAIN_OK; i++) {
        const struct event_list *list;
        if ((status = lift_site_next(&s->site, source, &list)) != REFRAIN_OK)
            break;
        if (list->items.n != run.each) {
            run = (struct position_run){.call = i, .events = events, .each = list->items.n};
            if (!array_push(&s->runs, run))
                return no_memory();
        }
        events += list->items.n;
    }
    return status;
}

static enum refrain_status count_walked(struct position_site *s, struct call_event_source *source,
                                        uint64_t calls, uint64_t *events)
{
    enum refrain_status status = REFRAIN_OK;
    *events = 0;
    if (s->runs.n == 0 && (status = walk_calls(s, source)) != REFRAIN_OK)
        return status;
    const size_t begun = BISECT(i, s->runs.n, s->runs.items[i].call < calls);
    if (begun > 0) {
        const struct position_run *run = &s->runs.items[begun - 1];
        *events = run->events + (calls - run->call) * run->each;
    }
    return REFRAIN_OK;
}

static enum refrain_status count_events(struct position_site *s, struct call_event_source *source,
                                        uint64_t calls, uint64_t *events)
{
    switch (s->how) {
    case POSITION_BY_ROW:
        return count_rows(s, calls, events);
    case POSITION_WALKED:
        return count_walked(s, source, calls, events);
    default:
        *events = s->site.group->rows.n > 0 ? calls * row_events(s, 0) : 0;
        return REFRAIN_OK;
    }
}

/* ---- the events of a lane -------------------------------------------------------------------- */

/* Counts the events of the calls in p->passed. */
static enum refrain_status count_passed(struct event_position *p, uint64_t *events)
{
    enum refrain_status status = REFRAIN_OK;
    *events = 0;
    for (size_t i = 0; i < p->lane.shape->entries.n && status == REFRAIN_OK; i++) {
        uint64_t n;
        status = count_events(&p->sites[i], p->source, p->passed[p->lane.shape->entries.items[i].site], &n);
        *events += status == REFRAIN_OK ? n : 0;
    }
    return status;
}

static enum refrain_status events_before(struct event_position *p, uint64_t call, uint64_t *events)
{
    enum refrain_status status =
        lane_walk_seek(&p->walk, call, p->passed, (uint32_t)p->source->reader->trace.sites.n);
    return status == REFRAIN_OK ? count_passed(p, events) : status;
}

enum refrain_status event_position_start(struct event_position *p, struct call_event_source *source,
                                         const struct lane_ref *lane)
{
    const struct trace *t = &source->reader->trace;
    const size_t n = lane->shape->entries.n;
    *p = (struct event_position){.source = source, .lane = *lane};
    p->passed = calloc(t->sites.n + 1, sizeof *p->passed);
    p->sites = calloc(n + 1, sizeof *p->sites);
    enum refrain_status status = p->passed && p->sites ? call_event_lane(source, lane) : no_memory();
    if (status == REFRAIN_OK)
        status = lane_walk_start(&p->walk, t, lane->shape, lane->ordinal, lane->rank);
    if (status == REFRAIN_OK)
        status = lane_walk_count(t, lane->shape, lane->ordinal, lane->rank, p->passed, &p->calls);
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++)
        status = open_site(&p->sites[i], p, &lane->shape->entries.items[i]);
    if (status == REFRAIN_OK)
        status = count_passed(p, &p->events);
    if (status != REFRAIN_OK)
        event_position_stop(p);
    return status;
}

void event_position_stop(struct event_position *p)
{
    for (size_t i = 0; p->sites && i < p->lane.shape->entries.n; i++)
        close_site(&p->sites[i]);
    lane_walk_stop(&p->walk);
    free(p->sites);
    free(p->passed);
    *p = (struct event_position){0};
}

enum refrain_status event_position_weight(struct event_position *p, const struct call *call, uint64_t *events)
{
    struct position_site *s = &p->sites[call->entry];
    if (s->how != POSITION_WALKED || !column_decides(&s->site)) {
        *events = row_events(s, call->row);
        return REFRAIN_OK;
    }
    event_list_clear(&s->events);
    const enum refrain_status status =
        call_event_put(p->source, call->function, call->slots, call->n_slots, &s->events, NULL);
    *events = s->events.items.n;
    return status;
}

/* ---- cost ------------------------------------------------------------------------------------ */

/* About how many elements each guess looks at; calls that must be walked are walked only once. */
static uint64_t guess_cost(const struct event_position *p)
{
    uint64_t elements = lane_walk_seek_cost(&p->walk);
    for (size_t i = 0; i < p->lane.shape->entries.n; i++) {
        const struct position_site *s = &p->sites[i];
        if (s->how == POSITION_BY_ROW)
            elements += s->site.group->stream->first[s->site.group->stream->n_rules];
        if (s->how == POSITION_BY_ROW && s->site.walk.has_fills)
            elements += series_weight(s->site.walk.fills.series);
    }
    return elements;
}

uint64_t event_position_cost(const struct event_position *p)
{
    uint64_t guesses = 1;
    for (uint64_t calls = p->calls; calls > EVENT_POSITION_NEAR; calls /= 2)
        guesses++;
    return guess_cost(p) / CURSOR_ELEMENTS_A_CALL * guesses;
}

/* ---- finding --------------------------------------------------------------------------------- */

/* Returns a call to try: the place that evenly spread events would give, in turns a few calls
 * before or after it, so that both ends come close. Each third guess is the middle, which
 * guarantees progress. */
static uint64_t guess(const struct positioned_call *low, const struct positioned_call *high, uint64_t event,
                      unsigned step)
{
    const uint64_t calls = high->call - low->call,
                   margin = EVENT_POSITION_NEAR / 4 << (step < 90 ? step / 3 : 30);
    if (step % 3 == 2)
        return low->call + calls / 2;
    const uint64_t even =
        (uint64_t)((unsigned __int128)(event - low->events) * calls / (high->events - low->events));
    if (step % 3 == 0)
        return low->call + (even > margin ? even - margin : 1);
    return low->call + (even + margin < calls ? even + margin : calls - 1);
}

enum refrain_status event_position_near(struct event_position *p, uint64_t event, struct positioned_call from,
                                        struct positioned_call *out)
{
    assert(from.call <= p->calls && from.events <= event);
    struct positioned_call low = from, high = {p->calls, p->events};
    if (event >= p->events) {
        log_error("rank %u has no event %llu, but %llu of them", p->lane.rank, (unsigned long long)event,
                  (unsigned long long)p->events);
        return REFRAIN_ERR_USAGE;
    }
    for (unsigned step = 0; high.call - low.call > EVENT_POSITION_NEAR; step++) {
        struct positioned_call middle = {.call = guess(&low, &high, event, step)};
        const enum refrain_status status = events_before(p, middle.call, &middle.events);
        if (status != REFRAIN_OK)
            return status;
        if (middle.events <= event)
            low = middle;
        else
            high = middle;
    }
    *out = low;
    return REFRAIN_OK;
}
