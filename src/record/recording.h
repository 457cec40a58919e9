/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which calls are recorded: calls of the functions that REFRAIN_FUNCTIONS picks, while recording
 * is on.
 *
 *     off ── REFRAIN_START calls, its signal, MPI_Pcontrol(1), (2) ──> on ── MPI_Pcontrol(0) ──> off
 *
 * Recording is on from the start unless REFRAIN_START is set. MPI_Init, MPI_Init_thread, MPI_Finalize and
 * MPI_Pcontrol are always recorded, and so are the program's own annotations (src/user). The tracer also
 * follows calls that it does not record, so that it knows all handles, communicators and requests when
 * recording continues. It also records definitions. */
#ifndef REFRAIN_RECORDING_H
#define REFRAIN_RECORDING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/memory/guard.h"

/* Call this when the tracer wakes up, after it has read the configuration. */
void recording_start(void);
/* Install the handler of the signal; it then calls the program's handler, if there is one. Call it again
 * after MPI_Init, because the program may have set its handler in between. Does nothing without a signal
 * in REFRAIN_START. */
void recording_catch(void);
/* Restore the program's handler of the signal. */
void recording_release(void);

/* How often recording was turned on or off: odd while it is on. */
extern GUARD_HIDDEN atomic_uint recording_changes;

static inline unsigned recording_now(void)
{
    return atomic_load_explicit(&recording_changes, memory_order_relaxed);
}

/* Has recording been on without a break since recording_changes was `then`? */
static inline bool recording_on_since(unsigned then)
{
    return then % 2 && recording_now() - then <= 1;
}

/* Is the call of `function` that begins now recorded? Call it once for each call, and only with
 * SLOW_PATH_ASK; without SLOW_PATH_ASK all calls are recorded. From any thread. */
bool recording_wants(uint32_t function);

/* MPI_Pcontrol: 0 turns recording off, 1 on; 2 turns it on, and writes a part when the call is over. Other
 * levels mean nothing to us. From any thread. */
void recording_control(int level);

#endif
