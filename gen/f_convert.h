/* SPDX-License-Identifier: BSD-3-Clause */
/* Convert the parameters of a Fortran wrapper to variables with C's names, types and values. The
 * twin gets the Fortran parameters themselves, except for statuses: it stores a status in
 * to_STATUS. */
#ifndef GEN_F_CONVERT_H
#define GEN_F_CONVERT_H

#include "f_types.h"
#include "wrap_parameter.h"

struct f_wrapper {
    struct wrapper w; /* first: a wrapper's `convert` gets its address */
    struct f_signature f;
};

/* Write the definitions of all C variables, with the values of IN and INOUT parameters. -1 after an
 * error message. */
int f_convert_before(const struct f_wrapper *w);
/* Write the conversion, after the call, of handles that the tracer watches. */
void f_convert_watched(const struct f_wrapper *w);
/* wrapper.convert: write the conversion of all other results. -1 after an error message. */
int f_convert_after(const struct wrapper *w);

#endif
