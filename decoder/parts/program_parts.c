/* SPDX-License-Identifier: BSD-3-Clause */
#include "program_parts.h"

#include "decoder/loops/lift_lanes.h"

const char *const program_parts_words[PARTS_BY_KINDS] = {
    [PARTS_BY_NOTHING] = "", [PARTS_BY_PHASE] = "phase", [PARTS_BY_REGION] = "region"};

static enum refrain_status make_model(struct program_parts *p, const struct reader *r,
                                      const struct definitions *d)
{
    struct lift_lanes request = {
        .reader = r, .definitions = d, .mode = CALL_EVENT_MESSAGES, .window = NLR_WINDOW};
    enum refrain_status status = lift_lanes_choose_all(&request);
    p->groups.templates = &p->templates;
    if (status == REFRAIN_OK)
        status = lift_lanes(&request, &p->templates, &p->groups);
    if (status == REFRAIN_OK)
        status = model_create(&p->model, &p->groups);
    array_free(&request.communicators);
    array_free(&request.lanes);
    return status;
}

static enum refrain_status find_phases(struct program_parts *p, const struct model *m, const struct reader *r,
                                       const struct definitions *d)
{
    const enum refrain_status status = run_phases_create(&p->phases, m);
    return status == REFRAIN_OK ? phase_places_fill(&p->places, &p->phases, m, r, d) : status;
}

static void start(struct program_parts *p, enum program_parts_by by)
{
    *p = (struct program_parts){.by = by};
    p->times.places = &p->places;
}

enum refrain_status program_parts_open(struct program_parts *p, enum program_parts_by by,
                                       const struct reader *r, const struct definitions *d)
{
    start(p, by);
    if (by == PARTS_BY_REGION)
        return region_paths_create(&p->regions, &p->places, r);
    const enum refrain_status status = make_model(p, r, d);
    return status == REFRAIN_OK ? find_phases(p, &p->model, r, d) : status;
}

enum refrain_status program_parts_open_model(struct program_parts *p, const struct model *m,
                                             const struct reader *r, const struct definitions *d)
{
    start(p, PARTS_BY_PHASE);
    return find_phases(p, m, r, d);
}

void program_parts_free(struct program_parts *p)
{
    part_times_free(&p->times);
    wait_places_free(&p->places);
    run_phases_free(&p->phases);
    model_free(&p->model);
    loop_groups_free(&p->groups);
    event_templates_free(&p->templates);
    region_paths_free(&p->regions);
    *p = (struct program_parts){0};
}

enum refrain_status program_parts_put(const struct program_parts *p, const struct causes_view *v,
                                      bool as_json, struct output *out)
{
    return (p->by == PARTS_BY_PHASE ? phase_table_put : region_table_put)(p, v, as_json, out);
}
