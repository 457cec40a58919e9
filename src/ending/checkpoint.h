/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints: parts of a run that goes on (part.h), every REFRAIN_CHECKPOINT seconds, for one that is killed.
 *
 *     a thread of the tracer's      sleeps until one is due, pauses the others, writes it: whatever the rank
 *                                   does, as computing, or waiting in a call for ever
 *     calls                         make one at their end that was asked for (MPI_Pcontrol), or all of them
 *                                   where there can be no such thread
 *
 * The thread calls no MPI, and no signal of the program is delivered to it. */
#ifndef REFRAIN_CHECKPOINT_H
#define REFRAIN_CHECKPOINT_H

/* Parts have names. */
void checkpoint_start(void);
/* No more of them: the run is about to have its trace, or its last part. Outside of pauses. */
void checkpoint_stop(void);

/* In a child after fork(), which has no such thread. */
void checkpoint_forked(void);

/* Makes one now, if the process records still and nobody takes it for dead. Threads have to be paused. */
void checkpoint_make(void);

#endif
