/* SPDX-License-Identifier: BSD-3-Clause */
#include "id_allocator.h"
#include "placement.h"

#include <assert.h>

/* The heap invariant: free.items[i] is less than its children, items 2i + 1 and 2i + 2. */

static void heap_push(struct id_allocator_class *c, uint32_t id)
{
    assert(c->free.n < c->free.cap && c->free.n < c->ids);
    uint32_t *heap = c->free.items;
    size_t at = c->free.n++;
    while (at > 0 && heap[(at - 1) / 2] > id) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = id;
}

static uint32_t heap_pop(struct id_allocator_class *c)
{
    assert(c->free.n > 0);
    uint32_t *heap = c->free.items;
    uint32_t least = heap[0], last = heap[--c->free.n];
    size_t at = 0, child;
    while ((child = 2 * at + 1) < c->free.n) {
        if (child + 1 < c->free.n && heap[child + 1] < heap[child])
            child++;
        if (heap[child] >= last)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return least;
}

void id_allocator_free(struct id_allocator *p)
{
    for (size_t i = 0; i < p->classes.n; i++)
        array_free(&p->classes.items[i].free);
    array_free(&p->classes);
    array_free(&p->ids);
    map_free(&p->by_key);
}

static enum refrain_status find_class(struct id_allocator *p, uint64_t key, uint32_t *class)
{
    *class = map_get(&p->by_key, key);
    if (*class != MAP_NONE)
        return REFRAIN_OK;
    if (!array_reserve(&p->classes, 1) || !map_set(&p->by_key, key, (uint32_t)p->classes.n))
        return REFRAIN_ERR_MEMORY;
    *class = (uint32_t)p->classes.n;
    p->classes.items[p->classes.n++] = (struct id_allocator_class){0};
    return REFRAIN_OK;
}

HOT enum refrain_status id_allocator_acquire(struct id_allocator *p, uint64_t class_key, uint32_t *id,
                                             bool *is_new)
{
    uint32_t class;
    enum refrain_status status = find_class(p, class_key, &class);
    if (status != REFRAIN_OK)
        return status;
    struct id_allocator_class *c = &p->classes.items[class];
    if (c->free.n > 0) {
        *id = heap_pop(c);
        *is_new = false;
        p->ids.items[*id].taken = true;
        return REFRAIN_OK;
    }
    /* The heap is empty here, so this makes room for all ids of the class, and id_allocator_release cannot
     * fail. */
    if (!array_reserve(&c->free, c->ids + 1) || !array_reserve(&p->ids, 1))
        return REFRAIN_ERR_MEMORY;
    c->ids++;
    *id = (uint32_t)p->ids.n;
    *is_new = true;
    p->ids.items[p->ids.n++] = (struct id_allocator_id){.class = class, .taken = true};
    return REFRAIN_OK;
}

HOT bool id_allocator_release(struct id_allocator *p, uint32_t id)
{
    if (id >= p->ids.n || !p->ids.items[id].taken)
        return false;
    p->ids.items[id].taken = false;
    heap_push(&p->classes.items[p->ids.items[id].class], id);
    return true;
}
