/* SPDX-License-Identifier: BSD-3-Clause */
/* All lists over ranks that rows have, each once, grouped by the ranks that they are over.
 *
 *     lists     0: 1 2 3    1: 9 9 6    2: 5 7    3: 4 4 1        next   0 -> 1 -> 3
 *     domains   0: ranks 0 1 2, lists 0 1 3    1: ranks 4 8, list 2 */
#ifndef REFRAIN_CODEC_DOMAINS_H
#define REFRAIN_CODEC_DOMAINS_H

#include "codec_tables.h"
#include "src/core/base/array.h"
#include "src/core/base/map.h"

#define DOMAIN_END UINT32_MAX

struct domain_list {
    const struct series *series; /* borrowed from the trace */
    uint32_t next;               /* next list of the same domain; DOMAIN_END: none */
};

/* A set of ranks, and the lists over it. */
struct domain {
    const struct series *ranks;
    uint32_t first, last; /* lists */
};

struct domains {
    ARRAY(struct domain_list) lists; /* distinct, in the order of the trace */
    ARRAY(struct domain) domains;
    struct map list_index, domain_index;
    uint64_t values;
};

void domains_free(struct domains *d);
/* Collect the lists, except those that are cut from global lists, running sums or transposed. Lists
 * that would take too long are also left out: sets of ranks without a search for permutations, and
 * lists beyond some millions of values in all. */
enum refrain_status domains_collect(const struct trace *t, const struct codec_tables *tables,
                                    struct domains *out);

#endif
