/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions by which a program describes itself to Refrain, the MPI tracer. Nothing has to be
 * linked: without the tracer, each call tests a variable and does nothing. See refrain-regions(7).
 *
 *     refrain_region_begin("sweep");               a part of the program; regions are nested, in each thread
 *     …
 *     refrain_region_end("sweep");                 the innermost one of that name; NULL: the innermost
 *
 *     refrain_topology_cart(2, dims, periodic, names);    the processes form a grid of dims[0] x dims[1];
 *     refrain_topology_coords(coords);                    this process's place in it. names may be NULL
 *
 *     refrain_note("input", "sphere.in");          something worth knowing about the run
 *
 * Any thread may call these functions at any time, also before MPI_Init and after MPI_Finalize.
 * They never fail. If REFRAIN_DISABLE is defined before this file is included, they do nothing. */
#ifndef REFRAIN_USER_H
#define REFRAIN_USER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The functions of the tracer. Newer versions have more members at the end. */
struct refrain_interface {
    int version; /* 1 */
    void (*region_begin)(const char *name);
    void (*region_end)(const char *name);
    void (*topology_cart)(int ndims, const int *dims, const int *periodic, const char *const *names);
    void (*topology_coords)(const int *coords);
    void (*note)(const char *key, const char *value);
    /* for Fortran compilers, which pass the lengths of strings last */
    void (*region_begin_f)(const char *name, size_t n);
    void (*region_end_f)(const char *name, size_t n);
    void (*note_f)(const char *key, const char *value, size_t n_key, size_t n_value);
};

/* Always inlined: the recorded caller is the place in the program. */
#ifdef __GNUC__
#define REFRAIN_INLINE static __inline__ __attribute__((always_inline))
#elif defined __cplusplus || (defined __STDC_VERSION__ && __STDC_VERSION__ >= 199901L)
#define REFRAIN_INLINE static inline
#else
#define REFRAIN_INLINE static
#endif

#if defined __GNUC__ && !defined REFRAIN_DISABLE

/* Defined by the tracer; a null pointer without it. */
extern const struct refrain_interface *refrain_interface(void) __attribute__((weak));

/* dlsym and dl_iterate_phdr under other names, since the program's headers may declare them
 * differently. In position-dependent code, the linker has replaced the weak reference above by a
 * null pointer; then dlsym finds the function. It is called only if the tracer is loaded, since its
 * failure would be visible in the program's dlerror. */
struct refrain_object { /* the beginning of struct dl_phdr_info */
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

/* `coords` has as many elements as the last topology of the process has dimensions. */
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
