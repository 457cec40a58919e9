/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries that only one command needs. They are opened when they are used. If they were linked, each
 * command would load them and their dependencies. One list says which functions are called:
 *
 *     #define FUNCTIONS(of) of(bliss_new) of(bliss_release)
 *     struct library { FUNCTIONS(LATE_POINTER) };                    l.call_bliss_new, l.call_bliss_release
 *     static const char *const functions[] = {FUNCTIONS(LATE_NAME)}; */
#ifndef REFRAIN_LATE_LIBRARY_H
#define REFRAIN_LATE_LIBRARY_H

#include "src/core/base/status.h"

#include <stddef.h>

#define LATE_POINTER(name) __typeof__(name) *call_##name;
#define LATE_NAME(name)    #name,

/* Opens the library `file`, for good, and finds n functions in it and in what it loads. `pointers` is a
 * struct of that many LATE_POINTERs. REFRAIN_ERR_USAGE, said as "`without`: why", where it is not to be
 * had. */
enum refrain_status late_library_open(const char *file, const char *const *functions, size_t n,
                                      const char *without, void *pointers);

#endif
