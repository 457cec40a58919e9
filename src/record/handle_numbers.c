/* SPDX-License-Identifier: BSD-3-Clause */
#include "handle_numbers.h"

void handle_numbers_init(struct handle_numbers *numbers, uint32_t lane)
{
    pthread_mutex_init(&numbers->lock, NULL);
    numbers->lane = lane;
}

void handle_numbers_clear(struct handle_numbers *numbers)
{
    id_allocator_free(&numbers->numbers);
    array_free(&numbers->returned);
}

void handle_numbers_collect(struct handle_numbers *numbers)
{
    pthread_mutex_lock(&numbers->lock);
    while (numbers->returned.n > 0)
        id_allocator_release(&numbers->numbers, numbers->returned.items[--numbers->returned.n]);
    atomic_store_explicit(&numbers->has_returned, false, memory_order_relaxed);
    pthread_mutex_unlock(&numbers->lock);
}

void handle_numbers_return(struct handle_numbers *numbers, uint32_t symbol)
{
    pthread_mutex_lock(&numbers->lock);
    if (array_push(&numbers->returned, symbol))
        atomic_store_explicit(&numbers->has_returned, true, memory_order_relaxed);
    pthread_mutex_unlock(&numbers->lock);
}
