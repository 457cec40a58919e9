/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix_source.h"

#include "loop_source.h"
#include "src/core/base/log.h"
#include "world_select.h"

static enum refrain_status check(const struct options *o)
{
    if (options_has(o, OPTION_WINDOW) && !options_has(o, OPTION_AT)) {
        log_error("--window works only with --at: add --at PATH");
        return REFRAIN_ERR_USAGE;
    }
    if (options_has(o, OPTION_RMA) && options_has(o, OPTION_AT)) {
        log_error("choose --rma or --at, not both: --at counts messages only");
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

static enum refrain_status count_constructs(struct matrix *m, const struct reader *r,
                                            const struct definitions *d, const struct options *o)
{
    struct loop_source loops = {0};
    struct model model = {0};
    struct construct_range range;
    enum refrain_status status = loop_source_read(&loops, o);
    if (status == REFRAIN_OK)
        status = model_create(&model, &loops.groups);
    if (status == REFRAIN_OK)
        status = construct_range_find(model.all, options_value(o, OPTION_AT), &range);
    if (status == REFRAIN_OK)
        status = matrix_of_constructs(m, r, d, &model, &range);
    model_free(&model);
    loop_source_free(&loops);
    return status;
}

enum refrain_status matrix_source_hint(const struct options *o)
{
    struct reader reader;
    struct definitions definitions = {0};
    struct matrix accesses = {0};
    if (options_has(o, OPTION_RMA) || options_has(o, OPTION_AT) || options_has(o, OPTION_MATRIX))
        return REFRAIN_OK;
    enum refrain_status status = world_open(&reader, o);
    if (status != REFRAIN_OK)
        return status;
    status = definitions_read(&definitions, &reader);
    if (status == REFRAIN_OK)
        status = matrix_of_trace(&accesses, &reader, &definitions, CALL_EVENT_ACCESSES);
    if (status == REFRAIN_OK && accesses.cells.n > 0)
        log_warning("there are no messages, but there is one-sided communication: --rma shows it");
    matrix_free(&accesses);
    definitions_free(&definitions);
    reader_close(&reader);
    return status;
}

enum refrain_status matrix_source_read(struct matrix *m, const struct options *o)
{
    struct reader reader;
    struct definitions definitions = {0};
    enum refrain_status status = check(o);
    if (status == REFRAIN_OK)
        status = world_open(&reader, o);
    if (status != REFRAIN_OK)
        return status;
    *m = (struct matrix){0};
    if ((status = definitions_read(&definitions, &reader)) == REFRAIN_OK)
        status = options_has(o, OPTION_AT)
                     ? count_constructs(m, &reader, &definitions, o)
                     : matrix_of_trace(m, &reader, &definitions,
                                       options_has(o, OPTION_RMA) ? CALL_EVENT_ACCESSES : CALL_EVENT_SENT);
    if (status != REFRAIN_OK)
        matrix_free(m);
    definitions_free(&definitions);
    reader_close(&reader);
    return status;
}
