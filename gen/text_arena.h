/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a program that runs once: everything lives until text_arena_free() at the end.
 *
 * What is asked for is zeroed. When memory is short the program says so and exits with status 1, so nothing
 * here returns NULL. */
#ifndef GEN_TEXT_ARENA_H
#define GEN_TEXT_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

void *text_arena_alloc(size_t size);
/* A terminated copy of the n bytes at `text`. */
char *text_arena_copy(const char *text, size_t n);
/* What printf would print. */
char *text_arena_format(const char *format, ...) __attribute__((format(printf, 1, 2), nonnull(1)));
/* The same with the arguments in a list, as vprintf has them. */
char *text_arena_format_list(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0), nonnull(1)));
/* A copy in small letters. */
char *text_arena_lower(const char *text);
bool text_ends_with(const char *text, const char *end);
/* Room for one more item after the n of `size` bytes at `items`, an array that started as NULL and only ever
 * grows by this call: its capacity is the next power of two, so most calls give the same pointer back. */
void *text_arena_more(void *items, size_t n, size_t size);
void text_arena_free(void);

#endif
