/* SPDX-License-Identifier: BSD-3-Clause */
#include "lift_lanes.h"

#include "decoder/util/thread_pool.h"
#include "lift.h"
#include "src/core/base/log.h"
#include "src/core/base/order.h"

#include <stdlib.h>

/* Lanes of a batch are lifted before their models are grouped. Equal models are kept once, so
 * small batches need little memory. */
#define BATCH 512

/* The data of one thread. */
struct lifter {
    struct event_templates templates;
    struct call_event_source source;
    /* by template: its number among all templates; MAP_NONE: not known yet */
    ARRAY(uint32_t) numbers;
};

struct lifting {
    const struct lift_lanes *request;
    struct lifter *lifters;
    unsigned n_lifters;
    size_t first; /* first lane of the batch */
    struct lifted {
        struct nlr *model; /* owned */
        unsigned thread;
    } models[BATCH];
};

enum refrain_status lift_lanes_choose_all(struct lift_lanes *l)
{
    struct lane_ref lane;
    for (uint64_t rank = 0; reader_next_rank(l->reader, &rank); rank++) {
        for (size_t at = 0; reader_next_lane(l->reader, (uint32_t)rank, LANE_THREAD, &at, &lane);) {
            if (!array_push(&l->lanes, lane))
                return REFRAIN_ERR_MEMORY;
        }
    }
    return REFRAIN_OK;
}

static enum refrain_status lift_one(void *context, size_t number, unsigned thread)
{
    struct lifting *l = context;
    struct lifted *to = &l->models[number];
    to->thread = thread;
    return lift_lane(&l->lifters[thread].source, &l->request->lanes.items[l->first + number],
                     l->request->window, l->request->most, &to->model);
}

/* Finds the template's number among all templates. */
static enum refrain_status number_template(struct lifter *from, uint32_t template,
                                           struct event_templates *all, uint32_t *out)
{
    while (from->numbers.n <= template) {
        if (!array_push(&from->numbers, MAP_NONE))
            return REFRAIN_ERR_MEMORY;
    }
    uint32_t *number = &from->numbers.items[template];
    const struct event_template *f = &from->templates.items.items[template];
    const enum refrain_status status =
        *number == MAP_NONE
            ? event_templates_intern(all, event_template_text(&from->templates, f), f->n, number)
            : REFRAIN_OK;
    *out = *number;
    return status;
}

/* Takes the models of a batch, one after another. */
static enum refrain_status take_models(struct lifting *l, size_t n, struct event_templates *templates,
                                       struct loop_groups *groups)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++) {
        const struct lane_ref *lane = &l->request->lanes.items[l->first + i];
        struct nlr *model = l->models[i].model;
        for (size_t k = 0; k < model->nodes.n && status == REFRAIN_OK; k++) {
            struct nlr_node *node = &model->nodes.items[k];
            if (!nlr_is_loop(node))
                status = number_template(&l->lifters[l->models[i].thread], node->template, templates,
                                         &node->template);
        }
        if (status != REFRAIN_OK)
            break;
        l->models[i].model = NULL;
        status = loop_groups_add(groups, lane->rank, lane->shape->number, model);
    }
    for (size_t i = 0; i < n; i++) {
        nlr_free(l->models[i].model);
        l->models[i].model = NULL;
    }
    return status;
}

static enum refrain_status take_communicators(const struct lifting *l, struct lift_lanes *out)
{
    size_t n = 0;
    for (unsigned t = 0; t < l->n_lifters; t++) {
        const struct call_event_source *source = &l->lifters[t].source;
        for (size_t i = 0; i < source->communicators.n; i++) {
            if (!array_push(&out->communicators, source->communicators.items[i]))
                return REFRAIN_ERR_MEMORY;
        }
    }
    uint32_t *all = out->communicators.items;
    if (out->communicators.n > 0)
        qsort(all, out->communicators.n, sizeof *all, order_u32);
    for (size_t i = 0; i < out->communicators.n; i++) {
        if (n == 0 || all[i] != all[n - 1])
            all[n++] = all[i];
    }
    out->communicators.n = n;
    return REFRAIN_OK;
}

static enum refrain_status start(struct lifting *l, unsigned threads)
{
    const struct lift_lanes *r = l->request;
    enum refrain_status status = REFRAIN_OK;
    l->lifters = calloc(threads, sizeof *l->lifters);
    if (!l->lifters) {
        log_error("out of memory: lifting lanes");
        return REFRAIN_ERR_MEMORY;
    }
    for (; l->n_lifters < threads && status == REFRAIN_OK; l->n_lifters++) {
        struct lifter *fresh = &l->lifters[l->n_lifters];
        status =
            call_event_source_create(&fresh->source, r->reader, r->definitions, r->mode, &fresh->templates);
        if (status != REFRAIN_OK)
            break;
    }
    return status;
}

static void stop(struct lifting *l)
{
    for (unsigned t = 0; t < l->n_lifters; t++) {
        call_event_source_free(&l->lifters[t].source);
        event_templates_free(&l->lifters[t].templates);
        array_free(&l->lifters[t].numbers);
    }
    free(l->lifters);
}

enum refrain_status lift_lanes(struct lift_lanes *request, struct event_templates *templates,
                               struct loop_groups *groups)
{
    struct lifting l = {.request = request};
    struct thread_pool *pool = thread_pool_create();
    enum refrain_status status = pool ? start(&l, thread_pool_size(pool)) : REFRAIN_ERR_MEMORY;
    for (; l.first < request->lanes.n && status == REFRAIN_OK; l.first += BATCH) {
        const size_t left = request->lanes.n - l.first, n = left < BATCH ? left : BATCH;
        status = thread_pool_run(pool, 0, n, lift_one, &l);
        if (status == REFRAIN_OK)
            status = take_models(&l, n, templates, groups);
    }
    if (status == REFRAIN_OK)
        status = take_communicators(&l, request);
    for (size_t i = 0; i < BATCH; i++)
        nlr_free(l.models[i].model);
    stop(&l);
    thread_pool_free(pool);
    return status;
}
