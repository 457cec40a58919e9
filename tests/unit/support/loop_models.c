/* SPDX-License-Identifier: BSD-3-Clause */
#include "loop_models.h"

#include "decoder/loops/lift.h"
#include "src/core/base/log.h"

static bool is_event(const struct nlr_path *p, const struct nlr_node *node, const struct event_list *list,
                     const struct event *e)
{
    bool same = node && node->template == e->template && node->n == e->n;
    for (uint32_t k = 0; same && k < e->n; k++)
        same = nlr_path_number(p, node, k) == (uint64_t)list->numbers.items[e->first + k];
    return same;
}

static enum refrain_status compare(struct call_event_source *s, const struct lane_ref *lane,
                                   const struct nlr *model)
{
    struct cursor cursor;
    struct call call;
    struct event_list events = {0};
    struct nlr_path path;
    enum refrain_status status = cursor_start(&cursor, s->reader, lane);
    if (status != REFRAIN_OK)
        return status;
    nlr_path_start(&path, model);
    uint64_t n = 0;
    while (status == REFRAIN_OK && cursor_next(&cursor, &call, &status)) {
        event_list_clear(&events);
        status = call_event_put(s, call.function, call.slots, call.n_slots, &events, NULL);
        for (size_t i = 0; status == REFRAIN_OK && i < events.items.n; i++, n++) {
            if (!is_event(&path, nlr_path_event(&path), &events, &events.items.items[i])) {
                log_error("call %llu is not in the model", (unsigned long long)call.index);
                status = REFRAIN_ERR_CHECK;
                break;
            }
            nlr_path_pass(&path);
        }
    }
    if (status == REFRAIN_OK && (nlr_path_event(&path) || nlr_length(model) != n)) {
        log_error("the model is longer than the calls");
        status = REFRAIN_ERR_CHECK;
    }
    cursor_stop(&cursor);
    event_list_free(&events);
    return status;
}

enum refrain_status loop_model_check(const struct reader *r, const struct definitions *d,
                                     const struct lane_ref *lane, enum call_event_mode mode, size_t *nodes)
{
    struct event_templates templates = {0};
    struct call_event_source source;
    struct nlr *model = NULL;
    enum refrain_status status = call_event_source_create(&source, r, d, mode, &templates);
    if (status != REFRAIN_OK)
        return status;
    status = lift_lane(&source, lane, 0, 0, &model);
    if (status == REFRAIN_OK)
        status = compare(&source, lane, model);
    if (status == REFRAIN_OK && nodes)
        *nodes = model->nodes.n;
    nlr_free(model);
    call_event_source_free(&source);
    event_templates_free(&templates);
    return status;
}
