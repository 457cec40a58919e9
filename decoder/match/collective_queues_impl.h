/* SPDX-License-Identifier: BSD-3-Clause */
/* Internals of collective_queues.h: collective_queues.c keeps the queues, collective_agreement.c finds the
 * calls that belong together. */
#ifndef REFRAIN_COLLECTIVE_QUEUES_IMPL_H
#define REFRAIN_COLLECTIVE_QUEUES_IMPL_H

#include <assert.h>

#include "collective_queues.h"

static inline size_t queue_length(const struct collective_queue *q)
{
    assert(q->first <= q->calls.n);
    return q->calls.n - q->first;
}

/* Returns the waiting call at this place of the queue. */
static inline const struct collective_call *queue_call(const struct collective_queue *q, size_t place)
{
    assert(place < queue_length(q));
    return &q->calls.items[q->first + place];
}

enum agreement {
    AGREEMENT_NONE_YET,
    AGREEMENT_FOUND,  /* the calls in front are one operation */
    AGREEMENT_RETRY,  /* calls at the front were refused and repeated, so they are no part of an operation */
    AGREEMENT_DIFFERS /* the calls in front differ */
};

/* For each rank with waiting calls, chooses a queue (q->chosen) and how many of its calls to take (q->taken).
 * The caller must have reserved both arrays. */
enum agreement collective_agreement(struct collective_queues *q, const struct collective_scope *s,
                                    enum collective_wait wait);

#endif
