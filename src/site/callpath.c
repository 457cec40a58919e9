/* SPDX-License-Identifier: BSD-3-Clause */
#include "callpath.h"

#include <dlfcn.h>
#include <string.h>

#include "src/settings/config.h"

#define LIBRARY "libunwind.so.8" /* the only soname that libunwind 1 has had on Linux */

/* unw_backtrace of libunwind: stores return addresses, innermost first, and returns their number.
 * It caches the unwinding step of each return address, so it reads no tables for code that it has
 * seen. */
static int (*backtrace)(void **addresses, int size);

void callpath_start(void)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, "unw_backtrace") : NULL;
    if (!symbol) {
        config_warning("REFRAIN_CALLPATH=full: %s; only the innermost callers are recorded", dlerror());
        return;
    }
    /* ISO C has no cast from object to function pointer. */
    memcpy(&backtrace, &symbol, sizeof backtrace);
}

void *const *callpath_unwind(const void *return_address, void **buffer, uint32_t *n)
{
    const int found = backtrace ? backtrace(buffer, CALLPATH_MAX) : 0;
    for (int i = 0; i < found; i++) {
        if (buffer[i] == return_address) {
            *n = (uint32_t)(found - i);
            return buffer + i;
        }
    }
    buffer[0] = (void *)return_address;
    *n = 1;
    return buffer;
}
