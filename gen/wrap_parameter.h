/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of a procedure's parameters, and the wrapper's C expressions for them. Returned texts
 * live as long as the generator (text_arena.h). */
#ifndef GEN_WRAP_PARAMETER_H
#define GEN_WRAP_PARAMETER_H

#include "emit_wrap.h"

/* Its name in C. */
const char *wrap_name(const struct c_parameter *p);
bool wrap_kind_is(const struct c_parameter *p, const char *name);
bool wrap_type_is(const struct c_parameter *p, const char *value_type);
bool wrap_is_array(const struct c_parameter *p);
/* IN or INOUT; OUT or INOUT. A buffer counts as IN: its address is recorded, which no call changes. */
bool wrap_is_in(const struct c_parameter *p);
bool wrap_is_out(const struct c_parameter *p);
/* A status that the call fills in, and that the application may ignore. */
bool wrap_is_target(const struct c_parameter *p);
/* Whether the application may pass a null pointer for a single value. */
bool wrap_is_nullable(const struct wrapper *w, const struct c_parameter *p);

/* Requests that the call does not change, but whose statuses it returns. */
bool wrap_is_peeked(const struct wrapper *w, const struct c_parameter *p);

/* Find the OUT parameter of a kind, or the requests that the call may complete; NULL if there is
 * none. */
const struct c_parameter *wrap_find_out(const struct wrapper *w, const char *kind);
const struct c_parameter *wrap_find_request(const struct wrapper *w);

/* Call `put` with each parameter for which `which` holds, in order. -1 if `put` failed for one of
 * them. */
int wrap_each(const struct wrapper *w, bool (*which)(const struct c_parameter *p),
              int (*put)(const struct wrapper *w, const struct c_parameter *p));

/* "*" if the parameter is a pointer to a single value, otherwise "". */
const char *wrap_star(const struct c_parameter *p);
/* The variable with the address for a status: the wrapper's own status if the application ignores
 * it. */
const char *wrap_target(const struct c_parameter *p);
/* The number of statuses that there is room for: at most the number of requests. NULL after an
 * error message if it is unknown. */
const char *wrap_status_room(const struct wrapper *w, const struct c_parameter *p);
/* The condition under which an OUT parameter has a meaning, in addition to that of the whole call;
 * NULL: always. */
const char *wrap_condition(const struct wrapper *w, const struct c_parameter *p);
/* The number of elements, or an ARRAY_ code; for strings, the greatest length. NULL after an error
 * message if it is unknown. */
const char *wrap_length(const struct wrapper *w, const struct c_parameter *p);
/* A handle as a number. Fortran handles in C (kinds F90_…) are converted to C handles. */
const char *wrap_handle_value(const struct kind *kind, const char *expression);
/* HANDLE_ and the name of the kind's set. */
const char *wrap_handle_kind(const struct kind *kind);
/* "address" or "value": the end of the name of the function in src/call/call.h that records an
 * address. */
const char *wrap_address_or_value(const struct c_parameter *p);

/* Write the code that records a status from the application or MPI_Status_c2f. A Fortran status is
 * converted to C first; MPI must not convert a sentinel. */
void wrap_read_status(const struct wrapper *w, const struct c_parameter *p, const char *indentation);

#endif
