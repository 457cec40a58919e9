/* SPDX-License-Identifier: BSD-3-Clause */
/* Hash map from 64-bit keys to 32-bit values, open addressing, linear probing.
 *
 * If a key is a hash of some content, the caller must compare the content: map_first and map_next walk all
 * values with one key. */
#ifndef REFRAIN_MAP_H
#define REFRAIN_MAP_H

#include <assert.h>
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

/* Add a value to a key, which may have other values. False when memory is short. */
bool map_add(struct map *m, uint64_t key, uint32_t value);

/* Set the only value of a key. False when memory is short. */
bool map_set(struct map *m, uint64_t key, uint32_t value);

/* Remove the pair; true if it was there. */
bool map_remove(struct map *m, uint64_t key, uint32_t value);

/* Return the first place to search for a key. Keys are hashes of content or plain numbers; the
 * multiplication spreads plain numbers. */
static inline size_t map_home(uint64_t key, size_t cap)
{
    assert(cap > 0 && (cap & (cap - 1)) == 0);
    key *= UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(key ^ key >> 32) & (cap - 1);
}

/* Find the next value of the key, at or after a place; *at becomes its place. */
static inline uint32_t map_find_from(const struct map *m, uint64_t key, size_t from, size_t *at)
{
    size_t i = from;
    while (m->entries[i].value != MAP_NONE && m->entries[i].key != key)
        i = (i + 1) & (m->cap - 1);
    *at = i;
    return m->entries[i].value;
}

/* All values under a key:  for (v = map_first(m, k, &at); v != MAP_NONE; v = map_next(m, k, &at)) */
static inline uint32_t map_first(const struct map *m, uint64_t key, size_t *at)
{
    *at = 0;
    return m->cap == 0 ? MAP_NONE : map_find_from(m, key, map_home(key, m->cap), at);
}

static inline uint32_t map_next(const struct map *m, uint64_t key, size_t *at)
{
    assert(*at < m->cap && m->entries[*at].key == key);
    return map_find_from(m, key, (*at + 1) & (m->cap - 1), at);
}

/* The same as map_add, right after map_first or map_next has found no value and returned a place. */
static inline bool map_add_at(struct map *m, uint64_t key, uint32_t value, size_t at)
{
    assert(value != MAP_NONE);
    assert(m->cap == 0 || m->entries[at].value == MAP_NONE);
    if ((m->n + 1) * 3 > m->cap * 2)
        return map_add(m, key, value);
    m->entries[at] = (struct map_entry){.key = key, .value = value};
    m->n++;
    return true;
}

/* The value under a key that has at most one; MAP_NONE if none. */
static inline uint32_t map_get(const struct map *m, uint64_t key)
{
    size_t at;
    return map_first(m, key, &at);
}

#endif
