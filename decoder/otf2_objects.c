#include "otf2_objects.h"

#include "log.h"

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
            free(list->items[i].name);
        array_free(list);
        map_free(&list->by_scope);
    }
    for (size_t i = 0; i < o->grids.n; i++)
        free(o->grids.items[i].dimensions);
    array_free(&o->grids);
    pthread_mutex_destroy(&o->lock);
}

static bool is_same(const struct operation_scope *a, const struct operation_scope *b)
{
    return a->comm == b->comm && a->owner == b->owner && a->object == b->object;
}

static enum refrain_status find_or_add(struct otf2_object_list *list, const struct operation_scope *scope,
                                       const char *name, uint32_t *number)
{
    const uint64_t words[] = {(uint64_t)scope->comm, scope->owner, scope->object};
    const uint64_t key = XXH3_64bits(words, sizeof words);
    size_t at;
    for (uint32_t i = map_first(&list->by_scope, key, &at); i != MAP_NONE;
         i = map_next(&list->by_scope, key, &at)) {
        if (is_same(&list->items[i].scope, scope)) {
            *number = i;
            return REFRAIN_OK;
        }
    }
    struct otf2_object object = {.scope = *scope, .name = strdup(name)};
    *number = (uint32_t)list->n;
    if (object.name && array_push(list, object))
        return map_add(&list->by_scope, key, *number) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    free(object.name);
    log_error("out of memory: %zu windows or files", list->n);
    return REFRAIN_ERR_MEMORY;
}

enum refrain_status otf2_objects_number(struct otf2_objects *o, enum otf2_object_kind kind,
                                        const struct operation_scope *scope, const char *name,
                                        uint32_t *number)
{
    pthread_mutex_lock(&o->lock);
    const enum refrain_status status = find_or_add(&o->lists[kind], scope, name, number);
    pthread_mutex_unlock(&o->lock);
    return status;
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
