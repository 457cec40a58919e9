/* SPDX-License-Identifier: BSD-3-Clause */
#include "requests.h"

#include <assert.h>

uint64_t request_key(uint32_t thread, uint64_t number, bool message)
{
    return (uint64_t)message << 63 | (uint64_t)(thread & INT32_MAX) << 32 | (uint32_t)number;
}

void requests_start(struct requests *r)
{
    *r = (struct requests){.free = REQUEST_NONE};
}

void requests_stop(struct requests *r)
{
    map_free(&r->by_key);
    array_free(&r->slots);
}

uint32_t requests_find(const struct requests *r, uint64_t key)
{
    return map_get(&r->by_key, key);
}

uint32_t requests_add(struct requests *r, uint64_t key)
{
    assert(requests_find(r, key) == REQUEST_NONE);
    uint32_t slot = r->free;
    if (slot == REQUEST_NONE) {
        if (!array_push(&r->slots, (struct request){.next_free = REQUEST_NONE}))
            return REQUEST_NONE;
        slot = (uint32_t)(r->slots.n - 1);
    } else {
        r->free = r->slots.items[slot].next_free;
    }
    struct request *request = &r->slots.items[slot];
    request->key = key;
    request->used = true;
    request->persistent = request->active = false;
    request->n_parts = 0;
    request->starts = 0;
    request->next_free = REQUEST_NONE;
    if (map_add(&r->by_key, key, slot))
        return slot;
    request->used = false;
    request->next_free = r->free;
    r->free = slot;
    return REQUEST_NONE;
}

void requests_remove(struct requests *r, uint32_t slot)
{
    assert(slot < r->slots.n && r->slots.items[slot].used);
    struct request *request = &r->slots.items[slot];
    map_remove(&r->by_key, request->key, slot);
    request->used = false;
    request->next_free = r->free;
    r->free = slot;
}
