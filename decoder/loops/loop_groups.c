/* SPDX-License-Identifier: BSD-3-Clause */
#include "loop_groups.h"

#include "src/core/base/log.h"
#include "src/core/base/mix.h"

#include <assert.h>
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
    map_free(&g->by_template);
    array_free(&g->lists);
    array_free(&g->entries);
}

bool loop_is_rank(const struct event_templates *f, uint32_t template, uint32_t j)
{
    assert(f->items.n > template && f->items.items[template].numbers > j);
    const struct event_template *in = &f->items.items[template];
    const char *text = event_template_text(f, in);
    for (size_t i = 0; i < in->n; i++) {
        if ((text[i] == EVENT_NUMBER || text[i] == EVENT_RANK) && j-- == 0)
            return text[i] == EVENT_RANK;
    }
    return false;
}

/* Marks the numbers that are ranks. For a single member both readings hold: constant, and relative
 * to its rank. */
static uint8_t *mark_ranks(const struct event_templates *f, const struct nlr *model)
{
    uint8_t *holds = calloc(model->words.n + 1, 1);
    if (!holds) {
        log_error("out of memory: the ranks in %zu numbers", model->words.n);
        return NULL;
    }
    for (size_t k = 0; k < model->nodes.n; k++) {
        const struct nlr_node *node = &model->nodes.items[k];
        for (uint32_t j = 0; j < node->n && !nlr_is_loop(node); j++) {
            if (loop_is_rank(f, node->template, j))
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
        hash = mix(mix(hash, (uint64_t)node->template << 32 | node->span), node->depth);
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
        if (a->template != b->template || a->span != b->span || a->depth != b->depth)
            return false;
    }
    for (size_t w = 0; w < own->words.n; w++) {
        if (g->holds[w] ? holds_still(g, model, rank, w) == 0 : own->words.items[w] != model->words.items[w])
            return false;
    }
    return true;
}

/* ---- finding a model's group ----------------------------------------------------------------- */
/* Ranks whose partners follow no law differ only in these partners, and each is a separate group.
 * Therefore groups are found not only by the parts that must be equal, but also by a few numbers
 * that are ranks, absolute and relative to the model's rank. The search uses the number that the
 * fewest groups have. */

#define NUMBERS_ASKED 8

/* The two keys of a number that is a rank; without a number, one key of all groups whose other
 * parts are equal. */
struct keys {
    uint64_t keys[2];
    unsigned n;
};

struct key_sets {
    struct keys items[1 + NUMBERS_ASKED];
    unsigned n;
};

static struct key_sets keys_of(const struct nlr *model, const uint8_t *holds, uint32_t rank, uint64_t hash)
{
    struct key_sets out = {.items = {{{hash}, 1}}, .n = 1};
    for (size_t w = 0; w < model->words.n && out.n <= NUMBERS_ASKED; w++) {
        const uint64_t value = model->words.items[w], place = mix(hash, w);
        if (holds[w])
            out.items[out.n++] =
                (struct keys){{mix(mix(place, 1), value), mix(mix(place, 2), value - rank)}, 2};
    }
    return out;
}

static uint32_t list_length(const struct loop_groups *g, uint64_t key)
{
    const uint32_t list = map_get(&g->by_template, key);
    return list == MAP_NONE ? 0 : g->lists.items[list].n;
}

static uint32_t first_entry(const struct loop_groups *g, uint64_t key)
{
    const uint32_t list = map_get(&g->by_template, key);
    return list == MAP_NONE ? MAP_NONE : g->lists.items[list].first;
}

/* Returns the first group, by number, of two lists to which the model belongs; MAP_NONE if there
 * is none. */
static uint32_t find_in_lists(const struct loop_groups *g, const struct keys *keys, const struct nlr *model,
                              uint32_t rank, uint32_t thread)
{
    uint32_t at[2] = {first_entry(g, keys->keys[0]), keys->n > 1 ? first_entry(g, keys->keys[1]) : MAP_NONE};
    while (at[0] != MAP_NONE || at[1] != MAP_NONE) {
        const struct loop_group_entry *entries = g->entries.items;
        const bool second =
            at[0] == MAP_NONE || (at[1] != MAP_NONE && entries[at[1]].group < entries[at[0]].group);
        const struct loop_group_entry *entry = &entries[at[second]];
        const struct loop_group *group = &g->groups.items[entry->group];
        if (group->thread == thread && belongs(group, model, rank))
            return entry->group;
        at[second] = entry->next;
    }
    return MAP_NONE;
}

static uint32_t find_group(const struct loop_groups *g, const struct key_sets *sets, const struct nlr *model,
                           uint32_t rank, uint32_t thread)
{
    uint32_t fewest = UINT32_MAX;
    unsigned best = 0;
    for (unsigned i = 0; i < sets->n; i++) {
        const struct keys *keys = &sets->items[i];
        const uint32_t n = list_length(g, keys->keys[0]) + (keys->n > 1 ? list_length(g, keys->keys[1]) : 0);
        if (n < fewest) {
            fewest = n;
            best = i;
        }
    }
    return find_in_lists(g, &sets->items[best], model, rank, thread);
}

static bool put_entry(struct loop_groups *g, uint64_t key, uint32_t group)
{
    uint32_t number = map_get(&g->by_template, key);
    const uint32_t entry = (uint32_t)g->entries.n;
    if (!array_push(&g->entries, ((struct loop_group_entry){group, MAP_NONE})))
        return false;
    if (number == MAP_NONE) {
        number = (uint32_t)g->lists.n;
        return array_push(&g->lists, ((struct loop_group_list){entry, entry, 1})) &&
               map_set(&g->by_template, key, number);
    }
    struct loop_group_list *list = &g->lists.items[number];
    g->entries.items[list->last].next = entry;
    list->last = entry;
    list->n++;
    return true;
}

static bool put_group(struct loop_groups *g, const struct key_sets *sets, uint32_t group)
{
    bool ok = true;
    for (unsigned i = 0; i < sets->n; i++) {
        for (unsigned k = 0; k < sets->items[i].n; k++)
            ok = ok && put_entry(g, sets->items[i].keys[k], group);
    }
    return ok;
}

/* ---- groups ---------------------------------------------------------------------------------- */

static enum refrain_status add_group(struct loop_groups *g, uint32_t rank, uint32_t thread, struct nlr *model,
                                     uint8_t *holds, const struct key_sets *keys)
{
    struct loop_group fresh = {.model = model, .thread = thread, .holds = holds, .events = nlr_length(model)};
    if (!array_push(&fresh.ranks, rank) || !array_reserve(&g->groups, 1) ||
        !put_group(g, keys, (uint32_t)g->groups.n)) {
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
    assert(!model->following);
    uint8_t *holds = mark_ranks(g->templates, model);
    enum refrain_status status;
    if (!holds) {
        nlr_free(model);
        return REFRAIN_ERR_MEMORY;
    }
    const struct key_sets keys = keys_of(model, holds, rank, hash_of(model, holds, thread));
    uint32_t v = find_group(g, &keys, model, rank, thread);
    if (v == MAP_NONE) {
        v = (uint32_t)g->groups.n;
        status = add_group(g, rank, thread, model, holds, &keys);
    } else {
        status = join_group(&g->groups.items[v], rank, model);
        nlr_free(model);
        free(holds);
    }
    if (status == REFRAIN_OK && !array_push(&g->members, ((struct loop_member){rank, thread, v})))
        status = REFRAIN_ERR_MEMORY;
    return status;
}
