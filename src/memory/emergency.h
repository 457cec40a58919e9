/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory for the moment in which the program ends, maybe by a signal that came inside malloc, maybe because
 * its heap is damaged: while a thread is in an emergency, what the tracer allocates in it comes from pages of
 * its own, and nothing that it gives back goes anywhere. The linker directs the allocations of the tracer
 * (and of src/core in it) here; those of the program and of other libraries are untouched (src/local.mk). */
#ifndef REFRAIN_EMERGENCY_H
#define REFRAIN_EMERGENCY_H

/* For this thread, for good: what it allocates from now on must not reach another thread's free(). */
void emergency_begin(void);
/* What was allocated meanwhile stays where it is, and can be given back like anything else. */
void emergency_end(void);

#endif
