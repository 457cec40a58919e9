/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions about the parameters of a procedure, and the C expressions that the wrapper has for them. Texts
 * that are returned live as long as the generator (text_arena.h). */
#ifndef GEN_WRAP_PARAMETER_H
#define GEN_WRAP_PARAMETER_H

#include "emit_wrap.h"

/* Its name in C. */
const char *wrap_name(const struct c_parameter *p);
bool wrap_kind_is(const struct c_parameter *p, const char *name);
bool wrap_type_is(const struct c_parameter *p, const char *value_type);
bool wrap_is_array(const struct c_parameter *p);
/* IN or INOUT; OUT or INOUT. Of a buffer the address is recorded, which no call changes. */
bool wrap_is_in(const struct c_parameter *p);
bool wrap_is_out(const struct c_parameter *p);
/* A status that the call fills in, and that the application may not want. */
bool wrap_is_target(const struct c_parameter *p);
/* May the application pass a null pointer for a single value? */
bool wrap_is_nullable(const struct wrapper *w, const struct c_parameter *p);

/* Requests that the call does not change, but reports the statuses of. */
bool wrap_is_peeked(const struct wrapper *w, const struct c_parameter *p);

/* The OUT parameter of a kind, and the requests that the call may complete; NULL if there is none. */
const struct c_parameter *wrap_find_out(const struct wrapper *w, const char *kind);
const struct c_parameter *wrap_find_request(const struct wrapper *w);

/* Calls `put` with each parameter that `which` holds for, in their order, until one returns other than 0: -1.
 */
int wrap_each(const struct wrapper *w, bool (*which)(const struct c_parameter *p),
              int (*put)(const struct wrapper *w, const struct c_parameter *p));

/* "*" where the parameter is a pointer to one value, else "". */
const char *wrap_star(const struct c_parameter *p);
/* The variable that holds the address where the library shall put a status, which is the wrapper's own when
 * the application wants none. */
const char *wrap_target(const struct c_parameter *p);
/* The number of statuses that there is room for: not more than there are requests. NULL after saying that it is not
 * known. */
const char *wrap_status_room(const struct wrapper *w, const struct c_parameter *p);
/* Under which condition does an OUT parameter mean something, beside that of the whole call? NULL: always. */
const char *wrap_condition(const struct wrapper *w, const struct c_parameter *p);
/* The number of elements, or an ARRAY_ code; for strings their greatest length. NULL after saying that it is
 * not known. */
const char *wrap_length(const struct wrapper *w, const struct c_parameter *p);
/* A handle as a number. Fortran's, which C has as F90_ kinds, are turned into those of C. */
const char *wrap_handle_value(const struct kind *kind, const char *expression);
/* HANDLE_ and the name of the kind's set. */
const char *wrap_handle_kind(const struct kind *kind);
/* "address" or "value": the end of the name of the function of src/call/call.h that records an address. */
const char *wrap_address_or_value(const struct c_parameter *p);

/* Writes what records a status that the application has filled in, or MPI_Status_c2f and its like. Those of
 * Fortran are turned into one of C; MPI must not be asked to do that with a sentinel. */
void wrap_read_status(const struct wrapper *w, const struct c_parameter *p, const char *indentation);

#endif
