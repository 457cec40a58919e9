/* SPDX-License-Identifier: BSD-3-Clause */
#include "defined_elsewhere.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "generated/functions.h"
#include "src/core/base/log.h"

#define TOLD 4 /* most procedures named in a message */

/* ---- the symbols of a module ----------------------------------------------------------------- */

/* What a module defines for others, from its own tables. dlsym would find it, too, but it also
 * clears the error that dlerror keeps for the program, and frees that memory.
 *
 *     DT_GNU_HASH   | n | first symbol | filter size | shift | filter … | n buckets | hashes … | */
struct definitions {
    uintptr_t base;
    const char *file, *names;
    const ElfW(Sym) * symbols;
    const uint32_t *table;
};

static bool open_definitions(struct definitions *d, const struct dl_phdr_info *module)
{
    const ElfW(Dyn) *entry = NULL;
    *d = (struct definitions){.base = module->dlpi_addr, .file = module->dlpi_name};
    if (!*d->file)
        d->file = program_invocation_name;
    for (int i = 0; i < module->dlpi_phnum; i++) {
        if (module->dlpi_phdr[i].p_type == PT_DYNAMIC)
            entry = (const ElfW(Dyn) *)(d->base + module->dlpi_phdr[i].p_vaddr);
    }
    for (; entry && entry->d_tag != DT_NULL; entry++) {
        /* The dynamic linker has made addresses of offsets, except in the kernel's own module. */
        const uintptr_t at = entry->d_un.d_ptr + (entry->d_un.d_ptr < d->base ? d->base : 0);
        if (entry->d_tag == DT_STRTAB)
            d->names = (const char *)at;
        else if (entry->d_tag == DT_SYMTAB)
            d->symbols = (const ElfW(Sym) *)at;
        else if (entry->d_tag == DT_GNU_HASH)
            d->table = (const uint32_t *)at;
    }
    return d->names && d->symbols && d->table;
}

static uint32_t hash(const char *name)
{
    uint32_t h = 5381;
    for (; *name; name++)
        h = h * 33 + (unsigned char)*name;
    return h;
}

/* Whether the module defines the symbol. A program that takes a function's address may have an
 * undefined entry for it, which only leads to the definition; such an entry does not count. */
static bool defines(const struct definitions *d, const char *name)
{
    const uint32_t h = hash(name), n = d->table[0], first = d->table[1];
    const uint32_t *buckets = (const uint32_t *)((const ElfW(Addr) *)(d->table + 4) + d->table[2]);
    const uint32_t *hashes = buckets + n;
    uint32_t i = n > 0 ? buckets[h % n] : 0;
    if (i < first || i == 0)
        return false;
    for (;; i++) {
        const uint32_t other = hashes[i - first];
        if ((other | 1) == (h | 1) && strcmp(d->names + d->symbols[i].st_name, name) == 0)
            return d->symbols[i].st_shndx != SHN_UNDEF;
        if (other & 1) /* the last one of its bucket */
            return false;
    }
}

/* ---- the procedures -------------------------------------------------------------------------- */

/* procedures that one other file defines; only the first such file is named */
struct others {
    const char *file;
    const char *names[TOLD];
    unsigned n;
};

static void add(struct others *o, const char *name, const char *file)
{
    if (o->n == 0)
        o->file = file;
    if (o->n < TOLD)
        o->names[o->n] = name;
    o->n++;
}

struct search {
    uintptr_t base; /* of the tracer */
    struct definitions tracer;
    bool passed; /* the tracer was among the modules so far */
    bool decided[FUNCTION_COUNT];
    struct others front, behind;
};

static int find_tracer(struct dl_phdr_info *module, size_t size, void *data)
{
    struct search *s = data;
    (void)size;
    /* The program has no name: an archive in it is not what is searched for. */
    return module->dlpi_addr == s->base && *module->dlpi_name && open_definitions(&s->tracer, module);
}

/* Look for procedures that the tracer defines too: in front of it, or between it and the MPI
 * library, which is the first one to define the inner name. Modules come in the order in which the
 * dynamic linker searches them. */
static int look_into(struct dl_phdr_info *module, size_t size, void *data)
{
    struct search *s = data;
    struct definitions d;
    (void)size;
    if (!open_definitions(&d, module))
        return 0;
    if (d.base == s->base)
        s->passed = true;
    for (size_t f = 0; f < FUNCTION_COUNT && d.base != s->base; f++) {
        const char *name = gen_functable.functions.items[f].name;
        char inner[128];
        snprintf(inner, sizeof inner, "P%s", name);
        if (s->decided[f])
            continue;
        const bool library = s->passed && defines(&d, inner), other = !library && defines(&d, name);
        s->decided[f] = library || other;
        if (other)
            add(s->passed ? &s->behind : &s->front, name, d.file);
    }
    return 0;
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
    struct search s = {0};
    Dl_info own;
    if (!dladdr((void *)defined_elsewhere_tell, &own))
        return;
    s.base = (uintptr_t)own.dli_fbase;
    if (!dl_iterate_phdr(find_tracer, &s))
        return; /* the tracer is linked into the program as an archive */
    for (size_t f = 0; f < FUNCTION_COUNT; f++)
        s.decided[f] = !defines(&s.tracer, gen_functable.functions.items[f].name);
    dl_iterate_phdr(look_into, &s);
    tell(&s.front, "before the tracer, which does not record calls of them");
    tell(&s.behind, "after the tracer, so they are not called");
}
