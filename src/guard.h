/* Only the outermost MPI call of a thread is recorded: not those that an MPI library makes of itself, nor
 * those of callbacks that it runs. The tracer's own calls go to PMPI_*. */
#ifndef REFRAIN_GUARD_H
#define REFRAIN_GUARD_H

/* How many recorded calls this thread is in: 0 or 1. Initial-exec, so that reading it calls no function. */
extern _Thread_local int guard_depth __attribute__((tls_model("initial-exec")));

/* What the dynamic linker may see of the tracer: the MPI procedures, by their names in C and Fortran, and
 * nothing else. */
#define GUARD_EXPORT __attribute__((visibility("default")))

#endif
