/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory for a program that runs once: all of it lives until text_arena_free() at the end. Memory
 * is zeroed. If it is short, the program prints a message and exits with status 1, so no function
 * here returns NULL. */
#ifndef GEN_TEXT_ARENA_H
#define GEN_TEXT_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

void *text_arena_alloc(size_t size);
/* A terminated copy of the n bytes at `text`. */
char *text_arena_copy(const char *text, size_t n);
/* The text that printf would print. */
char *text_arena_format(const char *format, ...) __attribute__((format(printf, 1, 2), nonnull(1)));
/* The same with the arguments as a list, as for vprintf. */
char *text_arena_format_list(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0), nonnull(1)));
/* A copy in small letters. */
char *text_arena_lower(const char *text);
bool text_ends_with(const char *text, const char *end);
/* Make room for one more item after n items of `size` bytes. The array `items` must have started as
 * NULL and grown only by this function: its capacity is the next power of two, so most calls return
 * the same pointer. */
void *text_arena_more(void *items, size_t n, size_t size);
void text_arena_free(void);

#endif
