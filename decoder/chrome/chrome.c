/* SPDX-License-Identifier: BSD-3-Clause */
#include "chrome.h"

#include "decoder/times/timed_lane.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The part of an event, up to the timestamp, that is equal for all calls of a site of a lane. It
 * is made when it is first needed. */
struct head {
    size_t at, n; /* in heads.text; n = 0: not made yet */
};
struct heads {
    struct bytes text;
    struct head *items; /* by entry of the shape */
};

/* ---- other events ---------------------------------------------------------------------------- */

void chrome_separate(struct chrome *c)
{
    text_put(&c->out->text, c->comma ? ",\n" : "\n");
    c->comma = true;
}

enum refrain_status chrome_open(struct chrome *c)
{
    const struct trace *t = &c->renderer->reader->trace;
    static const char *const keys[] = {"command", "host", "mpi", "start"};
    struct bytes *out = &c->out->text;
    struct json j = json_of(out);
    json_object(&j, NULL);
    json_string(&j, "displayTimeUnit", "ns");
    json_object(&j, "otherData");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (trace_meta(t, keys[i]))
            json_string(&j, keys[i], trace_meta(t, keys[i]));
    }
    if (c->synthetic)
        json_string(&j, "times", "synthetic: means of equal calls");
    json_end(&j);
    text_put(out, ",\"traceEvents\":[");
    c->comma = false;
    return out->failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
}

void chrome_close(struct chrome *c)
{
    text_put(&c->out->text, "\n]}\n");
}

/* {"ph":"M","pid":3,"tid":1,"name":"thread_name","args":{"name":"thread 1"}} */
static void put_name(struct chrome *c, uint32_t rank, uint32_t thread, const char *what, const char *noun,
                     uint32_t number)
{
    chrome_separate(c);
    text_printf(&c->out->text,
                "{\"ph\":\"M\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32
                ",\"name\":\"%s\",\"args\":{\"name\":\"%s %" PRIu32 "\"}}",
                rank, thread, what, noun, number);
}

