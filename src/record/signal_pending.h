/* SPDX-License-Identifier: BSD-3-Clause */
/* A signal that arrived while this thread was inside the tracer (thread.h), and that can wait until the
 * thread leaves. run/signals.c sets and delivers it. */
#ifndef REFRAIN_SIGNAL_PENDING_H
#define REFRAIN_SIGNAL_PENDING_H

#include <signal.h>

#include "src/core/base/placement.h"

/* Number of the pending signal; 0: none. */
extern _Thread_local volatile sig_atomic_t signal_pending __attribute__((tls_model("initial-exec")));
COLD void signal_deliver(void);

#endif
