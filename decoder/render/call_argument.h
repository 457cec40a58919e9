/* SPDX-License-Identifier: BSD-3-Clause */
/* Single arguments of a call, looked up by name. Use this only for calls that are rare or have few arguments,
 * because each look-up walks the row. */
#ifndef REFRAIN_CALL_ARGUMENT_H
#define REFRAIN_CALL_ARGUMENT_H

#include "decoder/trace/cursor.h"

/* Finds the argument with its value before the call; if the call only writes the argument, with its value
 * after the call. Returns false if there is no such argument. */
bool call_argument(const struct reader *r, const struct call *call, const char *name,
                   struct layout_item *out);
/* Is the argument equal to this constant? If the argument is a set of flags: are all flags of the constant
 * set? */
bool call_argument_is(const struct reader *r, const struct call *call, const char *name,
                      const char *constant);
/* Has the call returned without an error? */
bool call_succeeded(const struct reader *r, const struct call *call);
/* Copies an argument that is a string to `to`; "" if there is no such argument. */
void call_argument_text(const struct reader *r, const struct call *call, const char *name, char *to,
                        size_t size);

#endif
