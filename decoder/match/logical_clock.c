/* SPDX-License-Identifier: BSD-3-Clause */
#define LOG_DOMAIN LOG_CLOCK
#include "logical_clock.h"

#include "matching.h"
#include "decoder/match/stream/rma_record_counting.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The first walk settles most shifts; later walks settle those that it found too late. */
#define WALKS_TOGETHER 4 /* in these first walks, a shift applies to all threads of a rank */
#define WALKS_MAX      32

struct walk {
    struct logical_clock *logical_clock;
    const struct reader *reader;
    struct roles roles;
    uint64_t raised;
};

static struct rank_corrections *correction_of(const struct walk *w, uint32_t rank)
{
    return &w->logical_clock->of_rank[rank - w->reader->trace.first_rank];
}

/* Returns when the operation begins and ends, by the uncorrected clock. */
static struct timestamp by_clock(const struct call_ref *op)
{
    return operation_timestamp(op->timestamp, op->i, op->n);
}

static struct timestamp by_shifts(const struct walk *w, const struct call_ref *op)
{
    const struct clock_correction *s = rank_corrections_find(correction_of(w, op->rank), op->thread);
    const struct timestamp call = {clock_correction_time(s, op->timestamp.enter),
                                   clock_correction_time(s, op->timestamp.leave)};
    return operation_timestamp(call, op->i, op->n);
}

/* When a message leaves. */
struct sending {
    uint64_t by_clock, by_shifts;
};

static struct sending sending(const struct walk *w, const struct call_ref *op)
{
    return (struct sending){by_clock(op).enter, by_shifts(w, op).enter};
}

