/* SPDX-License-Identifier: BSD-3-Clause */
#include "preceding.h"

#include "src/core/base/log.h"

#include <stdlib.h>

static enum refrain_status no_memory(size_t n)
{
    log_error("out of memory: calls before %zu", n);
    return REFRAIN_ERR_MEMORY;
}

enum refrain_status preceding_create(struct preceding *p, size_t n_sites, size_t n_lanes)
{
    *p = (struct preceding){n_sites, n_lanes, calloc(n_sites + 1, sizeof *p->rows)};
    return p->rows ? REFRAIN_OK : no_memory(n_sites);
}

void preceding_free(struct preceding *p)
{
    for (size_t i = 0; p->rows && i < p->n_sites; i++)
        free(p->rows[i]);
    free(p->rows);
    *p = (struct preceding){0};
}

enum refrain_status preceding_add(struct preceding *p, uint32_t lane, uint32_t site, uint32_t behind,
                                  uint64_t time)
{
    struct preceding_call **row = &p->rows[site];
    if (!*row && !(*row = calloc(p->n_lanes + 1, sizeof **row)))
        return no_memory(p->n_lanes);
    struct preceding_call *call = &(*row)[lane];
    if (call->site == behind)
        call->weight += time;
    else if (call->weight > time)
        call->weight -= time;
    else
        *call = (struct preceding_call){behind, time - call->weight};
    return REFRAIN_OK;
}

uint32_t preceding_find(const struct preceding *p, uint32_t lane, uint32_t site)
{
    const struct preceding_call *row = site < p->n_sites ? p->rows[site] : NULL;
    return row && row[lane].weight > 0 ? row[lane].site : PRECEDING_NONE;
}
