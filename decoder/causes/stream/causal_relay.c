/* SPDX-License-Identifier: BSD-3-Clause */
#include "causal_relay.h"

enum refrain_status causal_relay_create(struct causal_relay *r, struct thread_pool *pool, size_t n_lanes,
                                        const struct causal_sink *to, struct causal_log *kept)
{
    *r = (struct causal_relay){.pool = pool, .kept = kept, .block = CAUSAL_RELAY_BLOCK};
    enum refrain_status status = causal_log_create(&r->log, n_lanes);
    if (status != REFRAIN_OK)
        return status;
    r->log.block = SIZE_MAX;
    r->keep = causal_log_sink(&r->log);
    r->teller = causal_teller_create(n_lanes, to);
    return r->teller ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

static enum refrain_status finish(struct causal_relay *r)
{
    const enum refrain_status status = r->begun ? thread_pool_end(r->pool, 0, &r->job) : REFRAIN_OK;
    r->begun = false;
    return status;
}

void causal_relay_free(struct causal_relay *r)
{
    finish(r);
    causal_log_free(&r->log);
    causal_teller_free(r->teller);
    for (size_t i = 0; i < CAUSAL_RELAY_BLOCKS; i++)
        bytes_free(&r->blocks[i]);
    *r = (struct causal_relay){0};
}

static enum refrain_status tell(void *context, size_t number, unsigned thread)
{
    struct causal_relay *r = context;
    const struct bytes *block = &r->blocks[number % CAUSAL_RELAY_BLOCKS];
    (void)thread;
    const enum refrain_status status = r->kept ? causal_log_add_block(r->kept, block) : REFRAIN_OK;
    return status == REFRAIN_OK ? causal_teller_tell(r->teller, block->data, block->n) : status;
}

static enum refrain_status hand_over(struct causal_relay *r)
{
    if (!r->begun)
        thread_pool_begin_queue(r->pool, &r->job, tell, r);
    r->begun = true;
    const enum refrain_status status = thread_pool_wait(r->pool, 0, &r->job, CAUSAL_RELAY_BLOCKS - 1);
    if (status != REFRAIN_OK || r->log.bytes.failed)
        return status == REFRAIN_OK ? REFRAIN_ERR_MEMORY : status;
    struct bytes *unused = &r->blocks[r->job.n % CAUSAL_RELAY_BLOCKS];
    const struct bytes block = r->log.bytes;
    r->log.bytes = *unused;
    *unused = block;
    causal_log_begin_block(&r->log);
    thread_pool_add(r->pool, &r->job);
    return REFRAIN_OK;
}

enum refrain_status causal_relay_end(struct causal_relay *r)
{
    const enum refrain_status status = hand_over(r), ended = finish(r);
    return status == REFRAIN_OK ? ended : status;
}

static enum refrain_status take_enter(void *context, const struct causal_call *call, uint32_t mark)
{
    struct causal_relay *r = context;
    const enum refrain_status status = r->log.bytes.n < r->block ? REFRAIN_OK : hand_over(r);
    return status == REFRAIN_OK ? r->keep.enter(r->keep.context, call, mark) : status;
}

static enum refrain_status take_leave(void *context, const struct causal_call *call,
                                      const struct causal_cause *causes, size_t n)
{
    struct causal_relay *r = context;
    return r->keep.leave(r->keep.context, call, causes, n);
}

static void take_forget(void *context, uint32_t mark)
{
    struct causal_relay *r = context;
    r->keep.forget(r->keep.context, mark);
}

static enum refrain_status take_join(void *context, uint32_t mark, const struct causal_cause *members,
                                     size_t n)
{
    struct causal_relay *r = context;
    return r->keep.join(r->keep.context, mark, members, n);
}

struct causal_sink causal_relay_sink(struct causal_relay *r)
{
    return (struct causal_sink){r, take_enter, take_leave, take_forget, take_join};
}
