/* SPDX-License-Identifier: BSD-3-Clause */
/* What the wrappers of all bindings have in common: the code between call_begin and call_end (src/call/call.h)
 * that records the parameters, under the names and types that they have in C. The Fortran wrappers
 * (emit_wrap_f.c) make such variables of their own parameters first. */
#ifndef GEN_EMIT_WRAP_H
#define GEN_EMIT_WRAP_H

#include "emit.h"

struct wrapper {
    FILE *out;
    struct c_signature s;
    const char *success; /* condition under which the OUT parameters mean something; NULL: always */
    /* Writes what has to be done before the OUT parameters are recorded; NULL: nothing. -1 after a message.
     */
    int (*convert)(const struct wrapper *w);
};

/* What says where the wrapper lies, before its result's type. */
const char *wrap_section(const struct c_signature *s);
/* Attributes of what a wrapper calls, with a space in front; "" for none. */
const char *wrap_reach(const struct c_signature *s);
/* The condition for `success`. */
const char *wrap_success(const struct c_signature *s);
/* Records the parameters before the call; makes the variables target_STATUS. -1 after a message. */
int wrap_before(const struct wrapper *w);
/* What leads to the call itself: to be followed by it. */
void wrap_enter(const struct wrapper *w);
/* From call_leave to call_end; the result is in the variable `returned`. -1 after a message. */
int wrap_after(const struct wrapper *w);

#endif
