/* Texts, each kept once and numbered from 0, in the order in which they came first. */
#ifndef REFRAIN_TEXT_POOL_H
#define REFRAIN_TEXT_POOL_H

#include "src/core/base/array.h"
#include "src/core/base/bytes.h"
#include "src/core/base/map.h"
#include "src/core/base/status.h"

struct pool_text {
    size_t at, n; /* n bytes of the data */
};

struct text_pool {
    struct bytes data; /* one text behind the other */
    ARRAY(struct pool_text) items;
    struct map by_hash;
};

void text_pool_free(struct text_pool *p); /* also of a zeroed struct */
/* The number of a text; MAP_NONE if it is not there. */
uint32_t text_pool_find(const struct text_pool *p, const void *text, size_t n);
/* … which is added then. */
enum refrain_status text_pool_intern(struct text_pool *p, const void *text, size_t n, uint32_t *number);

/* Valid until the next one is added. */
static inline const char *text_pool_at(const struct text_pool *p, uint32_t number)
{
    return (const char *)p->data.data + p->items.items[number].at;
}

#endif
