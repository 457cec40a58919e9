/* SPDX-License-Identifier: BSD-3-Clause */
/* Selects the tracer by the names of a program's Fortran calls. A procedure has a name in each mangling that
 * the MPI library exports, and a tracer that is preloaded takes the place of every function that has a name
 * of its own:
 *
 *     librefrain.so              mpi_send_                the mangling of this machine's compiler, found by configure
 *     librefrain-plain.so        mpi_send_, mpi_send      and the mangling plain, which names of C functions have, too
 *     librefrain-none.so                                  for programs whose own functions have such names
 *
 * src/fortran_names.sh lists the manglings. */
#ifndef REFRAIN_FORTRAN_NAMES_H
#define REFRAIN_FORTRAN_NAMES_H

#include "libraries.h"
#include "src/core/base/status.h"

/* Which of the tracers beside `tracer`, or itself, is for this program, linked with these libraries: the one
 * that REFRAIN_FORTRAN_NAMES asks for, or else one that has the names that the program calls; but in any case
 * one that exports no name that one of its libraries defines itself. *path must be freed. A missing tracer is
 * an error. */
enum refrain_status fortran_names_choose(const char *tracer, const char *program,
                                         const struct libraries *libraries, char **path);

#endif
