/* SPDX-License-Identifier: BSD-3-Clause */
/* The model of the MPI interface: gen reads it from LaTeX and emits code from it. */
#ifndef GEN_INTERFACE_MODEL_H
#define GEN_INTERFACE_MODEL_H

#include <stdbool.h>
#include <stddef.h>

/* A place in a source, for messages: "mpi-std/pt2pt.tex:17". */
struct source_position {
    const char *file;
    int line;
};

/* A kind of parameter, from kinds.def. */
struct kind {
    const char *name;    /* "POLYXFER_NUM_ELEM_NNI" */
    const char *c_small; /* "int", "MPI_Datatype"; "" if C has no such type */
    /* Of the _c procedure, if it differs: "MPI_Count"; otherwise "" */
    const char *c_large;
    const char *f90_small, *f90_large; /* "INTEGER", "LOGICAL" …; "" if Fortran has none */
    const char *f08_small, *f08_large;
    const char *value;  /* value type in a row: "INT", "HANDLE" … (src/core/trace/functable.h) */
    const char *set;    /* set of constants that names its values; "" for none */
    const char *prefix; /* of the symbols of a HANDLE: "comm" */
};

enum direction { DIRECTION_IN = 1, DIRECTION_OUT = 2, DIRECTION_INOUT = 3 };

enum { /* suppressed in a binding: the parameter does not exist there */
       SUPPRESS_C = 1,
       SUPPRESS_LIS = 2,
       SUPPRESS_F90 = 4,
       SUPPRESS_F08 = 8
};

struct parameter {
    struct source_position place;
    const char *name;
    const struct kind *kind;
    enum direction direction;     /* of the C parameter */
    enum direction lis_direction; /* of the language-independent specification; same unless given */
    const char *length;           /* NULL: no array; otherwise the text: "count", "*", "ndims", "n,3", "" */
    const char *func_type;        /* of FUNCTION kinds: "MPI_User_function"; NULL otherwise */
    bool constant;                /* const in C */
    bool asynchronous, optional, root_only, large_only;
    bool no_pointer; /* pointer="False": passed by value or as an array although OUT/INOUT */
    bool pointer;    /* pointer="True": one more level of indirection than usual */
    unsigned suppress;
};

struct procedure {
    struct source_position place;
    const char *name;          /* "MPI_Send" */
    const char *chapter;       /* file name without ".tex" */
    const struct kind *result; /* ERROR_CODE for most; kind NOTHING: returns void */
    struct parameter *parameters;
    size_t n_parameters; /* in the standard's order, with those that C suppresses */
    bool c_expressible, f90_expressible, f08_expressible, lis_expressible;
    bool has_large;         /* some parameter's kind differs in large count: there is a _c procedure */
    const char *predefined; /* a predefined callback: the type of function it is; NULL otherwise */
    bool removed;           /* removed in MPI 3.0; mpi.h may still declare it */
    bool own;               /* of the tracer, not of MPI: its wrappers are in src/user */
    bool broken;            /* has errors: only its name is reliable */
};

struct model {
    struct procedure *procedures;
    size_t n_procedures;         /* sorted by name */
    struct procedure *callbacks; /* callback types: MPI_User_function … */
    size_t n_callbacks;
};

const struct kind *kind_find(const char *name); /* NULL if unknown */

#endif
