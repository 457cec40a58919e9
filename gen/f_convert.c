/* SPDX-License-Identifier: BSD-3-Clause */
#include "f_convert.h"

#include <string.h>

#include "special.h"
#include "text_arena.h"

/* How C's variable is made:
 *
 *     ABSENT    Fortran has no such parameter           int *argc = NULL;
 *     VALUE     from the value                          MPI_Comm comm = PMPI_Comm_f2c(*f_comm);
 *     POINTER   both have the same form                 int *rank = f_rank;
 *     ADDRESS   a choice buffer, function or sentinel   void *buf = fortran_address(f_buf);
 *     UNTOLD    this binding does not have the address  void *c_addr = f_addr, *addr = &c_addr;
 *     ELEMENT   a value of its own, and its address     MPI_Request c_request = …,
 *                                                                 *request = &c_request;
 *     ARRAY     a copy of each element                  int *periods = fortran_array(…);
 *     STRING    a copy; also STRINGS, LISTS             char *key = fortran_string(&call, f_key,
 *                                                                                length_key);
 *     STATUS, STATUSES */
enum passing {
    ABSENT,
    VALUE,
    POINTER,
    ADDRESS,
    UNTOLD,
    ELEMENT,
    ARRAY,
    STRING,
    STRINGS,
    LISTS,
    STATUS,
    STATUSES
};

struct variable {
    const struct c_parameter *c;
    const struct f_parameter *f; /* NULL if absent */
    const char *name, *type;     /* in C */
    /* Base of indices that Fortran counts from 1; NULL for other parameters. */
    const char *base;
    enum passing passing;
};

static bool is_logical(const struct variable *v)
{
    return strcmp(v->f->parameter->kind->f90_small, "LOGICAL") == 0;
}

/* Whether an element has the same bits in both languages. An INTEGER is an int
 * (src/call/fortran.h). */
static bool looks_same(const struct variable *v)
{
    const char *type = strcmp(v->type, "int") == 0 ? "MPI_Fint" : v->type;
    if (wrap_type_is(v->c, "HANDLE") || is_logical(v) || v->base || wrap_kind_is(v->c, "KEYVAL"))
        return false;
    if (strcmp(v->type, "void") == 0) /* a pointer in C */
        return strcmp(v->f->type, "MPI_Aint") == 0 || strcmp(v->f->type, "void") == 0;
    return strcmp(type, v->f->type) == 0;
}

static enum passing passing_of(const struct f_binding *binding, const struct variable *v)
{
    const struct c_parameter *p = v->c;
    const bool array = wrap_is_array(p), pointer = strcmp(v->type, "void") == 0 || p->parameter->func_type;
    if (!v->f)
        return ABSENT;
    if (wrap_type_is(p, "STRING"))
        return STRING;
    if (wrap_type_is(p, "STRINGS"))
        return wrap_kind_is(p, "STRING_2DARRAY") ? LISTS : STRINGS;
    if (wrap_type_is(p, "STATUS"))
        return array ? STATUSES : STATUS;
    if (wrap_kind_is(p, "BUFFER") || p->parameter->func_type)
        return ADDRESS;
    if (wrap_kind_is(p, "C_BUFFER2") && !binding->f08)
        return UNTOLD;
    if (array)
        return !looks_same(v) ? ARRAY : special_has_sentinel(p->parameter->kind->name) ? ADDRESS : POINTER;
    if (pointer ? !wrap_is_out(p) : !p->stars)
        return VALUE;
    return looks_same(v) ? POINTER : ELEMENT;
}

static struct variable variable_of(const struct f_wrapper *w, const struct c_parameter *p)
{
    struct variable v = {.c = p, .name = p->parameter->name, .type = p->type};
    v.f = f_find(&w->f, v.name);
    if (special_find(SPECIAL_ONE_BASED, w->w.s.name, v.name))
        v.base = w->f.binding->f08 ? "FORTRAN_F08_BASE" : "FORTRAN_BASE";
    v.passing = passing_of(w->f.binding, &v);
    return v;
}

/* The expression for an element of C, from one of Fortran. */
static const char *element(const struct variable *v, const char *fortran)
{
    if (wrap_type_is(v->c, "HANDLE"))
        return text_arena_format("%s(%s)", special_from_fortran(v->c->parameter->kind->set), fortran);
    if (is_logical(v))
        return text_arena_format("%s != 0", fortran);
    if (wrap_kind_is(v->c, "KEYVAL"))
        return text_arena_format("fortran_keyval(%s)", fortran);
    if (v->base)
        return text_arena_format("fortran_index(%s, %s)", fortran, v->base);
    if (strcmp(v->type, "void") == 0)
        return text_arena_format("(void *)(intptr_t)%s", fortran);
    return fortran;
}

