/* SPDX-License-Identifier: BSD-3-Clause */
/* C declarations of parameters, as the standard prints them. */
#ifndef GEN_C_PARSE_H
#define GEN_C_PARSE_H

#include "interface_model.h"

/* "const char *argv[]": type "char", name "argv", constant, depth 2, of which 1 in brackets; row "".
 * "int ranges[][3]":    type "int", name "ranges", depth 2, 2 in brackets; row "3".
 * "...":                type "...", name "varargs". A parameter without a name has the name "". */
struct c_declaration {
    const char *type;
    const char *name;
    bool constant;
    int depth; /* stars and brackets together */
    int brackets;
    const char *row; /* length of the second dimension */
};

/* Parse "(int count, MPI_Request array_of_requests[])", with its parentheses. */
int c_parse_list(struct source_position place, const char *text, struct c_declaration **out, size_t *n);

#endif
