/* SPDX-License-Identifier: BSD-3-Clause */
/* When the next checkpoint is due: each call looks at it when it ends (tracer.h). */
#ifndef REFRAIN_CHECKPOINT_DUE_H
#define REFRAIN_CHECKPOINT_DUE_H

#include <stdatomic.h>
#include <stdint.h>

#include "src/memory/guard.h"

/* When there are no checkpoints. */
#define CHECKPOINT_NEVER UINT64_MAX

/* Nanoseconds of clock_now; the first call that ends then or later makes the checkpoint. */
extern GUARD_HIDDEN atomic_uint_fast64_t checkpoint_due;

/* Parts have names: from now on a request is heard. */
void checkpoint_allow(void);
/* Makes a checkpoint due at the end of the call at hand, once they are allowed. */
void checkpoint_request(void);

#endif
