/* SPDX-License-Identifier: BSD-3-Clause */
/* What an executable is, read from its ELF headers: enough to say whether a library can be preloaded into
 * it, and which libraries and symbols it names. */
#ifndef REFRAIN_EXECUTABLE_H
#define REFRAIN_EXECUTABLE_H

#include "src/core/base/array.h"
#include "src/core/base/status.h"

enum elf_kind {
    ELF_OTHER,  /* no ELF file: a script, or something foreign */
    ELF_STATIC, /* has no dynamic loader */
    ELF_DYNAMIC /* executable with a loader, or a shared library */
};

struct elf {
    enum elf_kind kind;
    char *loader;         /* path of the dynamic loader; NULL if it names none */
    ARRAY(char *) needed; /* names of libraries, as the file has them */
};

/* Reads the headers of a file. A damaged ELF file is ELF_OTHER; the system reports the error when it runs the
 * file. */
enum refrain_status elf_read(const char *path, struct elf *out);
void elf_free(struct elf *e);

/* Told of each symbol for the dynamic linker: its name, which does not last, and whether the file defines it.
 * False ends it all, for want of memory, which has been said. */
typedef bool elf_symbol_fn(void *data, const char *name, bool defined);
/* Calls `each` for each symbol. A file that is unreadable or damaged has no symbols; the system reports the
 * error when it runs the file. */
enum refrain_status elf_each_symbol(const char *path, elf_symbol_fn *each, void *data);

#endif
