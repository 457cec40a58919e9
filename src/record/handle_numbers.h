/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of one thread's requests or messages, or of all handles of another kind.
 *
 * Only the owner takes numbers: the thread itself, or the thread that has locked the kind's registry. When
 * another thread frees a handle of the owner, it puts the number aside; the owner collects it before it
 * takes the next number. */
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
    struct id_allocator numbers; /* only the owner uses it; other threads return numbers here: */
    pthread_mutex_t lock;
    ARRAY(uint32_t) returned; /* protected by `lock` */
    atomic_bool has_returned;
    uint32_t lane;   /* lane of the owner; MAP_NONE: numbers of the rank */
    atomic_bool met; /* rows of another lane contain these numbers */
};

void handle_numbers_init(struct handle_numbers *numbers, uint32_t lane);
void handle_numbers_clear(struct handle_numbers *numbers);

/* Collect the numbers that other threads have returned. Only the owner calls it. */
COLD void handle_numbers_collect(struct handle_numbers *numbers);
/* Return a number from another thread than the owner. When memory is short (logged), the number is never
 * reused. */
void handle_numbers_return(struct handle_numbers *numbers, uint32_t symbol);

/* As id_allocator_acquire. Only the owner calls it. */
static inline enum refrain_status handle_numbers_acquire(struct handle_numbers *numbers, uint64_t class_key,
                                                         uint32_t *symbol, bool *is_new)
{
    if (atomic_load_explicit(&numbers->has_returned, memory_order_relaxed))
        handle_numbers_collect(numbers);
    return id_allocator_acquire(&numbers->numbers, class_key, symbol, is_new);
}

#endif
