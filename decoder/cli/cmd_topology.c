/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain topology: which grid, torus, tree … the ranks form, by whom they communicate with. */
#include "commands.h"

#include "decoder/topology/rank_values.h"
#include "decoder/topology/topology_text.h"
#include "matrix_source.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

/* Pairs below this share of the largest one are left out. */
#define THRESHOLD 0.05

static enum refrain_status read_threshold(const struct options *o, double *threshold)
{
    const char *value = options_value(o, OPTION_THRESHOLD);
    char *end;
    *threshold = THRESHOLD;
    if (!value)
        return REFRAIN_OK;
    *threshold = strtod(value, &end) / 100;
    if (end == value || *end || !(*threshold >= 0 && *threshold <= 1)) {
        log_error("--threshold %s: wanted per cent of the largest pair, 0 to 100", value);
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

static enum refrain_status read_matrix(const struct options *o, struct matrix *m)
{
    const char *path = options_value(o, OPTION_MATRIX);
    if (path && (o->n_operands > 0 || options_has(o, OPTION_AT) || options_has(o, OPTION_RMA))) {
        log_error("--matrix takes the place of a trace: leave out the trace, --at and --rma");
        return REFRAIN_ERR_USAGE;
    }
    if (!path && o->n_operands == 0) {
        log_error("a trace is missing, or --matrix FILE");
        return REFRAIN_ERR_USAGE;
    }
    return path ? matrix_read(m, path) : matrix_source_read(m, o);
}

/* "1.5,40" */
static enum refrain_status read_view(const struct options *o, struct arrangement_view *view)
{
    const char *value = options_value(o, OPTION_VIEW);
    char *end;
    if (!value)
        return REFRAIN_OK;
    view->distance = strtod(value, &end);
    if (end != value && *end == ',')
        view->angle = strtod(end + 1, &end);
    if (end == value || *end || !(view->distance >= 0 && view->distance <= 100) ||
        !(view->angle >= 0 && view->angle <= 90)) {
        log_error(
            "--view %s: wanted a distance of planes, 0 to 100 distances of ranks, and an angle of 0 to 90 "
            "degrees, as 2,40",
            value);
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

/* Options that would have no effect. */
static enum refrain_status check(const struct options *o)
{
    const bool svg = options_has(o, OPTION_SVG);
    if (svg && (options_has(o, OPTION_JSON) || options_has(o, OPTION_EXPLAIN))) {
        log_error("--svg draws; take --json or --explain without it");
        return REFRAIN_ERR_USAGE;
    }
    if (!svg && (options_has(o, OPTION_COLOR) || options_has(o, OPTION_VIEW))) {
        log_error("--color and --view are for pictures: take --svg, too");
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

static enum refrain_status draw(const struct options *o, const struct survey *survey,
                                struct topology_subject *subject, struct output *out)
{
    struct rank_values values;
    const char *what = options_value(o, OPTION_COLOR);
    enum refrain_status status = rank_values_create(&values, survey->traffic, what ? what : "bytes");
    if (status != REFRAIN_OK)
        return status;
    subject->values = values.of_rank;
    subject->what = values.what;
    subject->unit = values.unit;
    status = topology_put_svg(survey, subject, out);
    rank_values_free(&values);
    return status;
}

static enum refrain_status print(const struct options *o, const struct survey *survey,
                                 const struct survey_choice *choice, const struct arrangement_view *view)
{
    const char *path = o->n_operands > 0 ? o->operands[0] : options_value(o, OPTION_MATRIX);
    const char *slash = strrchr(path, '/');
    struct topology_subject subject = {.trace = slash ? slash + 1 : path,
                                       .choice = *choice,
                                       .explain = options_has(o, OPTION_EXPLAIN),
                                       .view = *view};
    struct output out = {0};
    enum refrain_status status;
    if (options_has(o, OPTION_SVG))
        status = draw(o, survey, &subject, &out);
    else if (options_has(o, OPTION_JSON))
        status = topology_put_json(survey, &subject, &out);
    else
        status = topology_put_text(survey, &subject, &out);
    return output_end(&out, status);
}

enum refrain_status cmd_topology(const struct options *o)
{
    struct survey_choice choice = {.by_messages = options_has(o, OPTION_MESSAGES)};
    struct arrangement_view view = {0};
    struct pattern_library library = {0};
    struct matrix matrix = {0};
    struct traffic traffic = {0};
    struct survey survey = {0};
    enum refrain_status status = check(o);
    if (status == REFRAIN_OK)
        status = read_threshold(o, &choice.threshold);
    if (status == REFRAIN_OK)
        status = read_view(o, &view);
    if (status == REFRAIN_OK)
        status = pattern_library_create(&library);
    if (status == REFRAIN_OK && options_has(o, OPTION_PATTERNS))
        status = pattern_library_read(&library, options_value(o, OPTION_PATTERNS));
    if (status == REFRAIN_OK)
        status = read_matrix(o, &matrix);
    if (status == REFRAIN_OK)
        status = traffic_create(&traffic, &matrix);
    if (status == REFRAIN_OK)
        status = survey_create(&survey, &traffic, &library, &choice);
    if (status == REFRAIN_OK)
        status = print(o, &survey, &choice, &view);
    survey_free(&survey);
    traffic_free(&traffic);
    matrix_free(&matrix);
    pattern_library_free(&library);
    return status;
}
