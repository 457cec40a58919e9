/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include <pthread.h>
#include <string.h>
#include <sys/resource.h>

#include "src/memory/tracer_heap.h"
#include "tests/unit/support/random.h"

Test(tracer_heap, blocks_of_every_size)
{
    for (size_t n = 0; n < ((size_t)40 << 20); n += n < 2048 ? 1 : n / 3) {
        uint8_t *block = tracer_heap_malloc(n);
        cr_assert(block, "%zu", n);
        cr_assert_eq((uintptr_t)block % 16, 0);
        cr_assert_geq(tracer_heap_size(block), n);
        memset(block, 0xA5, n);
        tracer_heap_free(block);
        block = tracer_heap_calloc(n);
        for (size_t i = 0; i < n; i++)
            cr_assert_eq(block[i], 0, "byte %zu of %zu", i, n);
        tracer_heap_free(block);
    }
    cr_assert_null(tracer_heap_malloc(SIZE_MAX - 64));
}

Test(tracer_heap, knows_its_blocks)
{
    int elsewhere;
    uint8_t *small = tracer_heap_malloc_block(100), *large = tracer_heap_malloc_block((size_t)8 << 20);
    cr_assert(small && large && tracer_heap_has(small) && tracer_heap_has(large));
    cr_assert_not(tracer_heap_has(&elsewhere));
    cr_assert_not(tracer_heap_has(NULL));
    cr_assert_null(tracer_heap_malloc_block((size_t)64 << 20), "it would need pages of its own");
    tracer_heap_free(small);
    tracer_heap_free(large);
    cr_assert_eq(tracer_heap_malloc_block(100), small, "what came back is given out first");
}

/* In an emergency, pieces are cut from the rest of the heap. */
Test(tracer_heap, is_cut)
{
    uint8_t *block = tracer_heap_malloc_block(100);
    const size_t before = tracer_heap.size, piece = (size_t)4 << 20;
    uint8_t *last = tracer_heap_cut(piece);
    cr_assert(block && last && before % piece == 0);
    memset(last, 0xA5, piece);
    cr_assert_eq((uintptr_t)last, tracer_heap.start + before - piece);
    cr_assert(tracer_heap_has(block) && tracer_heap_has(last - 1) && !tracer_heap_has(last));
    size_t cuts = 1;
    while (tracer_heap_cut(piece))
        cuts++;
    cr_assert_lt(cuts, before / piece, "what is in use stays");
    cr_assert_geq(cuts, before / piece - 1);
    memset(block, 0xA5, 100);
    cr_assert_null(tracer_heap_malloc_block(piece), "there are no addresses left");
    cr_assert(tracer_heap_malloc(piece));
}

#ifndef __SANITIZE_ADDRESS__ /* AddressSanitizer reserves terabytes of addresses */
Test(tracer_heap, leaves_addresses_to_the_program)
{
    const struct rlimit addresses = {(rlim_t)4 << 30, RLIM_INFINITY};
    cr_assert_eq(setrlimit(RLIMIT_AS, &addresses), 0);
    cr_assert(tracer_heap_malloc_block(100));
    cr_assert_eq(tracer_heap.size, (size_t)256 << 20);
}
#endif

Test(tracer_heap, is_cut_before_it_is_used)
{
    cr_assert_null(tracer_heap_cut(4096));
}

/* Threads that allocate at the same time never share a block. */
static void *churn(void *argument)
{
    enum { BLOCKS = 64, STEPS = 20000 };
    uint64_t r = random_seed((unsigned)(uintptr_t)argument);
    static _Thread_local struct {
        uint8_t *at;
        size_t n;
        uint8_t mark;
    } blocks[BLOCKS];
    for (int step = 0; step < STEPS; step++) {
        const size_t i = random_below(&r, BLOCKS);
        for (size_t b = 0; blocks[i].at && b < blocks[i].n; b++) {
            if (blocks[i].at[b] != blocks[i].mark)
                return (void *)1;
        }
        if (blocks[i].at)
            tracer_heap_free(blocks[i].at);
        blocks[i].n = 1 + random_below(&r, 700);
        blocks[i].mark = (uint8_t)random_below(&r, 256);
        blocks[i].at = tracer_heap_malloc(blocks[i].n);
        memset(blocks[i].at, blocks[i].mark, blocks[i].n);
    }
    return NULL;
}

Test(tracer_heap, threads_at_once)
{
    pthread_t threads[4];
    for (uintptr_t i = 0; i < 4; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, churn, (void *)(i + 1)), 0);
    for (int i = 0; i < 4; i++) {
        void *result;
        pthread_join(threads[i], &result);
        cr_assert_null(result);
    }
}
