/* What the parts of a call's recording share; for call*.c only. */
#ifndef REFRAIN_CALL_IMPL_H
#define REFRAIN_CALL_IMPL_H

#include "call.h"
#include "thread.h"
#include "tracer.h"

/* Room for n more slots. False when the tracer has failed, by now at least. */
bool call_reserve(struct call *call, size_t n);
void call_put(struct call *call, int64_t slot);
/* Begins an array of n elements with `each` slots; n may be an ARRAY_ code. True when elements are to follow.
 */
bool call_put_count(struct call *call, const void *array, int64_t n, size_t each);

#endif
