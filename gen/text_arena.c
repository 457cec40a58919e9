/* SPDX-License-Identifier: BSD-3-Clause */
#include "text_arena.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each allocation is a block of its own, in a list; a run of gen makes a few thousand. */
struct block {
    struct block *next;
    max_align_t bytes[];
};

static struct block *blocks;

void *text_arena_alloc(size_t size)
{
    struct block *b = calloc(1, sizeof *b + size);

    if (!b) {
        fprintf(stderr, "gen: out of memory\n");
        exit(EXIT_FAILURE);
    }
    b->next = blocks;
    blocks = b;
    return b->bytes;
}

char *text_arena_copy(const char *text, size_t n)
{
    char *copy = text_arena_alloc(n + 1);

    return memcpy(copy, text, n);
}

char *text_arena_lower(const char *text)
{
    char *copy = text_arena_copy(text, strlen(text));

    for (char *c = copy; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return copy;
}

char *text_arena_format_list(const char *format, va_list arguments)
{
    va_list again;
    char *text;
    int n;

    va_copy(again, arguments);
    n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    text = text_arena_alloc((size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, format, arguments);
    return text;
}

char *text_arena_format(const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = text_arena_format_list(format, arguments);
    va_end(arguments);
    return text;
}

bool text_ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && strcmp(text + n - m, end) == 0;
}

void *text_arena_more(void *items, size_t n, size_t size)
{
    void *more;

    if (n & (n - 1)) /* The capacity is a power of two: the array is full if n is 0, 1, 2, 4 … */
        return items;
    more = text_arena_alloc((n ? 2 * n : 1) * size);
    return n ? memcpy(more, items, n * size) : more;
}

void text_arena_free(void)
{
    while (blocks) {
        struct block *next = blocks->next;

        free(blocks);
        blocks = next;
    }
}
