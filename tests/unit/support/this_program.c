/* SPDX-License-Identifier: BSD-3-Clause */
#include "this_program.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

static int read_program(struct dl_phdr_info *info, size_t size, void *data)
{
    struct this_program *p = data;
    (void)size;
    p->base = info->dlpi_addr;
    strcpy(p->build_id, "-");
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        const unsigned char *note = (const unsigned char *)info->dlpi_addr + header->p_vaddr;
        const ElfW(Nhdr) *head = (const ElfW(Nhdr) *)note;
        if (header->p_type != PT_NOTE || head->n_type != NT_GNU_BUILD_ID)
            continue;
        for (unsigned k = 0; k < head->n_descsz; k++)
            sprintf(p->build_id + 2 * k, "%02x", note[sizeof *head + 4 + k]);
    }
    return 1; /* the program is the first module */
}

const struct this_program *this_program(void)
{
    static struct this_program program;
    if (!program.build_id[0])
        dl_iterate_phdr(read_program, &program);
    return &program;
}

__attribute__((noinline)) uint64_t this_program_return_offset(void)
{
    return (uintptr_t)__builtin_return_address(0) - this_program()->base;
}
