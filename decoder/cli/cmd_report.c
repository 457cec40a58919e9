/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain report: what a run did, on one page or one screen. */
#include "commands.h"

#include "decoder/report/run_difference.h"
#include "decoder/report/report_html.h"
#include "decoder/report/report_sections.h"
#include "decoder/report/report_text.h"
#include "src/core/base/log.h"
#include "world_select.h"

#include <string.h>
#include <strings.h>

static enum refrain_status check(const struct options *o)
{
    const char *path = options_value(o, OPTION_OUTPUT), *dot = path ? strrchr(path, '.') : NULL;
    if (path && (options_has(o, OPTION_TEXT) || options_has(o, OPTION_JSON))) {
        log_error("--output writes a page; take --text or --json without it");
        return REFRAIN_ERR_USAGE;
    }
    if (options_has(o, OPTION_TEXT) && options_has(o, OPTION_JSON)) {
        log_error("--text or --json, not both");
        return REFRAIN_ERR_USAGE;
    }
    if (path && !(dot && (strcasecmp(dot, ".html") == 0 || strcasecmp(dot, ".htm") == 0))) {
        log_error("--output %s: wanted a name that ends in .html", path);
        return REFRAIN_ERR_USAGE;
    }
    if (path && o->n_operands > 1) {
        log_error("a page is of one trace; two are compared as text or --json");
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

static enum refrain_status put_json(const struct report *r, struct bytes *out)
{
    struct json j = json_of(out);
    const enum refrain_status status = report_put_sections(r, &j);
    json_end(&j);
    bytes_put_u8(out, '\n');
    return status;
}

static enum refrain_status print(const struct options *o, const struct report *r)
{
    struct output out = {0};
    const char *path = options_value(o, OPTION_OUTPUT);
    enum refrain_status status = path ? output_open(&out, path) : REFRAIN_OK;
    if (status != REFRAIN_OK)
        return status;
    if (path)
        status = report_html(r, &out.text);
    else if (options_has(o, OPTION_JSON))
        status = put_json(r, &out.text);
    else
        status = report_put_text(r, &out);
    return output_end(&out, status);
}

static enum refrain_status compare(const struct options *o, const struct report *a, const struct report *b)
{
    struct output out = {0};
    struct run_difference difference;
    enum refrain_status status = run_difference_create(&difference, a, b);
    if (status != REFRAIN_OK)
        return status;
    status = run_difference_put(&difference, options_has(o, OPTION_JSON), &out);
    run_difference_free(&difference);
    return output_end(&out, status);
}

/* Of one trace, or of two. */
enum refrain_status cmd_report(const struct options *o)
{
    struct reader readers[2];
    struct report reports[2] = {0};
    enum refrain_status status = check(o);
    unsigned n = 0;
    for (; n < o->n_operands && status == REFRAIN_OK; n++) {
        status = world_open_operand(&readers[n], o, n);
        if (status != REFRAIN_OK)
            break;
        status = report_create(&reports[n], &readers[n], options_value(o, OPTION_MODULES));
    }
    if (status == REFRAIN_OK)
        status = n == 1 ? print(o, &reports[0]) : compare(o, &reports[0], &reports[1]);
    while (n-- > 0) {
        report_free(&reports[n]);
        reader_close(&readers[n]);
    }
    return status;
}
