/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain matrix: shows the messages and bytes between all pairs of ranks. */
#include "commands.h"

#include "decoder/matrix/matrix_text.h"
#include "decoder/topology/survey/rank_order.h"
#include "decoder/topology/survey/topology_name.h"
#include "matrix_source.h"
#include "src/core/base/log.h"
#include "src/core/base/replace.h"
#include "survey_source.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The output formats; the ending of the output file's name also selects one. */
static const struct format {
    enum option_id option;
    const char *ending;
    enum refrain_status (*put)(const struct matrix *m, const struct matrix_subject *s, struct output *out);
} formats[] = {
    {OPTION_HELP, NULL, matrix_put_table},   {OPTION_CSV, ".csv", matrix_put_csv},
    {OPTION_JSON, ".json", matrix_put_json}, {OPTION_SVG, ".svg", matrix_put_svg},
    {OPTION_PNG, ".png", matrix_put_png},
};

#define N_FORMATS (sizeof formats / sizeof formats[0])

static enum refrain_status choose_format(const struct options *o, const struct format **out)
{
    const char *path = options_value(o, OPTION_OUTPUT), *dot = path ? strrchr(path, '.') : NULL;
    const struct format *chosen = NULL, *named = &formats[0];
    for (size_t i = 1; i < N_FORMATS; i++) {
        if (dot && strcasecmp(dot, formats[i].ending) == 0)
            named = &formats[i];
        if (!options_has(o, formats[i].option))
            continue;
        if (chosen) {
            log_error("choose --%s or --%s, not both", chosen->ending + 1, formats[i].ending + 1);
            return REFRAIN_ERR_USAGE;
        }
        chosen = &formats[i];
    }
    if (path && !chosen && named == &formats[0] && !(dot && strcasecmp(dot, ".txt") == 0)) {
        log_error("--output %s: wanted a name that ends in .csv, .json, .svg, .png or .txt, or an option "
                  "such as --csv",
                  path);
        return REFRAIN_ERR_USAGE;
    }
    *out = chosen ? chosen : named;
    return REFRAIN_OK;
}

/* Refuses options that would have no effect. */
static enum refrain_status check(const struct options *o, const struct format *format)
{
    if (options_has(o, OPTION_MESSAGES) && format->put != matrix_put_svg && format->put != matrix_put_png) {
        log_error("--messages works only for heat maps: add --svg or --png");
        return REFRAIN_ERR_USAGE;
    }
    const char *order = options_value(o, OPTION_ORDER);
    if (order && strcmp(order, "rank") != 0 && strcmp(order, "topology") != 0) {
        log_error("--order %s: wanted rank or topology", order);
        return REFRAIN_ERR_USAGE;
    }
    if (order && format->put == matrix_put_csv) {
        log_error("--order does not work with --csv: leave out one of them");
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

/* Ranks ordered by their places in the topology of the same messages. */
struct order {
    uint32_t *ranks;   /* NULL: by number */
    struct bytes name; /* name of the topology */
};

static void order_free(struct order *order)
{
    free(order->ranks);
    bytes_free(&order->name);
}

static bool has_regular(const struct survey *s)
{
    for (size_t i = 0; i < s->components.n; i++) {
        if (s->components.items[i].topology.found)
            return true;
    }
    return false;
}

static enum refrain_status order_read(struct order *order, const struct options *o)
{
    const char *value = options_value(o, OPTION_ORDER);
    struct survey_source source = {0};
    if (!value || strcmp(value, "topology") != 0)
        return REFRAIN_OK;
    enum refrain_status status = survey_source_read(&source, o);
    if (status != REFRAIN_OK)
        return status;
    if (!has_regular(&source.survey)) {
        log_warning(
            "--order topology: the communication has no regular topology; ranks are in numerical order");
    } else {
        status = topology_put_summary(&source.survey, &order->name);
        bytes_put_u8(&order->name, '\0');
        if (status == REFRAIN_OK && order->name.failed)
            status = REFRAIN_ERR_MEMORY;
        if (status == REFRAIN_OK)
            status = rank_order_create(&order->ranks, &source.survey);
    }
    survey_source_free(&source);
    return status;
}

static enum refrain_status print(const struct matrix *m, const struct order *order, const struct options *o,
                                 const struct format *format)
{
    const char *path = options_value(o, OPTION_OUTPUT), *name = strrchr(o->operands[0], '/');
    const struct matrix_subject subject = {.trace = name ? name + 1 : o->operands[0],
                                           .path = options_value(o, OPTION_AT),
                                           .one_sided = options_has(o, OPTION_RMA),
                                           .by_messages = options_has(o, OPTION_MESSAGES),
                                           .order = order->ranks,
                                           .order_name = (const char *)order->name.data};
    struct output out = {0};
    enum refrain_status status = format->put(m, &subject, &out), written = REFRAIN_OK;
    if (status == REFRAIN_OK && path)
        status = replace_file(path, &out.text);
    if (status != REFRAIN_OK || path)
        bytes_free(&out.text);
    else
        written = output_close(&out);
    return status == REFRAIN_OK ? written : status;
}

/* Warns of results that the format cannot contain. */
static void warn(const struct matrix *m, const struct format *format)
{
    struct bytes missing = {0};
    if (format->put == matrix_put_csv && matrix_put_missing(m, &missing) && !missing.failed)
        log_warning("%.*s", (int)missing.n, (const char *)missing.data);
    bytes_free(&missing);
}

enum refrain_status cmd_matrix(const struct options *o)
{
    struct matrix matrix = {0};
    struct order order = {0};
    const struct format *format;
    enum refrain_status status = choose_format(o, &format);
    if (status == REFRAIN_OK)
        status = check(o, format);
    if (status == REFRAIN_OK)
        status = order_read(&order, o);
    if (status == REFRAIN_OK)
        status = matrix_source_read(&matrix, o);
    if (status == REFRAIN_OK && matrix.cells.n == 0)
        status = matrix_source_hint(o);
    if (status == REFRAIN_OK) {
        warn(&matrix, format);
        status = print(&matrix, &order, o, format);
        matrix_free(&matrix);
    }
    order_free(&order);
    return status;
}
