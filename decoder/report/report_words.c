/* SPDX-License-Identifier: BSD-3-Clause */
#include "report_words.h"

#include "decoder/trace/site.h"
#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"

#include <inttypes.h>
#include <string.h>

const char report_how_to_time[] =
    "This trace has no times of single calls. Record with refrain record --timing lossy PROGRAM.";

void report_json_text(struct json *j, const char *key, struct bytes *text)
{
    json_string_n(j, key, (const char *)text->data, text->n);
    j->out->failed = j->out->failed || text->failed;
    text->n = 0;
}

void report_json_lines(struct json *j, const char *key, struct bytes *text)
{
    json_array(j, key);
    for (size_t at = 0; at < text->n;) {
        const uint8_t *end = memchr(text->data + at, '\n', text->n - at);
        const size_t behind = end ? (size_t)(end - text->data) : text->n;
        json_string_n(j, NULL, (const char *)text->data + at, behind - at);
        at = behind + 1;
    }
    json_end(j);
    j->out->failed = j->out->failed || text->failed;
    text->n = 0;
}

void report_json_seconds(struct json *j, const char *key, uint64_t nanoseconds)
{
    json_real(j, key, (double)nanoseconds / 1e9);
}

uint64_t report_waiting(const struct report *r)
{
    return r->waits.report.waiting - r->waits.report.starting;
}

double report_share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

void report_put_others(const struct report *r, const char *before, struct bytes *out)
{
    const struct statistics *s = &r->statistics;
    if (s->collective_sent > 0 || s->collective_received > 0) {
        text_put(out, before);
        text_size(out, s->collective_sent);
        text_put(out, " sent and ");
        text_size(out, s->collective_received);
        text_put(out, " received in collective operations");
    }
    if (s->accesses > 0) {
        text_printf(out, "%s%" PRIu64 " one-sided %s ", before, s->accesses,
                    s->accesses == 1 ? "access writes" : "accesses write");
        text_size(out, s->written);
        text_put(out, s->accesses == 1 ? " and reads " : " and read ");
        text_size(out, s->read);
    }
}

void report_put_wait(const struct report *r, const struct wait_instance *w, struct bytes *out)
{
    time_put(out, w->end - w->begin);
    text_printf(out, " %s in ", r->waits.metrics.items[w->metric]->name);
    site_put_call(r->reader, &r->symbols, w->call.site, out);
    text_printf(out, " on rank %" PRIu32, w->call.rank);
    if (w->has_cause)
        text_printf(out, ", for rank %" PRIu32, w->cause.rank);
}
