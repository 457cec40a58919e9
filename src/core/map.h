/* Hash map from 64-bit keys to 32-bit values, open addressing, linear probing.
 *
 * For things whose key is a hash of their content, the caller compares the content itself: map_first and
 * map_next walk all values entered under one key. */
#ifndef REFRAIN_MAP_H
#define REFRAIN_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAP_NONE UINT32_MAX /* no value; may not be stored */

struct map_entry {
    uint64_t key;
    uint32_t value; /* MAP_NONE: free; deletion shifts back, so there are no tombstones */
};

struct map {
    struct map_entry *entries;
    size_t n, cap; /* cap is 0 or a power of two; at most 2/3 full */
};

void map_free(struct map *m);
void map_clear(struct map *m); /* empty, memory kept */

/* The value under a key that has at most one; MAP_NONE if none. */
uint32_t map_get(const struct map *m, uint64_t key);

/* Enter a value under a key, beside others that it may have. False when memory is short. */
bool map_add(struct map *m, uint64_t key, uint32_t value);

/* Set the only value of a key. False when memory is short. */
bool map_set(struct map *m, uint64_t key, uint32_t value);

/* Remove the pair; true if it was there. */
bool map_remove(struct map *m, uint64_t key, uint32_t value);

/* All values under a key:  for (v = map_first(m, k, &at); v != MAP_NONE; v = map_next(m, k, &at)) */
uint32_t map_first(const struct map *m, uint64_t key, size_t *at);
uint32_t map_next(const struct map *m, uint64_t key, size_t *at);

#endif
