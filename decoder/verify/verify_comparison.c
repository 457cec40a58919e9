/* SPDX-License-Identifier: BSD-3-Clause */
#include "verify_comparison.h"

#include "decoder/times/lane_times.h"
#include "decoder/trace/site.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"
#include "verify_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum refrain_status verify_comparison_create(struct verify_comparison *c, const struct reader *r,
                                             const struct definitions *d, const char *directory,
                                             struct output *out)
{
    const size_t n = r->trace.sites.n;
    *c = (struct verify_comparison){.reader = r, .directory = directory, .out = out};
    enum refrain_status status = renderer_create(&c->renderer, r, d);
    if (status != REFRAIN_OK)
        return status;
    c->hashes = calloc(n + 1, sizeof *c->hashes);
    if (!c->hashes) {
        log_error("out of memory: %zu sites", n);
        status = REFRAIN_ERR_MEMORY;
    } else {
        status = endings_read(&c->endings, r);
    }
    for (size_t i = 0; status == REFRAIN_OK && i < n; i++) {
        const struct site *site = &r->trace.sites.items[i];
        c->hashes[i] = verify_record_site_hash(reader_function(r, (uint32_t)i), site->frames, site->n_frames,
                                               r->trace.modules.items);
        if (!map_set(&c->by_hash, c->hashes[i], (uint32_t)i))
            status = REFRAIN_ERR_MEMORY;
    }
    if (status != REFRAIN_OK)
        verify_comparison_free(c);
    return status;
}

void verify_comparison_free(struct verify_comparison *c)
{
    renderer_free(&c->renderer);
    endings_free(&c->endings);
    free(c->hashes);
    map_free(&c->by_hash);
    *c = (struct verify_comparison){0};
}

/* Writes the record at `at` as a call. */
static void put_record(struct verify_comparison *c, struct bytes_reader at, struct call call,
                       struct bytes *out)
{
    struct verify_file_record record = {0};
    if (bytes_left(&at) == 0) {
        text_put(out, "(no more records)");
    } else if (!verify_file_record(&at, &record)) {
        text_put(out, "(a record that is cut off)");
    } else if ((call.site = map_get(&c->by_hash, record.site_hash)) == MAP_NONE) {
        text_put(out, "(a call from a place that the trace does not know)");
    } else {
        call.function = c->reader->trace.sites.items[call.site].function;
        call.slots = record.slots.items;
        call.n_slots = (uint32_t)record.slots.n;
        if (render_call(&c->renderer, &call, out) == REFRAIN_OK) {
            text_put(out, "  at ");
            site_put_text(&c->reader->trace, NULL, call.site, out);
        } else {
            text_put(out, "(a record that does not fit its function)");
        }
    }
    array_free(&record.slots);
}

static void put_call(struct verify_comparison *c, const struct call *call, struct bytes *out)
{
    if (!call) {
        text_put(out, "(no more calls)");
    } else if (render_call(&c->renderer, call, out) == REFRAIN_OK) {
        text_put(out, "  at ");
        site_put_text(&c->reader->trace, NULL, call->site, out);
    } else {
        text_put(out, "(a row that does not fit its function)");
    }
}

/* Writes "rank 3: call 17 differs" and both calls. */
static void tell(struct verify_comparison *c, const struct lane_ref *lane, uint64_t index,
                 const struct call *call, struct bytes_reader record)
{
    struct bytes *out = &c->out->text;
    const bool definitions = lane->shape->kind == LANE_DEFINITIONS;
    const struct call place = {.index = index, .rank = lane->rank, .thread = lane->shape->number};
    text_printf(out, "rank %" PRIu32, lane->rank);
    if (lane->shape->number > 0)
        text_printf(out, ".%" PRIu32, lane->shape->number);
    text_printf(out, ": %s %" PRIu64 " differs\n  trace   ", definitions ? "definition" : "call", index);
    put_call(c, call, out);
    text_put(out, "\n  record  ");
    put_record(c, record, place, out);
    text_putc(out, '\n');
    c->differences++;
}

/* The times of a lane, if the trace has them. */
struct times {
    bool there;
    struct lane_times lane;
    struct time_check check;
};

