/* SPDX-License-Identifier: BSD-3-Clause */
#include "address_offset.h"

#include <pthread.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "module.h"
#include "tracer_heap.h"

/* ---- the stack ------------------------------------------------------------------------------- */

_Thread_local struct address_offset_stack address_offset_stack;

void address_offset_find_stack(uintptr_t stack)
{
    pthread_attr_t attributes;
    void *low;
    size_t size;
    address_offset_stack.low = address_offset_stack.high =
        stack;           /* if the range cannot be found, no address is on the stack */
    tracer_heap_begin(); /* the C library reads /proc/self/maps through a buffer from malloc */
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
            address_offset_stack.low = (uintptr_t)low;
            address_offset_stack.high = (uintptr_t)low + size;
        }
        pthread_attr_destroy(&attributes);
    }
    tracer_heap_end();
}

/* ---- modules --------------------------------------------------------------------------------- */

/* Segments of modules in which an address was found. As with call sites, a module that is unloaded
 * keeps its entry.
 *
 * module_find takes the dynamic linker's lock. Another thread may hold that lock while it waits for
 * this one, so module_find is called without this lock. */
static struct {
    pthread_mutex_t lock;
    ARRAY(struct segment {
        uintptr_t start; /* of [start, end) */
        uintptr_t end;
        uintptr_t base; /* where address 0 of its file is mapped */
        uint32_t module;
    })
    segments;
    struct module_table modules;
} places = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool find_segment(uintptr_t address, struct segment *out)
{
    bool found = false;
    pthread_mutex_lock(&places.lock);
    for (size_t i = 0; i < places.segments.n && !found; i++) {
        const struct segment *s = &places.segments.items[i];
        found = address >= s->start && address < s->end;
        if (found)
            *out = *s;
    }
    pthread_mutex_unlock(&places.lock);
    return found;
}

static enum refrain_status add_segment(const struct module *m, const struct segment *new)
{
    uint32_t name;
    pthread_mutex_lock(&places.lock);
    enum refrain_status status = module_intern(&places.modules, m, &name);
    if (!status && !array_push(&places.segments, *new))
        status = REFRAIN_ERR_MEMORY;
    pthread_mutex_unlock(&places.lock);
    return status;
}

enum refrain_status address_offset_static(uintptr_t address, uint32_t *module, int64_t *offset)
{
    struct segment s;
    struct module m;
    *module = 0;
    if (!find_segment(address, &s)) {
        if (!module_find((const void *)address, &m))
            return REFRAIN_OK;
        s = (struct segment){m.start, m.end, m.base, (uint32_t)XXH64(m.name, strlen(m.name), 0)};
        const enum refrain_status status = add_segment(&m, &s);
        if (status)
            return status;
    }
    *module = s.module;
    *offset = (int64_t)(address - s.base);
    return REFRAIN_OK;
}

enum refrain_status address_offset_store(struct trace *t)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < places.modules.names.n && !status; i++) {
        uint32_t index;
        status = trace_intern_module(t, places.modules.names.items[i], &index);
    }
    for (size_t i = 0; i < places.modules.files.n && !status; i++)
        status = trace_set_meta(t, places.modules.files.items[i].key, places.modules.files.items[i].value);
    return status;
}
