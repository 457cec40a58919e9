/* SPDX-License-Identifier: BSD-3-Clause */
#include "handle_numbers.h"

void handle_numbers_init(struct handle_numbers *pool, uint32_t lane)
{
    pthread_mutex_init(&pool->lock, NULL);
    pool->lane = lane;
}

void handle_numbers_clear(struct handle_numbers *pool)
{
    id_allocator_free(&pool->numbers);
    array_free(&pool->returned);
}

void handle_numbers_collect(struct handle_numbers *pool)
{
    pthread_mutex_lock(&pool->lock);
    while (pool->returned.n > 0)
        id_allocator_release(&pool->numbers, pool->returned.items[--pool->returned.n]);
    atomic_store_explicit(&pool->has_returned, false, memory_order_relaxed);
    pthread_mutex_unlock(&pool->lock);
}

void handle_numbers_return(struct handle_numbers *pool, uint32_t symbol)
{
    pthread_mutex_lock(&pool->lock);
    if (array_push(&pool->returned, symbol))
        atomic_store_explicit(&pool->has_returned, true, memory_order_relaxed);
    pthread_mutex_unlock(&pool->lock);
}
