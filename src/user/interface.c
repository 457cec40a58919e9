/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program says about itself (refrain.h). The tracer records it as calls, like those of MPI:
 * a call goes into the lane of its thread, and is compressed, merged and timed like all others. gen
 * reads the functions' description from refrain.tex.
 *
 *     the program calls           refrain_region_begin("sweep")
 *     refrain.h calls             region_begin("sweep") of the interface
 *     the lane gets a call of     FUNCTION_refrain_region_begin */
#define REFRAIN_DISABLE /* leaves out the inline functions for programs and the weak reference */
#include "refrain.h"

#include <stdatomic.h>

#include "src/call/call.h"
#include "src/memory/guard.h"

enum {
    NAME_MOST = 1023, /* bytes of a name or key; longer ones are cut */
    VALUE_MOST = 16383,
    DIMENSIONS_MOST = 64
};

static atomic_int dimensions; /* of the last topology; 0 if the program declared none */

static void end(struct call *call)
{
    call_instant(call);
    call_end(call);
}

/* Record a call with the place of its caller and one name, of which at most `most` bytes are read. */
#define RECORD_NAME(function, name, most)                                                                    \
    do {                                                                                                     \
        struct call call;                                                                                    \
        if (call_begin(&call, (function), __builtin_return_address(0))) {                                    \
            call_string(&call, (name), (most));                                                              \
            end(&call);                                                                                      \
        }                                                                                                    \
    } while (0)

static HOT void region_begin(const char *name)
{
    RECORD_NAME(FUNCTION_refrain_region_begin, name, NAME_MOST);
}

static HOT void region_end(const char *name)
{
    RECORD_NAME(FUNCTION_refrain_region_end, name, NAME_MOST);
}

static void topology_cart(int ndims, const int *dims, const int *periodic, const char *const *names)
{
    const int n = ndims > 0 && ndims <= DIMENSIONS_MOST && dims ? ndims : 0;
    struct call call;
    atomic_store(&dimensions, n);
    if (!call_begin(&call, FUNCTION_refrain_topology_cart, __builtin_return_address(0)))
        return;
    call_int(&call, ndims);
    call_ints(&call, dims, sizeof *dims, n);
    call_ints(&call, periodic, sizeof *periodic, n);
    call_put(&call, names ? n : ARRAY_NULL);
    for (int i = 0; names && i < n; i++)
        call_string(&call, names[i], NAME_MOST);
    end(&call);
}

static void topology_coords(const int *coords)
{
    struct call call;
    if (!call_begin(&call, FUNCTION_refrain_topology_coords, __builtin_return_address(0)))
        return;
    call_ints(&call, coords, sizeof *coords, atomic_load(&dimensions));
    end(&call);
}

static void note(const char *key, const char *value)
{
    struct call call;
    if (!call_begin(&call, FUNCTION_refrain_note, __builtin_return_address(0)))
        return;
    call_string(&call, key, NAME_MOST);
    call_string(&call, value, VALUE_MOST);
    end(&call);
}

/* ---- Fortran --------------------------------------------------------------------------------- */

/* The length of a string without its trailing blanks, at most `most`. */
static int64_t length_of(const char *s, size_t n, size_t most)
{
    while (n > 0 && s[n - 1] == ' ')
        n--;
    return (int64_t)(n < most ? n : most);
}

static HOT void region_begin_f(const char *name, size_t n)
{
    RECORD_NAME(FUNCTION_refrain_region_begin, name, length_of(name, n, NAME_MOST));
}

/* A blank name ends the innermost region. */
static HOT void region_end_f(const char *name, size_t n)
{
    const int64_t length = length_of(name, n, NAME_MOST);
    RECORD_NAME(FUNCTION_refrain_region_end, length > 0 ? name : NULL, length);
}

static void note_f(const char *key, const char *value, size_t n_key, size_t n_value)
{
    struct call call;
    if (!call_begin(&call, FUNCTION_refrain_note, __builtin_return_address(0)))
        return;
    call_string(&call, key, length_of(key, n_key, NAME_MOST));
    call_string(&call, value, length_of(value, n_value, VALUE_MOST));
    end(&call);
}

/* ---- what programs find ---------------------------------------------------------------------- */

GUARD_EXPORT const struct refrain_interface *refrain_interface(void);

const struct refrain_interface *refrain_interface(void)
{
    static const struct refrain_interface interface = {.version = 1,
                                                       .region_begin = region_begin,
                                                       .region_end = region_end,
                                                       .topology_cart = topology_cart,
                                                       .topology_coords = topology_coords,
                                                       .note = note,
                                                       .region_begin_f = region_begin_f,
                                                       .region_end_f = region_end_f,
                                                       .note_f = note_f};
    return &interface;
}
