/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/memory/merge_heap.h"
#include "tests/unit/support/random.h"

#define MOST ((size_t)128 << 10) /* with a size before it */

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* The number of pages of the heap that are in memory. */
static size_t resident(void)
{
    const size_t n = merge_heap.size / page_size();
    unsigned char *in = malloc(n);
    size_t found = 0;
    cr_assert(in);
    cr_assert_eq(mincore((void *)merge_heap.start, merge_heap.size, in), 0);
    for (size_t i = 0; i < n; i++)
        found += in[i] & 1;
    free(in);
    return found;
}

Test(merge_heap, blocks_of_every_size)
{
    cr_assert_not(merge_heap_has(&merge_heap_open));
    cr_assert_not(merge_heap_has(NULL));
    merge_heap_begin();
    cr_assert(merge_heap_open);
    for (size_t n = 0; n <= MOST - sizeof(size_t); n += n < 4096 ? 1 : 997) {
        uint8_t *block = merge_heap_malloc(n);
        cr_assert(block && merge_heap_has(block));
        cr_assert_eq((uintptr_t)block % 16, 0);
        const size_t room = block_heap_size(block);
        cr_assert_geq(room, n);
        cr_assert_leq(room, n + 16 + n / 4, "%zu bytes for %zu", room, n);
        memset(block, 0xA5, room);
        merge_heap_free(block);
        cr_assert_eq(merge_heap_malloc(n), block, "what came back is given out first");
        merge_heap_free(block);
    }
    cr_assert_null(merge_heap_malloc(MOST), "what is large is the allocator's");
    cr_assert_null(merge_heap_malloc(SIZE_MAX));
    merge_heap_end();
}

/* Blocks come and go in any order; none overlaps another. */
Test(merge_heap, blocks_stay_apart)
{
    enum { BLOCKS = 500, STEPS = 100000 };
    static struct {
        uint8_t *at;
        size_t n;
    } blocks[BLOCKS];
    uint64_t random = random_seed(1);
    merge_heap_begin();
    for (int step = 0; step < STEPS; step++) {
        const uint32_t k = random_below(&random, BLOCKS);
        for (size_t i = 0; i < blocks[k].n; i++)
            cr_assert_eq(blocks[k].at[i], (uint8_t)k);
        if (blocks[k].at)
            merge_heap_free(blocks[k].at);
        blocks[k].n = random_below(&random, step % 50 ? 300 : 20000);
        blocks[k].at = merge_heap_malloc(blocks[k].n);
        cr_assert(blocks[k].at);
        memset(blocks[k].at, (int)k, blocks[k].n);
    }
    merge_heap_end();
}

/* At the end all memory goes back, except for what is still in use. */
Test(merge_heap, pages_go_back)
{
    enum { BLOCKS = 1000, KEPT = 300 };
    uint8_t *blocks[BLOCKS];
    merge_heap_begin();
    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = merge_heap_malloc(10000);
        cr_assert(blocks[i]);
        memset(blocks[i], i, 10000);
    }
    for (int i = 0; i < BLOCKS; i++)
        if (i != KEPT)
            merge_heap_free(blocks[i]);
    cr_assert_geq(resident(), BLOCKS * 10000 / page_size());
    merge_heap_end();
    cr_assert_not(merge_heap_open);
    cr_assert_leq(resident(), 10000 / page_size() + 2);
    cr_assert(merge_heap_has(blocks[KEPT]));
    for (int i = 0; i < 10000; i++)
        cr_assert_eq(blocks[KEPT][i], (uint8_t)KEPT);
    merge_heap_free(blocks[KEPT]);
    merge_heap_end();
}

Test(merge_heap, ends_when_it_is_full)
{
    size_t n = 0;
    merge_heap_begin();
    while (merge_heap_malloc(MOST / 2))
        n++;
    cr_assert_geq(n, merge_heap.size / (MOST / 2 + MOST / 8));
    cr_assert_lt(n * MOST / 2, merge_heap.size);
    merge_heap_end();
}
