/* SPDX-License-Identifier: BSD-3-Clause */
#include "lane_times.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "decoder/util/text.h"
#include "src/core/base/log.h"

/* ---- modes ----------------------------------------------------------------------------------- */

bool lane_times_exist(const struct reader *r)
{
    const struct annex *a = &r->trace.annex;
    for (size_t i = 0; r->annex && i < a->pieces.n; i++) {
        if (a->pieces.items[i].kind == ANNEX_TIMES)
            return true;
    }
    return false;
}

enum refrain_status lane_times_check(const struct reader *r)
{
    if (lane_times_exist(r))
        return REFRAIN_OK;
    log_error("%s has no times of single calls (record with --timing lossy, quantum:1us or lossless)",
              r->path);
    return REFRAIN_ERR_USAGE;
}

const struct annex_piece *lane_times_piece(const struct reader *r, uint32_t rank, uint32_t thread)
{
    return r->annex ? annex_find(&r->trace.annex, rank, ANNEX_TIMES, thread) : NULL;
}

enum refrain_status lane_times_mode(const struct reader *r, struct time_mode *mode, uint64_t *bytes)
{
    const struct annex *a = &r->trace.annex;
    struct time_piece piece = {0};
    enum refrain_status status = REFRAIN_OK;
    bool known = false;
    *bytes = 0;
    for (size_t i = 0; i < a->pieces.n && status == REFRAIN_OK; i++) {
        const struct annex_piece *p = &a->pieces.items[i];
        if (p->kind != ANNEX_TIMES)
            continue;
        *bytes += p->length;
        if (!known && (status = reader_piece(r, p)) == REFRAIN_OK)
            status = time_piece_decode(r->path, r->annex + p->at, p->length, &piece);
        known = true;
    }
    if (status == REFRAIN_OK)
        *mode = piece.mode;
    piece.mode = (struct time_mode){0};
    time_piece_free(&piece);
    return status;
}

enum refrain_status lane_times_bound(const struct reader *r, uint64_t *bound)
{
    struct time_mode mode;
    uint64_t bytes;
    const enum refrain_status status = lane_times_mode(r, &mode, &bytes);
    if (status != REFRAIN_OK)
        return status;
    *bound = mode.unit > 1 ? (mode.unit + 1) / 2 : 0;
    for (size_t i = 0; i < mode.grids.n; i++)
        *bound = mode.grids.items[i].bound > *bound ? mode.grids.items[i].bound : *bound;
    time_mode_free(&mode);
    return REFRAIN_OK;
}

static void put_base(uint32_t base, struct bytes *out)
{
    text_real(out, (double)base / TIME_BASE_ONE);
}

static void put_time(uint64_t ns, struct bytes *out)
{
    const bool us = ns % 1000 == 0;
    text_uint(out, us ? ns / 1000 : ns);
    text_put(out, us ? " us" : " ns");
}

void lane_times_put_mode(const struct time_mode *m, struct bytes *out)
{
    if (m->unit == 1) {
        text_put(out, "lossless, nanoseconds");
    } else if (m->unit > 1) {
        text_put(out, "quantum, entries and exits within half of ");
        put_time(m->unit, out);
    } else if (m->grids.n > 0) {
        text_put(out, "lossy, durations within a factor of ");
        put_base(m->grids.items[0].base, out);
        for (size_t i = 0; i < m->functions.n; i++) {
            text_put(out, i > 0 ? ", " : " (");
            text_put(out, m->functions.items[i]);
            text_putc(out, ' ');
            put_base(m->grids.items[i + 1].base, out);
            text_put(out, i + 1 == m->functions.n ? ")" : "");
        }
        if (m->grids.items[0].floor > 0) {
            text_put(out, ", below ");
            put_time(m->grids.items[0].floor, out);
            text_put(out, " within that");
        }
        text_put(out, "; entries and exits within ");
        put_time(m->grids.items[0].bound, out);
    }
}

/* ---- a lane ---------------------------------------------------------------------------------- */

static enum refrain_status no_memory(void)
{
    log_error("out of memory: the times of a lane");
    return REFRAIN_ERR_MEMORY;
}

static enum refrain_status make_no_sense(const struct lane_times *t)
{
    log_error("%s: section ANNX: the times of rank %" PRIu32 ", thread %" PRIu32
              ", are damaged at call %" PRIu64,
              t->reader->path, t->lane.rank, t->lane.shape->number, t->times.index);
    return REFRAIN_ERR_FORMAT;
}

static enum refrain_status choose_grids(struct lane_times *t)
{
    const size_t n = t->reader->trace.sites.n;
    t->grids = calloc(n + 1, sizeof *t->grids);
    t->passed = calloc(n + 1, sizeof *t->passed);
    if (!t->grids || !t->passed)
        return no_memory();
    for (size_t i = 0; i < n; i++)
        t->grids[i] = (uint8_t)time_mode_grid(&t->piece->mode, reader_function(t->reader, (uint32_t)i));
    return REFRAIN_OK;
}

