/* SPDX-License-Identifier: BSD-3-Clause */
#include "late_library.h"

#include "src/core/base/log.h"

#include <dlfcn.h>
#include <string.h>

/* The library is never closed: GLib, which librsvg needs, does not support that. */
enum refrain_status late_library_open(const char *file, const char *const *functions, size_t n,
                                      const char *without, void *pointers)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL), *found = library;
    for (size_t i = 0; found && i < n; i++) {
        found = dlsym(library, functions[i]);
        /* ISO C has no cast for this */
        memcpy((char *)pointers + i * sizeof found, &found, sizeof found);
    }
    if (!found) {
        log_error("%s: %s", without, dlerror());
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}