static enum refrain_status times_start(struct times *t, struct verify_comparison *c,
                                       const struct lane_ref *lane)
{
    const enum refrain_status status = lane_times_start(&t->lane, c->reader, lane, &t->there);
    if (status == REFRAIN_OK && t->there)
        t->check = time_check_of(&t->lane.piece->mode, &c->times);
    return status;
}

/* Checks the times of the lane's next call. */
static bool times_fit(struct times *t, uint32_t site, const struct timestamp *wanted, struct timestamp *found,
                      enum refrain_status *status)
{
    if (!lane_times_have(&t->lane, lane_times_index(&t->lane)))
        return true;
    return lane_times_next(&t->lane, found, status) &&
           time_check_call(&t->check, t->lane.grids[site], wanted, found);
}

static void tell_times(struct verify_comparison *c, const struct lane_ref *lane, uint64_t index,
                       const struct timestamp *wanted, const struct timestamp *found)
{
    text_printf(
        &c->out->text,
        "rank %" PRIu32 ".%" PRIu32 ": the times of call %" PRIu64 " are out of bounds\n  trace   %" PRIu64
        " to %" PRIu64 "\n  record  %" PRIu64 " to %" PRIu64 "\n",
        lane->rank, lane->shape->number, index, found->enter, found->leave, wanted->enter, wanted->leave);
    c->differences++;
}

/* Encodes each call of the lane as the tracer does; the result must equal the next record of the
 * file. */
static enum refrain_status compare(struct verify_comparison *c, const struct lane_ref *lane,
                                   struct cursor *cursor, const struct verify_file *file)
{
    struct bytes_reader at = bytes_reader_of(file->data, file->n);
    struct bytes expected = {0};
    enum refrain_status status;
    struct call call;
    const bool has_timestamps = lane->shape->kind == LANE_THREAD;
    struct times times = {0};
    bool same = true, fit = true;
    uint64_t index = 0, left = 0;
    if ((status = times_start(&times, c, lane)) != REFRAIN_OK)
        return status;
    while (same && cursor_next(cursor, &call, &status)) {
        expected.n = 0;
        verify_record_put(&expected, c->hashes[call.site], call.slots, call.n_slots);
        if (expected.failed) {
            status = REFRAIN_ERR_MEMORY;
            break;
        }
        same = expected.n <= bytes_left(&at) && memcmp(expected.data, at.at, expected.n) == 0;
        if (same)
            bytes_get(&at, expected.n);
        else
            tell(c, lane, index, &call, at);
        if (lane->shape->kind == LANE_THREAD)
            progress_call(&c->progress, index);
        if (same && has_timestamps) {
            const struct timestamp wanted = verify_record_get_times(&at, &left);
            struct timestamp found = {0};
            if (at.failed) {
                same = false;
                tell(c, lane, index, &call, at);
            } else if (fit && !(fit = times_fit(&times, call.site, &wanted, &found, &status)) &&
                       status == REFRAIN_OK)
                tell_times(c, lane, index, &wanted, &found);
            if (status != REFRAIN_OK)
                break;
        }
        index += same;
    }
    const bool may_go_on = endings_of(&c->endings, lane->rank) == ENDING_CHECKPOINT;
    if (status == REFRAIN_OK && same && bytes_left(&at) > 0 && !may_go_on)
        tell(c, lane, index, NULL, at);
    if (lane->shape->kind == LANE_THREAD)
        c->calls += index;
    bytes_free(&expected);
    lane_times_stop(&times.lane);
    return status;
}

enum refrain_status verify_comparison_lane(struct verify_comparison *c, const struct lane_ref *lane)
{
    const struct verify_file_name name = {
        .rank = lane->rank, .number = lane->shape->number, .kind = (enum lane_kind)lane->shape->kind};
    struct verify_file file;
    struct cursor cursor;
    enum refrain_status status = verify_file_open(&file, c->directory, &name);
    if (status != REFRAIN_OK)
        return status;
    if (!file.map) {
        char missing[VERIFY_FILE_NAME_MAX];
        verify_file_write_name(&name, missing);
        text_printf(&c->out->text, "%s: there is no such file\n", missing);
        c->differences++;
        return REFRAIN_OK;
    }
    status = cursor_start(&cursor, c->reader, lane);
    if (status == REFRAIN_OK) {
        status = compare(c, lane, &cursor, &file);
        cursor_stop(&cursor);
    }
    verify_file_close(&file);
    return status;
}