static const char *scalar(const struct variable *v)
{
    return element(v, text_arena_format("*f_%s", v->name));
}

/* ---- before the call ------------------------------------------------------------------------- */

/* The type of an element of C; "void *" means the address itself. */
static const char *declared_type(const struct variable *v)
{
    return strcmp(v->type, "void") == 0 ? "void *" : text_arena_format("%s ", v->type);
}

static void define_status(FILE *out, const struct variable *v)
{
    const char *name = v->name;
    fprintf(out,
            "    MPI_Status c_%s = {0};\n    MPI_Status *%s = fortran_is_ignored(f_%s) ? MPI_STATUS_IGNORE : "
            "&c_%s;\n",
            name, name, name, name);
    if (wrap_is_target(v->c))
        fprintf(out,
                "    MPI_Fint room_%s[FORTRAN_STATUS_SIZE] = {0};\n"
                "    MPI_Fint *to_%s = %s == MPI_STATUS_IGNORE ? room_%s : f_%s;\n",
                name, name, name, name, name);
    else
        fprintf(out, "    if (%s == &c_%s)\n        PMPI_Status_f2c(f_%s, %s);\n", name, name, name, name);
}

/* Define a variable that needs no length. */
static void define_scalar(const struct f_wrapper *w, const struct variable *v)
{
    FILE *out = w->w.out;
    const char *name = v->name, *type = declared_type(v);
    switch (v->passing) {
    case ABSENT:
        fprintf(out, "    %s%.*s%s%s = %s;\n", type, v->c->stars, "***", *v->c->brackets ? "*" : "", name,
                c_is_pointer(v->c) ? "NULL" : "0");
        break;
    case VALUE:
        fprintf(out, "    %s%s = %s;\n", type, name, scalar(v));
        break;
    case POINTER:
        fprintf(out, "    %s *%s = f_%s;\n", v->type, name, name);
        break;
    case ADDRESS:
        fprintf(out, "    %s *%s = fortran_address(%s);\n", v->c->parameter->func_type ? "void" : v->type,
                name,
                w->f.binding->descriptors && wrap_kind_is(v->c, "BUFFER")
                    ? text_arena_format("fortran_base(f_%s)", name)
                    : text_arena_format("f_%s", name));
        break;
    case UNTOLD:
        fprintf(out, "    void *c_%s = f_%s, *%s = &c_%s;\n", name, name, name, name);
        break;
    case ELEMENT:
        fprintf(out, "    %sc_%s = %s;\n    %s*%s = &c_%s;\n", type, name,
                wrap_is_in(v->c)               ? scalar(v)
                : wrap_type_is(v->c, "HANDLE") ? special_null_handle(v->c->parameter->kind->set)
                                               : "0",
                type, name, name);
        break;
    case STRING:
        fprintf(out, "    char *%s = %s;\n", name,
                wrap_is_in(v->c) ? text_arena_format("fortran_string(&call, f_%s, length_%s)", name, name)
                                 : "NULL");
        break;
    case STATUS:
        define_status(out, v);
        break;
    default:
        break;
    }
}

static void fill_array(FILE *out, const struct variable *v, const char *indentation)
{
    fprintf(out, "%sfor (int64_t i = 0; %s && i < n_%s; i++)\n%s    %s[i] = %s;\n", indentation, v->name,
            v->name, indentation, v->name, element(v, text_arena_format("f_%s[i]", v->name)));
}

static int define_statuses(const struct f_wrapper *w, const struct variable *v)
{
    const char *name = v->name, *room = wrap_status_room(&w->w, v->c);
    if (!room)
        return -1;
    fprintf(w->w.out,
            "    const int64_t n_%s = %s;\n"
            "    MPI_Status *%s = MPI_STATUSES_IGNORE;\n"
            "    MPI_Fint *to_%s = f_%s;\n"
            "    if (fortran_is_ignored(f_%s))\n"
            "        to_%s = fortran_statuses(&call, f_%s, n_%s);\n"
            "    else\n"
            "        %s = fortran_array(&call, n_%s, sizeof *%s);\n",
            name, room, name, name, name, name, name, name, name, name, name, name);
    return 0;
}

