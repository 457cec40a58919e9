/* SPDX-License-Identifier: BSD-3-Clause */
/* The whole path of callers of an MPI call (REFRAIN_CALLPATH=full), by libunwind.
 *
 * libunwind is loaded only when it is wanted, and for the tracer alone: it has functions of its own by the
 * names that C++ exceptions use (_Unwind_RaiseException …), which the program must never come to call. */
#ifndef REFRAIN_CALLPATH_H
#define REFRAIN_CALLPATH_H

#include <stdint.h>

#define CALLPATH_MAX 256 /* frames; of a deeper recursion the outermost are lost */

/* What cannot be had is warned about; a path is then the innermost caller alone. */
void callpath_start(void);

/* The return addresses from `return_address`, which is in one of the tracer's callers, outwards: a part of
 * `buffer` (CALLPATH_MAX entries), *n >= 1 of them. */
void *const *callpath_unwind(const void *return_address, void **buffer, uint32_t *n);

#endif
