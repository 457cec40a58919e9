/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline.h"

#include "decoder/match/logical_clock.h"
#include "decoder/times/timed_lane.h"
#include "decoder/util/progress.h"
#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

/* ---- lanes and lines ------------------------------------------------------------------------- */

size_t timeline_first_lane(const struct timeline *t, uint32_t line)
{
    assert(line <= t->n_lines);
    const size_t lane = (size_t)line * t->per_line;
    return lane < t->lanes.n ? lane : t->lanes.n;
}

uint32_t timeline_line(const struct timeline *t, size_t lane)
{
    assert(lane < t->lanes.n);
    return (uint32_t)(lane / t->per_line);
}

struct timeline_extent timeline_extent(const struct timeline *t, uint32_t line)
{
    assert(line < t->n_lines);
    struct timeline_extent x = {.begin = UINT64_MAX};
    for (size_t i = timeline_first_lane(t, line); i < timeline_first_lane(t, line + 1); i++) {
        const struct timeline_lane *lane = &t->lanes.items[i];
        x.begin = lane->begin < x.begin ? lane->begin : x.begin;
        x.end = lane->end > x.end ? lane->end : x.end;
    }
    return x;
}

static enum refrain_status find_lanes(struct timeline *t, const struct timeline_request *request)
{
    for (uint64_t rank = 0; reader_next_rank(t->reader, &rank); rank++) {
        struct timeline_lane lane = {.begin = UINT64_MAX};
        for (size_t at = 0; ranges_has(request->ranks, rank) &&
                            reader_next_lane(t->reader, (uint32_t)rank, LANE_THREAD, &at, &lane.ref);) {
            if (!array_push(&t->lanes, lane))
                return REFRAIN_ERR_MEMORY;
        }
    }
    if (t->lanes.n == 0) {
        log_error("%s: these ranks made no calls: choose others with --rank", t->reader->path);
        return REFRAIN_ERR_USAGE;
    }
    t->per_line = (t->lanes.n + request->lines - 1) / request->lines;
    t->n_lines = timeline_line(t, t->lanes.n - 1) + 1;
    return REFRAIN_OK;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static uint64_t cut(const struct timeline *t, uint64_t time)
{
    return time < t->from ? t->from : time > t->to ? t->to : time;
}

static void put_into_bins(struct timeline *t, const struct timeline_call *c)
{
    if (c->depth == 0)
        bins_add(&t->bins, timeline_line(t, c->lane), t->roles.items[c->function].kind, cut(t, c->enter),
                 cut(t, c->leave));
}

/* Drops short calls until half of the places are free. */
static void coarsen(struct timeline *t, size_t most)
{
    while (t->calls.n > most / 2) {
        size_t kept = 0;
        t->grain = t->grain > 0 ? 2 * t->grain : 1;
        for (size_t i = 0; i < t->calls.n; i++) {
            const struct timeline_call *c = &t->calls.items[i];
            if (c->leave - c->enter < t->grain)
                put_into_bins(t, c);
            else
                t->calls.items[kept++] = *c;
        }
        t->calls.n = kept;
    }
}

static enum refrain_status take_call(struct timeline *t, const struct timeline_call *c, size_t most)
{
    t->n_calls++;
    uint64_t *time = &t->time[t->roles.items[c->function].kind];
    if (c->depth == 0)
        *time = timing_sum(*time, cut(t, c->leave) - cut(t, c->enter));
    if (timeline_shares(t) || most == 0 || c->leave - c->enter < t->grain) {
        put_into_bins(t, c);
        return REFRAIN_OK;
    }
    if (t->calls.n == most)
        coarsen(t, most);
    if (c->leave - c->enter < t->grain)
        put_into_bins(t, c);
    else if (!array_push(&t->calls, *c))
        return REFRAIN_ERR_MEMORY;
    return REFRAIN_OK;
}

static enum refrain_status take_lane(struct timeline *t, size_t number, size_t most,
                                     const struct timestamps_source *source, struct progress *progress)
{
    struct timeline_lane *lane = &t->lanes.items[number];
    struct timed_lane timed;
    enum refrain_status status = timed_lane_start(&timed, t->reader, source, &lane->ref);
    if (status != REFRAIN_OK)
        return status;
    while (timed_lane_next(&timed, &status)) {
        const struct timeline_call call = {.index = timed.call.index,
                                           .enter = timed.timestamp.enter,
                                           .leave = timed.timestamp.leave,
                                           .lane = (uint32_t)number,
                                           .function = timed.call.function,
                                           .depth = (uint32_t)timed.timestamps.nesting.open.n};
        progress_call(progress, call.index);
        if (lane->begin > call.enter)
            lane->begin = call.enter;
        lane->end = call.leave;
        if (call.enter >= t->to && call.depth == 0)
            break;
        if ((status = timeline_regions_follow(&t->regions, call.lane, &timed)) != REFRAIN_OK)
            break;
        if (call.enter < t->to && (call.leave > t->from || call.enter >= t->from) &&
            (status = take_call(t, &call, most)) != REFRAIN_OK)
            break;
    }
    timed_lane_stop(&timed);
    return status == REFRAIN_OK ? timeline_regions_end_lane(&t->regions, (uint32_t)number, lane->end)
                                : status;
}

static enum refrain_status take_calls(struct timeline *t, const struct timeline_request *request)
{
    struct progress progress;
    struct logical_clock logical_clock = {0};
    struct timestamps_source source;
    enum refrain_status status = timestamps_source_create(&source, t->reader, request->synthetic);
    if (status != REFRAIN_OK)
        return status;
    status = logical_clock_apply(&logical_clock, request->clock, t->reader, request->definitions, &source);
    t->synthetic = source.synthetic;
    timeline_regions_start(&t->regions, t->reader, &t->roles, t->from, t->to,
                           timeline_shares(t) ? 0 : request->calls);
    progress_start(&progress, "timeline", reader_calls(t->reader));
    for (size_t i = 0; i < t->lanes.n && status == REFRAIN_OK; i++)
        status = take_lane(t, i, request->calls, &source, &progress);
    timeline_regions_sort(&t->regions);
    progress_end(&progress);
    timestamps_source_free(&source);
    logical_clock_free(&logical_clock);
    return status;
}

/* Finds the end of the picture if the user did not set it, and the length of the lanes in it. */
static enum refrain_status find_end(struct timeline *t)
{
    if (t->n_calls == 0) {
        log_error("%s: no call in that time (--from, --to)", t->reader->path);
        return REFRAIN_ERR_USAGE;
    }
    if (t->to == UINT64_MAX) {
        t->to = t->from + 1;
        for (size_t i = 0; i < t->lanes.n; i++) {
            if (t->lanes.items[i].end > t->to)
                t->to = t->lanes.items[i].end;
        }
    }
    for (size_t i = 0; i < t->lanes.n; i++) {
        const struct timeline_lane *lane = &t->lanes.items[i];
        if (lane->begin < lane->end)
            t->span = timing_sum(t->span, cut(t, lane->end) - cut(t, lane->begin));
    }
    return REFRAIN_OK;
}

enum refrain_status timeline_create(struct timeline *t, const struct reader *r,
                                    const struct timeline_request *request)
{
    assert(request->bins >= 2 && request->bins % 2 == 0);
    *t =
        (struct timeline){.reader = r, .symbols = request->symbols, .from = request->from, .to = request->to};
    enum refrain_status status = timestamps_check(r, request->synthetic);
    if (status == REFRAIN_OK)
        status = find_lanes(t, request);
    if (status == REFRAIN_OK)
        status = roles_find(&t->roles, &r->trace.functions);
    if (status == REFRAIN_OK)
        status = bins_create(&t->bins, t->n_lines, request->bins, t->from);
    if (status == REFRAIN_OK)
        status = take_calls(t, request);
    if (status == REFRAIN_OK)
        status = find_end(t);
    if (status != REFRAIN_OK)
        timeline_free(t);
    return status;
}

void timeline_free(struct timeline *t)
{
    array_free(&t->lanes);
    array_free(&t->calls);
    bins_free(&t->bins);
    timeline_regions_free(&t->regions);
    roles_free(&t->roles);
    *t = (struct timeline){0};
}

/* ---- words ----------------------------------------------------------------------------------- */

static void put_lane(const struct timeline_lane *lane, struct bytes *out)
{
    text_uint(out, lane->ref.rank);
    if (lane->ref.shape->number > 0)
        text_printf(out, ".%" PRIu32, lane->ref.shape->number);
}

uint64_t timeline_begin(const struct timeline *t)
{
    uint64_t begin = 0;
    for (size_t i = 0; i < t->calls.n; i++) {
        const struct timeline_call *c = &t->calls.items[i];
        if (t->roles.items[c->function].actions & ROLE_INIT && c->leave > begin)
            begin = c->leave;
    }
    return begin < t->to && begin > t->from ? begin : t->from;
}

void timeline_label(const struct timeline *t, uint32_t line, struct bytes *out)
{
    assert(line < t->n_lines);
    const size_t first = timeline_first_lane(t, line), last = timeline_first_lane(t, line + 1) - 1;
    put_lane(&t->lanes.items[first], out);
    if (last > first) {
        text_putc(out, '-');
        put_lane(&t->lanes.items[last], out);
    }
}

static uint64_t count_ranks(const struct timeline *t)
{
    uint64_t n = 1;
    for (size_t i = 1; i < t->lanes.n; i++)
        n += t->lanes.items[i].ref.rank != t->lanes.items[i - 1].ref.rank;
    return n;
}

/* "1 rank", "4 of 8 ranks". */
static void put_count(struct bytes *out, uint64_t n, const char *what)
{
    text_printf(out, "%" PRIu64 " %s%s", n, what, n == 1 ? "" : "s");
}

void timeline_about(const struct timeline *t, struct bytes *out)
{
    const uint64_t ranks = count_ranks(t);
    if (ranks < t->reader->trace.n_ranks)
        text_printf(out, "%" PRIu64 " of ", ranks);
    put_count(out, t->reader->trace.n_ranks, "rank");
    if (t->lanes.n > ranks) {
        text_put(out, ", ");
        put_count(out, t->lanes.n, "thread");
    }
    text_put(out, ", ");
    time_put(out, t->to - t->from);
    if (t->from > 0) {
        text_put(out, " from ");
        time_put(out, t->from);
        text_put(out, " on");
    }
    text_put(out, ", ");
    put_count(out, t->n_calls, "call");
}

void timeline_notes(const struct timeline *t, struct bytes *out)
{
    if (t->synthetic)
        text_put(out, "Synthetic times: each call lasts as long as equal calls on average, and lanes are not "
                      "aligned with each other.\n");
    if (timeline_shares(t))
        text_printf(out, "%zu lanes share %" PRIu32 " lines; a line shows what they do on average.\n",
                    t->lanes.n, t->n_lines);
    else if (t->grain > 0) {
        text_put(out, "Calls shorter than ");
        time_put(out, t->grain);
        text_put(out, " are not shown one by one.\n");
    }
}
