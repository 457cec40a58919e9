/* SPDX-License-Identifier: BSD-3-Clause */
#include "executable.h"

#include "src/core/base/log.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Only files with this machine's word size and byte order: other programs cannot load the tracer
 * anyway. */
#if UINTPTR_MAX > UINT32_MAX
#define OWN_CLASS ELFCLASS64
typedef Elf64_Ehdr elf_header;
typedef Elf64_Phdr elf_segment;
typedef Elf64_Dyn elf_dynamic;
typedef Elf64_Shdr elf_section;
typedef Elf64_Sym elf_symbol;
#else
#define OWN_CLASS ELFCLASS32
typedef Elf32_Ehdr elf_header;
typedef Elf32_Phdr elf_segment;
typedef Elf32_Dyn elf_dynamic;
typedef Elf32_Shdr elf_section;
typedef Elf32_Sym elf_symbol;
#endif

struct image {
    const uint8_t *data;
    size_t n;
    const elf_segment *segments;
    size_t n_segments;
};

/* Returns `size` bytes at an offset of the file; NULL if they are not in the file or not
 * aligned. */
static const void *at_offset(const struct image *i, uint64_t offset, uint64_t size, size_t alignment)
{
    if (offset > i->n || size > i->n - offset || offset % alignment != 0)
        return NULL;
    return i->data + offset;
}

/* Returns the file offset of an address of the running program; UINT64_MAX if it is not in the
 * file. */
static uint64_t offset_of(const struct image *i, uint64_t address)
{
    for (size_t s = 0; s < i->n_segments; s++) {
        const elf_segment *p = &i->segments[s];
        if (p->p_type == PT_LOAD && address >= p->p_vaddr && address - p->p_vaddr < p->p_filesz)
            return p->p_offset + (address - p->p_vaddr);
    }
    return UINT64_MAX;
}

/* Returns the NUL-terminated string at an offset; NULL if it does not end inside the file. */
static const char *string_at(const struct image *i, uint64_t offset)
{
    if (offset >= i->n || !memchr(i->data + offset, '\0', i->n - offset))
        return NULL;
    return (const char *)i->data + offset;
}

static const elf_segment *segment_of(const struct image *i, uint32_t type)
{
    for (size_t s = 0; s < i->n_segments; s++) {
        if (i->segments[s].p_type == type)
            return &i->segments[s];
    }
    return NULL;
}

static bool image_read(struct image *i)
{
    const elf_header *h = at_offset(i, 0, sizeof *h, _Alignof(elf_header));
    if (!h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 || h->e_ident[EI_CLASS] != OWN_CLASS ||
        (h->e_type != ET_EXEC && h->e_type != ET_DYN) || h->e_phentsize != sizeof(elf_segment))
        return false;
    i->segments = at_offset(i, h->e_phoff, (uint64_t)h->e_phnum * sizeof(elf_segment), _Alignof(elf_segment));
    i->n_segments = i->segments ? h->e_phnum : 0;
    return i->segments != NULL;
}

static bool copy_string(const char *s, char **copy)
{
    *copy = strdup(s);
    if (!*copy)
        log_error("out of memory: a name of %zu bytes", strlen(s));
    return *copy != NULL;
}

/* Reads the library names in the dynamic section. */
static enum refrain_status read_needed(const struct image *i, const elf_segment *dynamic, struct elf *out)
{
    const size_t n = dynamic->p_filesz / sizeof(elf_dynamic);
    const elf_dynamic *d = at_offset(i, dynamic->p_offset, n * sizeof *d, _Alignof(elf_dynamic));
    uint64_t strings = UINT64_MAX;
    for (size_t k = 0; d && k < n && d[k].d_tag != DT_NULL; k++) {
        if (d[k].d_tag == DT_STRTAB)
            strings = offset_of(i, d[k].d_un.d_ptr);
    }
    for (size_t k = 0; d && strings < i->n && k < n && d[k].d_tag != DT_NULL; k++) {
        const char *name = d[k].d_tag == DT_NEEDED && d[k].d_un.d_val < i->n
                               ? string_at(i, strings + d[k].d_un.d_val)
                               : NULL;
        char *copy;
        if (!name)
            continue;
        if (!copy_string(name, &copy))
            return REFRAIN_ERR_MEMORY;
        if (!array_push(&out->needed, copy)) {
            free(copy);
            return REFRAIN_ERR_MEMORY;
        }
    }
    return REFRAIN_OK;
}

