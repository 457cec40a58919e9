/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory while the program ends, perhaps because of a signal inside malloc, perhaps because its
 * heap is damaged. While a thread is in an emergency, the tracer's allocations in it come from
 * separate pages, and freeing does nothing. The linker directs the allocations of the tracer and of
 * src/core here, but not those of the program and of other libraries (src/local.mk). */
#ifndef REFRAIN_EMERGENCY_H
#define REFRAIN_EMERGENCY_H

/* Begin the emergency in this thread. Blocks allocated from now on must not reach free() in another
 * thread. */
void emergency_begin(void);
/* End it. Blocks allocated meanwhile stay valid and may be freed like others. */
void emergency_end(void);

#endif
