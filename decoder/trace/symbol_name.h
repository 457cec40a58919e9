/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of functions as their source has them: "Solver::exchange" for _ZN6Solver8exchangeEv. */
#ifndef REFRAIN_SYMBOL_NAME_H
#define REFRAIN_SYMBOL_NAME_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>

#include "src/core/base/array.h"

/* Names that had to be made; zeroed it is empty. */
struct symbol_names {
    ARRAY(char *) made;
};

void symbol_names_free(struct symbol_names *names);
/* The name that a linker's symbol stands for, with namespaces and classes, without parameters; the symbol itself
 * where it is not a name of C++, Rust or gfortran, or, of the first two, the build has no libiberty. It is valid as long as `names` and the
 * symbol are. NULL when memory is short. */
const char *symbol_name_of(struct symbol_names *names, const char *symbol);
/* … of a function in debugging information. *out may be NULL: it has none. False when memory is short. */
bool symbol_name_of_function(struct symbol_names *names, Dwarf_Die *function, const char **out);

#endif