static enum refrain_status read_image(struct image *i, struct elf *out)
{
    if (!image_read(i))
        return REFRAIN_OK;
    const elf_segment *loader = segment_of(i, PT_INTERP), *dynamic = segment_of(i, PT_DYNAMIC);
    const bool library = !loader && ((const elf_header *)i->data)->e_type == ET_DYN;
    const char *path = loader ? string_at(i, loader->p_offset) : NULL;
    out->kind = loader ? ELF_DYNAMIC : ELF_STATIC;
    if (path && !copy_string(path, &out->loader))
        return REFRAIN_ERR_MEMORY;
    enum refrain_status status = dynamic ? read_needed(i, dynamic, out) : REFRAIN_OK;
    if (library && out->needed.n > 0) /* a static position-independent executable needs none */
        out->kind = ELF_DYNAMIC;
    return status;
}

/* Maps the whole file. An empty file, or one that is not regular, has no bytes. Returns false with
 * errno if it cannot be read. */
static bool image_open(struct image *i, const char *path)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool fine = fd >= 0 && fstat(fd, &info) == 0;
    *i = (struct image){0};
    if (fine && S_ISREG(info.st_mode) && info.st_size > 0) {
        void *map = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (map != MAP_FAILED)
            *i = (struct image){.data = map, .n = (size_t)info.st_size};
    }
    const int error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    return fine;
}

static void image_close(struct image *i)
{
    if (i->data)
        munmap((void *)(uintptr_t)i->data, i->n);
}

enum refrain_status elf_read(const char *path, struct elf *out)
{
    struct elf e = {.kind = ELF_OTHER};
    struct image image;
    if (!image_open(&image, path)) {
        log_error("%s: %m", path);
        return REFRAIN_ERR_IO;
    }
    enum refrain_status status = image.data ? read_image(&image, &e) : REFRAIN_OK;
    image_close(&image);
    if (status == REFRAIN_OK)
        *out = e;
    else
        elf_free(&e);
    return status;
}

/* Visits the symbols of the dynamic symbol table. */
static bool each_symbol(const struct image *i, elf_symbol_fn *each, void *data)
{
    const elf_header *h = (const elf_header *)i->data;
    const elf_section *sections =
        h->e_shentsize == sizeof *sections
            ? at_offset(i, h->e_shoff, (uint64_t)h->e_shnum * sizeof *sections, _Alignof(elf_section))
            : NULL;
    for (size_t s = 0; sections && s < h->e_shnum; s++) {
        const elf_section *own = &sections[s];
        if (own->sh_type != SHT_DYNSYM || own->sh_link >= h->e_shnum)
            continue;
        const elf_symbol *symbols = at_offset(i, own->sh_offset, own->sh_size, _Alignof(elf_symbol));
        const uint64_t strings = sections[own->sh_link].sh_offset;
        for (size_t k = 0; symbols && strings < i->n && k < own->sh_size / sizeof *symbols; k++) {
            const char *name = string_at(i, strings + symbols[k].st_name);
            if (name && !each(data, name, symbols[k].st_shndx != SHN_UNDEF))
                return false;
        }
    }
    return true;
}

enum refrain_status elf_each_symbol(const char *path, elf_symbol_fn *each, void *data)
{
    struct image image;
    if (!image_open(&image, path) || !image.data)
        return REFRAIN_OK;
    const bool fine = !image_read(&image) || each_symbol(&image, each, data);
    image_close(&image);
    return fine ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

void elf_free(struct elf *e)
{
    for (size_t i = 0; i < e->needed.n; i++)
        free(e->needed.items[i]);
    array_free(&e->needed);
    free(e->loader);
    *e = (struct elf){0};
}
