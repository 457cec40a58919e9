/* SPDX-License-Identifier: BSD-3-Clause */
/* wrap_f.c: for each procedure of each Fortran binding that the MPI library has, a wrapper under
 * all its names.
 *
 *     void mpi_isend_(void *f_buf, MPI_Fint *f_count, …, MPI_Fint *f_request, MPI_Fint *f_ierror)
 *     {
 *         MPI_Fint ierror = MPI_SUCCESS;
 *         struct call call;
 *         if (!call_begin_f(&call, FUNCTION_MPI_Isend, __builtin_return_address(0))) {
 *             pmpi_isend_(f_buf, f_count, …, &ierror);
 *             fortran_set(f_ierror, ierror);
 *             return;
 *         }
 *         void *buf = fortran_address(f_buf);                 C's variables: f_convert.h
 *         int count = *f_count; …
 *         call_address(&call, buf); …                         as in the C wrapper: emit_wrap.h
 *         call_enter(&call);
 *         pmpi_isend_(f_buf, f_count, …, &ierror);
 *         call_returned(&call); …
 *
 * The PMPI twin of the same binding gets the application's own arguments, so sentinels, LOGICALs,
 * lengths of strings and array descriptors keep their meaning. The reference to the twin is weak,
 * since a C program has no Fortran library. */
#include <string.h>

#include "exported_symbols.h"
#include "f_convert.h"
#include "special.h"
#include "text_arena.h"

struct context {
    FILE *out;
    const struct emit_options *options;
};

static bool is_character(const struct f_parameter *p)
{
    return strcmp(p->type, "char") == 0;
}

/* Write "(MPI_Fint *f_comm, …)". `one_more` adds the parameter ierror, which the library has and
 * the standard has not. */
static void put_parameters(FILE *out, const struct f_signature *f, bool one_more)
{
    const char *comma = "";
    fputc('(', out);
    for (size_t i = 0; i < f->n_parameters; i++, comma = ", ")
        fprintf(out, "%s%s *f_%s", comma, f->parameters[i].type, f->parameters[i].parameter->name);
    if (f->has_error || one_more) {
        fprintf(out, "%sMPI_Fint *f_ierror", comma);
        comma = ", ";
    }
    for (size_t i = 0; i < f->n_parameters; i++)
        if (is_character(&f->parameters[i]))
            fprintf(out, ", size_t length_%s", f->parameters[i].parameter->name);
    fputs(*comma ? ")" : "void)", out);
}

/* Write "pmpi_send_(f_buf, …, &ierror)". With `targets`, statuses go to the wrapper's own
 * variables. */
static void put_call(FILE *out, const struct f_wrapper *w, const char *twin, bool targets, bool one_more)
{
    const struct f_signature *f = &w->f;
    const char *comma = "";
    fprintf(out, "%s(", twin);
    for (size_t i = 0; i < f->n_parameters; i++, comma = ", ") {
        const char *name = f->parameters[i].parameter->name;
        bool target = false;
        for (size_t k = 0; k < w->w.s.n_parameters; k++) {
            const struct c_parameter *p = &w->w.s.parameters[k];
            target = target || (targets && wrap_is_target(p) && strcmp(p->parameter->name, name) == 0);
        }
        fprintf(out, "%s%s_%s", comma, target ? "to" : "f", name);
    }
    if (f->has_error || one_more)
        fprintf(out, "%s%s", comma, one_more ? "f_ierror" : "&ierror");
    for (size_t i = 0; i < f->n_parameters; i++)
        if (is_character(&f->parameters[i]))
            fprintf(out, ", length_%s", f->parameters[i].parameter->name);
    fputs(")", out);
}

/* Write the end after the twin's call, recorded or not: it returns the results to the application. */
static void put_end(FILE *out, const struct f_signature *f, const char *indentation, bool last)
{
    if (f->has_error)
        fprintf(out, "%sfortran_set(f_ierror, ierror);\n", indentation);
    if (strcmp(f->result, "void") != 0)
        fprintf(out, "%sreturn returned;\n", indentation);
    else if (!last)
        fprintf(out, "%sreturn;\n", indentation);
}

static void put_aliases(FILE *out, const struct f_names *names)
{
    for (size_t i = 1; i < names->n; i++)
        fprintf(out, "GUARD_EXPORT extern __typeof__(%s) %s __attribute__((alias(\"%s\")));\n",
                names->names[0], names->names[i], names->names[0]);
}

/* Write the wrapper of a procedure that a function in src/ records. */
static void put_around(FILE *out, const struct f_wrapper *w, const char *twin, const char *begin)
{
    fprintf(out, "    MPI_Fint ierror = MPI_SUCCESS;\n    %s(__builtin_return_address(0));\n    ", begin);
    put_call(out, w, twin, false, false);
    fprintf(out, ";\n    %s();\n", special_find(SPECIAL_AROUND_END, w->w.s.name, NULL));
    put_end(out, &w->f, "    ", true);
}

