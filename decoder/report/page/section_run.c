/* SPDX-License-Identifier: BSD-3-Clause */
/* The tracer's data about the run, and the sections of the file:
 *
 *     "fields":[["command","./app 10"], …],"hosts":[{"name":"node1","ranks":4}, …]
 *     "bytes":342393,"sections":[{"section":"META","bytes":281,"stored":162}, …] */
#include "decoder/times/lane_times.h"
#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"
#include "report_sections.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

static void put_field(struct json *j, const char *name, struct bytes *value)
{
    if (value->n > 0) {
        json_array(j, NULL);
        json_string(j, NULL, name);
        report_json_text(j, NULL, value);
        json_end(j);
    }
}

static void put_start(const struct report *r, struct bytes *out)
{
    const time_t seconds = (time_t)strtoll(report_meta(r, "start"), NULL, 10);
    struct tm tm;
    char text[64];
    if (seconds > 0 && gmtime_r(&seconds, &tm) &&
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &tm) > 0)
        text_put(out, text);
}

static enum refrain_status put_times(const struct report *r, struct bytes *out)
{
    struct time_mode mode;
    uint64_t bytes;
    if (!r->timed)
        return REFRAIN_OK;
    const enum refrain_status status = lane_times_mode(r->reader, &mode, &bytes);
    if (status != REFRAIN_OK)
        return status;
    lane_times_put_mode(&mode, out);
    time_mode_free(&mode);
    if (r->waits.bound > 0) {
        text_put(out, "; each single waiting within ");
        time_put(out, 2 * r->waits.bound);
    }
    return REFRAIN_OK;
}

static void put_clocks(const struct rank_clocks *clocks, struct bytes *out)
{
    uint64_t most = 0;
    for (size_t i = 0; i < clocks->n; i++) {
        const struct rank_clock *c = &clocks->items[i];
        for (size_t k = 0; k < c->points.n; k++) {
            const int64_t ahead = c->points.items[k].ahead;
            const uint64_t apart = ahead < 0 ? -(uint64_t)ahead : (uint64_t)ahead;
            most = most < apart ? apart : most;
        }
    }
    if (clocks->n > 0)
        text_printf(out, "%zu, apart by at most %.3f us", clocks->n, (double)most * 1e-3);
}

static enum refrain_status put_fields(const struct report *r, struct json *j)
{
    static const char *const keys[][2] = {{"command", "command"},     {"mpi", "MPI library"},
                                          {"host", "host"},           {"job", "job"},
                                          {"refrain", "recorded by"}, {"run", "run"}};
    struct bytes value = {0};
    json_array(j, "fields");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        text_put(&value, report_meta(r, keys[i][0]));
        put_field(j, keys[i][1], &value);
    }
    put_start(r, &value);
    put_field(j, "started", &value);
    const enum refrain_status status = put_times(r, &value);
    put_field(j, "times", &value);
    put_clocks(&r->reader->trace.clocks, &value);
    put_field(j, "clocks", &value);
    text_size(&value, r->reader->file_bytes);
    put_field(j, "size of the trace", &value);
    json_end(j);
    bytes_free(&value);
    return status;
}

static void put_hosts(const struct report *r, struct json *j)
{
    json_array(j, "hosts");
    for (uint32_t i = 0; i < r->hosts.names.n; i++) {
        uint32_t ranks = 0;
        for (uint32_t k = 0; k < r->reader->trace.n_ranks; k++)
            ranks += r->hosts.of_rank[k] == i;
        json_object(j, NULL);
        json_string(j, "name", r->hosts.names.items[i]);
        json_uint(j, "ranks", ranks);
        json_end(j);
    }
    json_end(j);
}

enum refrain_status section_run(const struct report *r, struct json *j)
{
    json_string(j, "says", "Where and how the trace was recorded, and where its bytes are.");
    const enum refrain_status status = put_fields(r, j);
    put_hosts(r, j);
    json_uint(j, "bytes", r->reader->file_bytes);
    json_array(j, "sections");
    for (size_t i = 0; i < r->reader->sections.n; i++) {
        json_object(j, NULL);
        json_string(j, "section", r->reader->sections.items[i].tag);
        json_uint(j, "bytes", r->reader->sections.items[i].raw);
        json_uint(j, "stored", r->reader->sections.items[i].stored);
        json_end(j);
    }
    json_end(j);
    return status;
}
