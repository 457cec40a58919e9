/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts the loop models of processes to systems of one process each. */
#include "model_impl.h"

#include "src/core/base/log.h"

/* A group's model with the numbers of one member. */
struct member_view {
    struct arena *arena;
    const struct loop_group *group;
    uint32_t process;
    uint64_t apart; /* difference between its rank and that of the group's first member */
};

/* Copies all numbers of a node. */
static uint64_t *take_words(const struct member_view *v, const struct nlr_node *node)
{
    const size_t n = (size_t)node->n * (node->depth + 1);
    uint64_t *words = arena_array(v->arena, n, sizeof *words);
    for (size_t w = 0; words && w < n; w++) {
        words[w] = v->group->model->words.items[node->first + w];
        if (loop_is_relative(v->group, node->first + w))
            words[w] += v->apart;
    }
    return words;
}

static struct system *take_nodes(const struct member_view *v, size_t first, size_t end);

static struct construct *take_loop(const struct member_view *v, size_t at)
{
    const struct nlr_node *node = &v->group->model->nodes.items[at];
    const struct system *body = take_nodes(v, at + 1, at + node->span);
    const uint64_t *count = body ? take_words(v, node) : NULL;
    return count ? construct_loop(v->arena, node->depth, count, body) : NULL;
}

static struct construct *take_event(const struct member_view *v, const struct nlr_node *node)
{
    struct construct *c = arena_array(v->arena, 1, sizeof *c);
    struct act *act = arena_array(v->arena, 1, sizeof *act);
    if (!c || !act)
        return NULL;
    *act = (struct act){
        .process = v->process, .template = node->template, .n = node->n, .words = take_words(v, node)};
    *c = (struct construct){.depth = node->depth, .n_acts = 1, .acts = act};
    return act->words ? c : NULL;
}

static struct system *take_nodes(const struct member_view *v, size_t first, size_t end)
{
    struct construct_list list = {0};
    struct system *out = NULL;
    const struct nlr_node *nodes = v->group->model->nodes.items;
    for (size_t k = first; k < end; k += nodes[k].span) {
        struct construct *c = nlr_is_loop(&nodes[k]) ? take_loop(v, k) : take_event(v, &nodes[k]);
        if (!c || !array_push(&list.all, c))
            goto out;
    }
    out = system_of(v->arena, &list);
out:
    array_free(&list.all);
    return out;
}

struct intake {
    struct builder *builders;
    const struct loop_groups *groups;
};

static enum refrain_status take_process(void *context, size_t number, unsigned thread)
{
    const struct intake *in = context;
    struct builder *b = &in->builders[thread];
    const struct loop_member *member = &in->groups->members.items[number];
    const struct loop_group *group = &in->groups->groups.items[member->group];
    const struct member_view view = {.arena = &b->arena,
                                     .group = group,
                                     .process = (uint32_t)number,
                                     .apart = (uint64_t)member->rank - group->ranks.items[0]};
    struct model_process *to = &b->model->processes.items[number];
    *to = (struct model_process){
        .rank = member->rank, .thread = member->thread, .own = take_nodes(&view, 0, group->model->nodes.n)};
    return to->own ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

enum refrain_status model_take_processes(struct builder *builders, const struct loop_groups *groups)
{
    struct intake in = {builders, groups};
    struct model *m = builders->model;
    for (size_t i = 0; i < groups->members.n; i++) {
        const struct loop_member *member = &groups->members.items[i];
        if (groups->groups.items[member->group].events == UINT64_MAX) {
            log_error("rank %u has too many events for a model", member->rank);
            return REFRAIN_ERR_USAGE;
        }
    }
    if (!array_reserve(&m->processes, groups->members.n))
        return REFRAIN_ERR_MEMORY;
    m->processes.n = groups->members.n;
    return thread_pool_run(builders->pool, 0, groups->members.n, take_process, &in);
}
