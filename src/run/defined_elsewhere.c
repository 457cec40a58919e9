/* SPDX-License-Identifier: BSD-3-Clause */
#include "defined_elsewhere.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "generated/functions.h"
#include "src/core/base/log.h"

#define TOLD 4 /* most procedures named in a message */

/* procedures that one other file defines; only the first such file is named */
struct others {
    const char *file;
    const char *names[TOLD];
    unsigned n;
};

/* Find the file that defines `symbol`. A program that takes a function's address may have an
 * undefined entry for it, which only leads to the definition; such an entry does not count. */
static bool find(void *symbol, Dl_info *file)
{
    const ElfW(Sym) *entry = NULL;
    return symbol && dladdr1(symbol, file, (void **)&entry, RTLD_DL_SYMENT) && entry &&
           entry->st_shndx != SHN_UNDEF;
}

static void add(struct others *o, const char *name, const Dl_info *file)
{
    if (o->n == 0)
        o->file = file->dli_fname;
    if (o->n < TOLD)
        o->names[o->n] = name;
    o->n++;
}

/* For a procedure that the tracer defines too: find a definition in front of the tracer, or between
 * the tracer and the MPI library. */
static void look(const char *name, void *self, const Dl_info *own, struct others *front,
                 struct others *behind)
{
    char inner[128];
    Dl_info found, library;
    snprintf(inner, sizeof inner, "P%s", name);
    if (!find(dlsym(self, name), &found) || found.dli_fbase != own->dli_fbase)
        return;
    if (find(dlsym(RTLD_DEFAULT, name), &found) && found.dli_fbase != own->dli_fbase)
        add(front, name, &found);
    else if (find(dlsym(RTLD_NEXT, inner), &library) && find(dlsym(RTLD_NEXT, name), &found) &&
             found.dli_fbase != library.dli_fbase)
        add(behind, name, &found);
}

static void tell(const struct others *o, const char *what)
{
    char names[512];
    size_t length = 0;
    for (unsigned i = 0; i < o->n && i < TOLD; i++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%.100s", i > 0 ? ", " : "",
                                   o->names[i]);
    if (o->n > 0)
        log_warning("%s defines MPI procedures %s: %s%s", o->file, what, names, o->n > TOLD ? " ..." : "");
}

void defined_elsewhere_tell(void)
{
    struct others front = {0}, behind = {0};
    Dl_info own;
    if (!dladdr((void *)defined_elsewhere_tell, &own))
        return;
    void *self = dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (!self)
        return; /* the tracer is linked into the program as an archive */
    for (size_t f = 0; f < FUNCTION_COUNT; f++)
        look(gen_functable.functions.items[f].name, self, &own, &front, &behind);
    dlclose(self);
    dlerror(); /* clear the error state: the program did not make these searches */
    tell(&front, "before the tracer, which does not record calls of them");
    tell(&behind, "after the tracer, so they are not called");
}
