/* SPDX-License-Identifier: BSD-3-Clause */
/* The time at which the next checkpoint is due. Each call checks it when the call ends (tracer.h). */
#ifndef REFRAIN_CHECKPOINT_DUE_H
#define REFRAIN_CHECKPOINT_DUE_H

#include <stdatomic.h>
#include <stdint.h>

#include "src/memory/guard.h"

/* Value of checkpoint_due when there are no checkpoints. */
#define CHECKPOINT_NEVER UINT64_MAX

/* Time by clock_now, in nanoseconds. The first call that ends then or later makes the checkpoint. */
extern GUARD_HIDDEN atomic_uint_fast64_t checkpoint_due;

/* Accept requests from now on, because parts have names now. */
void checkpoint_allow(void);
/* Make a checkpoint due at the end of the current call, if checkpoints are allowed. */
void checkpoint_request(void);

#endif
