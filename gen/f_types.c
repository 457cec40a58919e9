/* SPDX-License-Identifier: BSD-3-Clause */
#include "f_types.h"

#include <ctype.h>
#include <string.h>

#include "exported_symbols.h"
#include "text_arena.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

const struct f_binding f_bindings[] = {
    /* Open MPI: in the module mpi, with TYPE(C_PTR). */
    {"", false, false, false},     {"_cptr", false, false, false},    {"_f08", true, false, false},
    {"_f08ts", true, true, false}, {"_f08_large", true, false, true}, {"_f08ts_large", true, true, true},
};
const size_t n_f_bindings = COUNT(f_bindings);

/* ---- parameters ------------------------------------------------------------------------------ */

static const char *fortran_type(const struct kind *kind, const struct f_binding *b)
{
    if (!b->f08)
        return kind->f90_small;
    return b->large && *kind->f08_large ? kind->f08_large : kind->f08_small;
}

static const char *type_of(const struct procedure *procedure, const struct parameter *p,
                           const struct f_binding *b)
{
    static const struct {
        const char *part, *type;
    } types[] = {
        {"CHARACTER", "char"},
        {"MPI_ADDRESS_KIND", "MPI_Aint"},
        {"MPI_COUNT_KIND", "MPI_Count"},
        {"MPI_OFFSET_KIND", "MPI_Offset"},
        {"C_PTR", "void"},
        {"TYPE(*)", "void"},
        {"<", "void"},
        {"EXTERNAL", "void"},
        {"PROCEDURE", "void"},
    };
    const char *text = fortran_type(p->kind, b);

    for (size_t i = 0; i < COUNT(types); i++) {
        /* removed procedures date from Fortran 77, which has only one kind of INTEGER */
        if (strstr(text, types[i].part) && !(procedure->removed && strstr(text, "KIND")))
            return types[i].type;
    }
    /* INTEGER, LOGICAL, and types that consist of INTEGERs: handles and statuses. */
    return "MPI_Fint";
}

struct f_signature f_signature(const struct procedure *procedure, const struct f_binding *binding)
{
    const unsigned suppressed = binding->f08 ? SUPPRESS_F08 : SUPPRESS_F90;
    const struct kind *result = procedure->result;
    struct f_signature s = {.binding = binding, .result = "void"};

    if (strcmp(result->c_small, "double") == 0 || strcmp(result->c_small, "MPI_Aint") == 0)
        s.result = result->c_small;
    for (size_t i = 0; i < procedure->n_parameters; i++) {
        const struct parameter *p = &procedure->parameters[i];

        if (p->suppress & suppressed || strcmp(p->kind->name, "VARARGS") == 0 ||
            (p->large_only && !binding->large))
            continue;
        if (p->suppress & SUPPRESS_C && strcmp(p->name, "ierror") == 0) {
            s.has_error = true;
            continue;
        }
        s.parameters = text_arena_more(s.parameters, s.n_parameters, sizeof *s.parameters);
        s.parameters[s.n_parameters++] = (struct f_parameter){p, type_of(procedure, p, binding)};
    }
    return s;
}

const struct f_parameter *f_find(const struct f_signature *s, const char *name)
{
    for (size_t i = 0; i < s->n_parameters; i++)
        if (strcmp(s->parameters[i].parameter->name, name) == 0)
            return &s->parameters[i];
    return NULL;
}

/* ---- names ----------------------------------------------------------------------------------- */

static char *in_capitals(const char *text)
{
    char *copy = text_arena_copy(text, strlen(text));

    for (char *c = copy; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    return copy;
}

struct f_names f_names(const struct symbols *symbols, const struct procedure *p, const struct f_binding *b)
{
    const char *mixed = text_arena_format("%s%s", p->name, b->suffix), *small = text_arena_lower(mixed);
    const char *const candidates[] = {
        text_arena_format("%s_", small),
        small,
        text_arena_format("%s__", small),
        in_capitals(mixed),
        text_arena_format("%s_f", mixed),
        text_arena_format("%s_f08", mixed), /* Open MPI has these in C, for other compilers */
    };
    struct f_names names = {0};

    for (size_t i = 0; i < COUNT(candidates); i++)
        if (symbols_has(symbols, candidates[i]))
            names.names[names.n++] = candidates[i];
    if (names.n) {
        const char *first = names.names[0], *rest = first + strlen("mpi");
        const char *const twins[] = {
            text_arena_format("p%s", first), text_arena_format("P%s", first),
            text_arena_format("pmpir%s", rest), /* MPICH, for mpi_f08 */
        };
        for (size_t i = 0; i < COUNT(twins) && !names.twin; i++)
            if (symbols_has(symbols, twins[i]))
                names.twin = twins[i];
    }
    return names;
}
