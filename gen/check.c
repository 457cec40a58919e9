/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#include <ctype.h>
#include <string.h>

#include "refuse.h"
#include "text_arena.h"

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static const struct parameter *find_parameter(const struct procedure *p, const char *name)
{
    for (size_t i = 0; i < p->n_parameters; i++)
        if (strcmp(p->parameters[i].name, name) == 0)
            return &p->parameters[i];
    return NULL;
}

/* A length is a parameter, a constant, a number, "*" (known elsewhere) or "" (one for each process). */
static bool is_length(const struct procedure *p, const char *length)
{
    return !*length || strcmp(length, "*") == 0 || isdigit((unsigned char)*length) ||
           starts_with(length, "MPI_") || find_parameter(p, length);
}

static int check_length(const struct procedure *procedure, const struct parameter *p)
{
    const char *from = p->length;

    if (!from) {
        /* an array of strings ends with a null pointer, so it needs no length */
        if (starts_with(p->name, "array_of_") && strcmp(p->kind->value, "STRINGS") != 0 &&
            !(p->suppress & SUPPRESS_C))
            return refuse(p->place,
                          "array '%s' has no length: add length=…, or a line ARRAY to gen/lengths.def",
                          p->name);
        return 0;
    }
    for (;;) { /* for each part of "n,3" */
        const char *part = text_arena_copy(from, strcspn(from, ","));

        if (!is_length(procedure, part))
            return refuse(p->place, "length '%s' of '%s' is no parameter of %s: correct its spelling", part,
                          p->name, procedure->name);
        from += strlen(part);
        if (!*from++)
            return 0;
    }
}

static int check_parameter(const struct procedure *procedure, const struct parameter *p)
{
    bool function = strcmp(p->kind->name, "FUNCTION") == 0 || strcmp(p->kind->name, "FUNCTION_SMALL") == 0 ||
                    strcmp(p->kind->name, "POLYFUNCTION") == 0;

    if (find_parameter(procedure, p->name) != p)
        return refuse(p->place, "%s has two parameters '%s': remove one of them", procedure->name, p->name);
    if (function && !p->func_type)
        return refuse(p->place, "function '%s' has no func_type: add it", p->name);
    if (!function && p->func_type)
        return refuse(p->place, "'%s' has a func_type but is no function: remove it", p->name);
    return check_length(procedure, p);
}

static void check_all(const struct procedure *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < list[i].n_parameters && !list[i].broken; k++)
            check_parameter(&list[i], &list[i].parameters[k]);
}

void check_model(const struct model *m)
{
    check_all(m->procedures, m->n_procedures);
    check_all(m->callbacks, m->n_callbacks);
}
