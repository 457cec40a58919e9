/* SPDX-License-Identifier: BSD-3-Clause */
#include "model_read.h"

#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "check.h"
#include "refuse.h"
#include "special.h"
#include "tex_parse.h"
#include "text_arena.h"

const struct procedure *model_find(const struct procedure *list, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    return NULL;
}

int model_add(struct model *m, const struct procedure *p, bool callback)
{
    struct procedure **list = callback ? &m->callbacks : &m->procedures;
    size_t *n = callback ? &m->n_callbacks : &m->n_procedures;
    const struct procedure *twin = model_find(*list, *n, p->name);

    if (twin)
        return refuse(p->place, "'%s' is already described at %s:%d: remove one of them", p->name,
                      twin->place.file, twin->place.line);
    *list = text_arena_more(*list, *n, sizeof **list);
    (*list)[(*n)++] = *p;
    return 0;
}

/* The chapter of "mpi-std/pt2pt.tex" is "pt2pt". */
static const char *chapter_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;
    size_t n = strlen(name);

    if (n > 4 && strcmp(name + n - 4, ".tex") == 0)
        n -= 4;
    return text_arena_copy(name, n);
}

/* The contents of one or more files, before they are joined. */
struct reading {
    struct model model; /* from the newer dialect */
    struct funcdefs funcdefs;
};

static void read_binding(struct tex *tex, struct source_position begin, const char *chapter, struct model *m)
{
    struct binding binding;
    const char *body;

    if (tex_body(tex, "mpi-binding", begin, &body) || binding_parse(begin, body, &binding) <= 0)
        return;
    binding.procedure.chapter = chapter;
    binding.procedure.removed = special_find(SPECIAL_REMOVED, binding.procedure.name, NULL);
    model_add(m, &binding.procedure, binding.callback);
}

/* Read a file. Text with errors is left out, and reading continues after it. */
static void read_file(const char *file, struct reading *r)
{
    const char *chapter = chapter_of(file);
    struct tex_command command;
    struct tex tex;

    if (tex_open(file, &tex))
        return;
    while (tex_next(&tex, &command) > 0) {
        if (strcmp(command.name, "begin{mpi-binding}") == 0)
            read_binding(&tex, command.place, chapter, &r->model);
        else if (strcmp(command.name, "end{mpi-binding}") == 0)
            refuse(command.place, "\\end{mpi-binding} without \\begin: remove it");
        else
            funcdef_parse(&r->funcdefs, &tex, &command, chapter);
    }
}

static void compare(const struct sources *s, const struct model *m)
{
    struct reading r = {0};

    for (size_t i = 0; i < s->n_compared; i++) {
        refuse_only_warns(s->compared[i]);
        read_file(s->compared[i], &r);
    }
    for (size_t i = 0; i < r.model.n_procedures; i++) {
        const struct procedure *p = &r.model.procedures[i];
        const struct procedure *known = model_find(m->procedures, m->n_procedures, p->name);

        if (known)
            agree_procedure(p, known);
        else
            warn(p->place, "%s has no other description: it is left out", p->name);
    }
    funcdef_compare(&r.funcdefs, m);
}

static int by_name(const void *a, const void *b)
{
    const struct procedure *p = a, *q = b;

    return strcmp(p->name, q->name);
}

static void sort(struct model *m)
{
    qsort(m->procedures, m->n_procedures, sizeof *m->procedures, by_name);
    if (m->n_callbacks)
        qsort(m->callbacks, m->n_callbacks, sizeof *m->callbacks, by_name);
}

int model_read(const struct sources *s, struct model *out)
{
    struct reading r = {0};

    for (size_t i = 0; i < s->n_described; i++)
        read_file(s->described[i], &r);
    funcdef_join(&r.funcdefs, &r.model);
    if (r.model.n_procedures) {
        sort(&r.model);
        check_model(&r.model);
        compare(s, &r.model);
    } else if (!refuse_count()) {
        return refuse(
            (struct source_position){s->n_described ? s->described[0] : "gen", 1},
            "neither this file nor those after it describe a procedure: name the standard's chapters");
    }
    *out = r.model;
    return refuse_count() ? -1 : 0;
}

int model_read_more(const char *file, bool (*wanted)(const struct procedure *p, const void *context),
                    const void *context, struct model *m)
{
    struct reading r = {0};

    read_file(file, &r);
    funcdef_join(&r.funcdefs, &r.model);
    check_model(&r.model);
    for (size_t i = 0; i < r.model.n_procedures; i++) {
        const struct procedure *p = &r.model.procedures[i];

        if (model_find(m->procedures, m->n_procedures, p->name) || !wanted(p, context))
            continue;
        warn(p->place, "%s is taken from here: the MPI library has it, the standard's sources do not",
             p->name);
        model_add(m, p, false);
    }
    sort(m);
    return refuse_count() ? -1 : 0;
}

int model_read_own(const char *file, struct model *m)
{
    struct reading r = {0};

    read_file(file, &r);
    check_model(&r.model);
    for (size_t i = 0; i < r.model.n_procedures; i++)
        model_add(m, &r.model.procedures[i], false);
    sort(m);
    return refuse_count() ? -1 : 0;
}
