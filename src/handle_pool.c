#include "handle_pool.h"

void handle_pool_init(struct handle_pool *pool, uint32_t lane)
{
    pthread_mutex_init(&pool->lock, NULL);
    pool->lane = lane;
}

void handle_pool_clear(struct handle_pool *pool)
{
    idpool_free(&pool->numbers);
    array_free(&pool->returned);
}

void handle_pool_collect(struct handle_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    while (pool->returned.n > 0)
        idpool_give(&pool->numbers, pool->returned.items[--pool->returned.n]);
    atomic_store_explicit(&pool->has_returned, false, memory_order_relaxed);
    pthread_mutex_unlock(&pool->lock);
}

void handle_pool_return(struct handle_pool *pool, uint32_t symbol)
{
    pthread_mutex_lock(&pool->lock);
    if (array_push(&pool->returned, symbol))
        atomic_store_explicit(&pool->has_returned, true, memory_order_relaxed);
    pthread_mutex_unlock(&pool->lock);
}
