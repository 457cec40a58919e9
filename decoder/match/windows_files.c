/* SPDX-License-Identifier: BSD-3-Clause */
#include "windows_files.h"

uint64_t window_file_key(bool file, int64_t handle)
{
    return (uint64_t)handle << 1 | file;
}

struct window_file *windows_files_find(struct windows_files *o, uint64_t key)
{
    for (size_t i = 0; i < o->items.n; i++) {
        if (o->items.items[i].key == key)
            return &o->items.items[i];
    }
    return NULL;
}

bool windows_files_add(struct windows_files *o, const struct window_file *object)
{
    windows_files_remove(o, object->key);
    return array_push(&o->items, *object);
}

void windows_files_remove(struct windows_files *o, uint64_t key)
{
    struct window_file *object = windows_files_find(o, key);
    if (!object)
        return;
    array_free(&object->epochs);
    *object = o->items.items[--o->items.n];
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

/* A lock of this target, a lock of all, a start, a fence: at most one sort is open for a target at a time,
 * but a fence may be followed by one of the others without having been closed (MPI 5.0, 12.5.1). */
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
    const size_t i = (size_t)(e - o->epochs.items);
    o->epochs.items[i] = o->epochs.items[--o->epochs.n];
}
