/* Memory of a program that runs once: everything lives until pool_free() at the end.
 *
 * What is asked for is zeroed. When memory is short the program says so and exits with status 1, so nothing
 * here returns NULL. */
#ifndef GEN_POOL_H
#define GEN_POOL_H

#include <stddef.h>

void *pool_alloc(size_t size);
/* A terminated copy of the n bytes at `text`. */
char *pool_copy(const char *text, size_t n);
/* What printf would print. */
char *pool_format(const char *format, ...) __attribute__((format(printf, 1, 2), nonnull(1)));
/* A copy in small letters. */
char *pool_lower(const char *text);
/* Room for one more item behind the n of `size` bytes at `items`, an array that started as NULL and only ever
 * grows by this call: its capacity is the next power of two, so most calls give the same pointer back. */
void *pool_more(void *items, size_t n, size_t size);
void pool_free(void);

#endif
