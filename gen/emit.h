/* SPDX-License-Identifier: BSD-3-Clause */
/* The emitters: each writes C from the model into the output directory.
 *
 *     functions.h   declares all of the following (see emit_table.c); needs src/core
 *     table.c       gen_functable: kinds and functions. Needs src/core
 *     constants.c   gen_integers, gen_handles, gen_addresses: the predefined constants. Needs mpi.h
 *     wrap_c.c      the C wrappers
 *     wrap_f.c      those of the Fortran bindings
 *
 * Every emitter returns 0, or -1 when a file could not be written; it has said why on stderr by then. */
#ifndef GEN_EMIT_H
#define GEN_EMIT_H

#include <stdbool.h>
#include <stdio.h>

#include "c_types.h"
#include "interface_model.h"

struct declared; /* the names that an mpi.h declares (declared.h) */
struct symbols;

struct emit_options {
    const char *out;                 /* directory, exists */
    const struct declared *declared; /* NULL: as if mpi.h had all of MPI */
    const struct symbols
        *fortran; /* what its Fortran libraries export (exported_symbols.h); NULL: there are none */
};

/* May the emitted code use this procedure or constant? Large-count procedures are asked for by their own
 * name. */
bool emit_is_declared(const struct emit_options *o, const char *name);
/* Do mpi.h or the Fortran libraries have it? */
bool emit_is_present(const struct emit_options *o, const struct procedure *p, bool large);
/* The signature of a procedure that calls can be recorded of: 1; 0 when there are none, because it is a
 * predefined callback or neither mpi.h nor the Fortran libraries have it (Open MPI has removed procedures in
 * Fortran only). The types are those of mpi.h, which in places differ from the standard's (MPICH 4.0 lacks a
 * const of MPI_Pready_list). -1 when mpi.h has other parameters, which it has said. */
int emit_signature(const struct emit_options *o, const struct procedure *p, bool large,
                   struct c_signature *out);

/* Opens file `name` in the output directory with a comment that says where it came from; NULL on failure. */
FILE *emit_open(const struct emit_options *o, const char *name);
/* Closes it. -1 when something did not reach the file. */
int emit_close(FILE *file, const char *name);

int emit_table(const struct model *m, const struct emit_options *o);     /* functions.h, table.c */
int emit_constants(const struct model *m, const struct emit_options *o); /* constants.c */
int emit_wrap_c(const struct model *m, const struct emit_options *o);    /* wrap_c.c */
int emit_wrap_f(const struct model *m, const struct emit_options *o);    /* wrap_f.c */

#endif
