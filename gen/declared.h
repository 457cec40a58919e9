/* SPDX-License-Identifier: BSD-3-Clause */
/* The declarations of an mpi.h, read from its preprocessor output (cc -E -dD).
 *
 *     int MPI_Send(const void *buf, …        a procedure: an identifier before a parenthesis
 *     MPI_COMBINER_DUP = 1,                  a constant: an identifier in capitals
 *     #define MPI_ANY_TAG (-1)               a constant
 *     #define MPI_UB _Static_assert(0, …     none: so Open MPI marks a removed name
 *     #define MPI_Address(...) …             none: only a declaration makes a procedure */
#ifndef GEN_DECLARED_H
#define GEN_DECLARED_H

#include "c_parse.h"

struct declared;

/* Read such a file; NULL after an error, which has been printed. */
struct declared *declared_read(const char *file);
bool declared_has(const struct declared *d, const char *name);
/* The parameters of a procedure as mpi.h declares them; *n = 0 if it does not; -1 if they cannot be
 * parsed. */
int declared_parameters(const struct declared *d, const char *name, struct c_declaration **out, size_t *n);
/* The name of the i-th procedure, and the place of its declaration; NULL after the last one. */
const char *declared_procedure(const struct declared *d, size_t i, struct source_position *place);

#endif
