/* SPDX-License-Identifier: BSD-3-Clause */
#include "own_topology.h"

#include "decoder/region/declared_topology.h"
#include "decoder/topology/identify/difference.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

/* Does each member have a place of its own? */
static bool are_different(const struct placement *p)
{
    bool *taken = calloc((size_t)placement_places(p) + 1, sizeof *taken);
    bool different = taken;
    for (uint32_t i = 0; i < p->n && different; i++) {
        different = p->at[i] != IMAGE_NONE && !taken[p->at[i]];
        if (different)
            taken[p->at[i]] = true;
    }
    free(taken);
    return different;
}

/* Places the members at their coordinates. Returns false if these are no places of a topology. */
static bool place_members(struct placement *p, const struct declared_topology *own,
                          const struct comm_members *world)
{
    uint32_t at[LATTICE_DIMS];
    bool known = true;
    for (uint32_t i = 0; i < world->n && known; i++) {
        const int64_t *coordinates = declared_topology_coords(own, world->ranks[i]);
        known = coordinates;
        for (unsigned d = 0; d < p->n_dims && known; d++)
            at[d] = (uint32_t)coordinates[d];
        if (known)
            p->at[i] = placement_of(p, at);
    }
    return known && are_different(p);
}

/* Takes the dimensions. Returns false if they are no lattice. */
static bool take_dimensions(struct placement *p, const struct declared_topology *own)
{
    for (unsigned d = 0; d < own->n && own->n <= LATTICE_DIMS; d++) {
        p->sizes[p->n_dims++] = own->dimensions[d].size;
        p->periodic |= (uint32_t)own->dimensions[d].periodic << d;
    }
    return p->n_dims > 0 && placement_places(p) <= TRACE_RANKS_MAX;
}

/* The list is ordered by communicator, and MPI_COMM_WORLD is the first. */
static enum refrain_status put_first(struct declared *to, const struct recorded_topology *t)
{
    if (!array_push(&to->items, *t))
        return REFRAIN_ERR_MEMORY;
    memmove(&to->items.items[1], &to->items.items[0], (to->items.n - 1) * sizeof *t);
    to->items.items[0] = *t;
    return REFRAIN_OK;
}

enum refrain_status own_topology_add(struct declared *to, const struct reader *r,
                                     const struct communicators *c)
{
    struct declared_topology own;
    struct recorded_topology t = {.function = "refrain_topology_cart", .parent = -1};
    enum refrain_status status = declared_topology_read(&own, r);
    if (status != REFRAIN_OK)
        return status;
    bool usable = c->items.n > 0 && take_dimensions(&t.cart, &own);
    if (usable)
        status = placement_reserve(&t.cart, c->items.items[0].n);
    usable = usable && status == REFRAIN_OK && place_members(&t.cart, &own, &c->items.items[0]);
    if (usable)
        status = put_first(to, &t);
    if (!usable || status != REFRAIN_OK)
        placement_free(&t.cart);
    declared_topology_free(&own);
    return status;
}
