/* SPDX-License-Identifier: BSD-3-Clause */
/* For words.sh: the header does not change the program's dlerror when it looks for a tracer that
 * is not there. */
#include <refrain.h>

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *error;
    if (dlopen("/no/such/library", RTLD_NOW))
        return 2;
    refrain_note("key", "value");
    error = dlerror();
    printf("%s\n", error ? error : "no error");
    refrain_region_end("none");
    error = dlerror();
    return error ? puts(error), 1 : 0;
}
