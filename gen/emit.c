/* SPDX-License-Identifier: BSD-3-Clause */
#include "emit.h"

#include <errno.h>
#include <string.h>

#include "declared.h"
#include "exported_symbols.h"
#include "refuse.h"
#include "special.h"
#include "text_arena.h"

bool emit_is_declared(const struct emit_options *o, const char *name)
{
    return !o->declared || declared_has(o->declared, name);
}

/* The parameter, with the kind from special.def if there is one. */
static const struct parameter *with_kind(const struct c_signature *s, const struct parameter *p)
{
    const char *kind = special_find(SPECIAL_KIND, s->name, p->name);
    struct parameter *copy;

    if (!kind)
        return p;
    copy = text_arena_alloc(sizeof *copy);
    *copy = *p;
    copy->kind = kind_find(kind);
    return copy;
}

/* Only C has separate names for large-count procedures, and mpi.h always declares them. */
static bool is_in_fortran(const struct emit_options *o, const struct procedure *p, bool large)
{
    return o->fortran && !large &&
           symbols_has(o->fortran, text_arena_format("%s_", text_arena_lower(p->name)));
}

bool emit_is_present(const struct emit_options *o, const struct procedure *p, bool large)
{
    return p->own || emit_is_declared(o, c_signature(p, large).name) || is_in_fortran(o, p, large);
}

int emit_signature(const struct emit_options *o, const struct procedure *p, bool large,
                   struct c_signature *out)
{
    struct c_signature s = c_signature(p, large);
    struct c_declaration *declared;
    size_t n = 0;

    if (!p->c_expressible || p->predefined || !emit_is_present(o, p, large))
        return 0;
    if (o->declared && declared_parameters(o->declared, s.name, &declared, &n))
        return -1;
    if (n && n != s.n_parameters)
        return refuse(p->place, "%s has %zu parameters, but %zu in mpi.h: leave its file out with --skip",
                      s.name, s.n_parameters, n);
    for (size_t i = 0; i < n; i++) {
        s.parameters[i].type = declared[i].type;
        s.parameters[i].constant = declared[i].constant && c_is_pointer(&s.parameters[i]);
    }
    for (size_t i = 0; i < s.n_parameters; i++)
        s.parameters[i].parameter = with_kind(&s, s.parameters[i].parameter);
    *out = s;
    return 1;
}

FILE *emit_open(const struct emit_options *o, const char *name)
{
    const char *path = text_arena_format("%s/%s", o->out, name);
    FILE *file = fopen(path, "w");

    if (!file) {
        fprintf(stderr, "gen: cannot write %s: %s\n", path, strerror(errno));
        return NULL;
    }
    fputs("/* Made by gen from the MPI standard's bindings. Do not edit. */\n", file);
    return file;
}

int emit_close(FILE *file, const char *name)
{
    bool failed = ferror(file);

    if (fclose(file) || failed) {
        fprintf(stderr, "gen: cannot write %s: %s\n", name, strerror(errno));
        return -1;
    }
    return 0;
}
