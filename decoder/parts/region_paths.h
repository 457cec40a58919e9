/* SPDX-License-Identifier: BSD-3-Clause */
/* In which regions (decoder/region) each lane is, as positions of part_times.h: nested regions are a path.
 *
 *     path   0 none   1 step   2 step/solve   3 step/exchange   4 exchange */
#ifndef REFRAIN_REGION_PATHS_H
#define REFRAIN_REGION_PATHS_H

#include "decoder/region/region_stack.h"
#include "decoder/waits/values/wait_places.h"

struct region_paths {
    ARRAY(struct region_path {
        uint32_t parent; /* a path */
        uint32_t name;   /* of the innermost region; not used in path 0 */
    })
    items; /* a parent is before its children */
    struct map by_hash;
    struct text_table names;
};

/* Walks the calls of all lanes. Places are paths. The caller frees *p and *places, also after an error. */
enum refrain_status region_paths_create(struct region_paths *p, struct wait_places *places,
                                        const struct reader *r);
void region_paths_free(struct region_paths *p); /* also of a zeroed struct */
/* Is any region of the path of that name? */
bool region_paths_has(const struct region_paths *p, uint32_t path, uint32_t name);

#endif
