/* SPDX-License-Identifier: BSD-3-Clause */
/* Of the MPI calls of a thread that are within one another, those are recorded that the application makes:
 * the outermost, and those of its callbacks (callback.h), not those that the MPI library makes of itself. The
 * tracer's own calls go to PMPI_*. */
#ifndef REFRAIN_GUARD_H
#define REFRAIN_GUARD_H

/* How many recorded calls this thread is in: 0 or 1, more in callbacks. Initial-exec, so that reading it
 * calls no function. */
extern _Thread_local int guard_depth __attribute__((tls_model("initial-exec")));

/* A variable of the tracer that is read in every call: it is never looked for in other modules, so the
 * compiler need not go through the global offset table. */
#define GUARD_HIDDEN __attribute__((visibility("hidden")))

/* What the dynamic linker may see of the tracer: the MPI procedures, by their names in C and Fortran, what
 * programs ask for themselves (src/user), and nothing else. */
#define GUARD_EXPORT __attribute__((visibility("default")))

/* Of functions of other libraries that wrappers in inner loops call: by their addresses in the global offset
 * table, not through a stub of the linker, which would be a page more, with one for its own entry there. They
 * are found when the tracer is loaded, so it is not for all. */
#if defined __has_attribute
#if __has_attribute(noplt)
#define GUARD_DIRECT __attribute__((noplt))
#endif
#endif
#ifndef GUARD_DIRECT
#define GUARD_DIRECT
#endif

/* Of functions that most programs do not call: they lie together, away from those that are called all the
 * time. */
#define GUARD_RARE __attribute__((section(".text.unlikely")))
/* Of functions that programs call in their inner loops: they lie with what all calls go through
 * (placement.h). */
#define GUARD_OFTEN __attribute__((section(".text.hot")))

#endif
