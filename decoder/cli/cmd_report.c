/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain report: shows a run on one HTML page or one screen. */
#include "commands.h"

#include "decoder/report/page/report_html.h"
#include "decoder/report/page/report_sections.h"
#include "decoder/report/report_text.h"
#include "src/core/base/log.h"
#include "world_select.h"
#include "run_source.h"

#include <string.h>
#include <strings.h>

static enum refrain_status check(const struct options *o)
{
    const char *path = options_value(o, OPTION_OUTPUT), *dot = path ? strrchr(path, '.') : NULL;
    if (path && (options_has(o, OPTION_TEXT) || options_has(o, OPTION_JSON))) {
        log_error("--output writes an HTML page: leave out --text and --json");
        return REFRAIN_ERR_USAGE;
    }
    if (options_has(o, OPTION_TEXT) && options_has(o, OPTION_JSON)) {
        log_error("choose --text or --json, not both");
        return REFRAIN_ERR_USAGE;
    }
    if (path && !(dot && (strcasecmp(dot, ".html") == 0 || strcasecmp(dot, ".htm") == 0))) {
        log_error("--output %s: wanted a name that ends in .html", path);
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

static enum refrain_status put_json(const struct report *r, struct bytes *out)
{
    struct json j = json_of(out);
    const enum refrain_status status = report_put_sections(r, NULL, &j);
    json_end(&j);
    bytes_put_u8(out, '\n');
    return status;
}

/* d: the difference from another run; NULL if there is none. */
static enum refrain_status print(const struct options *o, const struct report *r,
                                 const struct run_difference *d)
{
    struct output out = {0};
    const char *path = options_value(o, OPTION_OUTPUT);
    enum refrain_status status = path ? output_open(&out, path) : REFRAIN_OK;
    if (status != REFRAIN_OK)
        return status;
    out.wraps = !path && !options_has(o, OPTION_JSON);
    if (path)
        status = report_html(r, d, &out.text);
    else if (options_has(o, OPTION_JSON))
        status = put_json(r, &out.text);
    else
        status = report_put_text(r, &out);
    return output_end(&out, status);
}

/* Reports the last trace. */
static enum refrain_status report(const struct options *o, const struct run_difference *d)
{
    struct reader reader;
    struct report report;
    const bool model = options_has(o, OPTION_OUTPUT) || options_has(o, OPTION_JSON);
    enum refrain_status status = world_open_operand(&reader, o, o->n_operands - 1);
    if (status != REFRAIN_OK)
        return status;
    status = report_create(&report, &reader, options_value(o, OPTION_MODULES), model);
    if (status == REFRAIN_OK) {
        status = print(o, &report, d);
        report_free(&report);
    }
    reader_close(&reader);
    return status;
}

static enum refrain_status put_difference(const struct options *o, const struct run_difference *d)
{
    struct output out = {0};
    enum { PLACES = 16 };
    const enum refrain_status status =
        run_difference_put(d, PLACES_SITES, PLACES, options_has(o, OPTION_JSON), &out);
    return output_end(&out, status);
}

/* Reports one trace, or compares two. */
enum refrain_status cmd_report(const struct options *o)
{
    struct run_source source = {.wants_models = options_has(o, OPTION_OUTPUT)};
    enum refrain_status status = check(o);
    if (status == REFRAIN_OK && o->n_operands == 1)
        return report(o, NULL);
    if (status == REFRAIN_OK)
        status = run_source_read(&source, o);
    if (status != REFRAIN_OK)
        return status;
    status =
        options_has(o, OPTION_OUTPUT) ? report(o, &source.difference) : put_difference(o, &source.difference);
    run_source_free(&source);
    return status;
}
