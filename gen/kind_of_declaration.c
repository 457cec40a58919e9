/* SPDX-License-Identifier: BSD-3-Clause */
/* Kinds for C declarations, by the table c_kinds.def, if a procedure has only a prototype. */
#include <fnmatch.h>
#include <string.h>

#include "kinds.h"
#include "tex_parse.h"
#include "text_arena.h"

static const struct {
    const char *procedures, *type, *large, *parameter, *kind;
} c_kinds[] = {
#define C_KIND(procedures, type, large, parameter, kind) {procedures, type, large, parameter, kind},
#include "c_kinds.def"
};

static const char *string_kind(const struct c_declaration *d)
{
    return d->depth == 1 ? "STRING" : d->depth == 2 ? "STRING_ARRAY" : "ARGUMENT_LIST";
}

const struct kind *kind_of_declaration(const char *procedure, const struct c_declaration *d,
                                       const struct c_declaration *large)
{
    const char *type = large ? large->type : d->type;

    for (size_t i = 0; i < sizeof c_kinds / sizeof *c_kinds; i++)
        if (fnmatch(c_kinds[i].procedures, procedure + strlen("MPI_"), 0) == 0 &&
            strcmp(c_kinds[i].type, d->type) == 0 && fnmatch(c_kinds[i].large, type, 0) == 0 &&
            fnmatch(c_kinds[i].parameter, d->name, 0) == 0)
            return kind_find(c_kinds[i].kind);
    if (strcmp(d->type, "char") == 0 && d->depth)
        return kind_find(string_kind(d));
    if (kind_of_c(d->type))
        return kind_of_c(d->type);
    if (d->depth == 1 && (text_ends_with(d->type, "_function") || text_ends_with(d->type, "_fn")))
        return kind_find(strcmp(type, d->type) == 0 ? "FUNCTION" : "POLYFUNCTION");
    return NULL;
}
