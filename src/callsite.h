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

#include "array.h"
#include "lane.h"
#include "map.h"
#include "module.h"

struct callsite {
    uint32_t function;
    uint32_t site;   /* its number in the lane */
    uint64_t hash;   /* raw_site_hash: of names and offsets */
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

/* What a thread has called lately. */
struct callsite_recent {
    const void *address; /* of the innermost caller; NULL: no answer for the next call */
    uint32_t function;
    uint32_t callsite; /* index into sites */
    uint64_t caller;   /* as in the call site */
};

#define CALLSITE_RECENTS 64 /* a power of two */

struct callsite_table {
    ARRAY(struct callsite) sites;
    ARRAY(struct callsite_path) paths;
    ARRAY(struct frame) frames;
    ARRAY(void *) addresses;
    struct map by_path, by_hash; /* → paths, sites */
    struct callsite_recent recents[CALLSITE_RECENTS];
};

/* The place of what was called from a return address. */
static inline struct callsite_recent *callsite_recent(struct callsite_table *t, const void *address)
{
    const uintptr_t a = (uintptr_t)address;
    return &t->recents[(a ^ a >> 6) & (CALLSITE_RECENTS - 1)];
}

/* The call site of `function` at a return address, registered in `lane` if it is new: into the place of the
 * address. */
enum refrain_status callsite_find(struct callsite_table *t, struct lane *lane, uint32_t function,
                                  const void *address);
void callsite_free(struct callsite_table *t);

/* The modules of all tables; while no thread is in callsite_find. */
const struct module_table *callsite_modules(void);
void callsite_free_modules(void);

#endif
