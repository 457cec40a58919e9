/* SPDX-License-Identifier: BSD-3-Clause */
/* pthread_cancel must not end a thread inside the tracer: it would leave locks behind, and end where the
 * untraced program goes on. What opens, reads, writes or sleeps lies between these two. */
#ifndef REFRAIN_CANCEL_H
#define REFRAIN_CANCEL_H

#include <pthread.h>

/* For cancel_allow. */
static inline int cancel_forbid(void)
{
    int before = PTHREAD_CANCEL_ENABLE;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

/* As it was before. A request that came meanwhile takes effect at the program's next cancellation point. */
static inline void cancel_allow(int before)
{
    pthread_setcancelstate(before, NULL);
}

#endif
