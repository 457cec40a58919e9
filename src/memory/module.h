/* SPDX-License-Identifier: BSD-3-Clause */
/* Modules: the program and its shared libraries. Call sites name a module by its file's base name, which is
 * the same on all ranks; where the file lies and which build of it was run is said once, in META
 * (docs/FORMAT.md, section 3), so that `refrain` can look up functions and lines. */
#ifndef REFRAIN_MODULE_H
#define REFRAIN_MODULE_H

#include <limits.h>
#include <stdint.h>

#include "src/core/base/array.h"
#include "src/core/trace/trace.h"

#define MODULE_BUILD_ID_MAX 64 /* bytes; linkers make 8 to 20 */

enum module_kind {
    MODULE_OTHER,     /* the program and its libraries */
    MODULE_MPI,       /* a library of the MPI implementation */
    MODULE_C_LIBRARY, /* what calls main and the first function of a thread */
    MODULE_FORTRAN    /* what a Fortran compiler puts under a program: it sets signal handlers in main */
};

struct module {
    enum module_kind kind;
    uintptr_t base;       /* addresses less this are those in the file */
    uintptr_t start, end; /* of the segment that holds the address */
    char path[PATH_MAX];  /* absolute where that is known */
    const char *name;     /* the last part of the path; of the program, that of its argv[0] */
    char build_id[2 * MODULE_BUILD_ID_MAX + 1]; /* in hexadecimal; "-" if it has none */
};

/* The module that holds an address; false if there is none, as for code made at run time. */
bool module_find(const void *address, struct module *out);
/* Is it in the few instructions that the program starts with, and that call the C library? */
bool module_is_entry(const void *address);

/* The modules that were met. */
struct module_table {
    ARRAY(char *) names;      /* none twice; frames refer to them; owned */
    ARRAY(struct meta) files; /* the entries of META: a name may have several files; owned */
};

enum refrain_status module_intern(struct module_table *t, const struct module *m, uint32_t *name);
/* A name without a file. */
enum refrain_status module_intern_name(struct module_table *t, const char *name, uint32_t *index);
void module_table_free(struct module_table *t);

#endif
