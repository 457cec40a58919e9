/* SPDX-License-Identifier: BSD-3-Clause */
#include "blocks.h"

#include <stddef.h>
#include <sys/mman.h>

#include "placement.h"

/* The position of an address in its leaf. */
static size_t word_of(uintptr_t address)
{
    return address / (BLOCKS_GRANULE * 64) % BLOCKS_WORDS;
}

static uint64_t bit_of(uintptr_t address)
{
    return UINT64_C(1) << address / BLOCKS_GRANULE % 64;
}

static size_t top_of(uintptr_t address)
{
    return address >> (BLOCKS_LEAF_BITS + BLOCKS_MID_BITS);
}

static size_t middle_of(uintptr_t address)
{
    return (address >> BLOCKS_LEAF_BITS) % ((size_t)1 << BLOCKS_MID_BITS);
}

static struct blocks_leaf *leaf_of(const struct blocks *b, uintptr_t address)
{
    if (top_of(address) >= (size_t)1 << BLOCKS_TOP_BITS)
        return NULL;
    struct blocks_middle *middle = atomic_load_explicit(&b->middles[top_of(address)], memory_order_acquire);
    return middle ? atomic_load_explicit(&middle->leaves[middle_of(address)], memory_order_acquire) : NULL;
}

/* ---- growing --------------------------------------------------------------------------------- */

/* Map pages, which are all zeros. */
static void *take_pages(size_t bytes)
{
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

/* Make a node at `place`. If two threads do this at once, the first one wins, and the other one
 * uses its node. */
#define MAKE_NODE(type, place)                                                                               \
    static type *make_##type(_Atomic(type *) *place)                                                         \
    {                                                                                                        \
        type *is = NULL, *made = take_pages(sizeof *made);                                                   \
        if (!made || atomic_compare_exchange_strong(place, &is, made))                                       \
            return made;                                                                                     \
        munmap(made, sizeof *made);                                                                          \
        return is;                                                                                           \
    }

typedef struct blocks_leaf leaf;
typedef struct blocks_middle middle;
MAKE_NODE(leaf, place)
MAKE_NODE(middle, place)

static leaf *make_path(struct blocks *b, uintptr_t address)
{
    if (top_of(address) >= (size_t)1 << BLOCKS_TOP_BITS)
        return NULL;
    _Atomic(middle *) *top = &b->middles[top_of(address)];
    middle *m = atomic_load_explicit(top, memory_order_acquire);
    if (!m && !(m = make_middle(top)))
        return NULL;
    return make_leaf(&m->leaves[middle_of(address)]);
}

/* ---- members --------------------------------------------------------------------------------- */

HOT bool blocks_add(struct blocks *b, uintptr_t address)
{
    if (address % BLOCKS_GRANULE)
        return false;
    struct blocks_leaf *l = leaf_of(b, address);
    if (!l && !(l = make_path(b, address)))
        return false;
    atomic_fetch_or_explicit(&l->begins[word_of(address)], bit_of(address), memory_order_relaxed);
    return true;
}

HOT bool blocks_remove(struct blocks *b, uintptr_t address, bool *marked)
{
    struct blocks_leaf *l = address % BLOCKS_GRANULE ? NULL : leaf_of(b, address);
    const size_t word = word_of(address);
    const uint64_t bit = bit_of(address);
    *marked = false;
    if (!l || !(atomic_load_explicit(&l->begins[word], memory_order_relaxed) & bit))
        return false;
    if (atomic_load_explicit(&l->marks[word], memory_order_relaxed) & bit) {
        atomic_fetch_and_explicit(&l->marks[word], ~bit, memory_order_relaxed);
        *marked = true;
    }
    atomic_fetch_and_explicit(&l->begins[word], ~bit, memory_order_relaxed);
    return true;
}

bool blocks_mark(struct blocks *b, uintptr_t address)
{
    struct blocks_leaf *l = leaf_of(b, address);
    return l &&
           !(atomic_fetch_or_explicit(&l->marks[word_of(address)], bit_of(address), memory_order_relaxed) &
             bit_of(address));
}

uintptr_t blocks_find(const struct blocks *b, uintptr_t address, uintptr_t reach)
{
    const uintptr_t lowest = address > reach ? address - reach : 0;
    const uintptr_t span = BLOCKS_GRANULE * 64; /* bytes that one word covers */
    uint64_t below = bit_of(address) | (bit_of(address) - 1);
    for (uintptr_t at = address / span * span;; at -= span, below = UINT64_MAX) {
        const struct blocks_leaf *l = leaf_of(b, at);
        const uint64_t begins =
            l ? atomic_load_explicit(&l->begins[word_of(at)], memory_order_relaxed) & below : 0;
        if (begins) {
            const uintptr_t found = at + (uintptr_t)(63 - __builtin_clzll(begins)) * BLOCKS_GRANULE;
            return found >= lowest ? found : 0;
        }
        if (at <= lowest || at < span)
            return 0;
    }
}
