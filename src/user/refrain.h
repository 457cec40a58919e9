/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program says of itself to Refrain, the MPI tracer. Nothing has to be linked: without the tracer each of these
 * costs a test of a variable and does nothing. refrain-regions(7) tells more.
 *
 *     refrain_region_begin("sweep");               a part of the program; regions are nested, in each thread
 *     …
 *     refrain_region_end("sweep");                 the innermost of that name; NULL: the innermost
 *
 *     refrain_topology_cart(2, dims, periodic, names);    the processes form a grid of dims[0] x dims[1];
 *     refrain_topology_coords(coords);                    this one is there. names may be NULL
 *
 *     refrain_note("input", "sphere.in");          something worth knowing of the run
 *
 * All may be called by any thread at any time, before MPI_Init and after MPI_Finalize as well, and never fail.
 * Define REFRAIN_DISABLE before this file is included, and they are nothing at all. */
#ifndef REFRAIN_USER_H
#define REFRAIN_USER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the tracer offers. Newer versions of it have more after this. */
struct refrain_interface {
    int version; /* 1 */
    void (*region_begin)(const char *name);
    void (*region_end)(const char *name);
    void (*topology_cart)(int ndims, const int *dims, const int *periodic, const char *const *names);
    void (*topology_coords)(const int *coords);
    void (*note)(const char *key, const char *value);
    /* As a Fortran compiler calls them: the lengths of strings come last. */
    void (*region_begin_f)(const char *name, size_t n);
    void (*region_end_f)(const char *name, size_t n);
    void (*note_f)(const char *key, const char *value, size_t n_key, size_t n_value);
};

/* Inlined in any case: the call comes from where the program says it. */
#ifdef __GNUC__
#define REFRAIN_INLINE static __inline__ __attribute__((always_inline))
#elif defined __cplusplus || (defined __STDC_VERSION__ && __STDC_VERSION__ >= 199901L)
#define REFRAIN_INLINE static inline
#else
#define REFRAIN_INLINE static
#endif

#if defined __GNUC__ && !defined REFRAIN_DISABLE

/* The tracer has it; a null pointer without the tracer. */
extern const struct refrain_interface *refrain_interface(void) __attribute__((weak));

/* dlsym and dl_iterate_phdr, by names of their own, since the program's headers may declare them otherwise. In code that
 * is not position-independent the linker has made a null pointer of the name above: dlsym knows better. But it is only
 * asked if the tracer is there, as it would leave an error for the program's dlerror. */
struct refrain_object { /* how struct dl_phdr_info begins */
    void *address;
    const char *name;
};
extern void *refrain_look_up(void *handle, const char *name) __asm__("dlsym") __attribute__((weak));
extern int refrain_each_object(int (*see)(struct refrain_object *object, size_t size, void *context),
                               void *context) __asm__("dl_iterate_phdr") __attribute__((weak));

static __inline__ int refrain_is_tracer(struct refrain_object *object, size_t size, void *context)
{
    (void)size;
    (void)context;
    return object->name && __builtin_strstr(object->name, "librefrain");
}

static __inline__ const struct refrain_interface *refrain_find(void)
{
    union {
        void *address;
        const struct refrain_interface *(*function)(void);
    } found;
    found.function = refrain_interface;
    if (!found.function && refrain_look_up && refrain_each_object &&
        refrain_each_object(refrain_is_tracer, NULL))
        found.address = refrain_look_up(NULL, "refrain_interface");
    return found.function ? found.function() : NULL;
}

REFRAIN_INLINE const struct refrain_interface *refrain_tracer(void)
{
    static const struct refrain_interface *tracer;
    static int searched;
    if (!__atomic_load_n(&searched, __ATOMIC_ACQUIRE)) {
        __atomic_store_n(&tracer, refrain_find(), __ATOMIC_RELAXED);
        __atomic_store_n(&searched, 1, __ATOMIC_RELEASE);
    }
    return __atomic_load_n(&tracer, __ATOMIC_RELAXED);
}

#else
REFRAIN_INLINE const struct refrain_interface *refrain_tracer(void)
{
    return NULL;
}
#endif

REFRAIN_INLINE void refrain_region_begin(const char *name)
{
    const struct refrain_interface *tracer = refrain_tracer();
    if (tracer)
        tracer->region_begin(name);
}

REFRAIN_INLINE void refrain_region_end(const char *name)
{
    const struct refrain_interface *tracer = refrain_tracer();
    if (tracer)
        tracer->region_end(name);
}

REFRAIN_INLINE void refrain_topology_cart(int ndims, const int *dims, const int *periodic,
                                          const char *const *names)
{
    const struct refrain_interface *tracer = refrain_tracer();
    if (tracer)
        tracer->topology_cart(ndims, dims, periodic, names);
}

/* As many as the last topology of the process has dimensions. */
REFRAIN_INLINE void refrain_topology_coords(const int *coords)
{
    const struct refrain_interface *tracer = refrain_tracer();
    if (tracer)
        tracer->topology_coords(coords);
}

REFRAIN_INLINE void refrain_note(const char *key, const char *value)
{
    const struct refrain_interface *tracer = refrain_tracer();
    if (tracer)
        tracer->note(key, value);
}

#undef REFRAIN_INLINE

#ifdef __cplusplus
}
#endif

#endif
