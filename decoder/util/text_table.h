/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of texts. Each text is stored once and numbered from 0, in the order of its first use. */
#ifndef REFRAIN_TEXT_TABLE_H
#define REFRAIN_TEXT_TABLE_H

#include <assert.h>

#include "src/core/base/array.h"
#include "src/core/base/bytes.h"
#include "src/core/base/map.h"
#include "src/core/base/status.h"

struct text_item {
    size_t at, n; /* n bytes of the data */
};

struct text_table {
    struct bytes data; /* one text after the other */
    ARRAY(struct text_item) items;
    struct map by_hash;
};

void text_table_free(struct text_table *p); /* also of a zeroed struct */
/* The number of a text; MAP_NONE if it is not there. */
uint32_t text_table_find(const struct text_table *p, const void *text, size_t n);
/* … which is added then. */
enum refrain_status text_table_intern(struct text_table *p, const void *text, size_t n, uint32_t *number);

/* Valid until the next one is added. */
static inline const char *text_table_at(const struct text_table *p, uint32_t number)
{
    assert(number < p->items.n);
    return p->data.n > 0 ? (const char *)p->data.data + p->items.items[number].at : "";
}

#endif
