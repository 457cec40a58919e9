/* SPDX-License-Identifier: BSD-3-Clause */
/* Modules: the program and its shared libraries. Call sites name a module by its file's base name,
 * which is equal on all ranks. META has its path and build id once (docs/FORMAT.md, section 3), so
 * that `refrain` can look up functions and lines. */
#ifndef REFRAIN_MODULE_H
#define REFRAIN_MODULE_H

#include <limits.h>
#include <stdint.h>

#include "src/core/base/array.h"
#include "src/core/trace/trace.h"

#define MODULE_BUILD_ID_MAX 64 /* bytes; linkers use 8 to 20 */

enum module_kind {
    MODULE_OTHER,     /* the program and its libraries */
    MODULE_MPI,       /* a library of the MPI implementation */
    MODULE_C_LIBRARY, /* the code that calls main and the first function of a thread */
    /* The run-time library of a Fortran compiler, which sets signal handlers in main. */
    MODULE_FORTRAN
};

struct module {
    enum module_kind kind;
    uintptr_t base;                             /* address - base is the address in the file */
    uintptr_t start, end;                       /* segment that contains the address */
    char path[PATH_MAX];                        /* absolute if possible */
    const char *name;                           /* last part of the path; for the program, of argv[0] */
    char build_id[2 * MODULE_BUILD_ID_MAX + 1]; /* in hexadecimal; "-" if there is none */
};

/* Find the module that contains an address; false if there is none, as for code generated at run
 * time. */
bool module_find(const void *address, struct module *out);
/* Whether the address is in the few instructions that start the program and call the C library. */
bool module_is_entry(const void *address);

/* The modules found so far. */
struct module_table {
    ARRAY(char *) names;      /* distinct; frames refer to them; owned */
    ARRAY(struct meta) files; /* the entries of META: a name may have several files; owned */
};

enum refrain_status module_intern(struct module_table *t, const struct module *m, uint32_t *name);
/* Intern a name without a file. */
enum refrain_status module_intern_name(struct module_table *t, const char *name, uint32_t *index);
void module_table_free(struct module_table *t);

#endif