static int put_recorded(FILE *out, const struct f_wrapper *w, const char *twin, bool one_more)
{
    const struct f_signature *f = &w->f;
    const char *passing = special_find(SPECIAL_PASSING, w->w.s.name, NULL);
    const bool returns = strcmp(f->result, "void") != 0;
    const char *result = returns ? text_arena_format("const %s returned = ", f->result) : "";

    if (f->has_error)
        fputs("    MPI_Fint ierror = MPI_SUCCESS;\n", out);
    fprintf(
        out,
        "    struct call call;\n    if (!call_begin_f(&call, FUNCTION_%s, __builtin_return_address(0))) {\n"
        "        %s",
        w->w.s.name, result);
    put_call(out, w, twin, false, one_more);
    fputs(";\n", out);
    if (passing)
        fprintf(out, "        %s(ierror);\n", passing);
    put_end(out, f, "        ", false);
    fputs("    }\n", out);

    if (f_convert_before(w) || wrap_before(&w->w))
        return -1;
    wrap_enter(&w->w);
    fprintf(out, "    %s", result);
    put_call(out, w, twin, true, one_more);
    fputs(";\n    call_returned(&call);\n", out);
    f_convert_watched(w);
    fputs("    call_settle(&call);\n", out);
    if (!returns)
        fprintf(out, "    const int returned = %s;\n", f->has_error ? "ierror" : "MPI_SUCCESS");
    if (wrap_after(&w->w))
        return -1;
    put_end(out, f, "    ", true);
    return 0;
}

static int put_wrapper(const struct context *c, const struct c_signature *s, const struct f_binding *b)
{
    const struct f_names names = f_names(c->options->fortran, s->procedure, b);
    const bool one_more = special_find(SPECIAL_ONE_MORE, s->name, NULL);
    const char *begin = special_find(SPECIAL_AROUND, s->name, NULL);
    FILE *out = c->out;
    struct f_wrapper w = {
        .w = {.out = out, .s = *s, .success = wrap_success(s, true), .convert = f_convert_after},
        .f = f_signature(s->procedure, b),
    };
    int result = 0;

    if (!names.twin)
        return 0;
    fprintf(out, "\n#pragma weak %s\nextern %s %s", names.twin, w.f.result, names.twin);
    put_parameters(out, &w.f, one_more);
    fprintf(out, "%s;\nGUARD_EXPORT %s%s %s", wrap_reach(s), wrap_section(s), w.f.result, names.names[0]);
    put_parameters(out, &w.f, one_more);
    fputs("\n{\n", out);
    if (begin)
        put_around(out, &w, names.twin, begin);
    else
        result = put_recorded(out, &w, names.twin, one_more);
    fputs("}\n", out);
    put_aliases(out, &names);
    return result;
}

int emit_wrap_f(const struct model *m, const struct emit_options *o)
{
    static const char file_name[] = "wrap_f.c";
    const struct context c = {emit_open(o, file_name), o};
    if (!c.out)
        return -1;
    fputs("#include \"src/call/call.h\"\n"
          "#include \"src/record/comm.h\"\n"
          "#include \"src/record/datatype.h\"\n"
          "#include \"src/ending/ending.h\"\n"
          "#include \"src/run/finalize.h\"\n"
          "#include \"src/call/fortran.h\"\n"
          "#include \"src/run/init.h\"\n"
          "#include \"src/memory/memory.h\"\n"
          "#include \"src/record/recording.h\"\n"
          "#include \"src/run/session.h\"\n"
          "#include \"src/ending/signals.h\"\n"
          "#include \"src/part/spawner.h\"\n\n"
          "/* Nobody calls the wrappers by a prototype, and what is deprecated is called all the same. */\n"
          "#pragma GCC diagnostic ignored \"-Wmissing-prototypes\"\n"
          "#pragma GCC diagnostic ignored \"-Wdeprecated-declarations\"\n",
          c.out);
    int result = 0;
    for (size_t i = 0; o->fortran && i < m->n_procedures; i++) {
        for (size_t b = 0; b < n_f_bindings; b++) {
            const struct procedure *p = &m->procedures[i];
            const bool has = f_bindings[b].f08 ? p->f08_expressible : p->f90_expressible;
            struct c_signature s;
            if (!has || p->own || (f_bindings[b].large && !p->has_large) ||
                special_find(SPECIAL_NOT_WRAPPED, p->name, NULL))
                continue;
            const int found = emit_signature(o, p, f_bindings[b].large, &s);
            if (found > 0)
                result |= put_wrapper(&c, &s, &f_bindings[b]);
            else if (found < 0)
                result = -1;
        }
    }
    return emit_close(c.out, file_name) ? -1 : result;
}
