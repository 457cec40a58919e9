/* SPDX-License-Identifier: BSD-3-Clause */
/* Which calls are recorded: those of the functions that REFRAIN_FUNCTIONS picks, while recording is on.
 *
 *     off ── REFRAIN_START calls, its signal, MPI_Pcontrol(1), (2) ──> on ── MPI_Pcontrol(0) ──> off
 *
 * It is on from the start unless REFRAIN_START is set. MPI_Init, MPI_Init_thread, MPI_Finalize and
 * MPI_Pcontrol are recorded in any case, and so is what the program says of itself (src/user). A call that is
 * not recorded is followed all the same: handles, communicators and requests are known whenever recording goes
 * on, and so are definitions. */
#ifndef REFRAIN_RECORDING_H
#define REFRAIN_RECORDING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/memory/guard.h"

/* When the tracer wakes up, after the configuration was read. */
void recording_start(void);
/* Puts the signal's handler in place, in front of the program's own if it has one by now. After MPI_Init,
 * again: the program may have set one meanwhile. Does nothing without a signal in REFRAIN_START. */
void recording_catch(void);
/* Gives the signal back. */
void recording_release(void);

/* How often recording was turned on or off: odd while it is on. */
extern GUARD_HIDDEN atomic_uint recording_changes;

static inline unsigned recording_now(void)
{
    return atomic_load_explicit(&recording_changes, memory_order_relaxed);
}

/* Has it been on, without a break, since there were `then` changes? */
static inline bool recording_on_since(unsigned then)
{
    return then % 2 && recording_now() - then <= 1;
}

/* Is the call of `function` that begins now recorded? Asked once for each call, and only with SLOW_PATH_ASK:
 * without it all are. From any thread. */
bool recording_wants(uint32_t function);

/* MPI_Pcontrol: 0 turns recording off, 1 on; 2 turns it on, and writes a part when the call is over. Other
 * levels mean nothing to us. From any thread. */
void recording_control(int level);

#endif
