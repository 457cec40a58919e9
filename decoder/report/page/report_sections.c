/* SPDX-License-Identifier: BSD-3-Clause */
#include "report_sections.h"

#include "decoder/util/text.h"

const struct report_section report_sections[] = {
    {"overview", "Overview", "refrain report --text", section_overview},
    {"time", "Where time goes", "refrain stat --by site", section_time},
    {"waiting", "Waiting", "refrain waits", section_waiting},
    {"communication", "Communication", "refrain topology", section_communication},
    {"timeline", "Timeline", "refrain timeline -o timeline.html", section_timeline},
    {"structure", "Structure", "refrain model --sites --sizes --times", section_structure},
    {"run", "Run", "refrain info", section_run},
    {0},
};

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
