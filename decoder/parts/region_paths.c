/* SPDX-License-Identifier: BSD-3-Clause */
#include "region_paths.h"

#include "decoder/region/region_walk.h"
#include "decoder/waits/search/wait_lanes.h"
#include "src/core/base/log.h"
#include "src/core/base/mix.h"

struct following {
    struct region_paths *paths;
    struct wait_places *places;
};

/* Finds the path with one more region, or makes it. */
static bool extend(struct region_paths *p, uint32_t parent, uint32_t name, uint32_t *path)
{
    const uint64_t key = mix(parent, name);
    size_t at;
    uint32_t v = map_first(&p->by_hash, key, &at);
    for (; v != MAP_NONE; v = map_next(&p->by_hash, key, &at)) {
        if (p->items.items[v].parent == parent && p->items.items[v].name == name)
            break;
    }
    *path = v != MAP_NONE ? v : (uint32_t)p->items.n;
    return v != MAP_NONE || (array_push(&p->items, ((struct region_path){parent, name})) &&
                             map_add_at(&p->by_hash, key, *path, at));
}

static enum refrain_status take_change(void *context, size_t lane, const struct call *call,
                                       const struct region_stack *stack, bool ended)
{
    struct following *f = context;
    uint32_t path = 0;
    for (size_t i = 0; i < stack->open.n; i++) {
        if (!extend(f->paths, path, stack->open.items[i].name, &path)) {
            log_error("out of memory: %zu regions", f->paths->items.n);
            return REFRAIN_ERR_MEMORY;
        }
    }
    return wait_places_add(f->places, lane, 2 * call->index + 1 + ended, path);
}

enum refrain_status region_paths_create(struct region_paths *p, struct wait_places *places,
                                        const struct reader *r)
{
    struct following f = {.paths = p, .places = places};
    const struct region_walk walk = {.names = &p->names, .change = take_change, .context = &f};
    struct wait_lanes lanes;
    *p = (struct region_paths){0};
    enum refrain_status status = wait_lanes_create(&lanes, r);
    if (status != REFRAIN_OK)
        return status;
    status = array_push(&p->items, (struct region_path){0}) ? wait_places_create(places, lanes.n)
                                                            : REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < lanes.n && status == REFRAIN_OK; i++)
        status = wait_places_add(places, i, 0, 0);
    if (status == REFRAIN_OK)
        status = region_walk_all(&walk, r);
    places->n = p->items.n;
    wait_lanes_free(&lanes);
    return status;
}

void region_paths_free(struct region_paths *p)
{
    array_free(&p->items);
    map_free(&p->by_hash);
    text_table_free(&p->names);
    *p = (struct region_paths){0};
}

bool region_paths_has(const struct region_paths *p, uint32_t path, uint32_t name)
{
    while (path != 0 && p->items.items[path].name != name)
        path = p->items.items[path].parent;
    return path != 0;
}
