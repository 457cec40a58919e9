/* SPDX-License-Identifier: BSD-3-Clause */
#include "logical_source.h"

#include "decoder/logical/view/logical_walk.h"
#include "src/core/base/log.h"

enum refrain_status logical_source_read(struct logical_source *s, const struct options *o)
{
    *s = (struct logical_source){0};
    s->survey.or_windows = true;
    enum refrain_status status = survey_source_read(&s->survey, o);
    if (status != REFRAIN_OK)
        return status;
    status = compass_create(&s->compass, &s->survey.survey, s->survey.traffic.first_rank,
                            s->survey.traffic.n_ranks);
    s->loops.limited = !options_has(o, OPTION_EXPAND);
    if (status == REFRAIN_OK)
        status = loop_source_read(&s->loops, o);
    if (status == REFRAIN_OK)
        status = model_create(&s->model, &s->loops.groups);
    if (status == REFRAIN_OK)
        status = logical_create(&s->logical, &s->model, &s->compass);
    return status;
}

/* Expands all threads of the rank. */
enum refrain_status logical_source_expand(const struct logical_source *s, struct joint *joint,
                                          const struct options *o)
{
    const struct logical *l = &s->logical;
    struct output out = {0};
    uint64_t rank;
    bool any = false;
    enum refrain_status status = options_number(o, OPTION_EXPAND, 0, UINT32_MAX, &rank);
    for (uint32_t i = 0; i < l->model->processes.n && status == REFRAIN_OK; i++) {
        if (logical_rank(l, i) != rank)
            continue;
        any = true;
        status = logical_put_events(l, joint, i, &out);
    }
    if (!any && status == REFRAIN_OK) {
        log_error("--expand %s: there is no such rank", options_value(o, OPTION_EXPAND));
        status = REFRAIN_ERR_USAGE;
    }
    return output_end(&out, status);
}

enum refrain_status logical_source_annotate(struct logical_source *s, const struct options *o,
                                            const struct annotations **shown)
{
    const struct reader *r = &s->survey.reader;
    *shown = NULL;
    /* A program without structure has no procedures to name. */
    if (s->logical.procedures.n == 0 && loop_source_notes(o) == 0)
        return REFRAIN_OK;
    enum refrain_status status = symbols_open(&s->symbols, &r->trace, options_value(o, OPTION_MODULES));
    if (status == REFRAIN_OK)
        status = symbols_look_up_frames(&s->symbols);
    if (status == REFRAIN_OK)
        status = annotations_create(&s->notes, &s->logical, r, &s->survey.definitions, &s->symbols,
                                    loop_source_notes(o));
    if (status == REFRAIN_OK)
        status = annotations_name_procedures(&s->notes, &s->logical);
    *shown = s->notes.what ? &s->notes : NULL;
    return status;
}

void logical_source_free(struct logical_source *s)
{
    annotations_free(&s->notes);
    symbols_close(&s->symbols);
    logical_free(&s->logical);
    model_free(&s->model);
    loop_source_free(&s->loops);
    compass_free(&s->compass);
    survey_source_free(&s->survey);
    *s = (struct logical_source){0};
}
