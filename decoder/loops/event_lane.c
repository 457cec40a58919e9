/* SPDX-License-Identifier: BSD-3-Clause */
#include "event_lane.h"

#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <string.h>

/* Walking this many calls takes about as long as seeking in a regular lane, so nearer calls are always walked
 * to. */
#define WALKED_LEAST 512

/* ---- the values of events -------------------------------------------------------------------- */

static const struct {
    const char *word;
    int kind;
} words[] = {
    {"time", EVENT_TIME}, {"exit", EVENT_EXIT},         {"duration", EVENT_DURATION}, {"bytes", EVENT_BYTES},
    {"sent", EVENT_SENT}, {"received", EVENT_RECEIVED}, {"function", EVENT_FUNCTION},
};

static bool is_parameter(const struct functable *t, const char *word)
{
    for (size_t i = 0; i < t->functions.n; i++) {
        for (uint32_t p = 0; p < t->functions.items[i].n_params; p++) {
            if (strcmp(t->functions.items[i].params[p].name, word) == 0)
                return true;
        }
    }
    return false;
}

enum refrain_status event_value_find(const struct reader *r, const char *word, struct event_value *out)
{
    struct event_value value = {.kind = EVENT_ARGUMENT, .name = word};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(word, words[i].word) == 0)
            value.kind = words[i].kind;
    }
    if (value.kind == EVENT_ARGUMENT && !is_parameter(&r->trace.functions, word)) {
        log_error(
            "'%s' is not a value of a call: wanted time, exit, duration, bytes, sent, received, function or "
            "an argument's name",
            word);
        return REFRAIN_ERR_USAGE;
    }
    if (value.kind <= EVENT_DURATION && lane_times_check(r) != REFRAIN_OK)
        return REFRAIN_ERR_USAGE;
    *out = value;
    return REFRAIN_OK;
}

/* ---- a lane ---------------------------------------------------------------------------------- */

enum refrain_status event_lane_find(const struct reader *r, uint32_t rank, uint32_t thread,
                                    struct lane_ref *lane)
{
    for (size_t at = 0; reader_next_lane(r, rank, LANE_THREAD, &at, lane);) {
        if (lane->shape->number == thread)
            return REFRAIN_OK;
    }
    log_error("%s: there is no rank %u with a thread %u", r->path, rank, thread);
    return REFRAIN_ERR_USAGE;
}

enum refrain_status event_lane_start(struct event_lane *l, struct call_event_source *source,
                                     const struct lane_ref *lane)
{
    *l = (struct event_lane){.source = source};
    enum refrain_status status = event_position_start(&l->position, source, lane);
    if (status == REFRAIN_OK)
        status = cursor_start(&l->cursor, source->reader, lane);
    if (status == REFRAIN_OK)
        status = lane_times_start(&l->times, source->reader, lane, &l->timed);
    if (status == REFRAIN_OK && l->timed)
        status = lane_times_base(source->reader, lane->rank, &l->base);
    if (status != REFRAIN_OK)
        event_lane_stop(l);
    return status;
}

void event_lane_stop(struct event_lane *l)
{
    event_position_stop(&l->position);
    cursor_stop(&l->cursor);
    lane_times_stop(&l->times);
    volume_sum_free(&l->volume);
    *l = (struct event_lane){0};
}

/* Walks to the event's call, at most over `most` calls. */
static enum refrain_status walk(struct event_lane *l, uint64_t event, uint64_t most, bool *found)
{
    enum refrain_status status = REFRAIN_OK;
    *found = l->there && event >= l->before && event < l->before + l->events;
    for (uint64_t i = 0; i < most && !*found; i++) {
        l->before += l->events;
        l->events = 0;
        l->there = cursor_next(&l->cursor, &l->call, &status);
        if (l->there)
            status = event_position_weight(&l->position, &l->call, &l->events);
        if (!l->there || status != REFRAIN_OK)
            return status;
        l->has_timestamp = false;
        *found = event < l->before + l->events;
    }
    return REFRAIN_OK;
}

static enum refrain_status seek(struct event_lane *l, uint64_t event)
{
    struct positioned_call from = {l->cursor.index, l->before + l->events}, near;
    if (event < from.events)
        from = (struct positioned_call){0};
    l->there = false;
    enum refrain_status status = event_position_near(&l->position, event, from, &near);
    if (status == REFRAIN_OK)
        status = cursor_seek(&l->cursor, near.call);
    if (status == REFRAIN_OK) {
        l->before = near.events;
        l->events = 0;
    }
    return status;
}