/* Define arrays and strings; their lengths may refer to scalar parameters. */
static int define_array(const struct f_wrapper *w, const struct variable *v)
{
    FILE *out = w->w.out;
    const char *name = v->name, *length = "";
    if (v->passing == STATUSES)
        return define_statuses(w, v);
    if (v->passing != ARRAY && v->passing != STRINGS && v->passing != LISTS)
        return 0;
    if (v->passing == ARRAY && !wrap_is_in(v->c)) {
        fprintf(out, "    %s *%s = NULL;\n", v->type, name);
        return 0;
    }
    if (v->passing != ARRAY) /* the length may refer to C's array */
        fprintf(out, "    %s%s = fortran_address(f_%s);\n", v->passing == LISTS ? "char ***" : "char **",
                name, name);
    length = wrap_length(&w->w, v->c);
    if (!length)
        return -1;
    if (v->passing == ARRAY) {
        fprintf(out, "    const int64_t n_%s = %s;\n    %s *%s = fortran_array(&call, n_%s, sizeof *%s);\n",
                name, length, v->type, name, name, name);
        fill_array(out, v, "    ");
    } else {
        fprintf(out, "    %s = fortran_%s(&call, f_%s, length_%s, %s);\n", name,
                v->passing == LISTS ? "string_lists" : "strings", name, name, length);
    }
    return 0;
}

int f_convert_before(const struct f_wrapper *w)
{
    const struct c_signature *s = &w->w.s;
    for (size_t i = 0; i < s->n_parameters; i++) {
        const struct variable v = variable_of(w, &s->parameters[i]);
        if (!wrap_kind_is(v.c, "VARARGS"))
            define_scalar(w, &v);
    }
    for (size_t i = 0; i < s->n_parameters; i++) {
        const struct variable v = variable_of(w, &s->parameters[i]);
        if (define_array(w, &v))
            return -1;
    }
    return 0;
}

/* ---- after the call -------------------------------------------------------------------------- */

static bool is_watched(const struct variable *v)
{
    return wrap_type_is(v->c, "HANDLE") && wrap_is_in(v->c) && wrap_is_out(v->c);
}

void f_convert_watched(const struct f_wrapper *w)
{
    for (size_t i = 0; i < w->w.s.n_parameters; i++) {
        const struct variable v = variable_of(w, &w->w.s.parameters[i]);
        if (!v.f || !is_watched(&v))
            continue;
        if (v.passing == ARRAY)
            fill_array(w->w.out, &v, "    ");
        else if (v.passing == ELEMENT)
            fprintf(w->w.out, "    c_%s = %s;\n", v.name, scalar(&v));
    }
}

static void take_scalar(FILE *out, const struct variable *v)
{
    const char *name = v->name;
    switch (v->passing) {
    case ELEMENT:
        fprintf(out, "        c_%s = %s;\n", name, scalar(v));
        break;
    case STRING:
        fprintf(out, "        %s = fortran_string(&call, f_%s, length_%s);\n", name, name, name);
        break;
    case STATUS:
        if (wrap_is_target(v->c))
            fprintf(out, "        PMPI_Status_f2c(to_%s, %s);\n", name, wrap_target(v->c));
        else
            fprintf(out, "        if (%s == &c_%s)\n            PMPI_Status_f2c(f_%s, %s);\n", name, name,
                    name, name);
        break;
    case STATUSES:
        fprintf(out,
                "        for (int64_t i = 0; !call.failed && i < n_%s; i++)\n"
                "            PMPI_Status_f2c(to_%s + i * FORTRAN_STATUS_SIZE, &%s[i]);\n",
                name, name, wrap_target(v->c));
        break;
    default:
        break;
    }
}

static int take_array(const struct f_wrapper *w, const struct variable *v)
{
    const char *length, *only_if = wrap_condition(&w->w, v->c);
    if (v->passing != ARRAY)
        return 0;
    length = wrap_length(&w->w, v->c);
    if (!length)
        return -1;
    fprintf(w->w.out,
            "        const int64_t n_%s = %s%s%s;\n        %s = fortran_array(&call, n_%s, sizeof *%s);\n",
            v->name, only_if ? text_arena_format("!(%s) ? ARRAY_UNUSED : (", only_if) : "", length,
            only_if ? ")" : "", v->name, v->name, v->name);
    fill_array(w->w.out, v, "        ");
    return 0;
}

int f_convert_after(const struct wrapper *wrapper)
{
    const struct f_wrapper *w = (const struct f_wrapper *)(const void *)wrapper;
    for (int arrays = 0; arrays < 2; arrays++) {
        for (size_t i = 0; i < w->w.s.n_parameters; i++) {
            const struct variable v = variable_of(w, &w->w.s.parameters[i]);
            if (!v.f || !wrap_is_out(v.c) || is_watched(&v))
                continue;
            if (!arrays)
                take_scalar(w->w.out, &v);
            else if (take_array(w, &v))
                return -1;
        }
    }
    return 0;
}
