#include "callsite.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "raw.h"

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static enum refrain_status intern_module(struct callsite_table *t, const char *name, uint32_t *index)
{
    for (size_t i = 0; i < t->modules.n; i++) {
        if (strcmp(t->modules.items[i], name) == 0) {
            *index = (uint32_t)i;
            return REFRAIN_OK;
        }
    }
    char *copy = strdup(name);
    if (!copy) {
        log_error("no memory for the name of a module");
        return REFRAIN_ERR_MEMORY;
    }
    if (!array_push(&t->modules, copy)) {
        free(copy);
        return REFRAIN_ERR_MEMORY;
    }
    *index = (uint32_t)(t->modules.n - 1);
    return REFRAIN_OK;
}

/* Offsets are addresses as the module's ELF file has them (what addr2line wants). An address in no module,
 * as of code made at run time, has no name that would be the same on other ranks: all such calls are one
 * site. */
static enum refrain_status resolve(struct callsite_table *t, const void *address, struct frame *frame)
{
    Dl_info info;
    struct link_map *module = NULL;
    if (!dladdr1(address, &info, (void **)&module, RTLD_DL_LINKMAP) || !module) {
        frame->offset = 0;
        return intern_module(t, "?", &frame->module);
    }
    frame->offset = (uint64_t)((uintptr_t)address - (uintptr_t)module->l_addr);
    bool is_program = !module->l_name || !*module->l_name;
    return intern_module(t, is_program ? program_invocation_short_name : base_name(module->l_name),
                         &frame->module);
}

static uint64_t key_of(uint32_t function, const void *address)
{
    return ((uint64_t)(uintptr_t)address << 10) + function; /* one address mostly calls one function */
}

enum refrain_status callsite_find(struct callsite_table *t, struct lane *lane, uint32_t function,
                                  const char *name, const void *address, const struct callsite **out)
{
    const uint64_t key = key_of(function, address);
    size_t at;
    for (uint32_t v = map_first(&t->by_address, key, &at); v != MAP_NONE;
         v = map_next(&t->by_address, key, &at)) {
        const struct callsite *s = &t->sites.items[v];
        if (s->address == address && s->function == function) {
            *out = s;
            return REFRAIN_OK;
        }
    }

    struct frame frame;
    enum refrain_status status = resolve(t, address, &frame);
    if (status)
        return status;
    struct callsite new = {
        .address = address,
        .function = function,
        .hash = raw_site_hash(name, &frame, 1, t->modules.items),
    };
    if (!array_reserve(&t->sites, 1))
        return REFRAIN_ERR_MEMORY;
    struct site site = {.function = function, .n_frames = 1, .frames = &frame};
    status = lane_add_site(lane, &site, &new.site);
    if (status)
        return status;
    if (!map_add(&t->by_address, key, (uint32_t)t->sites.n))
        return REFRAIN_ERR_MEMORY;
    t->sites.items[t->sites.n++] = new;
    *out = &t->sites.items[t->sites.n - 1];
    return REFRAIN_OK;
}

void callsite_free(struct callsite_table *t)
{
    for (size_t i = 0; i < t->modules.n; i++)
        free(t->modules.items[i]);
    array_free(&t->modules);
    array_free(&t->sites);
    map_free(&t->by_address);
}
