/* SPDX-License-Identifier: BSD-3-Clause */
#include "symbol_name.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef REFRAIN_DEMANGLE
#include <libiberty/demangle.h>
#endif

void symbol_names_free(struct symbol_names *names)
{
    for (size_t i = 0; i < names->made.n; i++)
        free(names->made.items[i]);
    array_free(&names->made);
}

/* Demangles gfortran's name of a module procedure: "flow::exchange" for __flow_MOD_exchange (in
 * lower case, as gfortran has it). The caller frees it. Returns NULL if it is no such name. */
static char *demangle_fortran(const char *symbol)
{
    static const char between[] = "_MOD_";
    const char *module = symbol + 2, *at = strncmp(symbol, "__", 2) == 0 ? strstr(module, between) : NULL;
    const char *name = at ? at + strlen(between) : "";
    char *made;
    if (!at || at == module || !*name || asprintf(&made, "%.*s::%s", (int)(at - module), module, name) < 0)
        return NULL;
    return made;
}

/* The caller frees the result. Returns NULL if it is no mangled name. */
static char *demangle(const char *symbol)
{
    char *fortran = demangle_fortran(symbol);
    if (fortran)
        return fortran;
#ifdef REFRAIN_DEMANGLE
    return cplus_demangle(symbol, DMGL_AUTO);
#else
    return NULL;
#endif
}

const char *symbol_name_of(struct symbol_names *names, const char *symbol)
{
    char *name = demangle(symbol);
    if (!name || array_push(&names->made, name))
        return name ? name : symbol;
    free(name);
    return NULL;
}

bool symbol_name_of_function(struct symbol_names *names, Dwarf_Die *function, const char **out)
{
    /* A method's definition refers to its declaration in the class, an inlined method to its
     * definition. The linkage name there contains the class, and in Fortran the module. A C
     * function has no linkage name, or one that is not mangled. */
    Dwarf_Attribute attribute;
    const char *linkage = dwarf_formstring(dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute));
    const char *name = linkage ? symbol_name_of(names, linkage) : NULL;
    *out = name && name != linkage ? name : dwarf_diename(function);
    return !linkage || name;
}
