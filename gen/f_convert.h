/* SPDX-License-Identifier: BSD-3-Clause */
/* From the parameters of a Fortran wrapper to variables with the names, types and values that they have in C.
 * The twin is called with the Fortran parameters themselves, but for statuses: to_STATUS is where the twin
 * shall put them. */
#ifndef GEN_F_CONVERT_H
#define GEN_F_CONVERT_H

#include "f_types.h"
#include "wrap_parameter.h"

struct f_wrapper {
    struct wrapper w; /* first: a wrapper's `convert` gets its address */
    struct f_signature f;
};

/* Defines all variables of C, with the values of what is IN or INOUT. -1 after a message. */
int f_convert_before(const struct f_wrapper *w);
/* The handles that the tracer watches, after the call. */
void f_convert_watched(const struct f_wrapper *w);
/* wrapper.convert: whatever else the call has filled in. -1 after a message. */
int f_convert_after(const struct wrapper *w);

#endif
