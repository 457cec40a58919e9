/* SPDX-License-Identifier: BSD-3-Clause */
/* The emitters: each writes C from the model into the output directory.
 *
 *     functions.h   declares all of the following (see emit_table.c); needs src/core
 *     table.c       gen_functable: kinds and functions. Needs src/core
 *     constants.c   gen_integers, gen_handles, gen_addresses: the predefined constants. Needs mpi.h
 *     wrap_c.c      the C wrappers
 *     wrap_f.c      those of the Fortran bindings
 *
 * Every emitter returns 0, or -1 after it has printed why a file could not be written. */
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
        *fortran; /* symbols that the Fortran libraries export (exported_symbols.h); NULL: none */
};

/* Whether the emitted code may use this procedure or constant. Large-count procedures have names of
 * their own here. */
bool emit_is_declared(const struct emit_options *o, const char *name);
/* Whether mpi.h or the Fortran libraries have it. */
bool emit_is_present(const struct emit_options *o, const struct procedure *p, bool large);
/* Make the signature of a procedure whose calls can be recorded: 1. 0 if there are no calls,
 * because it is a predefined callback, or because neither mpi.h nor the Fortran libraries have it
 * (Open MPI has removed procedures only in Fortran). The types are those of mpi.h, which sometimes
 * differ from the standard's (MPICH 4.0 lacks a const of MPI_Pready_list). -1 after an error
 * message: mpi.h has other parameters. */
int emit_signature(const struct emit_options *o, const struct procedure *p, bool large,
                   struct c_signature *out);

/* Open file `name` in the output directory, with a comment that says how it was made; NULL after an
 * error. */
FILE *emit_open(const struct emit_options *o, const char *name);
/* Close it. -1 if not all bytes were written. */
int emit_close(FILE *file, const char *name);

int emit_table(const struct model *m, const struct emit_options *o);     /* functions.h, table.c */
int emit_constants(const struct model *m, const struct emit_options *o); /* constants.c */
int emit_wrap_c(const struct model *m, const struct emit_options *o);    /* wrap_c.c */
int emit_wrap_f(const struct model *m, const struct emit_options *o);    /* wrap_f.c */

#endif
