/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of one thread's requests or messages, or of all handles of another kind.
 *
 * Only the owner takes numbers: the thread, or who has locked the kind's registry. Other threads, which free
 * what the owner has made, put the number aside; the owner collects it before it takes the next one. */
#ifndef REFRAIN_HANDLE_NUMBERS_H
#define REFRAIN_HANDLE_NUMBERS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/core/base/array.h"
#include "src/core/base/id_allocator.h"
#include "src/core/base/placement.h"
#include "src/core/base/status.h"

struct handle_numbers {
    struct id_allocator numbers; /* touched by its owner alone; others put what they give back here: */
    pthread_mutex_t lock;
    ARRAY(uint32_t) returned; /* under the lock */
    atomic_bool has_returned;
    uint32_t lane;   /* whose they are; MAP_NONE: the rank's */
    atomic_bool met; /* another lane's rows have them */
};

void handle_numbers_init(struct handle_numbers *numbers, uint32_t lane);
void handle_numbers_clear(struct handle_numbers *numbers);

/* The numbers that other threads have given back. The owner's. */
COLD void handle_numbers_collect(struct handle_numbers *numbers);
/* From another thread than the owner. Without memory, which has been logged, the number is not used again. */
void handle_numbers_return(struct handle_numbers *numbers, uint32_t symbol);

/* As id_allocator_acquire. The owner's. */
static inline enum refrain_status handle_numbers_acquire(struct handle_numbers *numbers, uint64_t class_key,
                                                         uint32_t *symbol, bool *is_new)
{
    if (atomic_load_explicit(&numbers->has_returned, memory_order_relaxed))
        handle_numbers_collect(numbers);
    return id_allocator_acquire(&numbers->numbers, class_key, symbol, is_new);
}

#endif
