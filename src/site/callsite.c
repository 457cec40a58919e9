/* SPDX-License-Identifier: BSD-3-Clause */
#include "callsite.h"

#include <pthread.h>
#include <string.h>

#include "callpath.h"
#include "generated/functions.h"
#include "src/core/base/mix.h"
#include "src/core/trace/verify_record.h"
#include "src/settings/config.h"

static struct module_table modules;
/* Needed only for the first call from a place. */
static pthread_mutex_t modules_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- frames ---------------------------------------------------------------------------------- */

/* Whether the address is outside of the program: in the C library or the entry code, which call
 * main and the first function of each thread. */
static bool is_outside(const void *address)
{
    struct module module;
    return module_is_entry(address) || (module_find(address, &module) && module.kind == MODULE_C_LIBRARY);
}

/* Resolve n >= 1 return addresses to frames after those of the table. Frames of the MPI library
 * and, at the outer end, of the code that calls main are left out; at least one frame is kept.
 *
 * An offset is an address in the module's ELF file, as addr2line expects it. An address in no
 * module, such as one in code made at run time, has no name that other ranks share: all such
 * callers get one frame "?". */
static enum refrain_status resolve_path(struct callsite_table *t, void *const *path, uint32_t n,
                                        uint32_t *n_frames)
{
    if (!array_reserve(&t->frames, n))
        return REFRAIN_ERR_MEMORY;
    struct frame *frames = t->frames.items + t->frames.n;
    uint32_t kept = 0;
    while (n > 1 && is_outside(path[n - 1]))
        n--;
    for (uint32_t i = 0; i < n; i++) {
        struct module module;
        enum refrain_status status;
        if (!module_find(path[i], &module)) {
            frames[kept].offset = 0;
            status = module_intern_name(&modules, "?", &frames[kept].module);
        } else if (module.kind == MODULE_MPI && (kept > 0 || i + 1 < n)) {
            continue;
        } else {
            frames[kept].offset = (uintptr_t)path[i] - module.base;
            status = module_intern(&modules, &module, &frames[kept].module);
        }
        if (status)
            return status;
        kept++;
    }
    *n_frames = kept;
    return REFRAIN_OK;
}

/* ---- sites ----------------------------------------------------------------------------------- */

/* Find the site with the frames that were just resolved; add it and its frames to the table if it
 * is new. */
static enum refrain_status intern_site(struct callsite_table *t, struct lane *lane, uint32_t function,
                                       const char *name, uint32_t n_frames, uint32_t *index)
{
    struct frame *frames = t->frames.items + t->frames.n;
    const uint64_t hash = verify_record_site_hash(name, frames, n_frames, modules.names.items);
    size_t at;
    for (uint32_t i = map_first(&t->by_hash, hash, &at); i != MAP_NONE;
         i = map_next(&t->by_hash, hash, &at)) {
        const struct callsite *s = &t->sites.items[i];
        bool same = s->function == function && s->n_frames == n_frames;
        for (uint32_t k = 0; same && k < n_frames; k++) {
            const struct frame *f = &t->frames.items[s->first + k];
            same = f->module == frames[k].module && f->offset == frames[k].offset;
        }
        if (same) {
            *index = i;
            return REFRAIN_OK;
        }
    }
    struct callsite new = {
        .function = function,
        .hash = hash,
        .caller = verify_record_site_hash(name, frames, 1, modules.names.items),
        .first = t->frames.n,
        .n_frames = n_frames,
    };
    const struct site site = {.function = function, .n_frames = n_frames, .frames = frames};
    if (!array_reserve(&t->sites, 1))
        return REFRAIN_ERR_MEMORY;
    enum refrain_status status = lane_add_site(lane, &site, &new.site);
    if (status)
        return status;
    if (!map_add(&t->by_hash, hash, (uint32_t)t->sites.n))
        return REFRAIN_ERR_MEMORY;
    t->frames.n += n_frames;
    *index = (uint32_t)t->sites.n;
    t->sites.items[t->sites.n++] = new;
    return REFRAIN_OK;
}

static uint64_t key_of(uint32_t function, void *const *path, uint32_t n)
{
    uint64_t key = function;
    for (uint32_t i = 0; i < n; i++)
        key = mix(key, (uintptr_t)path[i]);
    return key;
}

/* Replace the entry that was remembered least recently. With whole call paths nothing is
 * remembered, as one address may have several paths. */
static void remember(struct callsite_table *t, uint32_t function, const void *address, uint32_t callsite)
{
    struct callsite_recent *r = callsite_recents(t, address);
    int last = 0;
    if (config.callpath)
        return;
    while (last < CALLSITE_WAYS - 1 && r[last].address && r[last].address != address)
        last++;
    memmove(r + 1, r, (size_t)last * sizeof *r);
    r[0] = (struct callsite_recent){.address = address, .function = function, .callsite = callsite};
}

enum refrain_status callsite_find(struct callsite_table *t, struct lane *lane, uint32_t function,
                                  const void *address, uint32_t *index)
{
    const char *name = gen_functable.functions.items[function].name;
    void *buffer[CALLPATH_MAX];
    void *const *path = buffer;
    uint32_t n = 1, n_frames;
    if (config.callpath)
        path = callpath_unwind(address, buffer, &n);
    else
        buffer[0] = (void *)address;

    const uint64_t key = key_of(function, path, n);
    size_t at;
    for (uint32_t v = map_first(&t->by_path, key, &at); v != MAP_NONE; v = map_next(&t->by_path, key, &at)) {
        const struct callsite_path *p = &t->paths.items[v];
        if (p->function == function && p->n == n &&
            memcmp(t->addresses.items + p->first, path, n * sizeof *path) == 0) {
            remember(t, function, address, p->callsite);
            *index = p->callsite;
            return REFRAIN_OK;
        }
    }

    struct callsite_path new = {.function = function, .first = t->addresses.n, .n = n};
    pthread_mutex_lock(&modules_lock);
    enum refrain_status status = resolve_path(t, path, n, &n_frames);
    if (!status)
        status = intern_site(t, lane, function, name, n_frames, &new.callsite);
    pthread_mutex_unlock(&modules_lock);
    if (status)
        return status;
    if (!array_reserve(&t->paths, 1) || !array_reserve(&t->addresses, n) ||
        !map_add(&t->by_path, key, (uint32_t)t->paths.n))
        return REFRAIN_ERR_MEMORY;
    memcpy(t->addresses.items + t->addresses.n, path, n * sizeof *path);
    t->addresses.n += n;
    t->paths.items[t->paths.n++] = new;
    remember(t, function, address, new.callsite);
    *index = new.callsite;
    return REFRAIN_OK;
}

void callsite_free(struct callsite_table *t)
{
    array_free(&t->sites);
    array_free(&t->paths);
    array_free(&t->frames);
    array_free(&t->addresses);
    map_free(&t->by_path);
    map_free(&t->by_hash);
    *t = (struct callsite_table){0};
}

const struct module_table *callsite_modules(void)
{
    return &modules;
}

void callsite_free_modules(void)
{
    module_table_free(&modules);
}
