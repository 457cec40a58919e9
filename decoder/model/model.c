/* SPDX-License-Identifier: BSD-3-Clause */
#include "model_impl.h"

#include "src/core/base/log.h"

#include <stdlib.h>

enum refrain_status model_build(struct builder *b, struct scope *s, const struct system **out)
{
    struct links links;
    enum refrain_status status = model_regularize(b, s, &links);
    /* The bodies of shared loops have been examined by now, because this gives what the loops use;
     * so no further channels can occur in bodies. */
    if (s->all)
        b->channels->settled = true;
    if (status == REFRAIN_OK)
        status = model_coalesce(b, s, &links, out);
    links_free(&links);
    return status;
}

/* ---- threads --------------------------------------------------------------------------------- */

static struct builder *create_builders(struct model *m)
{
    struct thread_pool *pool = thread_pool_create();
    struct builder *all = pool ? calloc(thread_pool_size(pool), sizeof *all) : NULL;
    if (!all) {
        log_error("out of memory: a model");
        thread_pool_free(pool);
        return NULL;
    }
    for (unsigned t = 0; t < thread_pool_size(pool); t++)
        all[t] = (struct builder){.model = m, .pool = pool, .all = all, .thread = t};
    return all;
}

/* The arenas' content belongs to the model. */
static void free_builders(struct builder *all)
{
    struct thread_pool *pool = all->pool;
    for (unsigned t = 0; t < thread_pool_size(pool); t++) {
        arena_join(&all->model->arena, &all[t].arena);
        free(all[t].counts.of_end);
        bytes_free(&all[t].key);
    }
    free(all);
    thread_pool_free(pool);
}

/* ---- models ---------------------------------------------------------------------------------- */

/* Starts with the sequences of all processes. */
static enum refrain_status start_scope(const struct model *m, struct scope *s)
{
    *s = (struct scope){.n = m->processes.n, .all = true};
    s->sequences = calloc(s->n + 1, sizeof *s->sequences);
    if (!s->sequences) {
        log_error("out of memory: %zu processes", s->n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < s->n; i++) {
        const struct system *own = m->processes.items[i].own;
        struct sequence *to = &s->sequences[i];
        to->process = i;
        for (size_t k = 0; k < own->n; k++) {
            if (!array_push(&to->items, ((struct sequence_item){own->items[k], 0})))
                return REFRAIN_ERR_MEMORY;
        }
    }
    return REFRAIN_OK;
}

/* Joins all processes into one system. */
static enum refrain_status unite_processes(struct builder *builders, const struct system **out)
{
    struct channels channels = {0};
    struct scope all = {0};
    enum refrain_status status = channels_create(&channels, builders->model);
    for (unsigned t = 0; t < thread_pool_size(builders->pool); t++)
        builders[t].channels = &channels;
    if (status == REFRAIN_OK)
        status = start_scope(builders->model, &all);
    if (status == REFRAIN_OK)
        status = model_build(builders, &all, out);
    scope_free(&all);
    channels_free(&channels);
    return status;
}

static enum refrain_status create(struct model *m, const struct loop_groups *groups, bool united)
{
    *m = (struct model){.templates = groups->templates};
    struct builder *builders = create_builders(m);
    if (!builders)
        return REFRAIN_ERR_MEMORY;
    enum refrain_status status = model_take_processes(builders, groups);
    if (status == REFRAIN_OK && united)
        status = unite_processes(builders, &m->all);
    free_builders(builders);
    if (status != REFRAIN_OK)
        model_free(m);
    return status;
}

enum refrain_status model_create_processes(struct model *m, const struct loop_groups *groups)
{
    return create(m, groups, false);
}

enum refrain_status model_create(struct model *m, const struct loop_groups *groups)
{
    return create(m, groups, true);
}

void model_free(struct model *m)
{
    array_free(&m->processes);
    arena_free(&m->arena);
    *m = (struct model){0};
}

/* ---- expansion ------------------------------------------------------------------------------- */

static void enter(struct model_path *p, const struct system *s, uint64_t count)
{
    p->frames[p->depth] = (struct model_frame){.system = s, .count = count};
}

void model_path_start(struct model_path *p, const struct system *system, uint32_t process)
{
    p->process = process;
    p->depth = 0;
    enter(p, system, 1);
}

/* Leaves the last construct of a body: to its next iteration or out of it. Returns false at the
 * end of all. */
static bool leave(struct model_path *p)
{
    if (p->depth == 0)
        return false;
    struct model_frame *f = &p->frames[p->depth];
    if (++p->indices[p->depth - 1] < f->count)
        f->at = 0;
    else
        p->depth--;
    return true;
}

static const struct act *act_of(const struct construct *c, uint32_t process)
{
    for (uint32_t k = 0; k < c->n_acts; k++) {
        if (c->acts[k].process == process)
            return &c->acts[k];
    }
    return NULL;
}

const struct act *model_path_next(struct model_path *p)
{
    for (;;) {
        struct model_frame *f = &p->frames[p->depth];
        if (f->at == f->system->n) {
            if (!leave(p))
                return NULL;
            continue;
        }
        const struct construct *c = f->system->items[f->at++];
        if (!construct_is_loop(c)) {
            const struct act *act = act_of(c, p->process);
            if (act)
                return act;
            continue;
        }
        const int64_t count = (int64_t)affine_value(c->count, p->depth, p->indices);
        if (count <= 0 || !construct_has(c, p->process))
            continue;
        p->indices[p->depth++] = 0;
        enter(p, c->body, (uint64_t)count);
    }
}
