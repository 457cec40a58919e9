/* SPDX-License-Identifier: BSD-3-Clause */
#include "otf2_objects.h"

#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

void otf2_objects_create(struct otf2_objects *o)
{
    *o = (struct otf2_objects){0};
    pthread_mutex_init(&o->lock, NULL);
}

void otf2_objects_free(struct otf2_objects *o)
{
    for (size_t k = 0; k < OTF2_OBJECT_KINDS; k++) {
        struct otf2_object_list *list = &o->lists[k];
        for (size_t i = 0; i < list->n; i++)
            free(list->items[i].content);
        array_free(list);
        map_free(&list->by_hash);
    }
    for (size_t i = 0; i < o->grids.n; i++)
        free(o->grids.items[i].dimensions);
    array_free(&o->grids);
    pthread_mutex_destroy(&o->lock);
}

static enum refrain_status find_or_add(struct otf2_object_list *list, const void *content, size_t size,
                                       uint32_t *number)
{
    const uint64_t hash = XXH3_64bits(content, size);
    size_t at;
    for (uint32_t i = map_first(&list->by_hash, hash, &at); i != MAP_NONE;
         i = map_next(&list->by_hash, hash, &at)) {
        if (list->items[i].size == size && memcmp(list->items[i].content, content, size) == 0) {
            *number = i;
            return REFRAIN_OK;
        }
    }
    struct otf2_object object = {.content = malloc(size + 1), .size = size, .path_number = OTF2_NO_PATH};
    *number = (uint32_t)list->n;
    if (object.content && array_push(list, object)) {
        memcpy(object.content, content, size);
        return map_add(&list->by_hash, hash, *number) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    }
    free(object.content);
    log_error("out of memory: %zu windows, files or groups", list->n);
    return REFRAIN_ERR_MEMORY;
}

enum refrain_status otf2_objects_number(struct otf2_objects *o, enum otf2_object_kind kind,
                                        const void *content, size_t size, uint32_t *number)
{
    assert(kind < OTF2_OBJECT_KINDS);
    pthread_mutex_lock(&o->lock);
    const enum refrain_status status = find_or_add(&o->lists[kind], content, size, number);
    pthread_mutex_unlock(&o->lock);
    return status;
}

void otf2_objects_set_handle(struct otf2_objects *o, uint32_t number, uint32_t path, bool fleeting,
                             bool opened)
{
    pthread_mutex_lock(&o->lock);
    assert(number < o->lists[OTF2_HANDLE].n);
    struct otf2_object *handle = &o->lists[OTF2_HANDLE].items[number];
    handle->path_number = path;
    handle->fleeting = fleeting;
    handle->opened = handle->opened || opened;
    pthread_mutex_unlock(&o->lock);
}

struct otf2_object otf2_objects_handle(struct otf2_objects *o, uint32_t number)
{
    pthread_mutex_lock(&o->lock);
    assert(number < o->lists[OTF2_HANDLE].n);
    const struct otf2_object handle = o->lists[OTF2_HANDLE].items[number];
    pthread_mutex_unlock(&o->lock);
    return handle;
}

enum refrain_status otf2_objects_add_grid(struct otf2_objects *o, struct otf2_grid *grid)
{
    pthread_mutex_lock(&o->lock);
    const bool added = array_push(&o->grids, *grid);
    pthread_mutex_unlock(&o->lock);
    if (added)
        return REFRAIN_OK;
    free(grid->dimensions);
    return REFRAIN_ERR_MEMORY;
}
