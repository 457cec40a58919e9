/* SPDX-License-Identifier: BSD-3-Clause */
#include "text_table.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

void text_table_free(struct text_table *p)
{
    bytes_free(&p->data);
    array_free(&p->items);
    map_free(&p->by_hash);
}

static uint32_t find(const struct text_table *p, uint64_t hash, const void *text, size_t n)
{
    size_t at;
    for (uint32_t v = map_first(&p->by_hash, hash, &at); v != MAP_NONE;
         v = map_next(&p->by_hash, hash, &at)) {
        if (p->items.items[v].n == n && (n == 0 || memcmp(text_table_at(p, v), text, n) == 0))
            return v;
    }
    return MAP_NONE;
}

uint32_t text_table_find(const struct text_table *p, const void *text, size_t n)
{
    return find(p, XXH3_64bits(text, n), text, n);
}

enum refrain_status text_table_intern(struct text_table *p, const void *text, size_t n, uint32_t *number)
{
    const uint64_t hash = XXH3_64bits(text, n);
    const uint32_t known = find(p, hash, text, n), fresh = (uint32_t)p->items.n;
    const struct text_item item = {.at = p->data.n, .n = n};
    if (known == MAP_NONE) {
        bytes_put(&p->data, text, n);
        if (p->data.failed || !array_push(&p->items, item) || !map_add(&p->by_hash, hash, fresh))
            return REFRAIN_ERR_MEMORY;
    }
    *number = known == MAP_NONE ? fresh : known;
    return REFRAIN_OK;
}
