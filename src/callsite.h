/* Call sites: (function, module, offset of the return address in it), the same on all ranks whatever the
 * address space layout. Resolved once for each function and address. */
#ifndef REFRAIN_CALLSITE_H
#define REFRAIN_CALLSITE_H

#include <stdint.h>

#include "array.h"
#include "lane.h"
#include "map.h"

struct callsite {
    const void *address;
    uint32_t function;
    uint32_t site; /* its number in the lane */
    uint64_t hash; /* raw_site_hash: of names and offset; classes of handles start from it */
};

struct callsite_table {
    ARRAY(struct callsite) sites;
    ARRAY(char *) modules; /* names that the frames refer to; owned */
    struct map by_address;
};

/* The call site of `function` (called `name`) at a return address, registered in `lane` if it is new. The
 * result is the table's and valid until the next look-up. */
enum refrain_status callsite_find(struct callsite_table *t, struct lane *lane, uint32_t function,
                                  const char *name, const void *address, const struct callsite **out);
void callsite_free(struct callsite_table *t);

#endif
