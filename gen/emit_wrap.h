/* SPDX-License-Identifier: BSD-3-Clause */
/* The common part of the wrappers of all bindings: the code between call_begin and call_end
 * (src/call/call.h) that records the parameters, with their C names and types. The Fortran wrappers
 * (emit_wrap_f.c) first make such variables from their own parameters. */
#ifndef GEN_EMIT_WRAP_H
#define GEN_EMIT_WRAP_H

#include "emit.h"

struct wrapper {
    FILE *out;
    struct c_signature s;
    const char *success; /* condition under which the OUT parameters have a meaning; NULL: always */
    /* Writes the work before the OUT parameters are recorded; NULL: none. -1 after an error
     * message. */
    int (*convert)(const struct wrapper *w);
};

/* The attribute before the result's type that decides where the wrapper is placed. */
const char *wrap_section(const struct c_signature *s);
/* Attributes of the functions that a wrapper calls, with a space in front; "" if there are none. */
const char *wrap_reach(const struct c_signature *s);
/* The condition for `success`: in C also that a receive was truncated, whose status says which message it took. */
const char *wrap_success(const struct c_signature *s, bool fortran);
/* Write the code that records parameters before the call, and defines the variables target_STATUS.
 * -1 after an error message. */
int wrap_before(const struct wrapper *w);
/* Write the code just before the call. */
void wrap_enter(const struct wrapper *w);
/* Write the code from call_leave to call_end; the result is in the variable `returned`. -1 after an
 * error message. */
int wrap_after(const struct wrapper *w);

#endif