/* Records the arrival of a message at a rank. */
static enum refrain_status arrive(struct walk *w, struct sending sent, const struct call_ref *at)
{
    struct logical_clock *c = w->logical_clock;
    struct rank_corrections *correction = correction_of(w, at->rank);
    const uint64_t left = at->timestamp.leave, now = by_shifts(w, at).leave;
    if (c->walks == 0) {
        const uint64_t came = by_clock(at).leave, early = came < sent.by_clock ? sent.by_clock - came : 0;
        c->arrivals++;
        c->early_before += early > 0;
        c->early_most = early > c->early_most ? early : c->early_most;
    }
    c->early_after += now < sent.by_shifts;
    const uint64_t least = timing_sum(sent.by_shifts, LOGICAL_CLOCK_LATENCY);
    if (now >= least)
        return REFRAIN_OK;
    w->raised++;
    const uint64_t leave = clock_correction_time(rank_corrections_find(correction, at->thread), left);
    for (size_t i = 0; i < correction->threads.n; i++) {
        struct thread_correction *own = &correction->threads.items[i];
        if ((own->thread == at->thread || c->walks < WALKS_TOGETHER) &&
            !clock_correction_raise(&own->correction, left, timing_sum(least, leave - now)))
            return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

static enum refrain_status take_message(void *context, const struct matching_message *m)
{
    struct walk *w = context;
    if (!m->is_completed)
        return REFRAIN_OK;
    return arrive(w, sending(w, &m->send), &m->completed);
}

/* With MPI_IN_PLACE only one side's volume is known (volume.h). A refused call neither sends nor
 * receives. */
static bool moves(const struct matching_collective *c, const struct matching_member *m,
                  enum role_meeting meeting, uint64_t bytes)
{
    if (m->refused)
        return false;
    return meeting == MEETING_ALWAYS || bytes > 0 ||
           (meeting == MEETING_OF_EQUALS && !c->inter && (m->sent > 0 || m->received > 0));
}

/* Returns when the last sender to one group's members entered: of all members, or of the other
 * group. */
static struct sending last_to(const struct walk *w, const struct matching_collective *c, bool second)
{
    struct sending last = {0};
    for (size_t i = 0; i < c->n; i++) {
        const struct matching_member *m = &c->members[i];
        if ((c->inter && m->second == second) || !moves(c, m, w->roles.items[c->function].meeting, m->sent))
            continue;
        const struct sending one = sending(w, &m->call);
        last.by_clock = one.by_clock > last.by_clock ? one.by_clock : last.by_clock;
        last.by_shifts = one.by_shifts > last.by_shifts ? one.by_shifts : last.by_shifts;
    }
    return last;
}

static enum refrain_status take_collective(void *context, const struct matching_collective *m)
{
    struct walk *w = context;
    enum refrain_status status = REFRAIN_OK;
    const enum role_meeting meeting = w->roles.items[m->function].meeting;
    if (meeting == MEETING_NONE || !m->agree || m->n < m->expected)
        return REFRAIN_OK;
    const struct sending last[] = {last_to(w, m, false), last_to(w, m, m->inter)};
    for (size_t i = 0; i < m->n && status == REFRAIN_OK; i++) {
        if (moves(m, &m->members[i], meeting, m->members[i].received))
            status = arrive(w, last[m->members[i].second], &m->members[i].call);
    }
    return status;
}

static enum refrain_status take_unmatched(void *context, const struct matching_unmatched *u)
{
    (void)context;
    (void)u;
    return REFRAIN_OK;
}

/* Makes a correction for each thread of each rank. */
static bool make_lanes(struct logical_clock *c, const struct reader *r)
{
    c->of_rank = calloc(c->n_ranks + (size_t)1, sizeof *c->of_rank);
    for (uint32_t i = 0; c->of_rank && i < c->n_ranks; i++) {
        struct rank_corrections *correction = &c->of_rank[i];
        struct lane_ref lane;
        for (size_t at = 0; reader_next_lane(r, r->trace.first_rank + i, LANE_THREAD, &at, &lane);) {
            if (!array_push(&correction->threads, ((struct thread_correction){.thread = lane.shape->number})))
                return false;
        }
    }
    return c->of_rank;
}

enum refrain_status logical_clock_find(struct logical_clock *c, const struct reader *r,
                                       const struct definitions *d,
                                       const struct timestamps_source *timestamps)
{
    assert(!timestamps->correction);
    struct walk w = {.logical_clock = c, .reader = r};
    struct match_hints hints = {0};
    struct timestamps_source with_records = *timestamps;
    const struct matching_sink sink = {.context = &w,
                                       .message = take_message,
                                       .collective = take_collective,
                                       .unmatched = take_unmatched,
                                       .in_order = true,
                                       .hints = &hints,
                                       .timestamps = &with_records};
    enum refrain_status status = REFRAIN_OK;
    *c = (struct logical_clock){.n_ranks = r->trace.n_ranks};
    if (!make_lanes(c, r)) {
        log_error("out of memory: the clocks of %u ranks", c->n_ranks);
        status = REFRAIN_ERR_MEMORY;
    }
    if (status == REFRAIN_OK)
        status = roles_find(&w.roles, &r->trace.functions);
    if (status == REFRAIN_OK)
        status = rma_records_count(r, d, &c->rma_records);
    with_records.rma_records = c->rma_records;
    for (; status == REFRAIN_OK && c->walks < WALKS_MAX && (c->walks == 0 || w.raised > 0); c->walks++) {
        w.raised = c->early_after = 0;
        status = matching_run(r, d, &sink);
    }
    log_debug("causal clocks: %u walks, %zu foreseen", c->walks, hints.fates.n);
    match_hints_free(&hints);
    roles_free(&w.roles);
    if (status != REFRAIN_OK)
        logical_clock_free(c);
    return status;
}

void logical_clock_free(struct logical_clock *c)
{
    for (uint32_t i = 0; c->of_rank && i < c->n_ranks; i++)
        rank_corrections_free(&c->of_rank[i]);
    free(c->of_rank);
    rma_records_free(c->rma_records, c->n_ranks);
    *c = (struct logical_clock){0};
}

/* Returns how much too early an arrival may seem if the clocks are right: both times are rounded, and both
 * clocks are known to some nanoseconds only. */
static enum refrain_status find_precision(const struct reader *r, uint64_t *precision)
{
    uint64_t error = 0;
    const enum refrain_status status = lane_times_bound(r, precision);
    for (size_t i = 0; i < r->trace.clocks.n; i++) {
        const struct rank_clock *c = &r->trace.clocks.items[i];
        for (size_t k = 0; k < c->points.n; k++)
            if (c->points.items[k].error != CLOCK_UNKNOWN && c->points.items[k].error > error)
                error = c->points.items[k].error;
    }
    if (status == REFRAIN_OK)
        *precision = 2 * (*precision + error);
    return status;
}

static void tell(const struct logical_clock *c, uint64_t precision, const char *path)
{
    if (c->early_before > 0 && c->early_most <= precision)
        log_notice(
            "%s: %" PRIu64 " of %" PRIu64 " arrivals of messages and in collective operations are moved "
            "by up to %.9f s, because they seem too early; times are known within %.9f s",
            path, c->early_before, c->arrivals, (double)c->early_most * 1e-9, (double)precision * 0.5e-9);
    else if (c->early_before > 0)
        log_warning(
            "%s: %" PRIu64 " of %" PRIu64
            " arrivals of messages and in collective operations were too early by the clocks, by up to %.9f "
            "s: they are corrected (--clock linear does not correct them)",
            path, c->early_before, c->arrivals, (double)c->early_most * 1e-9);
    if (c->early_after > 0)
        log_warning(
            "%s: %" PRIu64 " of %" PRIu64
            " arrivals of messages and in collective operations are too early even with corrected clocks",
            path, c->early_after, c->arrivals);
}

enum refrain_status logical_clock_apply(struct logical_clock *c, const char *clock, const struct reader *r,
                                        const struct definitions *d, struct timestamps_source *timestamps)
{
    if (clock && strcmp(clock, "linear") == 0)
        return REFRAIN_OK;
    if (clock && strcmp(clock, "causal") != 0) {
        log_error("--clock %s: wanted linear or causal", clock);
        return REFRAIN_ERR_USAGE;
    }
    uint64_t precision;
    enum refrain_status status = find_precision(r, &precision);
    if (status == REFRAIN_OK)
        status = logical_clock_find(c, r, d, timestamps);
    if (status == REFRAIN_OK && (clock || c->early_before > 0)) {
        tell(c, precision, r->path);
        timestamps->correction = c->of_rank;
        timestamps->rma_records = c->rma_records;
    }
    return status;
}
