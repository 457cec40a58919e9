/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints: parts (part.h) that are written while the run goes on, every REFRAIN_CHECKPOINT
 * seconds, in case the process is killed. They are made by
 *
 *     a thread of the tracer    sleeps until one is due, pauses the other threads, and writes it,
 *                               whether the rank computes or waits in a call
 *     calls                     at their end, if one was requested (MPI_Pcontrol), or all of them if
 *                               the thread could not be started
 *
 * The thread makes no MPI calls and receives no signals of the program. */
#ifndef REFRAIN_CHECKPOINT_H
#define REFRAIN_CHECKPOINT_H

/* Start checkpoints. The names of parts must exist (part_start). */
void checkpoint_start(void);
/* Stop checkpoints, because the run's trace or last part follows. Not while threads are paused. */
void checkpoint_stop(void);

/* Call this in a child after fork(), which does not have the thread. */
void checkpoint_forked(void);

/* Make one now, if the process still records and its end is not expected. Threads must be paused. */
void checkpoint_make(void);

#endif
