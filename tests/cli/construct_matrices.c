/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the sum of the matrices of all top-level constructs of a trace's model, in the format of
 * `refrain matrix --csv`; and a line "unclear,N" if the model does not know what N starts of
 * requests are:
 *
 *     construct_matrices TRACE */
#include "decoder/loops/lift.h"
#include "decoder/matrix/matrix_text.h"

#include <stdio.h>

static enum refrain_status lift_all(struct loop_groups *groups, const struct reader *r,
                                    const struct definitions *d, struct event_templates *templates)
{
    struct call_event_source source;
    struct lane_ref lane;
    enum refrain_status status = call_event_source_create(&source, r, d, CALL_EVENT_MESSAGES, templates);
    if (status != REFRAIN_OK)
        return status;
    groups->templates = templates;
    for (uint64_t rank = 0; status == REFRAIN_OK && reader_next_rank(r, &rank); rank++) {
        for (size_t at = 0;
             status == REFRAIN_OK && reader_next_lane(r, (uint32_t)rank, LANE_THREAD, &at, &lane);) {
            struct nlr *model;
            status = lift_lane(&source, &lane, 0, 0, &model);
            if (status == REFRAIN_OK)
                status = loop_groups_add(groups, (uint32_t)rank, lane.shape->number, model);
        }
    }
    call_event_source_free(&source);
    return status;
}

static enum refrain_status add_all(struct matrix *sum, const struct reader *r, const struct definitions *d,
                                   const struct model *model)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < model->all->n && status == REFRAIN_OK; i++) {
        struct construct_range range = {.body = model->all, .n = 1};
        struct matrix m;
        construct_path_set(&range.first, model->all, i);
        status = matrix_of_constructs(&m, r, d, model, &range);
        if (status == REFRAIN_OK)
            status = matrix_add_all(sum, &m, 1);
        matrix_free(&m);
    }
    return status;
}

int main(int argc, char **argv)
{
    struct reader reader;
    struct definitions definitions = {0};
    struct event_templates templates = {0};
    struct loop_groups groups = {0};
    struct model model = {0};
    struct matrix sum = {0};
    struct output out = {0};
    if (argc != 2 || reader_open(&reader, argv[1]) != REFRAIN_OK)
        return 2;
    enum refrain_status status = definitions_read(&definitions, &reader);
    if (status == REFRAIN_OK)
        status = lift_all(&groups, &reader, &definitions, &templates);
    if (status == REFRAIN_OK)
        status = model_create(&model, &groups);
    if (status == REFRAIN_OK)
        status = add_all(&sum, &reader, &definitions, &model);
    if (status == REFRAIN_OK) {
        matrix_finish(&sum);
        status = matrix_put_csv(&sum, &(struct matrix_subject){0}, &out);
    }
    const enum refrain_status written = output_close(&out);
    if (sum.unclear > 0)
        printf("unclear,%llu\n", (unsigned long long)sum.unclear);
    matrix_free(&sum);
    model_free(&model);
    loop_groups_free(&groups);
    event_templates_free(&templates);
    definitions_free(&definitions);
    reader_close(&reader);
    return reader_exit(status == REFRAIN_OK ? written : status);
}
