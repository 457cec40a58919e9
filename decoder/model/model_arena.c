/* SPDX-License-Identifier: BSD-3-Clause */
#include "model_arena.h"

#include "src/core/base/log.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t)64 << 10)

struct arena_chunk {
    struct arena_chunk *next;
    size_t used, size;
    alignas(max_align_t) char data[];
};

static struct arena_chunk *add_chunk(struct arena *a, size_t least)
{
    const size_t size = least > CHUNK ? least : CHUNK;
    struct arena_chunk *chunk = calloc(1, sizeof *chunk + size);
    if (!chunk) {
        if (!a->failed)
            log_error("out of memory: %zu bytes", size);
        a->failed = true;
        return NULL;
    }
    chunk->size = size;
    chunk->next = a->chunks;
    a->chunks = chunk;
    return chunk;
}

void *arena_array(struct arena *a, size_t n, size_t size)
{
    const size_t unit = alignof(max_align_t);
    if (n > (SIZE_MAX / 4) / size) {
        log_error("out of memory: %zu objects of %zu bytes", n, size);
        return NULL;
    }
    const size_t bytes = (n * size + unit - 1) / unit * unit;
    struct arena_chunk *chunk = a->chunks;
    if ((!chunk || chunk->size - chunk->used < bytes) && !(chunk = add_chunk(a, bytes)))
        return NULL;
    void *out = chunk->data + chunk->used;
    chunk->used += bytes;
    return out;
}

struct arena_mark arena_mark(const struct arena *a)
{
    return (struct arena_mark){a->chunks, a->chunks ? a->chunks->used : 0};
}

void arena_return(struct arena *a, struct arena_mark mark)
{
    while (a->chunks != mark.chunk) {
        struct arena_chunk *next = a->chunks->next;
        free(a->chunks);
        a->chunks = next;
    }
    if (!mark.chunk)
        return;
    memset(mark.chunk->data + mark.used, 0, mark.chunk->used - mark.used);
    mark.chunk->used = mark.used;
}

void arena_join(struct arena *a, struct arena *from)
{
    struct arena_chunk **end = &from->chunks;
    while (*end)
        end = &(*end)->next;
    *end = a->chunks;
    a->chunks = from->chunks;
    from->chunks = NULL;
}

void arena_free(struct arena *a)
{
    while (a->chunks) {
        struct arena_chunk *next = a->chunks->next;
        free(a->chunks);
        a->chunks = next;
    }
}