/* There may be more calls than times, because of a budget (time_log.h), but not fewer. */
static enum refrain_status check_calls(struct lane_times *t)
{
    uint64_t calls;
    const enum refrain_status status =
        lane_walk_count(&t->reader->trace, t->lane.shape, t->lane.ordinal, t->lane.rank, t->passed, &calls);
    if (status == REFRAIN_OK && calls < t->piece->calls) {
        log_error("%s: section ANNX: rank %" PRIu32 ", thread %" PRIu32 " has %" PRIu64
                  " calls and the times of %" PRIu64,
                  t->reader->path, t->lane.rank, t->lane.shape->number, calls, t->piece->calls);
        return REFRAIN_ERR_FORMAT;
    }
    return status;
}

enum refrain_status lane_times_start(struct lane_times *t, const struct reader *r,
                                     const struct lane_ref *lane, bool *there)
{
    assert(lane->ordinal < series_length(lane->shape->ranks));
    const struct annex_piece *p =
        lane->shape->kind == LANE_THREAD ? lane_times_piece(r, lane->rank, lane->shape->number) : NULL;
    *t = (struct lane_times){
        .reader = r, .lane = *lane, .clock = rank_clocks_find(&r->trace.clocks, lane->rank)};
    *there = p;
    if (!p)
        return REFRAIN_OK;
    enum refrain_status status = reader_piece(r, p);
    if (status == REFRAIN_OK && !(t->piece = calloc(1, sizeof *t->piece)))
        status = no_memory();
    if (status == REFRAIN_OK)
        status = time_piece_decode(r->path, r->annex + p->at, p->length, t->piece);
    if (status == REFRAIN_OK)
        status = choose_grids(t);
    if (status == REFRAIN_OK)
        status = check_calls(t);
    if (status == REFRAIN_OK)
        status = lane_walk_start(&t->sites, &r->trace, lane->shape, lane->ordinal, lane->rank);
    if (status == REFRAIN_OK)
        status = time_walk_start(&t->times, t->piece);
    if (status != REFRAIN_OK)
        lane_times_stop(t);
    return status;
}

enum refrain_status lane_times_seek(struct lane_times *t, uint64_t index)
{
    const uint64_t block = index / TIME_BLOCK_CALLS;
    struct timestamp skipped;
    enum refrain_status status =
        lane_walk_seek(&t->sites, block * TIME_BLOCK_CALLS, t->passed, (uint32_t)t->reader->trace.sites.n);
    time_walk_seek(&t->times, block);
    while (status == REFRAIN_OK && t->times.index < index && lane_times_next(t, &skipped, &status))
        ;
    return status;
}

bool lane_times_have(const struct lane_times *t, uint64_t index)
{
    return t->piece && index < t->piece->calls;
}

bool lane_times_take(struct lane_times *t, uint32_t site, struct timestamp *timestamps,
                     enum refrain_status *status)
{
    assert(site < t->reader->trace.sites.n);
    t->site = site;
    *status = time_walk_next(&t->times, site, t->grids[site], timestamps);
    if (*status == REFRAIN_ERR_FORMAT)
        make_no_sense(t);
    return *status == REFRAIN_OK;
}

bool lane_times_next(struct lane_times *t, struct timestamp *timestamps, enum refrain_status *status)
{
    uint32_t site;
    *status = REFRAIN_OK;
    return t->times.index < t->piece->calls && lane_walk_next(&t->sites, &site) &&
           lane_times_take(t, site, timestamps, status);
}

/* A time before the base, which a damaged trace may contain, becomes the base. */
struct timestamp lane_times_since(const struct lane_times *t, uint64_t base, struct timestamp local)
{
    const uint64_t enter = rank_clock_global(t->clock, local.enter),
                   leave = rank_clock_global(t->clock, local.leave), from = rank_clock_global(t->clock, base);
    const uint64_t since = local.enter > base ? enter - from : 0;
    return (struct timestamp){since, since + (leave - enter)};
}

void lane_times_stop(struct lane_times *t)
{
    time_walk_stop(&t->times);
    lane_walk_stop(&t->sites);
    if (t->piece)
        time_piece_free(t->piece);
    free(t->piece);
    free(t->grids);
    free(t->passed);
    *t = (struct lane_times){0};
}

enum refrain_status lane_times_base(const struct reader *r, uint32_t rank, uint64_t *base)
{
    enum refrain_status status = REFRAIN_OK;
    struct lane_ref lane;
    *base = 0;
    for (size_t at = 0;
         status == REFRAIN_OK && *base == 0 && reader_next_lane(r, rank, LANE_THREAD, &at, &lane);) {
        const struct annex_piece *p = lane_times_piece(r, rank, lane.shape->number);
        struct time_piece piece = {0};
        if (!p)
            continue;
        status = time_piece_decode(r->path, r->annex + p->at, p->length, &piece);
        if (status == REFRAIN_OK && piece.blocks.n > 0)
            *base = piece.blocks.items[0].timestamp;
        time_piece_free(&piece);
    }
    return status;
}
