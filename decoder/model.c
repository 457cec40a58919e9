#include "model_impl.h"

#include "log.h"

#include <stdlib.h>

enum refrain_status model_build(struct builder *b, struct scope *s, const struct system **out)
{
    const enum refrain_status status = model_regularize(b, s);
    return status == REFRAIN_OK ? model_coalesce(b, s, out) : status;
}

/* The sequences of all processes. */
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

enum refrain_status model_create(struct model *m, const struct loop_groups *groups)
{
    struct builder b = {.model = m};
    struct scope all = {0};
    *m = (struct model){.forms = groups->forms};
    enum refrain_status status = model_take_processes(m, groups);
    if (status == REFRAIN_OK)
        status = channels_create(&b.channels, m);
    if (status == REFRAIN_OK)
        status = start_scope(m, &all);
    if (status == REFRAIN_OK)
        status = model_build(&b, &all, &m->all);
    scope_free(&all);
    channels_free(&b.channels);
    free(b.counts.of_end);
    if (status != REFRAIN_OK)
        model_free(m);
    return status;
}

void model_free(struct model *m)
{
    array_free(&m->processes);
    arena_free(&m->arena);
    *m = (struct model){0};
}

/* ---- expansion ------------------------------------------------------------------------------------------
 */

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

/* Behind the last construct of a body: its next iteration, or out of it. False at the end of all. */
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
