/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of processes, their communicators, and grids on these. Groups come before communicators,
 * the group of locations first. */
#include "otf2_global_impl.h"

#include "src/core/base/log.h"

#include <inttypes.h>
#include <stdlib.h>

static void put_group(struct global *g, OTF2_GroupRef id, OTF2_StringRef name, OTF2_GroupType type,
                      const uint64_t *members, uint32_t n)
{
    DEFINE(g, Group, id, name, type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, n, members);
}

/* A rank's location is its first thread's. */
static void group_of_locations(struct global *g, OTF2_StringRef name, uint64_t *members)
{
    uint32_t n = 0;
    for (size_t i = 0; i < g->locations->n; i++) {
        const struct otf2_location *l = &g->locations->items[i];
        if (i == 0 || l->rank != l[-1].rank)
            members[n++] = otf2_location_id(l->rank, l->thread);
    }
    put_group(g, OTF2_GROUP_LOCATIONS, name, OTF2_GROUP_TYPE_COMM_LOCATIONS, members, n);
}

/* `names`: the first of the communicators' names, which are consecutive. */
static void groups(struct global *g, OTF2_StringRef self, OTF2_StringRef world, OTF2_StringRef names,
                   uint64_t *members)
{
    const struct otf2_ranks *ranks = &g->x->ranks;
    const struct otf2_object_list *partners = &g->x->objects->lists[OTF2_PARTNERS];
    put_group(g, OTF2_GROUP_SELF, self, OTF2_GROUP_TYPE_COMM_SELF, NULL, 0);
    for (uint32_t i = 0; i < ranks->n_ids; i++) {
        const struct otf2_comm *c = &ranks->comms[ranks->numbers[i]];
        for (uint32_t k = 0; k < c->n; k++)
            members[k] = c->members[k];
        put_group(g, c->id, names + i, OTF2_GROUP_TYPE_COMM_GROUP, members, c->n);
    }
    for (uint32_t i = 0; i < ranks->n; i++)
        members[i] = i;
    put_group(g, otf2_group_of_world(ranks), world, OTF2_GROUP_TYPE_COMM_GROUP, members, ranks->n);
    for (uint32_t i = 0; i < partners->n; i++) {
        const struct otf2_object *o = &partners->items[i];
        const uint32_t n = (uint32_t)(o->size / sizeof *o->locations);
        for (uint32_t k = 0; k < n; k++)
            members[k] = o->locations[k];
        put_group(g, otf2_first_partners(ranks) + i, OTF2_STRING_EMPTY, OTF2_GROUP_TYPE_COMM_GROUP, members,
                  n);
    }
}

void global_put_comms(struct global *g)
{
    const struct otf2_ranks *ranks = &g->x->ranks;
    const OTF2_StringRef all = global_string(g, "MPI locations"), world = global_string(g, "MPI_COMM_WORLD"),
                         self = global_string(g, "MPI_COMM_SELF"), names = g->n_strings;
    uint64_t *members = malloc((ranks->n + (size_t)1) * sizeof *members);
    if (!members) {
        log_error("out of memory: %" PRIu32 " ranks", ranks->n);
        g->status = REFRAIN_ERR_MEMORY;
        return;
    }
    for (uint32_t i = 0; i < ranks->n_ids; i++)
        global_string_printf(g, "comm%" PRIu32, ranks->numbers[i]);
    group_of_locations(g, all, members);
    groups(g, self, world, names, members);
    DEFINE(g, Comm, OTF2_COMM_WORLD, world, otf2_group_of_world(ranks), OTF2_UNDEFINED_COMM,
           OTF2_COMM_FLAG_NONE);
    DEFINE(g, Comm, OTF2_COMM_SELF, self, OTF2_GROUP_SELF, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    for (uint32_t i = 0; i < ranks->n_ids; i++) {
        const struct otf2_comm *c = &ranks->comms[ranks->numbers[i]];
        DEFINE(g, Comm, c->id, names + i, c->id, c->parent == OTF2_NOBODY ? OTF2_UNDEFINED_COMM : c->parent,
               OTF2_COMM_FLAG_NONE);
    }
    free(members);
}

/* Ranks of a grid are numbered row by row (MPI 5.0, section "Virtual Topologies"). */
static void coordinates(struct global *g, OTF2_CartTopologyRef topology, const struct otf2_grid *grid,
                        uint32_t n)
{
    uint32_t at[UINT8_MAX];
    for (uint32_t rank = 0; rank < n; rank++) {
        uint32_t rest = rank;
        for (uint32_t i = grid->n; i-- > 0;) {
            at[i] = rest % grid->dimensions[i].size;
            rest /= grid->dimensions[i].size;
        }
        DEFINE(g, CartCoordinate, topology, rank, (uint8_t)grid->n, at);
    }
}

/* Does the archive contain all members of the grid? */
static bool is_whole(const struct otf2_grid *grid, const struct otf2_comm *c)
{
    uint64_t n = 1;
    for (uint32_t i = 0; i < grid->n && n <= c->n_all; i++)
        n *= grid->dimensions[i].size;
    return c->id != OTF2_NOBODY && grid->n <= UINT8_MAX && n == c->n_all && c->n == c->n_all;
}

void global_put_topologies(struct global *g)
{
    const struct otf2_objects *objects = g->x->objects;
    OTF2_CartTopologyRef topology = 0;
    OTF2_CartDimensionRef dimension = 0, dimensions[UINT8_MAX];
    for (size_t k = 0; k < objects->grids.n; k++) {
        const struct otf2_grid *grid = &objects->grids.items[k];
        const struct otf2_comm *c = &g->x->ranks.comms[grid->comm >> 1];
        if (!is_whole(grid, c))
            continue;
        const OTF2_StringRef name = global_string_printf(g, "comm%" PRId64, grid->comm >> 1);
        for (uint32_t i = 0; i < grid->n; i++) {
            const OTF2_StringRef axis = global_string_printf(g, "dimension %" PRIu32, i);
            dimensions[i] = dimension++;
            DEFINE(g, CartDimension, dimensions[i], axis, grid->dimensions[i].size,
                   grid->dimensions[i].periodic ? OTF2_CART_PERIODIC_TRUE : OTF2_CART_PERIODIC_FALSE);
        }
        DEFINE(g, CartTopology, topology, name, c->id, (uint8_t)grid->n, dimensions);
        coordinates(g, topology++, grid, c->n);
    }
}
