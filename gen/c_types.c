/* SPDX-License-Identifier: BSD-3-Clause */
#include "c_types.h"

#include <string.h>

#include "kinds.h"
#include "text_arena.h"

/* Kinds that C always passes by a pointer, and the number of stars. They follow the standard's C
 * bindings: choice buffers and extra states are void *, callbacks are pointers to functions, and so
 * on. */
static const struct {
    const char *kind;
    int stars;
} pointers[] = {
    {"BUFFER", 1},           {"C_BUFFER", 1},       {"C_BUFFER2", 1},    {"C_BUFFER3", 1},
    {"C_BUFFER4", 1},        {"STRING", 1},         {"STRING_ARRAY", 1}, {"STRING_2DARRAY", 2},
    {"ARGUMENT_LIST", 3},    {"EXTRA_STATE", 1},    {"EXTRA_STATE2", 1}, {"ATTRIBUTE_VAL", 1},
    {"ATTRIBUTE_VAL_10", 1}, {"STATUS", 1},         {"F90_STATUS", 1},   {"F08_STATUS", 1},
    {"FUNCTION", 1},         {"FUNCTION_SMALL", 1}, {"POLYFUNCTION", 1}, {"TOOL_MPI_OBJ", 1},
    {"LOGICAL_VOID", 1},
};

static bool is_kind(const struct parameter *p, const char *kind)
{
    return strcmp(p->kind->name, kind) == 0;
}

static const char *type_of(const struct parameter *p, bool large)
{
    if (p->func_type)
        return large && is_kind(p, "POLYFUNCTION") ? text_arena_format("%s_c", p->func_type) : p->func_type;
    return large && *p->kind->c_large ? p->kind->c_large : p->kind->c_small;
}

/* A string of a given length is declared as an array only if the length is "*" (the name of a data
 * representation). */
static bool has_brackets(const struct parameter *p)
{
    if (is_kind(p, "STRING_ARRAY") || is_kind(p, "STRING_2DARRAY"))
        return true;
    if (!p->length || p->pointer || is_kind(p, "C_BUFFER4"))
        return false;
    return !is_kind(p, "STRING") || strcmp(p->length, "*") == 0;
}

static int stars_of(const struct parameter *p)
{
    if (is_kind(p, "VARARGS"))
        return 0;
    if (p->no_pointer)
        return is_kind(p, "ARGUMENT_LIST");
    if (is_kind(p, "STRING") && has_brackets(p))
        return 0;
    for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++)
        if (is_kind(p, pointers[i].kind))
            return pointers[i].stars;
    return !p->length && (p->direction != DIRECTION_IN || p->pointer);
}

static const char *brackets_of(const struct parameter *p)
{
    const char *comma;

    if (!has_brackets(p))
        return "";
    comma = strchr(p->length ? p->length : "", ',');
    return comma ? text_arena_format("[][%s]", comma + 1) : "[]"; /* "n,3": n rows of three */
}

static const char *name_of(const struct procedure *procedure, bool large)
{
    if (!large)
        return procedure->name;
    /* MPI_CONVERSION_FN_NULL is in capitals, and so is its large-count twin. */
    return text_arena_format("%s%s", procedure->name, procedure->predefined ? "_C" : "_c");
}

struct c_signature c_signature(const struct procedure *procedure, bool large)
{
    struct c_signature s = {.procedure = procedure, .large = large, .name = name_of(procedure, large)};

    s.result = large && *procedure->result->c_large ? procedure->result->c_large : procedure->result->c_small;
    for (size_t i = 0; i < procedure->n_parameters; i++) {
        const struct parameter *p = &procedure->parameters[i];

        if (p->suppress & SUPPRESS_C || (p->large_only && !large))
            continue;
        s.parameters = text_arena_more(s.parameters, s.n_parameters, sizeof *s.parameters);
        s.parameters[s.n_parameters++] = (struct c_parameter){
            .parameter = p,
            .type = type_of(p, large),
            .constant = p->constant,
            .stars = stars_of(p),
            .brackets = brackets_of(p),
        };
    }
    return s;
}

void c_declare(FILE *out, const struct c_parameter *p)
{
    if (is_kind(p->parameter, "VARARGS")) {
        fputs("...", out);
        return;
    }
    fprintf(out, "%s%s %.*s%s%s", p->constant ? "const " : "", p->type, p->stars, "***", p->parameter->name,
            p->brackets);
}

void c_declare_list(FILE *out, const struct c_signature *s)
{
    fputc('(', out);
    for (size_t i = 0; i < s->n_parameters; i++) {
        fputs(i ? ", " : "", out);
        c_declare(out, &s->parameters[i]);
    }
    fputs(s->n_parameters ? ")" : "void)", out);
}

bool c_is_pointer(const struct c_parameter *p)
{
    return p->stars || *p->brackets;
}
