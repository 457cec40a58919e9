/* SPDX-License-Identifier: BSD-3-Clause */
/* The symbols that have occurred, the commonest first.
 *
 *     symbol   17  21  18  33  …
 *     count   120  80  80   3         the next 18 goes before 21 */
#ifndef REFRAIN_SYMBOL_LIST_H
#define REFRAIN_SYMBOL_LIST_H

#include <assert.h>
#include <stdint.h>

#define SYMBOL_LIST_MAX 40

struct symbol_list {
    uint32_t n;
    struct {
        uint16_t symbol, count;
    } items[SYMBOL_LIST_MAX];
};

/* Count one more occurrence of symbol number `at`. */
static inline void symbol_list_count(struct symbol_list *l, uint32_t at)
{
    assert(at < l->n);
    const uint16_t symbol = l->items[at].symbol;
    const uint16_t count = (uint16_t)(l->items[at].count + (l->items[at].count < UINT16_MAX));
    for (; at > 0 && l->items[at - 1].count < count; at--)
        l->items[at] = l->items[at - 1];
    l->items[at].symbol = symbol;
    l->items[at].count = count;
}

/* Add a symbol that is not in the list. If the list is full, the last symbol is removed. */
static inline void symbol_list_add(struct symbol_list *l, uint16_t symbol)
{
    const uint32_t at = l->n < SYMBOL_LIST_MAX ? l->n++ : SYMBOL_LIST_MAX - 1;
    l->items[at].symbol = symbol;
    l->items[at].count = 0;
    symbol_list_count(l, at);
}

#endif
