/* SPDX-License-Identifier: BSD-3-Clause */
#include "late_library.h"

#include "src/core/base/log.h"

#include <dlfcn.h>
#include <string.h>

/* It is never closed: GLib, after librsvg, cannot be. */
enum refrain_status late_library_open(const char *file, const char *const *functions, size_t n,
                                      const char *without, void *pointers)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL), *found = library;
    for (size_t i = 0; found && i < n; i++) {
        found = dlsym(library, functions[i]);
        memcpy((char *)pointers + i * sizeof found, &found, sizeof found); /* ISO C casts no such pointers */
    }
    if (!found) {
        log_error("%s: %s", without, dlerror());
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}
