/* SPDX-License-Identifier: BSD-3-Clause */
#include "array.h"

#include "log.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#define FIRST_BYTES 64 /* size of the first allocation; an array of large items often has few */

bool array_grow(void **items, size_t n, size_t *cap, size_t size, size_t extra)
{
    assert(n <= *cap && size > 0);
    if (extra <= *cap - n)
        return true;

    const size_t most = SIZE_MAX / 2 / size;
    if (n > most || extra > most - n) {
        log_error("an array of %zu + %zu items of %zu bytes is beyond the address space", n, extra, size);
        return false;
    }
    size_t wanted = *cap == 0 ? FIRST_BYTES / size : *cap + *cap / 2 + 1;
    if (wanted < n + extra)
        wanted = n + extra;
    if (wanted > most)
        wanted = most;

    void *grown = realloc(*items, wanted * size);
    if (!grown) {
        log_error("out of memory: an array wants %zu bytes", wanted * size);
        return false;
    }
    *items = grown;
    *cap = wanted;
    return true;
}

void array_release(void **items, size_t *n, size_t *cap)
{
    assert(*n <= *cap);
    free(*items);
    *items = NULL;
    *n = *cap = 0;
}
