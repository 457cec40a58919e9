/* SPDX-License-Identifier: BSD-3-Clause */
/* All callers of an MPI call (REFRAIN_CALLPATH=full), by libunwind.
 *
 * libunwind is loaded only if the user wants call paths, and only for the tracer. It defines
 * functions with the names that C++ exceptions use (_Unwind_RaiseException …), which the program
 * must not call. */
#ifndef REFRAIN_CALLPATH_H
#define REFRAIN_CALLPATH_H

#include <stdint.h>

#define CALLPATH_MAX 256 /* frames; of a deeper recursion the outermost are lost */

/* Load libunwind. If that fails, warn; a path is then only the innermost caller. */
void callpath_start(void);

/* Return the callers from `return_address` outwards, which is the return address of one of the
 * tracer's callers: *n >= 1 addresses in `buffer` (CALLPATH_MAX entries). */
void *const *callpath_unwind(const void *return_address, void **buffer, uint32_t *n);

#endif
