/* SPDX-License-Identifier: BSD-3-Clause */
/* Single arguments of a call, looked up by name; for calls that are not frequent, or have few arguments. */
#ifndef REFRAIN_CALL_ARGUMENT_H
#define REFRAIN_CALL_ARGUMENT_H

#include "decoder/trace/cursor.h"

/* The argument as it was before the call, or, of one that is only written, after it; false if there is none.
 */
bool call_argument(const struct reader *r, const struct call *call, const char *name,
                   struct layout_item *out);
/* Is the argument that constant; of flags, are these among them? */
bool call_argument_is(const struct reader *r, const struct call *call, const char *name,
                      const char *constant);
/* Has it returned, without an error? */
bool call_succeeded(const struct reader *r, const struct call *call);
/* A string; "" if there is none. */
void call_argument_text(const struct reader *r, const struct call *call, const char *name, char *to,
                        size_t size);

#endif
