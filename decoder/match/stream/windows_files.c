/* SPDX-License-Identifier: BSD-3-Clause */
#include "windows_files.h"

#include <assert.h>
#include <string.h>

uint64_t window_file_key(bool file, int64_t handle)
{
    return (uint64_t)handle << 1 | file;
}

struct window_file *windows_files_find(struct windows_files *o, uint64_t key, uint32_t thread)
{
    struct window_file *found = NULL;
    for (size_t i = o->items.n; i-- > 0;) {
        struct window_file *object = &o->items.items[i];
        if (object->key == key && object->thread == thread)
            return object;
        if (object->key == key && !found)
            found = object;
    }
    return found;
}

/* Keeps the order: the last item is the one that was made last. */
static void remove_at(struct windows_files *o, size_t at)
{
    array_free(&o->items.items[at].epochs);
    memmove(&o->items.items[at], &o->items.items[at + 1], (--o->items.n - at) * sizeof *o->items.items);
}

bool windows_files_add(struct windows_files *o, const struct window_file *object)
{
    const struct window_file *old = windows_files_find(o, object->key, object->thread);
    if (old && old->thread == object->thread)
        remove_at(o, (size_t)(old - o->items.items));
    return array_push(&o->items, *object);
}

void windows_files_remove(struct windows_files *o, uint64_t key, uint32_t thread)
{
    const struct window_file *object = windows_files_find(o, key, thread);
    if (object)
        remove_at(o, (size_t)(object - o->items.items));
}

void windows_files_free(struct windows_files *o)
{
    for (size_t i = 0; i < o->items.n; i++)
        array_free(&o->items.items[i].epochs);
    array_free(&o->items);
}

bool window_file_open(struct window_file *o, const struct epoch *e)
{
    return array_push(&o->epochs, *e);
}

struct epoch *window_file_epoch(struct window_file *o, enum role_epoch kind, int64_t target)
{
    for (size_t i = 0; i < o->epochs.n; i++) {
        struct epoch *e = &o->epochs.items[i];
        if (e->kind == kind && e->target == target)
            return e;
    }
    return NULL;
}

/* Returns the open epoch: a lock of this target, a lock of all, a start or a fence. At most one
 * kind is open for a target at a time, but after a fence another kind may follow without a closing
 * call (MPI 5.0, 12.5.1). */
const struct epoch *window_file_access(struct window_file *o, int64_t target)
{
    static const enum role_epoch kinds[] = {ROLE_LOCK, ROLE_LOCK_ALL, ROLE_ACCESS, ROLE_FENCE};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const struct epoch *e =
            window_file_epoch(o, kinds[i], kinds[i] == ROLE_LOCK ? target : OPERATION_ANY);
        if (e)
            return e;
    }
    return NULL;
}

void window_file_close(struct window_file *o, const struct epoch *e)
{
    assert(e >= o->epochs.items && e < o->epochs.items + o->epochs.n);
    const size_t i = (size_t)(e - o->epochs.items);
    o->epochs.items[i] = o->epochs.items[--o->epochs.n];
}
