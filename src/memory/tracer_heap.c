/* SPDX-License-Identifier: BSD-3-Clause */
#include "tracer_heap.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "src/core/base/placement.h"

/* sizes of address ranges; under a limit of addresses, most of them are left to the program */
#define ROOM_MOST  ((size_t)1 << 30)
#define ROOM_LEAST ((size_t)16 << 20)
#define SHARE      16 /* use at most one SHAREth of the addresses */

/* A block on pages of its own also has its size in front, with the mark ALONE.
 *
 *     | – | size + ALONE | block …      |
 *     ^ page               ^ 16 */
#define ALONE ((size_t)1)
#define FRONT ((size_t)16)

HOT_DATA struct block_heap tracer_heap;
_Thread_local int tracer_heap_on_behalf;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The number of bytes to reserve, a multiple of ROOM_LEAST. */
static size_t room_wanted(void)
{
    struct rlimit addresses;
    if (getrlimit(RLIMIT_AS, &addresses) != 0 || addresses.rlim_cur / SHARE >= ROOM_MOST)
        return ROOM_MOST;
    const size_t room = addresses.rlim_cur / SHARE / ROOM_LEAST * ROOM_LEAST;
    return room > 0 ? room : ROOM_LEAST;
}

static bool start(void)
{
    for (size_t room = room_wanted(); room >= ROOM_LEAST; room /= 4) {
        if (block_heap_start(&tracer_heap, room))
            return true;
    }
    return false;
}

void *tracer_heap_malloc_block(size_t n)
{
    void *block = NULL;
    pthread_mutex_lock(&lock);
    if (tracer_heap.size > 0 || start())
        block = block_heap_malloc(&tracer_heap, n);
    pthread_mutex_unlock(&lock);
    return block;
}

static void *malloc_alone(size_t n)
{
    if (n > SIZE_MAX / 2) {
        errno = ENOMEM;
        return NULL;
    }
    const size_t whole = (n + FRONT + 15) / 16 * 16;
    uint8_t *pages = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
    const size_t head = whole + ALONE;
    memcpy(pages + FRONT - sizeof head, &head, sizeof head);
    return pages + FRONT;
}

/* The size of a block on pages of its own; 0 for a block in the reserved range. */
static size_t alone_size(const void *block)
{
    size_t head;
    memcpy(&head, (const uint8_t *)block - sizeof head, sizeof head);
    return head & ALONE ? head - ALONE : 0;
}

void *tracer_heap_malloc(size_t n)
{
    void *block = tracer_heap_malloc_block(n);
    return block ? block : malloc_alone(n);
}

void *tracer_heap_calloc(size_t n)
{
    void *block = tracer_heap_malloc_block(n);
    return block ? memset(block, 0, n) : malloc_alone(n);
}

void tracer_heap_free(void *block)
{
    assert(block);
    const size_t alone = alone_size(block);
    if (alone > 0) {
        munmap((uint8_t *)block - FRONT, alone);
        return;
    }
    pthread_mutex_lock(&lock);
    block_heap_free(&tracer_heap, block);
    pthread_mutex_unlock(&lock);
}

void *tracer_heap_cut(size_t n)
{
    return block_heap_cut(&tracer_heap, n);
}

size_t tracer_heap_size(const void *block)
{
    const size_t alone = alone_size(block);
    return alone > 0 ? alone - FRONT : block_heap_size(block);
}

void tracer_heap_forked(void)
{
    /* If another thread was changing the heap, a list has one block more or less, which does no
     * harm. */
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
