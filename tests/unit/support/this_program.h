/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of this test program, as a trace names it: its build ID, and the offsets of calls in it. */
#ifndef REFRAIN_TESTS_THIS_PROGRAM_H
#define REFRAIN_TESTS_THIS_PROGRAM_H

#include <stdint.h>

struct this_program {
    uintptr_t base;     /* where it is loaded */
    char build_id[256]; /* hexadecimal; "-" if it has none */
};

const struct this_program *this_program(void);

/* Returns where this call returns to, as an offset in the file. */
uint64_t this_program_return_offset(void);

#endif
