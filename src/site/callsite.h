/* SPDX-License-Identifier: BSD-3-Clause */
/* Call sites: a function and who called it, as modules and offsets of return addresses in them, the same on
 * all ranks whatever the address space layout. That is the innermost caller, or with REFRAIN_CALLPATH=full
 * all of them. Resolved once for each function and path of addresses:
 *
 *     (function, addresses) ── by_path ──> path ── site ──> callsite: (function, frames)
 *
 * Several paths may come to the same site, since not every address becomes a frame.
 *
 * Each thread has a table of its own, so that looking a call site up needs no lock. The modules that their
 * frames refer to are in one table of the process. */
#ifndef REFRAIN_CALLSITE_H
#define REFRAIN_CALLSITE_H

#include <stdint.h>

#include "src/core/base/array.h"
#include "src/core/base/map.h"
#include "src/core/lane/lane.h"
#include "src/memory/module.h"

struct callsite {
    uint32_t function;
    uint32_t site;   /* its number in the lane */
    uint64_t hash;   /* verify_record_site_hash: of names and offsets */
    uint64_t caller; /* the same of the innermost frame alone; classes of handles start from it, so that their
                        numbers do not depend on whether whole paths are recorded */
    size_t first;    /* its frames are frames[first … first + n_frames - 1] */
    uint32_t n_frames;
};

struct callsite_path {
    uint32_t function;
    uint32_t callsite; /* index into sites */
    size_t first;      /* its addresses are addresses[first … first + n - 1] */
    uint32_t n;
};

/* What a thread has called lately. An address has a set of places that it may be in, together a cache line.
 */
struct callsite_recent {
    const void *address; /* of the innermost caller; NULL: a free place */
    uint32_t function;
    uint32_t callsite; /* index into sites */
};

enum { CALLSITE_SETS = 64, CALLSITE_WAYS = 4 }; /* the sets a power of two */

struct callsite_table {
    ARRAY(struct callsite) sites;
    ARRAY(struct callsite_path) paths;
    ARRAY(struct frame) frames;
    ARRAY(void *) addresses;
    struct map by_path, by_hash; /* → paths, sites */
    struct callsite_recent recents[CALLSITE_SETS][CALLSITE_WAYS];
};

#define CALLSITE_NONE UINT32_MAX

static inline struct callsite_recent *callsite_recents(struct callsite_table *t, const void *address)
{
    return t
        ->recents[(uint64_t)(uintptr_t)address * UINT64_C(0x9E3779B97F4A7C15) >> 32 & (CALLSITE_SETS - 1)];
}

/* The index of the call site of `function` at a return address; CALLSITE_NONE if it was not called lately. */
static inline uint32_t callsite_recall(struct callsite_table *t, uint32_t function, const void *address)
{
    const struct callsite_recent *r = callsite_recents(t, address);
    for (int i = 0; i < CALLSITE_WAYS; i++) {
        if (r[i].address == address)
            return r[i].function == function ? r[i].callsite : CALLSITE_NONE;
    }
    return CALLSITE_NONE;
}

/* The same of any call site, registered in `lane` if it is new. */
enum refrain_status callsite_find(struct callsite_table *t, struct lane *lane, uint32_t function,
                                  const void *address, uint32_t *index);
void callsite_free(struct callsite_table *t);

/* The modules of all tables; while no thread is in callsite_find. */
const struct module_table *callsite_modules(void);
void callsite_free_modules(void);

#endif
