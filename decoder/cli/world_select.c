/* SPDX-License-Identifier: BSD-3-Clause */
#include "world_select.h"

#include "src/core/base/log.h"
#include "src/core/codec/worlds.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum refrain_status world_open(struct reader *r, const struct options *o)
{
    return world_open_operand(r, o, 0);
}

enum refrain_status world_open_operand(struct reader *r, const struct options *o, unsigned operand)
{
    uint64_t number = 0;
    const enum refrain_status status = options_number(o, OPTION_WORLD, 0, UINT32_MAX, &number);
    return status != REFRAIN_OK ? status : reader_open_world(r, o->operands[operand], (uint32_t)number);
}

bool world_read_spawner(const struct trace *t, struct world_spawner *out)
{
    const char *text = trace_meta(t, "spawner");
    struct world_spawner s;
    if (!text || sscanf(text, "%16s %" SCNu32 " %" SCNu32, s.run, &s.rank, &s.n) != 3)
        return false;
    *out = s;
    return true;
}

bool world_find_run(const char *path, uint32_t n_worlds, const char *run, uint32_t *number)
{
    for (uint32_t i = 0; i < n_worlds; i++) {
        struct reader r;
        if (reader_open_world(&r, path, i) != REFRAIN_OK)
            return false;
        const char *there = trace_meta(&r.trace, "run");
        const bool found = there && strcmp(there, run) == 0;
        reader_close(&r);
        if (found) {
            *number = i;
            return true;
        }
    }
    return false;
}

/* The worlds added so far. */
struct joined {
    ARRAY(struct {
        char *run; /* owned */
        const char *path;
    })
    items;
};

/* A file contains a world at most once. Traces that no run wrote have no run number and are never
 * duplicates. */
static enum refrain_status take_run(struct joined *j, const char *path, const struct trace *t)
{
    const char *run = trace_meta(t, "run");
    if (!run)
        return REFRAIN_OK;
    for (size_t i = 0; i < j->items.n; i++) {
        if (strcmp(j->items.items[i].run, run) == 0) {
            log_error("%s: run %s is also in %s: name only one of them", path, run, j->items.items[i].path);
            return REFRAIN_ERR_USAGE;
        }
    }
    if (!array_reserve(&j->items, 1))
        return REFRAIN_ERR_MEMORY;
    char *copy = strdup(run);
    if (!copy) {
        log_error("out of memory: the worlds of %s", path);
        return REFRAIN_ERR_MEMORY;
    }
    j->items.items[j->items.n].run = copy;
    j->items.items[j->items.n++].path = path;
    return REFRAIN_OK;
}

/* Checks that all worlds of the file can be read: joining looks only at sections. */
static enum refrain_status check_worlds(const char *path, const struct bytes *file, struct joined *joined)
{
    enum refrain_status status = REFRAIN_OK;
    uint32_t n_worlds = 1;
    for (uint32_t i = 0; status == REFRAIN_OK && i < n_worlds; i++) {
        struct reader r;
        status = reader_read(&r, path, file->data, file->n, i);
        n_worlds = r.n_worlds;
        if (status == REFRAIN_OK)
            status = take_run(joined, path, &r.trace);
        reader_close(&r); /* safe after an error, too: the reader is zeroed then */
    }
    return status;
}

/* Adds the images of a file after the present ones; the first image goes to *first. */
static enum refrain_status add(const char *path, struct bytes *first, struct worlds *others,
                               struct joined *joined)
{
    struct worlds more = {0};
    struct bytes own = {0};
    enum refrain_status status = reader_load(path, &own);
    if (status == REFRAIN_OK)
        status = check_worlds(path, &own, joined);
    if (status == REFRAIN_OK)
        status = worlds_split(path, own.data, own.n, &more);
    if (status == REFRAIN_OK && first->n == 0) {
        *first = own;
        own = (struct bytes){0};
    } else if (status == REFRAIN_OK) {
        struct bytes alone = {0};
        status = worlds_join(path, own.data, own.n, &(struct worlds){0}, &alone);
        if (status == REFRAIN_OK && !array_push(&others->images, alone)) {
            bytes_free(&alone);
            status = REFRAIN_ERR_MEMORY;
        }
    }
    for (size_t i = 0; i < more.images.n && status == REFRAIN_OK; i++) {
        if (!array_push(&others->images, more.images.items[i]))
            status = REFRAIN_ERR_MEMORY;
        else
            more.images.items[i] = (struct bytes){0};
    }
    worlds_free(&more);
    bytes_free(&own);
    return status;
}

enum refrain_status world_join(char *const *paths, size_t n, struct bytes *out)
{
    struct bytes first = {0};
    struct worlds others = {0};
    struct joined joined = {0};
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++)
        status = add(paths[i], &first, &others, &joined);
    if (status == REFRAIN_OK)
        status = worlds_join(paths[0], first.data, first.n, &others, out);
    for (size_t i = 0; i < joined.items.n; i++)
        free(joined.items.items[i].run);
    array_free(&joined.items);
    bytes_free(&first);
    worlds_free(&others);
    return status;
}
