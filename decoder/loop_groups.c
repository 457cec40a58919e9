#include "loop_groups.h"

#include "log.h"
#include "mix.h"

#include <stdlib.h>
#include <string.h>

void loop_groups_free(struct loop_groups *g)
{
    for (size_t i = 0; i < g->groups.n; i++) {
        nlr_free(g->groups.items[i].model);
        free(g->groups.items[i].holds);
        array_free(&g->groups.items[i].ranks);
    }
    array_free(&g->groups);
    array_free(&g->members);
    map_free(&g->by_form);
}

bool loop_is_rank(const struct event_forms *f, uint32_t form, uint32_t j)
{
    const struct event_form *in = &f->items.items[form];
    const char *text = event_form_text(f, in);
    for (size_t i = 0; i < in->n; i++) {
        if ((text[i] == EVENT_NUMBER || text[i] == EVENT_RANK) && j-- == 0)
            return text[i] == EVENT_RANK;
    }
    return false;
}

/* Both forms hold for one rank alone. */
static uint8_t *mark_ranks(const struct event_forms *f, const struct nlr *model)
{
    uint8_t *holds = calloc(model->words.n + 1, 1);
    if (!holds) {
        log_error("out of memory: the ranks in %zu numbers", model->words.n);
        return NULL;
    }
    for (size_t k = 0; k < model->nodes.n; k++) {
        const struct nlr_node *node = &model->nodes.items[k];
        for (uint32_t j = 0; j < node->n && !nlr_is_loop(node); j++) {
            if (loop_is_rank(f, node->form, j))
                holds[node->first + (size_t)j * (node->depth + 1)] = LOOP_CONSTANT | LOOP_RELATIVE;
        }
    }
    return holds;
}

static uint64_t hash_of(const struct nlr *model, const uint8_t *holds, uint32_t thread)
{
    uint64_t hash = mix(thread, model->nodes.n);
    for (size_t k = 0; k < model->nodes.n; k++) {
        const struct nlr_node *node = &model->nodes.items[k];
        hash = mix(mix(hash, (uint64_t)node->form << 32 | node->span), node->depth);
    }
    for (size_t w = 0; w < model->words.n; w++)
        hash = holds[w] ? hash : mix(hash, model->words.items[w]);
    return hash;
}

static uint8_t holds_still(const struct loop_group *g, const struct nlr *model, uint32_t rank, size_t w)
{
    const uint64_t apart = model->words.items[w] - g->model->words.items[w];
    const uint64_t ranks_apart = (uint64_t)rank - g->ranks.items[0];
    return g->holds[w] & ((apart == 0 ? LOOP_CONSTANT : 0) | (apart == ranks_apart ? LOOP_RELATIVE : 0));
}

static bool belongs(const struct loop_group *g, const struct nlr *model, uint32_t rank)
{
    const struct nlr *own = g->model;
    if (own->nodes.n != model->nodes.n || own->words.n != model->words.n)
        return false;
    for (size_t k = 0; k < own->nodes.n; k++) {
        const struct nlr_node *a = &own->nodes.items[k], *b = &model->nodes.items[k];
        if (a->form != b->form || a->span != b->span || a->depth != b->depth)
            return false;
    }
    for (size_t w = 0; w < own->words.n; w++) {
        if (g->holds[w] ? holds_still(g, model, rank, w) == 0 : own->words.items[w] != model->words.items[w])
            return false;
    }
    return true;
}

static enum refrain_status add_group(struct loop_groups *g, uint32_t rank, uint32_t thread, struct nlr *model,
                                     uint8_t *holds, uint64_t hash)
{
    struct loop_group fresh = {.model = model, .thread = thread, .holds = holds, .events = nlr_length(model)};
    if (!array_push(&fresh.ranks, rank) || !array_reserve(&g->groups, 1) ||
        !map_add(&g->by_form, hash, (uint32_t)g->groups.n)) {
        array_free(&fresh.ranks);
        nlr_free(model);
        free(holds);
        return REFRAIN_ERR_MEMORY;
    }
    g->groups.items[g->groups.n++] = fresh;
    return REFRAIN_OK;
}

static enum refrain_status join_group(struct loop_group *group, uint32_t rank, const struct nlr *model)
{
    if (!array_push(&group->ranks, rank))
        return REFRAIN_ERR_MEMORY;
    for (size_t w = 0; w < model->words.n; w++)
        group->holds[w] = group->holds[w] ? holds_still(group, model, rank, w) : 0;
    return REFRAIN_OK;
}

enum refrain_status loop_groups_add(struct loop_groups *g, uint32_t rank, uint32_t thread, struct nlr *model)
{
    uint8_t *holds = mark_ranks(g->forms, model);
    enum refrain_status status;
    if (!holds) {
        nlr_free(model);
        return REFRAIN_ERR_MEMORY;
    }
    const uint64_t hash = hash_of(model, holds, thread);
    size_t at;
    uint32_t v = map_first(&g->by_form, hash, &at);
    while (v != MAP_NONE &&
           (g->groups.items[v].thread != thread || !belongs(&g->groups.items[v], model, rank)))
        v = map_next(&g->by_form, hash, &at);
    if (v == MAP_NONE) {
        v = (uint32_t)g->groups.n;
        status = add_group(g, rank, thread, model, holds, hash);
    } else {
        status = join_group(&g->groups.items[v], rank, model);
        nlr_free(model);
        free(holds);
    }
    if (status == REFRAIN_OK && !array_push(&g->members, ((struct loop_member){rank, thread, v})))
        status = REFRAIN_ERR_MEMORY;
    return status;
}
