/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals that end the program: before they do, its part is written (ending.h).
 *
 * Only where the program has set no action of its own, that is between the beginning of main and MPI_Init.
 * Handlers of the MPI library, Fortran's and their like, which print where the program was, come after ours.
 * Afterwards the action is what it was, and the same signal is sent once more: exit status and core dump are
 * those of a program that is not traced. */
#ifndef REFRAIN_SIGNALS_H
#define REFRAIN_SIGNALS_H

#include <signal.h>

/* Which actions has the program set, rather than a library on its way into memory? Before MPI_Init. */
void signals_look(void);
/* Puts the handlers in place; after MPI_Init. */
void signals_catch(void);
/* If an action is ours, it becomes the one that is there without us. */
void signals_hide(int number, struct sigaction *action);
/* The other way round: who puts that back gets ours. */
void signals_keep(int number, struct sigaction *action);
/* Puts back what was there, where nobody has changed it since. */
void signals_release(void);

#endif
