/* SPDX-License-Identifier: BSD-3-Clause */
#include "logical_impl.h"

#include "src/core/base/log.h"

#include <stdlib.h>

/* Makes the program of the processes with this thread number. */
static enum refrain_status add_section(struct logical *l, struct form_table *forms, uint32_t thread)
{
    const struct model *m = l->model;
    struct merge_part *parts = malloc((m->processes.n + 1) * sizeof *parts);
    uint32_t *processes = arena_array(&l->arena, m->processes.n + 1, sizeof *processes);
    struct section s = {.thread = thread, .processes = processes};
    enum refrain_status status = parts && processes ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    if (!parts)
        log_error("out of memory: %zu processes", m->processes.n);
    for (uint32_t i = 0; i < m->processes.n && status == REFRAIN_OK; i++) {
        if (m->processes.items[i].thread != thread)
            continue;
        processes[s.n_processes] = i;
        parts[s.n_processes++] = (struct merge_part){i, m->all};
    }
    if (status == REFRAIN_OK)
        status = logical_merge(forms, parts, s.n_processes, 0, &s.body);
    if (status == REFRAIN_OK && !array_push(&l->sections, s))
        status = REFRAIN_ERR_MEMORY;
    free(parts);
    return status;
}

static bool has_section(const struct logical *l, uint32_t thread)
{
    for (size_t i = 0; i < l->sections.n; i++) {
        if (l->sections.items[i].thread == thread)
            return true;
    }
    return false;
}

/* Statements get numbers in the order of the text. */
static void number_events(struct logical *l, struct steps *steps)
{
    for (size_t i = 0; i < steps->n; i++) {
        struct step *s = steps->items[i];
        if (s->kind == STEP_EVENT)
            s->number = l->n_events++;
        else if (s->kind == STEP_LOOP)
            number_events(l, &s->body);
    }
}

/* ---- which steps a process has ---------------------------------------------------------------- */

/* Bodies of fewer steps are searched. */
#define INDEXED_LEAST 256

static bool index_body(struct logical *l, struct steps *steps)
{
    const size_t n_processes = l->model->processes.n;
    uint32_t *first = arena_array(&l->arena, n_processes + 2, sizeof *first), *of_process;
    if (!first)
        return false;
    for (size_t i = 0; i < steps->n; i++) {
        for (uint32_t k = 0; k < steps->items[i]->n_processes; k++)
            first[steps->items[i]->processes[k] + 2]++;
    }
    for (size_t p = 2; p < n_processes + 2; p++)
        first[p] += first[p - 1];
    of_process = arena_array(&l->arena, first[n_processes + 1] + (size_t)1, sizeof *of_process);
    if (!of_process)
        return false;
    /* first[p + 1] moves from the begin of p to its end, which is the begin of p + 1. */
    for (size_t i = 0; i < steps->n; i++) {
        for (uint32_t k = 0; k < steps->items[i]->n_processes; k++)
            of_process[first[steps->items[i]->processes[k] + 1]++] = (uint32_t)i;
    }
    steps->first = first;
    steps->of_process = of_process;
    return true;
}

static bool index_steps(struct logical *l, struct steps *steps)
{
    bool ok = steps->n < INDEXED_LEAST || index_body(l, steps);
    for (size_t i = 0; i < steps->n && ok; i++)
        ok = steps->items[i]->kind != STEP_LOOP || index_steps(l, &steps->items[i]->body);
    return ok;
}

static enum refrain_status index_all(struct logical *l)
{
    bool ok = true;
    for (size_t i = 0; i < l->sections.n && ok; i++)
        ok = index_steps(l, &l->sections.items[i].body);
    for (size_t i = 0; i < l->procedures.n && ok; i++)
        ok = index_steps(l, &l->procedures.items[i].body);
    return ok ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

enum refrain_status logical_create(struct logical *l, const struct model *m, const struct compass *c)
{
    struct form_table forms;
    *l = (struct logical){.model = m, .compass = c};
    enum refrain_status status = form_table_create(&forms, l);
    for (size_t i = 0; i < m->processes.n && status == REFRAIN_OK; i++) {
        if (!has_section(l, m->processes.items[i].thread))
            status = add_section(l, &forms, m->processes.items[i].thread);
    }
    form_table_free(&forms);
    for (size_t i = 0; i < l->sections.n && status == REFRAIN_OK; i++)
        status = logical_fold(l, &l->sections.items[i].body, 0);
    if (status == REFRAIN_OK)
        status = logical_find_procedures(l);
    for (size_t i = 0; i < l->sections.n && status == REFRAIN_OK; i++)
        number_events(l, &l->sections.items[i].body);
    for (size_t i = 0; i < l->procedures.n && status == REFRAIN_OK; i++)
        number_events(l, &l->procedures.items[i].body);
    if (status == REFRAIN_OK)
        status = index_all(l);
    if (status != REFRAIN_OK)
        logical_free(l);
    return status;
}

void logical_free(struct logical *l)
{
    arena_free(&l->arena);
    text_table_free(&l->forms);
    array_free(&l->sections);
    array_free(&l->procedures);
    *l = (struct logical){0};
}
