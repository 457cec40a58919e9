/* SPDX-License-Identifier: BSD-3-Clause */
/* The Fortran bindings of a procedure, as C sees them: all arguments are passed by reference, the
 * lengths of CHARACTER arguments come last, and the name depends on the binding and on the
 * compiler.
 *
 *     mpif.h, mpi    mpi_comm_set_name_       void (MPI_Fint *f_comm, char *f_comm_name, MPI_Fint *f_ierror,
 *                                                   size_t length_comm_name)
 *     mpi_f08        mpi_comm_set_name_f08_   the same; f_ierror may be null
 *     mpi_f08        mpi_send_f08ts_          the same; choice buffers are array descriptors
 *
 * Before the names of parameters stands f_, so that those of C are free. */
#ifndef GEN_F_TYPES_H
#define GEN_F_TYPES_H

#include "interface_model.h"

struct symbols;

struct f_binding {
    const char *suffix; /* of a procedure's name: "_f08ts" */
    bool f08;           /* of the module mpi_f08; otherwise of mpif.h and the module mpi */
    bool descriptors;   /* choice buffers are passed as array descriptors */
    bool large;         /* of the large-count procedure, which has no name of its own in Fortran */
};

extern const struct f_binding f_bindings[];
extern const size_t n_f_bindings;

struct f_parameter {
    const struct parameter *parameter;
    const char *type; /* what the reference points to: "MPI_Fint", "MPI_Aint", "char", "void" */
};

struct f_signature {
    const struct f_binding *binding;
    const char *result;             /* "void"; "double", "MPI_Aint" of functions */
    struct f_parameter *parameters; /* without ierror */
    size_t n_parameters;
    bool has_error; /* ierror is the last one */
};

struct f_signature f_signature(const struct procedure *procedure, const struct f_binding *binding);

/* The parameter with this name; NULL if Fortran has none. */
const struct f_parameter *f_find(const struct f_signature *s, const char *name);

/* The names of a procedure in a binding, and the name in the profiling interface. */
enum { F_NAMES_MAX = 8 };
struct f_names {
    const char *names[F_NAMES_MAX]; /* "mpi_send_", "mpi_send", "MPI_SEND" … */
    size_t n;
    const char *twin; /* "pmpi_send_"; NULL if there is none */
};
struct f_names f_names(const struct symbols *symbols, const struct procedure *p, const struct f_binding *b);

#endif
