/* SPDX-License-Identifier: BSD-3-Clause */
#include "arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

#include "src/core/base/log.h"
#include "src/core/base/placement.h"

enum { FIRST_SIZE = 4096 };

/* blocks -> [next | size | bytes …] -> [next | size | bytes …] -> NULL, each at least twice as large as the
 * one after it. */
struct arena_block {
    struct arena_block *next;
    size_t size;
    max_align_t bytes[];
};

HOT void *arena_take(struct arena *a, size_t size)
{
    const size_t unit = alignof(max_align_t);
    if (size > SIZE_MAX / 4) {
        log_error("no memory for %zu bytes of arguments", size);
        return NULL;
    }
    size = (size + unit - 1) / unit * unit;
    if (!a->blocks || a->blocks->size - a->used < size) {
        size_t block_size = a->blocks ? 2 * a->blocks->size : FIRST_SIZE;
        if (block_size < size)
            block_size = size;
        struct arena_block *b = malloc(sizeof *b + block_size);
        if (!b) {
            log_error("no memory for %zu bytes of arguments", size);
            return NULL;
        }
        b->next = a->blocks;
        b->size = block_size;
        a->blocks = b;
        a->used = 0;
    }
    void *taken = (char *)a->blocks->bytes + a->used;
    a->used += size;
    return taken;
}

static void free_all(struct arena_block *b)
{
    while (b) {
        struct arena_block *next = b->next;
        free(b);
        b = next;
    }
}

HOT void arena_reset(struct arena *a)
{
    if (a->blocks && a->blocks->next) {
        free_all(a->blocks->next);
        a->blocks->next = NULL;
    }
    a->used = 0;
}

void arena_free(struct arena *a)
{
    free_all(a->blocks);
    *a = (struct arena){0};
}
