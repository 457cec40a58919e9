/* SPDX-License-Identifier: BSD-3-Clause */
/* Nested MPI calls. A call is recorded if the application makes it: the outermost call, and calls
 * in its callbacks (callback.h), but not calls that the MPI library makes itself. The tracer's own
 * calls are PMPI calls. */
#ifndef REFRAIN_GUARD_H
#define REFRAIN_GUARD_H

/* The number of recorded calls that this thread is in: 0 or 1, more in callbacks. The TLS model is
 * initial-exec, so that reading it calls no function. */
extern _Thread_local int guard_depth __attribute__((tls_model("initial-exec")));

/* For a variable that every call reads: no other module can replace it, so the compiler avoids the
 * global offset table. */
#define GUARD_HIDDEN __attribute__((visibility("hidden")))

/* Symbols that the dynamic linker may see: only the MPI procedures, by their C and Fortran names,
 * and the functions of src/user. */
#define GUARD_EXPORT __attribute__((visibility("default")))

/* For functions of other libraries that wrappers in inner loops call: by their address in the
 * global offset table, not through a stub, which would cost another page and another table entry.
 * The addresses are resolved when the tracer is loaded, so this is only for a few functions. */
#if defined __has_attribute
#if __has_attribute(noplt)
#define GUARD_DIRECT __attribute__((noplt))
#endif
#endif
#ifndef GUARD_DIRECT
#define GUARD_DIRECT
#endif

/* For functions that most programs do not call: they are placed together, away from frequent ones. */
#define GUARD_RARE __attribute__((section(".text.unlikely")))
/* For functions that programs call in inner loops: they are placed beside the code that all calls
 * execute (placement.h). */
#define GUARD_OFTEN __attribute__((section(".text.hot")))

#endif