static void put_rank_name(struct chrome *c, uint32_t rank)
{
    put_name(c, rank, 0, "process_name", "rank", rank);
    chrome_separate(c);
    text_printf(&c->out->text,
                "{\"ph\":\"M\",\"pid\":%" PRIu32
                ",\"tid\":0,\"name\":\"process_sort_index\",\"args\":{\"sort_index\":%" PRIu32 "}}",
                rank, rank);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static const struct head *head_of(struct heads *heads, const struct chrome *c, const struct call *call)
{
    struct head *head = &heads->items[call->entry];
    if (head->n == 0) {
        const char *name = reader_function(c->renderer->reader, call->site);
        head->at = heads->text.n;
        text_printf(&heads->text,
                    "{\"ph\":\"X\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"name\":", call->rank,
                    call->thread);
        text_quote_json(&heads->text, name, strlen(name));
        text_put(&heads->text, ",\"cat\":\"MPI\",\"ts\":");
        head->n = heads->text.n - head->at;
    }
    return head;
}

void chrome_put_microseconds(struct bytes *out, uint64_t nanoseconds)
{
    const unsigned rest = (unsigned)(nanoseconds % 1000);
    const char digits[] = {'.', (char)('0' + rest / 100), (char)('0' + rest / 10 % 10),
                           (char)('0' + rest % 10)};
    text_uint(out, nanoseconds / 1000);
    bytes_put(out, digits, sizeof digits);
}

static enum refrain_status put_call(struct chrome *c, struct heads *heads, struct lines *lines,
                                    const struct call *call, const struct timestamp *timestamp)
{
    struct bytes *out = &c->out->text;
    const struct head *head = head_of(heads, c, call);
    if (heads->text.failed)
        return REFRAIN_ERR_MEMORY;
    c->n_calls++;
    chrome_separate(c);
    bytes_put(out, heads->text.data + head->at, head->n);
    chrome_put_microseconds(out, timestamp->enter);
    text_put(out, ",\"dur\":");
    chrome_put_microseconds(out, timestamp->leave - timestamp->enter);
    text_put(out, ",\"args\":");
    if (c->arguments) {
        const enum refrain_status status = lines_put(lines, call, NULL, out);
        if (status != REFRAIN_OK)
            return status;
    } else {
        text_put(out, "{\"call\":");
        text_uint(out, call->index);
        text_putc(out, '}');
    }
    text_putc(out, '}');
    return REFRAIN_OK;
}

/* ---- regions --------------------------------------------------------------------------------- */

/* Ends the innermost region of a lane and writes the part of it between c->from and c->to. */
static void put_region(struct chrome *c, struct region_stack *s, const struct lane_ref *lane, uint64_t leave)
{
    struct bytes *out = &c->out->text;
    const struct region_open region = *region_stack_innermost(s);
    const uint64_t from = region.enter > c->from ? region.enter : c->from, to = leave < c->to ? leave : c->to;
    region_stack_pop(s);
    if (from >= to)
        return;
    chrome_separate(c);
    text_printf(out, "{\"ph\":\"X\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"name\":", lane->rank,
                lane->shape->number);
    text_quote_json(out, text_table_at(s->names, region.name), s->names->items.items[region.name].n);
    text_put(out, ",\"cat\":\"region\",\"ts\":");
    chrome_put_microseconds(out, from);
    text_put(out, ",\"dur\":");
    chrome_put_microseconds(out, to - from);
    text_printf(out, ",\"args\":{\"call\":%" PRIu64 "}}", region.call);
}

static enum refrain_status follow_regions(struct chrome *c, struct region_stack *s,
                                          const struct timed_lane *timed)
{
    const struct timestamp at = timed->timestamp;
    struct region_step step;
    enum refrain_status status = region_stack_look(s, &timed->call, &step);
    for (size_t i = 0; status == REFRAIN_OK && i < step.ends; i++)
        put_region(c, s, &timed->cursor.lane, at.leave);
    if (status != REFRAIN_OK || !step.begins)
        return status;
    return region_stack_push(s, &step, step.ends > 0 ? at.leave : at.enter);
}

/* ---- lanes ----------------------------------------------------------------------------------- */

/* The ends of regions are not shown as calls. */
static bool is_shown(const struct chrome *c, const struct timed_lane *timed)
{
    return timed->timestamp.enter >= c->from && !role_is_region(&c->roles->items[timed->call.function]);
}

static enum refrain_status put_calls(struct chrome *c, struct heads *heads, struct lines *lines,
                                     const struct lane_ref *lane)
{
    struct timed_lane timed = {0};
    struct text_table names = {0};
    struct region_stack regions;
    uint64_t last = 0;
    region_stack_start(&regions, c->renderer->reader, c->roles, &names);
    enum refrain_status status = timed_lane_start(&timed, c->renderer->reader, c->timestamps, lane);
    while (status == REFRAIN_OK && !c->out->closed && timed_lane_next(&timed, &status) &&
           timed.timestamp.leave <= c->to) {
        progress_call(c->progress, timed.call.index);
        last = timed.timestamp.leave;
        if (is_shown(c, &timed))
            status = put_call(c, heads, lines, &timed.call, &timed.timestamp);
        if (status == REFRAIN_OK && region_stack_concerns(&regions, timed.call.function))
            status = follow_regions(c, &regions, &timed);
        if (status == REFRAIN_OK)
            status = output_drain(c->out);
    }
    while (status == REFRAIN_OK && regions.open.n > 0)
        put_region(c, &regions, lane, c->to < UINT64_MAX ? c->to : last);
    region_stack_stop(&regions);
    text_table_free(&names);
    timed_lane_stop(&timed);
    return status;
}

static enum refrain_status put_lane(struct chrome *c, const struct lane_ref *lane)
{
    struct lines lines = {0};
    struct heads heads = {0};
    put_name(c, lane->rank, lane->shape->number, "thread_name", "thread", lane->shape->number);
    enum refrain_status status = lines_start(&lines, c->renderer, RENDER_JSON, lane);
    if (status != REFRAIN_OK)
        return status;
    heads.items = calloc(lane->shape->entries.n + 1, sizeof *heads.items);
    if (!heads.items) {
        log_error("out of memory: %zu sites", lane->shape->entries.n);
        status = REFRAIN_ERR_MEMORY;
    }
    if (status == REFRAIN_OK)
        status = put_calls(c, &heads, &lines, lane);
    free(heads.items);
    bytes_free(&heads.text);
    lines_stop(&lines);
    return status;
}

enum refrain_status chrome_put_rank(struct chrome *c, uint32_t rank)
{
    struct lane_ref lane;
    enum refrain_status status = REFRAIN_OK;
    put_rank_name(c, rank);
    for (size_t at = 0;
         status == REFRAIN_OK && reader_next_lane(c->renderer->reader, rank, LANE_THREAD, &at, &lane);)
        status = put_lane(c, &lane);
    return status;
}
