/* SPDX-License-Identifier: BSD-3-Clause */
/* Call sites: a function and its caller, as modules and offsets of return addresses in them, so
 * they are equal on all ranks. The caller is the innermost one; with REFRAIN_CALLPATH=full, a site
 * has all callers. Each function and path of addresses is resolved once:
 *
 *     (function, addresses) ── by_path ──> path ── site ──> callsite: (function, frames)
 *
 * Several paths may have the same site, since not every address becomes a frame.
 *
 * Each thread has its own table, so that looking up a call site needs no lock. The process has one
 * table of the modules to which frames refer. */
#ifndef REFRAIN_CALLSITE_H
#define REFRAIN_CALLSITE_H

#include <stdint.h>

#include "src/core/base/array.h"
#include "src/core/base/map.h"
#include "src/core/lane/lane.h"
#include "src/memory/module.h"

struct callsite {
    uint32_t function;
    uint32_t site; /* number in the lane */
    uint64_t hash; /* verify_record_site_hash of names and offsets */
    /* The same of the innermost frame only. Classes of handles start from it, so that their numbers
     * do not depend on whether whole paths are recorded. */
    uint64_t caller;
    size_t first; /* its frames are frames[first … first + n_frames - 1] */
    uint32_t n_frames;
};

struct callsite_path {
    uint32_t function;
    uint32_t callsite; /* index into sites */
    size_t first;      /* its addresses are addresses[first … first + n - 1] */
    uint32_t n;
};

/* A call site that the thread called recently. An address belongs to one set of entries, which
 * fills a cache line. */
struct callsite_recent {
    const void *address; /* of the innermost caller; NULL: free */
    uint32_t function;
    uint32_t callsite; /* index into sites */
};

enum { CALLSITE_SETS = 64, CALLSITE_WAYS = 4 }; /* the number of sets is a power of two */

struct callsite_table {
    ARRAY(struct callsite) sites;
    ARRAY(struct callsite_path) paths;
    ARRAY(struct frame) frames;
    ARRAY(void *) addresses;
    struct map by_path, by_hash; /* -> paths, sites */
    struct callsite_recent recents[CALLSITE_SETS][CALLSITE_WAYS];
};

#define CALLSITE_NONE UINT32_MAX

static inline struct callsite_recent *callsite_recents(struct callsite_table *t, const void *address)
{
    return t
        ->recents[(uint64_t)(uintptr_t)address * UINT64_C(0x9E3779B97F4A7C15) >> 32 & (CALLSITE_SETS - 1)];
}

/* The index of the call site of `function` at a return address; CALLSITE_NONE if it was not called
 * recently. */
static inline uint32_t callsite_recall(struct callsite_table *t, uint32_t function, const void *address)
{
    const struct callsite_recent *r = callsite_recents(t, address);
    for (int i = 0; i < CALLSITE_WAYS; i++) {
        if (r[i].address == address)
            return r[i].function == function ? r[i].callsite : CALLSITE_NONE;
    }
    return CALLSITE_NONE;
}

/* Find any call site; a new one is registered in `lane`. */
enum refrain_status callsite_find(struct callsite_table *t, struct lane *lane, uint32_t function,
                                  const void *address, uint32_t *index);
void callsite_free(struct callsite_table *t);

/* The modules of all tables. No thread may be in callsite_find. */
const struct module_table *callsite_modules(void);
void callsite_free_modules(void);

#endif
