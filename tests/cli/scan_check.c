/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks that everything in a trace is found at its place: compares each construct of the model and
 * of the ranks' own loops with their expansion, and the call found for each event with the calls
 * one by one.
 *
 *     scan_check TRACE */
#include "decoder/loops/lift.h"
#include "decoder/model/model.h"
#include "src/core/base/log.h"
#include "tests/unit/support/scan_checks.h"

static enum refrain_status lift_all(struct call_event_source *source, struct loop_groups *groups)
{
    enum refrain_status status = REFRAIN_OK;
    for (uint64_t rank = 0; status == REFRAIN_OK && reader_next_rank(source->reader, &rank); rank++) {
        struct lane_ref lane;
        for (size_t at = 0; status == REFRAIN_OK &&
                            reader_next_lane(source->reader, (uint32_t)rank, LANE_THREAD, &at, &lane);) {
            struct nlr *model;
            status = lift_lane(source, &lane, 0, 0, &model);
            if (status == REFRAIN_OK)
                status = loop_groups_add(groups, lane.rank, lane.shape->number, model);
        }
    }
    return status;
}

static enum refrain_status check_constructs(struct call_event_source *source,
                                            struct event_templates *templates)
{
    struct loop_groups groups = {.templates = templates};
    struct model model = {0};
    enum refrain_status status = lift_all(source, &groups);
    if (status == REFRAIN_OK)
        status = model_create(&model, &groups);
    for (uint32_t i = 0; i < model.processes.n && status == REFRAIN_OK; i++) {
        status = occurrences_check(model.all, i, NULL, NULL);
        if (status == REFRAIN_OK)
            status = occurrences_check(model.processes.items[i].own, i, NULL, NULL);
    }
    model_free(&model);
    loop_groups_free(&groups);
    return status;
}

static enum refrain_status check_calls(const struct reader *r, const struct definitions *d)
{
    enum refrain_status status = REFRAIN_OK;
    for (uint64_t rank = 0; status == REFRAIN_OK && reader_next_rank(r, &rank); rank++) {
        struct lane_ref lane;
        for (size_t at = 0;
             status == REFRAIN_OK && reader_next_lane(r, (uint32_t)rank, LANE_THREAD, &at, &lane);) {
            status = event_lane_check(r, d, &lane, CALL_EVENT_MESSAGES);
            if (status == REFRAIN_OK)
                status = event_lane_check(r, d, &lane, CALL_EVENT_CALLS);
        }
    }
    return status;
}

int main(int argc, char **argv)
{
    struct reader reader;
    struct definitions definitions = {0};
    struct event_templates templates = {0};
    struct call_event_source source = {0};
    if (argc != 2)
        return 2;
    enum refrain_status status = reader_open(&reader, argv[1]);
    if (status != REFRAIN_OK)
        return reader_exit(status);
    if ((status = definitions_read(&definitions, &reader)) == REFRAIN_OK)
        status = call_event_source_create(&source, &reader, &definitions, CALL_EVENT_MESSAGES, &templates);
    if (status == REFRAIN_OK) {
        status = check_constructs(&source, &templates);
        call_event_source_free(&source);
    }
    if (status == REFRAIN_OK)
        status = check_calls(&reader, &definitions);
    event_templates_free(&templates);
    definitions_free(&definitions);
    reader_close(&reader);
    return reader_exit(status);
}
