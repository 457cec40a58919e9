/* SPDX-License-Identifier: BSD-3-Clause */
#include "report_sections.h"

#include "decoder/util/text.h"

#include <inttypes.h>
#include <string.h>

const struct report_section report_sections[] = {
    {"overview", "Overview", "refrain report --text", section_overview},
    {"time", "Where time goes", "refrain stat --by site", section_time},
    {"waiting", "Waiting", "refrain waits", section_waiting},
    {"communication", "Communication", "refrain topology", section_communication},
    {"timeline", "Timeline", "refrain timeline -o timeline.html", section_timeline},
    {"structure", "Structure", "refrain model", section_structure},
    {"run", "Run", "refrain info", section_run},
    {0},
};

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

void report_put_size(uint64_t bytes, struct bytes *out)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    double value = (double)bytes;
    size_t unit = 0;
    while (value >= 1000 && unit + 1 < sizeof units / sizeof units[0]) {
        value /= 1000;
        unit++;
    }
    text_printf(out, unit == 0 || value >= 100 ? "%.0f %s" : "%.1f %s", value, units[unit]);
}

void report_put_others(const struct report *r, const char *before, struct bytes *out)
{
    const struct statistics *s = &r->statistics;
    if (s->collective_sent > 0 || s->collective_received > 0) {
        text_put(out, before);
        report_put_size(s->collective_sent, out);
        text_put(out, " sent and ");
        report_put_size(s->collective_received, out);
        text_put(out, " received in collective operations");
    }
    if (s->accesses > 0) {
        text_printf(out, "%s%" PRIu64 " one-sided %s ", before, s->accesses,
                    s->accesses == 1 ? "access writes" : "accesses write");
        report_put_size(s->written, out);
        text_put(out, s->accesses == 1 ? " and reads " : " and read ");
        report_put_size(s->read, out);
    }
}

/* Writes "refrain diff old.refrain new.refrain" and the contents that run_difference_json.c
 * describes. */
static enum refrain_status put_difference(const struct run_difference *d, struct json *j)
{
    struct bytes text = {0};
    json_object(j, "difference");
    json_string(j, "title", "Two runs");
    text_put(&text, "refrain diff");
    for (size_t run = 0; run < d->n_runs; run++) {
        text_putc(&text, ' ');
        text_put_shell_word(&text, d->runs[run].file);
    }
    report_json_text(j, "command", &text);
    text_put(&text, "What is different between A, ");
    text_put_name(&text, d->runs[0].file);
    text_put(&text, ", and B, ");
    text_put_name(&text, d->runs[d->n_runs - 1].file);
    text_put(&text, ". The other sections show B, with the values of A beside.");
    report_json_text(j, "says", &text);
    bytes_free(&text);
    const enum refrain_status status = run_difference_put_json(d, j);
    json_end(j);
    return status;
}

enum refrain_status report_put_sections(const struct report *r, const struct run_difference *d,
                                        struct json *j)
{
    const char *command = report_meta(r, "command");
    struct bytes text = {0};
    enum refrain_status status;
    json_object(j, NULL);
    json_string(j, "file", r->file);
    json_string(j, "title", *command ? command : r->file);
    json_object(j, "sections");
    status = d ? put_difference(d, j) : REFRAIN_OK;
    for (const struct report_section *s = report_sections; s->key && status == REFRAIN_OK; s++) {
        json_object(j, s->key);
        json_string(j, "title", s->title);
        text_printf(&text, "%s ", s->command);
        text_put_shell_word(&text, r->file);
        report_json_text(j, "command", &text);
        status = s->put(r, j);
        json_end(j);
    }
    json_end(j);
    bytes_free(&text);
    return status == REFRAIN_OK && j->out->failed ? REFRAIN_ERR_MEMORY : status;
}
