/* SPDX-License-Identifier: BSD-3-Clause */
/* How long the process had no processor. Times of calls do not show it: a rank that computes for 10 ms, and is
 * interrupted for 5 ms by another program, seems to compute for 15 ms.
 *
 *     rank's main thread   ═══ runs ═══┆ ready: another thread has the processor ┆═══ runs ═══ sleeps ═══ runs
 *
 * Linux counts, for each thread, the time in which it was ready (/proc/self/schedstat). */
#ifndef REFRAIN_PROCESSOR_TIME_H
#define REFRAIN_PROCESSOR_TIME_H

/* At MPI_Init. */
void processor_time_start(void);
/* At the end of the run: makes an @processor record (docs/FORMAT.md) if the main thread was ready for at least 1 %
 * of the time since then. */
void processor_time_end(void);

#endif
