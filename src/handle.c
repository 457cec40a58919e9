#include "handle.h"

#include <string.h>

#include "array.h"
#include "idpool.h"
#include "map.h"

static struct registry {
    struct map constants; /* value -> index of the constant */
    struct map live;      /* value -> first handle of its chain */
    ARRAY(struct handle) handles;
    uint32_t free; /* handles that are not live, linked by `next`, + 1; 0 at the end */
    uint64_t made; /* so far */
    struct idpool symbols;
} registries[HANDLE_KINDS];

uint64_t handle_load(const void *handle, size_t size)
{
    if (size == sizeof(int32_t)) {
        int32_t value;
        memcpy(&value, handle, sizeof value);
        return HANDLE_VALUE(value);
    }
    intptr_t value;
    memcpy(&value, handle, sizeof value);
    return HANDLE_VALUE(value);
}

struct handle *handle_at(enum handle_kind kind, uint32_t handle)
{
    return &registries[kind].handles.items[handle];
}

static int64_t slot_of(const struct registry *r, uint32_t handle)
{
    return (int64_t)r->handles.items[handle].symbol << 1;
}

static int64_t slot_of_constant(uint32_t index)
{
    return (int64_t)index << 1 | 1;
}

int64_t handle_find(enum handle_kind kind, uint64_t value, uint32_t *handle)
{
    const struct registry *r = &registries[kind];
    const uint32_t constant = map_get(&r->constants, value);
    if (constant != MAP_NONE) {
        *handle = HANDLE_NONE;
        return slot_of_constant(constant);
    }
    *handle = map_get(&r->live, value);
    return *handle == HANDLE_NONE ? HANDLE_UNKNOWN : slot_of(r, *handle);
}

int64_t handle_find_next(enum handle_kind kind, uint64_t value, uint64_t serial, uint32_t *handle)
{
    struct registry *r = &registries[kind];
    const int64_t slot = handle_find(kind, value, handle);
    if (*handle == HANDLE_NONE)
        return slot;

    struct handle *first = &r->handles.items[*handle];
    uint32_t at = *handle;
    if (first->serial == serial)
        at = first->visited == HANDLE_NONE ? HANDLE_NONE : r->handles.items[first->visited].next;
    while (at != HANDLE_NONE && r->handles.items[at].busy)
        at = r->handles.items[at].next;
    if (at != HANDLE_NONE || first->serial == serial) /* else all are busy, and the first is the best guess */
        *handle = at;
    first->serial = serial;
    first->visited = *handle;
    return *handle == HANDLE_NONE ? HANDLE_UNKNOWN
                                  : slot_of(r, *handle); /* passed more often than it is live */
}

bool handle_is_constant(enum handle_kind kind, uint64_t value)
{
    return map_get(&registries[kind].constants, value) != MAP_NONE;
}

static uint32_t take(struct registry *r)
{
    if (r->free) {
        const uint32_t handle = r->free - 1;
        r->free = r->handles.items[handle].next;
        return handle;
    }
    return array_reserve(&r->handles, 1) ? (uint32_t)r->handles.n++ : HANDLE_NONE;
}

/* On an error the tracer stops: nobody misses the symbol that was taken. */
enum refrain_status handle_add(enum handle_kind kind, uint64_t value, uint64_t class_key, uint32_t *handle,
                               bool *is_new)
{
    struct registry *r = &registries[kind];
    uint32_t symbol;
    enum refrain_status status = idpool_take(&r->symbols, class_key, &symbol, is_new);
    if (status)
        return status;
    const uint32_t new = take(r);
    if (new == HANDLE_NONE)
        return REFRAIN_ERR_MEMORY;

    struct handle *h = &r->handles.items[new];
    *h = (struct handle){
        .value = value,
        .symbol = symbol,
        .references = 1,
        .made = ++r->made,
        .next = HANDLE_NONE,
        .previous = HANDLE_NONE,
        .last = new,
        .active = true,
    };
    const uint32_t at = map_get(&r->live, value);
    if (at != HANDLE_NONE) {
        struct handle *first = &r->handles.items[at];
        h->previous = first->last;
        r->handles.items[first->last].next = new;
        first->last = new;
    } else if (!map_set(&r->live, value, new)) {
        return REFRAIN_ERR_MEMORY;
    }
    *handle = new;
    return REFRAIN_OK;
}

/* The second of a chain becomes its first. */
static void promote(struct registry *r, const struct handle *first)
{
    struct handle *second = &r->handles.items[first->next];
    second->previous = HANDLE_NONE;
    second->last = first->last;
    second->serial = 0;
    map_set(&r->live, first->value, first->next); /* the key is there: nothing is allocated */
}

void handle_release(enum handle_kind kind, uint32_t handle)
{
    struct registry *r = &registries[kind];
    struct handle *h = &r->handles.items[handle];
    if (--h->references > 0)
        return;

    if (h->previous != HANDLE_NONE) {
        struct handle *first = &r->handles.items[map_get(&r->live, h->value)];
        r->handles.items[h->previous].next = h->next;
        if (h->next != HANDLE_NONE)
            r->handles.items[h->next].previous = h->previous;
        else
            first->last = h->previous;
        first->serial = 0;
    } else if (h->next != HANDLE_NONE) {
        promote(r, h);
    } else {
        map_remove(&r->live, h->value, handle);
    }
    idpool_give(&r->symbols, h->symbol);
    h->made = 0;
    h->next = r->free;
    r->free = handle + 1;
}

void handle_release_value(enum handle_kind kind, uint64_t value)
{
    uint32_t handle;
    for (handle_find(kind, value, &handle); handle != HANDLE_NONE; handle_find(kind, value, &handle)) {
        handle_at(kind, handle)->references = 1;
        handle_release(kind, handle);
    }
}

enum refrain_status handle_add_constant(enum handle_kind kind, uint64_t value, int64_t index)
{
    struct registry *r = &registries[kind];
    if (map_get(&r->constants, value) != MAP_NONE)
        return REFRAIN_OK;
    return map_set(&r->constants, value, (uint32_t)index) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

void handle_clear(void)
{
    for (int kind = 0; kind < HANDLE_KINDS; kind++) {
        struct registry *r = &registries[kind];
        map_free(&r->constants);
        map_free(&r->live);
        array_free(&r->handles);
        r->free = 0;
        idpool_free(&r->symbols);
    }
}
