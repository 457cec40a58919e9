/* What the wrappers of all bindings have in common: the code between call_begin and call_end (src/call.h)
 * that records the parameters, under the names and types that they have in C. Implemented in emit_wrap_c.c;
 * the Fortran wrappers (emit_wrap_f.c) make such variables of their own parameters first. */
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

/* The condition for `success`. */
const char *wrap_success(const struct c_signature *s);
/* Records the parameters before the call; makes the variables target_STATUS. -1 after a message. */
int wrap_before(const struct wrapper *w);
/* What leads to the call itself: to be followed by it. */
void wrap_enter(const struct wrapper *w);
/* From call_leave to call_end; the result is in the variable `returned`. -1 after a message. */
int wrap_after(const struct wrapper *w);

bool wrap_kind_is(const struct c_parameter *p, const char *name);
bool wrap_type_is(const struct c_parameter *p, const char *value_type);
bool wrap_is_array(const struct c_parameter *p);
bool wrap_is_in(const struct c_parameter *p);
bool wrap_is_out(const struct c_parameter *p);
/* A status that the call fills in, and that the application may not want. */
bool wrap_is_target(const struct c_parameter *p);
/* The variable that holds the address where the library shall put such a status. */
const char *wrap_target(const struct c_parameter *p);
/* Under which condition does an OUT parameter mean something, beside that of the whole call? NULL: always. */
const char *wrap_condition(const struct wrapper *w, const struct c_parameter *p);
/* The number of elements, or an ARRAY_ code; for strings their greatest length. NULL after saying that it is
 * not known. */
const char *wrap_length(const struct wrapper *w, const struct c_parameter *p);
/* The number of statuses that there is room for. */
const char *wrap_status_room(const struct wrapper *w);

#endif
