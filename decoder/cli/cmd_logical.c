/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain logical: the run as one program, with directions in place of ranks (docs/LOGICAL.md). */
#include "commands.h"

#include "decoder/logical/logical_text.h"
#include "decoder/logical/logical_walk.h"
#include "loop_source.h"
#include "src/core/base/log.h"
#include "survey_source.h"

static unsigned wanted_notes(const struct options *o)
{
    return (options_has(o, OPTION_SITES) ? ANNOTATE_SITES : 0U) |
           (options_has(o, OPTION_SIZES) ? ANNOTATE_SIZES : 0U) |
           (options_has(o, OPTION_TIMES) ? ANNOTATE_TIMES : 0U);
}

/* Options that would have no effect. */
static enum refrain_status check(const struct options *o)
{
    if (options_has(o, OPTION_EXPAND) && (wanted_notes(o) || options_has(o, OPTION_JSON))) {
        log_error("--expand prints events: leave out --json, --sites, --sizes and --times");
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

/* All threads of the rank that --expand names. */
static enum refrain_status put_expanded(const struct logical *l, const struct options *o, struct output *out)
{
    uint64_t rank;
    bool any = false;
    enum refrain_status status = options_number(o, OPTION_EXPAND, 0, UINT32_MAX, &rank);
    for (uint32_t i = 0; i < l->model->processes.n && status == REFRAIN_OK; i++) {
        if (logical_rank(l, i) != rank)
            continue;
        any = true;
        status = logical_put_events(l, i, out);
    }
    if (!any && status == REFRAIN_OK) {
        log_error("--expand %s: there is no such rank", options_value(o, OPTION_EXPAND));
        status = REFRAIN_ERR_USAGE;
    }
    return status;
}

static enum refrain_status print(struct logical *l, const struct annotations *notes, const struct options *o)
{
    const struct annotations *shown = notes->what ? notes : NULL;
    struct output out = {0};
    enum refrain_status status = annotations_name_procedures(notes, l);
    if (status == REFRAIN_OK)
        status =
            options_has(o, OPTION_JSON) ? logical_put_json(l, shown, &out) : logical_put_text(l, shown, &out);
    return output_end(&out, status);
}

/* With what the trace's calls tell of the program. */
static enum refrain_status print_noted(struct logical *l, const struct reader *r, const struct definitions *d,
                                       const struct options *o)
{
    struct symbols symbols = {0};
    struct annotations notes = {0};
    enum refrain_status status = symbols_open(&symbols, &r->trace, options_value(o, OPTION_MODULES));
    if (status == REFRAIN_OK)
        status = symbols_look_up_frames(&symbols);
    if (status == REFRAIN_OK)
        status = annotations_create(&notes, l, r, d, &symbols, wanted_notes(o));
    if (status == REFRAIN_OK)
        status = print(l, &notes, o);
    annotations_free(&notes);
    symbols_close(&symbols);
    return status;
}

static enum refrain_status put(const struct reader *r, const struct definitions *d,
                               const struct compass *compass, const struct options *o)
{
    struct loop_source loops = {0};
    struct model model = {0};
    struct logical logical = {0};
    struct output out = {0};
    enum refrain_status status = loop_source_read(&loops, o);
    if (status == REFRAIN_OK)
        status = model_create(&model, &loops.groups);
    if (status == REFRAIN_OK)
        status = logical_create(&logical, &model, compass);
    if (status == REFRAIN_OK && options_has(o, OPTION_EXPAND))
        status = output_end(&out, put_expanded(&logical, o, &out));
    else if (status == REFRAIN_OK)
        status = print_noted(&logical, r, d, o);
    logical_free(&logical);
    model_free(&model);
    loop_source_free(&loops);
    return status;
}

enum refrain_status cmd_logical(const struct options *o)
{
    struct survey_source source;
    struct compass compass = {0};
    enum refrain_status status = check(o);
    if (status == REFRAIN_OK)
        status = survey_source_read(&source, o);
    if (status != REFRAIN_OK)
        return status;
    status = compass_create(&compass, &source.survey, source.traffic.first_rank, source.traffic.n_ranks);
    if (status == REFRAIN_OK)
        status = put(&source.reader, &source.definitions, &compass, o);
    compass_free(&compass);
    survey_source_free(&source);
    return status;
}
