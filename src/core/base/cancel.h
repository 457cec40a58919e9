/* SPDX-License-Identifier: BSD-3-Clause */
/* pthread_cancel must not end a thread inside the tracer: the thread would leave locks behind, and would
 * end where the untraced program continues. Code that opens, reads, writes or sleeps is between these two
 * calls. */
#ifndef REFRAIN_CANCEL_H
#define REFRAIN_CANCEL_H

#include <pthread.h>

/* Forbid cancellation. Pass the result to cancel_allow. */
static inline int cancel_forbid(void)
{
    int before = PTHREAD_CANCEL_ENABLE;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

/* Restore the state before cancel_forbid. A request that came in between takes effect at the program's
 * next cancellation point. */
static inline void cancel_allow(int before)
{
    pthread_setcancelstate(before, NULL);
}

#endif
