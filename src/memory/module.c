/* SPDX-License-Identifier: BSD-3-Clause */
#include "module.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "src/core/base/log.h"

#define ENTRY_BYTES 64 /* more than the length of `_start` on any processor */

/* Prefixes of base names. A library of the MPI implementation that is missing here would only
 * appear as a caller between the program and MPI. */
static const struct {
    const char *prefix;
    enum module_kind kind;
} kinds[] = {
    {"libmpi.so", MODULE_MPI},           {"libmpi_mpifh", MODULE_MPI},   {"libmpi_usempi", MODULE_MPI},
    {"libmpi_cxx", MODULE_MPI},          {"libmpich.so", MODULE_MPI},    {"libmpichfort", MODULE_MPI},
    {"libmpichcxx", MODULE_MPI},         {"libmpifort", MODULE_MPI},     {"libmpicxx", MODULE_MPI},
    {"libmpi_abi", MODULE_MPI},          {"mca_", MODULE_MPI},           {"libc.so", MODULE_C_LIBRARY},
    {"libc.musl", MODULE_C_LIBRARY},     {"ld-linux", MODULE_C_LIBRARY}, {"ld-musl", MODULE_C_LIBRARY},
    {"libpthread.so", MODULE_C_LIBRARY}, {"ld64.so", MODULE_C_LIBRARY},  {"libgfortran", MODULE_FORTRAN},
};

/* ---- finding --------------------------------------------------------------------------------- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static enum module_kind kind_of(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strncmp(name, kinds[i].prefix, strlen(kinds[i].prefix)) == 0)
            return kinds[i].kind;
    }
    return MODULE_OTHER;
}

/* Find the segment [*start, *end) of the module that contains the address. */
static bool find_segment(const struct dl_phdr_info *info, uintptr_t address, uintptr_t *start, uintptr_t *end)
{
    for (ElfW(Half) s = 0; s < info->dlpi_phnum; s++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[s];
        *start = info->dlpi_addr + segment->p_vaddr;
        *end = *start + segment->p_memsz;
        if (segment->p_type == PT_LOAD && address >= *start && address < *end)
            return true;
    }
    return false;
}

static bool holds(const struct dl_phdr_info *info, uintptr_t address)
{
    uintptr_t start, end;
    return find_segment(info, address, &start, &end);
}

/* Read a note, whose description is at `id`. If it is a build id, *text is the id in hexadecimal. */
static bool read_build_id(const ElfW(Nhdr) * note, const unsigned char *id, char *text)
{
    if (note->n_type != NT_GNU_BUILD_ID || note->n_namesz != sizeof ELF_NOTE_GNU ||
        memcmp(note + 1, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) != 0 || note->n_descsz == 0 ||
        note->n_descsz > MODULE_BUILD_ID_MAX)
        return false;
    for (size_t i = 0; i < note->n_descsz; i++)
        snprintf(text + 2 * i, 3, "%02x", id[i]);
    return true;
}

static size_t round_up(size_t n, size_t align)
{
    return (n + align - 1) / align * align;
}

/* Search the notes in memory. A note is a head, a name, padding, and a description. */
static void find_build_id(const struct dl_phdr_info *info, char *text)
{
    for (ElfW(Half) s = 0; s < info->dlpi_phnum; s++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[s];
        const uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        const size_t align = segment->p_align == 8 ? 8 : 4, size = segment->p_memsz;
        if (segment->p_type != PT_NOTE || !holds(info, start) || !holds(info, start + size - 1))
            continue;
        for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size;) {
            const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)(start + at);
            const size_t description = round_up(at + sizeof *note + note->n_namesz, align);
            if (description + note->n_descsz > size)
                break;
            if (read_build_id(note, (const unsigned char *)start + description, text))
                return;
            at = round_up(description + note->n_descsz, align);
        }
    }
    strcpy(text, "-");
}

struct search {
    uintptr_t address;
    struct module *module;
};

static int look_at(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    const struct search *search = data;
    struct module *m = search->module;
    if (!find_segment(info, search->address, &m->start, &m->end))
        return 0;
    m->base = info->dlpi_addr;
    find_build_id(info, m->build_id);
    if (!info->dlpi_name || !*info->dlpi_name) {
        const ssize_t n = readlink("/proc/self/exe", m->path, sizeof m->path - 1);
        m->path[n > 0 ? n : 0] = '\0';
        m->name = program_invocation_short_name;
        m->kind = MODULE_OTHER;
        return 1;
    }
    if (info->dlpi_name[0] == '/' || !realpath(info->dlpi_name, m->path))
        snprintf(m->path, sizeof m->path, "%s", info->dlpi_name);
    m->name = base_name(m->path);
    m->kind = kind_of(m->name);
    return 1;
}

bool module_find(const void *address, struct module *out)
{
    struct search search = {.address = (uintptr_t)address, .module = out};
    return dl_iterate_phdr(look_at, &search) != 0;
}

bool module_is_entry(const void *address)
{
    return (uintptr_t)address - (uintptr_t)getauxval(AT_ENTRY) < ENTRY_BYTES;
}

/* ---- the table ------------------------------------------------------------------------------- */

static enum refrain_status out_of_memory(void)
{
    log_error("no memory for the name of a module");
    return REFRAIN_ERR_MEMORY;
}

enum refrain_status module_intern_name(struct module_table *t, const char *name, uint32_t *index)
{
    for (size_t i = 0; i < t->names.n; i++) {
        if (strcmp(t->names.items[i], name) == 0) {
            *index = (uint32_t)i;
            return REFRAIN_OK;
        }
    }
    char *copy = strdup(name);
    if (!copy)
        return out_of_memory();
    if (!array_push(&t->names, copy)) {
        free(copy);
        return REFRAIN_ERR_MEMORY;
    }
    *index = (uint32_t)(t->names.n - 1);
    return REFRAIN_OK;
}

enum refrain_status module_intern(struct module_table *t, const struct module *m, uint32_t *name)
{
    struct meta file;
    const size_t n = strlen(META_MODULE) + strlen(m->build_id) + 1 + strlen(m->name) + 1;
    if (!(file.key = malloc(n)))
        return out_of_memory();
    snprintf(file.key, n, META_MODULE "%s %s", m->build_id, m->name);
    for (size_t i = 0; i < t->files.n; i++) {
        if (strcmp(t->files.items[i].key, file.key) == 0) {
            free(file.key);
            return module_intern_name(t, m->name, name);
        }
    }
    file.value = strdup(m->path);
    if (file.value && array_push(&t->files, file))
        return module_intern_name(t, m->name, name);
    free(file.key);
    if (!file.value)
        return out_of_memory();
    free(file.value);
    return REFRAIN_ERR_MEMORY;
}

void module_table_free(struct module_table *t)
{
    for (size_t i = 0; i < t->names.n; i++)
        free(t->names.items[i]);
    for (size_t i = 0; i < t->files.n; i++) {
        free(t->files.items[i].key);
        free(t->files.items[i].value);
    }
    array_free(&t->names);
    array_free(&t->files);
}
