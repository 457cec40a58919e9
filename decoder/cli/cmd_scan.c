/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain scan: shows where constructs of the model occur, with values of their calls
 * (refrain-scan(1)). */
#include "commands.h"

#include "decoder/scan/scan.h"
#include "decoder/trace/ranges.h"
#include "loop_source.h"
#include "src/core/base/log.h"
#include "world_select.h"

#include <stdlib.h>
#include <string.h>

static const char *const points[] = {[OCCURRENCE_START] = "start",
                                     [OCCURRENCE_END] = "end",
                                     [OCCURRENCE_ITERATION] = "iteration",
                                     [OCCURRENCE_EVENT] = "event"};

static enum refrain_status parse_point(const char *word, enum occurrence_point *point)
{
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        if (strcmp(word, points[i]) == 0) {
            *point = (enum occurrence_point)i;
            return REFRAIN_OK;
        }
    }
    log_error("--point %s: wanted start, end, iteration or event", word);
    return REFRAIN_ERR_USAGE;
}

static enum refrain_status check_options(const struct options *o)
{
    if (!options_has(o, OPTION_AT)) {
        log_error("missing option: --at PATH, a construct of the model (refrain model --paths shows them)");
        return REFRAIN_ERR_USAGE;
    }
    if (options_has(o, OPTION_CALLS) && !options_has(o, OPTION_LOOPS)) {
        log_error("--calls works only with --loops: add --loops");
        return REFRAIN_ERR_USAGE;
    }
    if (options_has(o, OPTION_MODULES) && options_has(o, OPTION_EMIT_C)) {
        log_error("--modules does not work with --emit-c: leave it out");
        return REFRAIN_ERR_USAGE;
    }
    if (options_has(o, OPTION_POSITIONS) && options_has(o, OPTION_EMIT_C)) {
        log_error("choose --positions or --emit-c, not both");
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

/* Parses words separated by commas. Changes the list. */
static enum refrain_status parse_values(struct scan *s, char *list)
{
    enum refrain_status status = REFRAIN_OK;
    while (list && status == REFRAIN_OK) {
        const char *word = strsep(&list, ",");
        struct event_value value;
        status = event_value_find(s->reader, word, &value);
        if (status == REFRAIN_OK && !array_push(&s->values, value))
            status = REFRAIN_ERR_MEMORY;
    }
    return status;
}

static enum refrain_status add_processes(struct scan *s, const struct model *m, const struct options *o)
{
    const char *word = options_value(o, OPTION_POINT), *path = options_value(o, OPTION_AT);
    enum occurrence_point point;
    struct ranges ranks = {0};
    enum refrain_status status = word ? parse_point(word, &point) : REFRAIN_OK;
    if (status == REFRAIN_OK)
        status = ranges_parse(&ranks, options_value(o, OPTION_RANK));
    if (status == REFRAIN_OK)
        status = ranges_check(&ranks, &s->reader->trace);
    for (uint32_t i = 0; i < m->processes.n && status == REFRAIN_OK; i++) {
        const struct model_process *p = &m->processes.items[i];
        const bool own = options_has(o, OPTION_LOOPS);
        /* a thread without events has no construct */
        if (ranges_has(&ranks, p->rank) && (!own || p->own->n > 0))
            status = scan_add(s, m, i, own ? p->own : m->all, path, word ? &point : NULL);
    }
    if (status == REFRAIN_OK && s->parts.n == 0) {
        log_error("--at %s: none of the ranks executes this construct", path);
        status = REFRAIN_ERR_USAGE;
    }
    ranges_free(&ranks);
    return status;
}

/* Prints rows. They need the definitions, symbols and templates beside the reader. */
static enum refrain_status put_rows(struct scan *s, const struct options *o, struct output *out)
{
    struct definitions definitions = {0};
    struct symbols symbols = {0};
    struct event_templates templates = {0};
    struct call_event_source source = {0};
    enum refrain_status status = definitions_read(&definitions, s->reader);
    if (status == REFRAIN_OK)
        status = symbols_open(&symbols, &s->reader->trace, options_value(o, OPTION_MODULES));
    if (status == REFRAIN_OK)
        status = call_event_source_create(&source, s->reader, &definitions,
                                          s->calls ? CALL_EVENT_CALLS : CALL_EVENT_MESSAGES, &templates);
    if (status == REFRAIN_OK) {
        source.renderer.symbols = &symbols;
        status = scan_put_rows(s, &source, out);
        call_event_source_free(&source);
    }
    event_templates_free(&templates);
    symbols_close(&symbols);
    definitions_free(&definitions);
    return status;
}

static enum refrain_status print(struct scan *s, const struct options *o)
{
    struct output out = {0};
    enum refrain_status status = options_has(o, OPTION_POSITIONS) ? scan_put_positions(s, &out)
                                 : options_has(o, OPTION_EMIT_C)  ? scan_put_c(s, &out)
                                                                  : put_rows(s, o, &out);
    const enum refrain_status written = output_close(&out);
    return status == REFRAIN_OK ? written : status;
}

static enum refrain_status scan_trace(const struct reader *r, const struct model *m, const struct options *o)
{
    const char *given = options_value(o, OPTION_VALUES);
    char *values = given ? strdup(given) : NULL;
    uint64_t world = 0;
    struct scan s = {.reader = r, .calls = options_has(o, OPTION_CALLS)};
    enum refrain_status status = !given || values ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_OK)
        status = options_number(o, OPTION_WORLD, 0, UINT32_MAX, &world);
    s.world = (uint32_t)world;
    if (status == REFRAIN_OK)
        status = parse_values(&s, values);
    if (status == REFRAIN_OK)
        status = add_processes(&s, m, o);
    if (status == REFRAIN_OK)
        status = print(&s, o);
    scan_free(&s);
    free(values);
    return status;
}

enum refrain_status cmd_scan(const struct options *o)
{
    struct loop_source loops = {.all_ranks = !options_has(o, OPTION_LOOPS)};
    struct model model = {0};
    struct reader reader;
    enum refrain_status status = check_options(o);
    if (status == REFRAIN_OK)
        status = loop_source_read(&loops, o);
    if (status == REFRAIN_OK)
        status = options_has(o, OPTION_LOOPS) ? model_create_processes(&model, &loops.groups)
                                              : model_create(&model, &loops.groups);
    if (status == REFRAIN_OK && (status = world_open(&reader, o)) == REFRAIN_OK) {
        status = scan_trace(&reader, &model, o);
        reader_close(&reader);
    }
    model_free(&model);
    loop_source_free(&loops);
    return status;
}