/* How far the event's call is, is not known. If as many calls are walked as take the time of a seek, walking
 * and seeking take at most twice the time of the better way. In an irregular lane these are many, so that all
 * seeks that go forward take no longer than one walk over the lane. */
static enum refrain_status walk_further(struct event_lane *l, uint64_t event, bool *found)
{
    if (l->further == 0)
        l->further = 1 + cursor_near(&l->cursor) + event_position_cost(&l->position);
    return walk(l, event, l->further, found);
}

enum refrain_status event_lane_seek(struct event_lane *l, uint64_t event)
{
    enum refrain_status status = REFRAIN_OK;
    bool found = false;
    if (event >= l->before)
        status = walk(l, event, WALKED_LEAST, &found);
    if (status == REFRAIN_OK && !found && event >= l->before)
        status = walk_further(l, event, &found);
    if (status == REFRAIN_OK && !found && (status = seek(l, event)) == REFRAIN_OK)
        status = walk(l, event, EVENT_POSITION_NEAR + 1, &found);
    if (status == REFRAIN_OK && !found) {
        log_error("inconsistent trace: rank %u has no event %llu where it should be", l->cursor.lane.rank,
                  (unsigned long long)event);
        status = REFRAIN_ERR_CHECK;
    }
    return status;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Inside a block, times can only be read one after another, so seeking is worth it only for
 * another block or an earlier call. */
static enum refrain_status find_timestamp(struct event_lane *l)
{
    const uint64_t call = l->call.index, next = lane_times_index(&l->times);
    enum refrain_status status = REFRAIN_OK;
    struct timestamp timestamp = {0};
    if (l->has_timestamp)
        return REFRAIN_OK;
    if (call < next || call / TIME_BLOCK_CALLS > next / TIME_BLOCK_CALLS)
        status = lane_times_seek(&l->times, call);
    while (status == REFRAIN_OK && lane_times_index(&l->times) <= call) {
        if (!lane_times_next(&l->times, &timestamp, &status))
            break;
    }
    if (status == REFRAIN_OK) {
        l->timestamp = lane_times_since(&l->times, l->base, timestamp);
        l->has_timestamp = true;
    }
    return status;
}

static enum refrain_status put_time(struct event_lane *l, int kind, struct bytes *out)
{
    const bool timed = lane_times_have(&l->times, l->call.index);
    const enum refrain_status status = timed ? find_timestamp(l) : REFRAIN_OK;
    if (status != REFRAIN_OK || !timed)
        return status;
    text_seconds(out, kind == EVENT_TIME   ? l->timestamp.enter
                      : kind == EVENT_EXIT ? l->timestamp.leave
                                           : l->timestamp.leave - l->timestamp.enter);
    return REFRAIN_OK;
}

enum refrain_status event_lane_volume(struct event_lane *l, struct volume *out)
{
    assert(l->there);
    const enum refrain_status status = volume_sum_of(&l->source->volumes, &l->call, &l->volume);
    if (status == REFRAIN_OK)
        *out = volume_at(&l->volume, l->call.slots);
    return status;
}

static enum refrain_status put_bytes(struct event_lane *l, int kind, struct bytes *out)
{
    struct volume v;
    const enum refrain_status status = event_lane_volume(l, &v);
    if (status == REFRAIN_OK)
        text_uint(out, (kind == EVENT_RECEIVED ? 0 : v.sent) + (kind == EVENT_SENT ? 0 : v.received));
    return status;
}

enum refrain_status event_lane_put(struct event_lane *l, const struct event_value *value, struct bytes *out)
{
    assert(l->there);
    switch (value->kind) {
    case EVENT_TIME:
    case EVENT_EXIT:
    case EVENT_DURATION:
        return put_time(l, value->kind, out);
    case EVENT_BYTES:
    case EVENT_SENT:
    case EVENT_RECEIVED:
        return put_bytes(l, value->kind, out);
    case EVENT_FUNCTION:
        text_put(out, reader_function(l->source->reader, l->call.site));
        return REFRAIN_OK;
    default:
        return render_argument(&l->source->renderer, &l->call, value->name, out);
    }
}
