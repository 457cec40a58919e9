/* SPDX-License-Identifier: BSD-3-Clause */
/* Replays the events of a process from the program: each direction is followed from the place of
 * the process. */
#include "logical_walk.h"

#include "decoder/util/text.h"

static enum refrain_status walk_steps(struct logical_walk *w, const struct steps *steps, uint64_t *indices);

/* The steps of a process; without an index, among others. */
struct own_steps {
    const struct steps *all;
    const uint32_t *index; /* NULL: none */
    size_t n;
};

static struct own_steps own_steps(const struct steps *all, uint32_t process)
{
    if (!all->first)
        return (struct own_steps){.all = all, .n = all->n};
    const uint32_t first = all->first[process];
    return (struct own_steps){all, all->of_process + first, all->first[process + 1] - first};
}

static const struct step *own_step(const struct own_steps *o, size_t i)
{
    return o->all->items[o->index ? o->index[i] : i];
}

/* Do the process's acts in these steps depend on the index of the enclosing loop number `level`? */
static bool varies(const struct steps *steps, uint32_t process, uint32_t level)
{
    const struct own_steps own = own_steps(steps, process);
    bool any = false;
    for (size_t i = 0; i < own.n && !any; i++) {
        const struct step *s = own_step(&own, i);
        if (s->kind == STEP_LOOP)
            any = s->count.coefs[level] != 0 || varies(&s->body, process, level);
    }
    return any; /* procedures depend on no enclosing index */
}

/* Counts the events of the iterations from `first` on without visiting them. */
static enum refrain_status count_rest(struct logical_walk *w, const struct step *s, uint64_t *indices,
                                      uint64_t first, uint64_t count)
{
    const bool was_silent = w->silent, each = varies(&s->body, w->process, s->depth);
    enum refrain_status status = REFRAIN_OK;
    w->silent = true;
    for (uint64_t k = first; k < count && status == REFRAIN_OK; k++) {
        const uint64_t before = w->number;
        indices[s->depth] = k;
        status = walk_steps(w, &s->body, indices);
        if (!each) {
            w->number += (count - k - 1) * (w->number - before);
            break;
        }
    }
    w->silent = was_silent;
    return status;
}

static enum refrain_status walk_loop(struct logical_walk *w, const struct step *s, uint64_t *indices)
{
    const int64_t value = (int64_t)number_value(&s->count, step_place(s, w->process), s->depth, indices);
    const uint64_t count = value > 0 ? (uint64_t)value : 0;
    enum refrain_status status = REFRAIN_OK;
    if (w->silent)
        return count_rest(w, s, indices, 0, count);
    for (uint64_t k = 0; k < count && status == REFRAIN_OK && !w->stop && (k == 0 || !w->once); k++) {
        indices[s->depth] = k;
        status = walk_steps(w, &s->body, indices);
    }
    return w->once && status == REFRAIN_OK ? count_rest(w, s, indices, 1, count) : status;
}

/* Returns the steps of the process, in the order of the groups. They are found once for each
 * body. */
static enum refrain_status find_steps(struct logical_walk *w, const struct steps *steps, struct steps *out)
{
    const uint64_t key = (uint64_t)(uintptr_t)steps->items;
    const uint32_t known = map_get(&w->of_body, key);
    if (known != MAP_NONE) {
        *out = w->bodies.items[known];
        return REFRAIN_OK;
    }
    const struct joint_body *body = joint_of(w->joint, steps);
    *out = (struct steps){0};
    const enum refrain_status status =
        body ? joint_steps(w->joint, body, w->process, out) : REFRAIN_ERR_MEMORY;
    if (status != REFRAIN_OK)
        return status;
    return array_push(&w->bodies, *out) && map_set(&w->of_body, key, (uint32_t)w->bodies.n - 1)
               ? REFRAIN_OK
               : REFRAIN_ERR_MEMORY;
}

static enum refrain_status walk_steps(struct logical_walk *w, const struct steps *all, uint64_t *indices)
{
    struct steps steps = *all;
    enum refrain_status status = w->joint ? find_steps(w, all, &steps) : REFRAIN_OK;
    const struct own_steps own = own_steps(&steps, w->process);
    for (size_t i = 0; i < own.n && status == REFRAIN_OK && !w->stop; i++) {
        const struct step *s = own_step(&own, i);
        if (!own.index && !step_has(s, w->process))
            continue;
        if (s->kind == STEP_LOOP) {
            status = walk_loop(w, s, indices);
        } else if (s->kind == STEP_CALL) {
            status = walk_steps(w, &w->logical->procedures.items[s->procedure].body, indices + s->depth);
        } else {
            status = w->silent ? REFRAIN_OK : w->visit(w, s, indices);
            w->number++;
        }
    }
    return status;
}

enum refrain_status logical_walk(struct logical_walk *w)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < w->logical->sections.n && status == REFRAIN_OK; i++)
        status = walk_steps(w, &w->logical->sections.items[i].body, w->indices);
    map_free(&w->of_body);
    array_free(&w->bodies);
    return status;
}

/* ---- events ---------------------------------------------------------------------------------- */

static enum refrain_status put_event(struct logical_walk *w, const struct step *s, const uint64_t *indices)
{
    struct output *out = w->context;
    const struct text_table *forms = &w->logical->forms;
    const char *text = text_table_at(forms, s->form);
    const size_t place = step_place(s, w->process);
    uint32_t k = 0;
    text_uint(&out->text, logical_rank(w->logical, w->process));
    text_putc(&out->text, ' ');
    for (size_t i = 0; i < forms->items.items[s->form].n; i++) {
        if (text[i] == FORM_PARTNER)
            text_int(&out->text, (int64_t)step_partner(w->logical, s, w->process, indices));
        else if (text[i] == FORM_NUMBER)
            text_int(&out->text, (int64_t)number_value(&s->numbers[k++], place, s->depth, indices));
        else
            text_putc(&out->text, text[i]);
    }
    text_putc(&out->text, '\n');
    const enum refrain_status status = output_drain(out);
    w->stop = out->closed;
    return status;
}

enum refrain_status logical_put_events(const struct logical *l, struct joint *joint, uint32_t process,
                                       struct output *out)
{
    struct logical_walk w = {
        .logical = l, .process = process, .joint = joint, .visit = put_event, .context = out};
    return logical_walk(&w);
}
