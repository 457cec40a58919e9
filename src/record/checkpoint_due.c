/* SPDX-License-Identifier: BSD-3-Clause */
#include "checkpoint_due.h"

#include <stdbool.h>

#include "src/core/base/placement.h"

HOT_DATA atomic_uint_fast64_t checkpoint_due = CHECKPOINT_NEVER;

static bool allowed;

void checkpoint_allow(void)
{
    allowed = true;
}

void checkpoint_request(void)
{
    if (allowed)
        atomic_store(&checkpoint_due, 0);
}
