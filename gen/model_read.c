/* SPDX-License-Identifier: BSD-3-Clause */
#include "model_read.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "refuse.h"
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
        return refuse(p->place, "'%s' is already described at %s:%d", p->name, twin->place.file,
                      twin->place.line);
    *list = text_arena_more(*list, *n, sizeof **list);
    (*list)[(*n)++] = *p;
    return 0;
}

/* "mpi-std/pt2pt.tex" is chapter "pt2pt". */
static const char *chapter_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;
    size_t n = strlen(name);

    if (n > 4 && strcmp(name + n - 4, ".tex") == 0)
        n -= 4;
    return text_arena_copy(name, n);
}

static int read_binding(struct tex *tex, struct source_position begin, const char *chapter, struct model *m)
{
    struct binding binding;
    const char *body;
    int found;

    if (tex_body(tex, "mpi-binding", begin, &body))
        return -1;
    found = binding_parse(begin, body, &binding);
    if (found <= 0)
        return found;
    binding.procedure.chapter = chapter;
    binding.procedure.removed = strcmp(chapter, "removed") == 0;
    return model_add(m, &binding.procedure, binding.callback);
}

static int read_file(const char *file, struct model *m, struct funcdefs *funcdefs)
{
    const char *chapter = chapter_of(file);
    struct tex_command command;
    struct tex tex;
    int found;

    if (tex_open(file, &tex))
        return -1;
    while ((found = tex_next(&tex, &command)) > 0) {
        if (strcmp(command.name, "begin{mpi-binding}") == 0) {
            if (read_binding(&tex, command.place, chapter, m))
                return -1;
        } else if (strcmp(command.name, "end{mpi-binding}") == 0) {
            return refuse(command.place, "\\end{mpi-binding} without \\begin");
        } else if (funcdef_parse(funcdefs, &tex, &command, chapter)) {
            return -1;
        }
    }
    return found;
}

static int by_name(const void *a, const void *b)
{
    const struct procedure *p = a, *q = b;

    return strcmp(p->name, q->name);
}

int model_read(char *const files[], size_t n, struct model *out)
{
    struct funcdefs funcdefs = {0};
    struct model m = {0};

    for (size_t i = 0; i < n; i++)
        if (read_file(files[i], &m, &funcdefs))
            return -1;
    if (funcdef_join(&funcdefs, &m))
        return -1;
    if (m.n_procedures == 0)
        return refuse((struct source_position){files[0], 1},
                      "neither this file nor those after it describe a procedure");
    qsort(m.procedures, m.n_procedures, sizeof *m.procedures, by_name);
    if (m.n_callbacks)
        qsort(m.callbacks, m.n_callbacks, sizeof *m.callbacks, by_name);
    if (check_model(&m))
        return -1;
    *out = m;
    return 0;
}
