/* SPDX-License-Identifier: BSD-3-Clause */
/* A relay passes a causal stream to its sink in another thread, while the producer continues.
 *
 *     stream ── enter, leave … ──> log: block 7 being made │ 6, 5 wait │ block 4 being told ──> sink
 *
 * The sink gets all events in order, from one thread at a time, without call numbers. */
#ifndef REFRAIN_CAUSAL_RELAY_H
#define REFRAIN_CAUSAL_RELAY_H

#include "causal_log.h"
#include "decoder/util/thread_pool.h"

#define CAUSAL_RELAY_BLOCK  ((size_t)64 << 10) /* bytes */
#define CAUSAL_RELAY_BLOCKS 16                 /* at most so many wait */

struct causal_relay {
    struct thread_pool *pool; /* NULL: no relay */
    struct causal_log *kept;  /* gets all events, too; the caller's; NULL: not wanted */
    struct causal_log log;    /* events that were not handed over yet */
    struct causal_sink keep;  /* the sink of `log` */
    size_t block;
    struct bytes blocks[CAUSAL_RELAY_BLOCKS]; /* block i of all is at i % CAUSAL_RELAY_BLOCKS */
    struct causal_teller *teller;
    struct thread_pool_job job; /* task i replays block i */
    bool begun;
};

/* The relay must not move in memory. Only the thread that created the pool may use it. */
enum refrain_status causal_relay_create(struct causal_relay *r, struct thread_pool *pool, size_t n_lanes,
                                        const struct causal_sink *to, struct causal_log *kept);
void causal_relay_free(struct causal_relay *r); /* also of a zeroed struct */
struct causal_sink causal_relay_sink(struct causal_relay *r);
/* Returns when the sink has all events. */
enum refrain_status causal_relay_end(struct causal_relay *r);

#endif
