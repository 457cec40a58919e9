/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns statements into the steps of a program. */
#include "merge_impl.h"

#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

static int by_process(const void *a, const void *b)
{
    const struct statement_turn *x = a, *y = b;
    return x->process < y->process ? -1 : x->process > y->process;
}

static bool set_number(struct merger *m, struct number *to, const struct statement *s, const uint64_t *coefs)
{
    struct arena *a = &m->logical->arena;
    to->values = arena_array(a, s->turns.n, sizeof *to->values);
    to->coefs = arena_array(a, m->depth + 1, sizeof *to->coefs);
    to->cells = 1;
    if (to->coefs && coefs)
        memcpy(to->coefs, coefs, m->depth * sizeof *coefs);
    return to->values && to->coefs;
}

static bool set_event(struct merger *m, struct step *step, const struct statement *s)
{
    const struct act *first = s->turns.items[0].turn.act;
    const struct form *f = form_of(m->forms, first->template);
    step->kind = STEP_EVENT;
    step->form = f->text;
    step->n = f->n;
    step->numbers = arena_array(&m->logical->arena, f->n + 1, sizeof *step->numbers);
    step->has_partner = f->partner != FORM_NONE;
    step->partner = s->partner;
    if (!step->numbers)
        return false;
    if (step->has_partner) {
        step->partner_coefs = arena_array(&m->logical->arena, m->depth + 1, sizeof *step->partner_coefs);
        if (!step->partner_coefs)
            return false;
        memcpy(step->partner_coefs, act_number(m, first, f->partner) + 1, m->depth * sizeof(uint64_t));
    }
    for (uint32_t k = 0; k < step->n; k++) {
        const uint32_t place = m->forms->places.items[f->first + k];
        const bool comm = place == FORM_COMM;
        if (!set_number(m, &step->numbers[k], s, comm ? NULL : act_number(m, first, place) + 1))
            return false;
        for (size_t i = 0; i < s->turns.n; i++) {
            const struct act *act = s->turns.items[i].turn.act;
            step->numbers[k].values[i] =
                comm ? form_of(m->forms, act->template)->comm : act_number(m, act, place)[0];
        }
    }
    return true;
}

static enum refrain_status set_loop(struct merger *m, struct step *step, const struct statement *s)
{
    struct merge_part *parts = malloc((s->turns.n + 1) * sizeof *parts);
    if (!parts || !set_number(m, &step->count, s, s->turns.items[0].turn.construct->count + 1)) {
        free(parts);
        log_error("out of memory: a loop");
        return REFRAIN_ERR_MEMORY;
    }
    step->kind = STEP_LOOP;
    for (size_t i = 0; i < s->turns.n; i++) {
        const struct construct *c = s->turns.items[i].turn.construct;
        step->count.values[i] = c->count[0];
        parts[i] = (struct merge_part){s->turns.items[i].process, c->body};
    }
    const enum refrain_status status = logical_merge(m->forms, parts, s->turns.n, m->depth + 1, &step->body);
    free(parts);
    return status;
}

static enum refrain_status make_step(struct merger *m, struct statement *s, struct step **out)
{
    struct arena *a = &m->logical->arena;
    struct step *step = arena_array(a, 1, sizeof *step);
    uint32_t *processes = arena_array(a, s->turns.n, sizeof *processes);
    if (!step || !processes)
        return REFRAIN_ERR_MEMORY;
    qsort(s->turns.items, s->turns.n, sizeof *s->turns.items, by_process);
    for (size_t i = 0; i < s->turns.n; i++)
        processes[i] = s->turns.items[i].process;
    step->depth = m->depth;
    step->processes = processes;
    step->n_processes = (uint32_t)s->turns.n;
    *out = step;
    if (!s->turns.items[0].turn.act)
        return set_loop(m, step, s);
    return set_event(m, step, s) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

enum refrain_status merge_make_steps(struct merger *m, struct steps *out)
{
    enum refrain_status status = REFRAIN_OK;
    out->items = arena_array(&m->logical->arena, m->statements.n + 1, sizeof *out->items);
    out->n = m->statements.n;
    if (!out->items)
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < out->n && status == REFRAIN_OK; i++)
        status = make_step(m, m->statements.items[i], &out->items[i]);
    return status;
}
