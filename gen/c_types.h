/* SPDX-License-Identifier: BSD-3-Clause */
/* The C binding of a procedure, as mpi.h declares it.
 *
 *     MPI_Waitall   int, (int count, MPI_Request array_of_requests[], MPI_Status array_of_statuses[])
 *
 *     parameter            type           constant  stars  brackets
 *     count                "int"          no        0      ""
 *     array_of_requests    "MPI_Request"  no        0      "[]"
 *     array_of_statuses    "MPI_Status"   no        0      "[]" */
#ifndef GEN_C_TYPES_H
#define GEN_C_TYPES_H

#include <stdio.h>

#include "interface_model.h"

struct c_parameter {
    const struct parameter *parameter;
    const char *type; /* without const and stars: "MPI_Datatype", "MPI_User_function_c"; "..." for VARARGS */
    bool constant;    /* const type */
    int stars;        /* between type and name */
    const char *brackets; /* after the name: "", "[]", "[][3]" */
};

struct c_signature {
    const struct procedure *procedure;
    bool large;
    const char *name;               /* "MPI_Send" or "MPI_Send_c" */
    const char *result;             /* "int", "double", "MPI_Comm", "void" */
    struct c_parameter *parameters; /* those that C has, in order */
    size_t n_parameters;
};

/* The signature of a c_expressible procedure or callback type; `large` only if it has_large. */
struct c_signature c_signature(const struct procedure *procedure, bool large);

/* Write "const void *buf", "int ranges[][3]", "...". */
void c_declare(FILE *out, const struct c_parameter *p);
/* Write "(int count, MPI_Request array_of_requests[])", "(void)". */
void c_declare_list(FILE *out, const struct c_signature *s);
/* Whether it is passed as a pointer (arrays included), so that it may be null or another special
 * value. */
bool c_is_pointer(const struct c_parameter *p);

#endif
