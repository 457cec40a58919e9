/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside collective_queues.h: collective_queues.c has the queues, collective_agreement.c finds the calls that belong together. */
#ifndef REFRAIN_COLLECTIVE_QUEUES_IMPL_H
#define REFRAIN_COLLECTIVE_QUEUES_IMPL_H

#include "collective_queues.h"

static inline size_t queue_length(const struct collective_queue *q)
{
    return q->calls.n - q->first;
}

/* The call at a place of those that wait. */
static inline const struct collective_call *queue_call(const struct collective_queue *q, size_t place)
{
    return &q->calls.items[q->first + place];
}

enum agreement {
    AGREEMENT_NONE_YET,
    AGREEMENT_FOUND,  /* the calls in front are one operation */
    AGREEMENT_RETRY,  /* calls in front were refused, and are nothing to the others */
    AGREEMENT_DIFFERS /* calls in front differ */
};

/* Chooses a queue of each rank of which calls wait, q->chosen, and says how many of its calls are to be taken, q->taken.
 * There has to be room for them. */
enum agreement collective_agreement(struct collective_queues *q, const struct collective_scope *s,
                                    enum collective_wait wait);

#endif
