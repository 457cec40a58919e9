/* SPDX-License-Identifier: BSD-3-Clause */
#include "map.h"

#include "log.h"
#include "placement.h"

#include <assert.h>
#include <stdlib.h>

#define FIRST_CAPACITY 16

static size_t after(const struct map *m, size_t at)
{
    return (at + 1) & (m->cap - 1);
}

void map_free(struct map *m)
{
    free(m->entries);
    *m = (struct map){0};
}

void map_clear(struct map *m)
{
    for (size_t i = 0; i < m->cap; i++)
        m->entries[i].value = MAP_NONE;
    m->n = 0;
}

/* Place an entry. There is always a free place, since the map is at most 2/3 full. */
static void place(struct map *m, uint64_t key, uint32_t value)
{
    size_t at = map_home(key, m->cap);
    while (m->entries[at].value != MAP_NONE)
        at = after(m, at);
    m->entries[at] = (struct map_entry){.key = key, .value = value};
    m->n++;
}

static bool make_room(struct map *m)
{
    if ((m->n + 1) * 3 <= m->cap * 2)
        return true;

    struct map grown = {.cap = m->cap > 0 ? m->cap * 2 : FIRST_CAPACITY};
    if (grown.cap <= SIZE_MAX / sizeof *grown.entries)
        grown.entries = malloc(grown.cap * sizeof *grown.entries);
    if (!grown.entries) {
        log_error("out of memory: a map of %zu places", grown.cap);
        return false;
    }
    map_clear(&grown);
    for (size_t i = 0; i < m->cap; i++) {
        if (m->entries[i].value != MAP_NONE)
            place(&grown, m->entries[i].key, m->entries[i].value);
    }
    free(m->entries);
    *m = grown;
    return true;
}

bool map_add(struct map *m, uint64_t key, uint32_t value)
{
    assert(value != MAP_NONE);
    if (!make_room(m))
        return false;
    place(m, key, value);
    return true;
}

bool map_set(struct map *m, uint64_t key, uint32_t value)
{
    assert(value != MAP_NONE);
    size_t at;
    if (map_first(m, key, &at) == MAP_NONE)
        return map_add(m, key, value);
    m->entries[at].value = value;
    return true;
}

/* Close the gap: an entry further on moves into it unless its home lies after the gap.
 *
 *     home:   3  3  4  .          remove the first:     3  4  .  .
 *     place:  3  4  5  6                                3  4  5  6            */
static void close_gap(struct map *m, size_t gap)
{
    for (size_t at = after(m, gap); m->entries[at].value != MAP_NONE; at = after(m, at)) {
        size_t home = map_home(m->entries[at].key, m->cap);
        size_t from_home = (at - home) & (m->cap - 1);
        size_t from_gap = (at - gap) & (m->cap - 1);
        if (from_home >= from_gap) {
            m->entries[gap] = m->entries[at];
            gap = at;
        }
    }
    m->entries[gap].value = MAP_NONE;
}

HOT bool map_remove(struct map *m, uint64_t key, uint32_t value)
{
    size_t at;
    for (uint32_t v = map_first(m, key, &at); v != MAP_NONE; v = map_next(m, key, &at)) {
        if (v == value) {
            close_gap(m, at);
            m->n--;
            return true;
        }
    }
    return false;
}
