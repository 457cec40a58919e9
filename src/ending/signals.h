/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals that end the program: its part is written first (ending.h).
 *
 * The tracer catches a signal only if the program has set no action between the beginning of main
 * and MPI_Init. Handlers of the MPI library, of the Fortran runtime and others that only print a
 * backtrace run after the tracer's. Then the previous action is restored and the same signal sent
 * again: exit status and core dump are those of the untraced program. */
#ifndef REFRAIN_SIGNALS_H
#define REFRAIN_SIGNALS_H

#include <signal.h>

/* Find out which actions the program has set, not a library at load time. Call it before MPI_Init. */
void signals_look(void);
/* Install the handlers. Call it after MPI_Init. */
void signals_catch(void);
/* Replace the tracer's action by the previous one. */
void signals_hide(int number, struct sigaction *action);
/* The reverse: if the program sets the previous action, replace it by the tracer's. */
void signals_keep(int number, struct sigaction *action);
/* Restore the previous actions, unless they have changed since. */
void signals_release(void);

#endif
