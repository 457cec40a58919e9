/* SPDX-License-Identifier: BSD-3-Clause */
#include "cube_topologies.h"

#include "decoder/topology/identify/difference.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)CUBE_DIMS_MAX >= (int)WAIT_GRID_DIMS, "every grid has room in a profile");

struct making {
    struct cube_topologies *out;
    const struct cube_location *locations;
    size_t n;
};

/* Adds a topology in which no lane has a place yet. Empties `name`. Returns NULL if memory is
 * short. */
static uint32_t *add(struct making *m, struct bytes *name, unsigned n_dims, const uint32_t *sizes,
                     uint32_t periodic)
{
    struct cube_topologies *out = m->out;
    struct cube_topology t = {.n_dims = n_dims};
    uint32_t *coordinates = malloc((m->n * n_dims + 1) * sizeof *coordinates);
    text_putc(name, '\0');
    char *copy = name->failed ? NULL : strdup((const char *)name->data);
    bytes_free(name);
    const bool kept = coordinates && array_push(&out->coordinates, coordinates),
               named = copy && array_push(&out->names, copy);
    if (!kept)
        free(coordinates);
    if (!named)
        free(copy);
    for (unsigned d = 0; d < n_dims; d++) {
        t.sizes[d] = sizes[d];
        t.is_periodic[d] = periodic >> d & 1;
    }
    t.name = copy;
    t.coordinates = coordinates;
    if (!kept || !named || !array_push(&out->items, t)) {
        log_error("out of memory: topologies");
        return NULL;
    }
    for (size_t i = 0; i < m->n * n_dims; i++)
        coordinates[i] = CUBE_NONE;
    return coordinates;
}

static enum refrain_status add_grid(struct making *m, const struct waits_topology *t)
{
    const struct wait_grid *g = &t->grid;
    struct bytes name = {0};
    waits_topology_put_name(t, &name);
    uint32_t *out = add(m, &name, g->n_dims, g->sizes, g->periodic);
    for (size_t i = 0; out && i < m->n; i++) {
        const uint32_t *at = wait_grid_place(g, m->locations[i].rank);
        if (at && m->locations[i].thread == 0)
            memcpy(&out[i * g->n_dims], at, g->n_dims * sizeof *at);
    }
    return out ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* Returns a rank's number in a communicator. */
static uint32_t find_member(const struct comm_members *c, uint32_t rank)
{
    uint32_t i = 0;
    while (i < c->n && c->ranks[i] != rank)
        i++;
    return i;
}

static enum refrain_status add_recorded(struct making *m, const struct recorded_topology *r,
                                        const struct comm_members *c)
{
    const struct placement *p = &r->cart;
    struct bytes name = {0};
    text_printf(&name, "%s, ", r->function);
    communicators_put_name(c, &name);
    uint32_t *out = add(m, &name, p->n_dims, p->sizes, p->periodic);
    for (size_t i = 0; out && i < m->n; i++) {
        const uint32_t member = find_member(c, m->locations[i].rank);
        uint32_t place = member < p->n ? p->at[member] : IMAGE_NONE;
        for (unsigned d = 0; place != IMAGE_NONE && m->locations[i].thread == 0 && d < p->n_dims; d++) {
            out[i * p->n_dims + d] = place % p->sizes[d];
            place /= p->sizes[d];
        }
    }
    return out ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* Adds a declared topology. Parts of another topology are left out because there may be many. If
 * the calls do not give places, they are those that MPI assigns. */
static enum refrain_status add_declared(struct making *m, const struct recorded_topology *r,
                                        const struct comm_members *c)
{
    struct recorded_topology filled = *r;
    if (r->cart.n_dims == 0 || r->cart.n_dims > CUBE_DIMS_MAX || r->parent >= 0)
        return REFRAIN_OK;
    if (r->cart.at)
        return add_recorded(m, r, c);
    enum refrain_status status = placement_fill(&filled.cart, c->n);
    if (status == REFRAIN_OK)
        status = add_recorded(m, &filled, c);
    placement_free(&filled.cart);
    return status;
}

enum refrain_status cube_topologies_create(struct cube_topologies *c, const struct waits_topology *t,
                                           const struct cube_location *locations, size_t n)
{
    struct making m = {c, locations, n};
    enum refrain_status status = REFRAIN_OK;
    *c = (struct cube_topologies){0};
    for (size_t i = 0; i < t->declared->items.n && status == REFRAIN_OK; i++) {
        const struct recorded_topology *r = &t->declared->items.items[i];
        status = add_declared(&m, r, &t->communicators->items.items[r->comm]);
    }
    /* A topology that the program recorded is already there. */
    if (status == REFRAIN_OK && t->grid.n_dims > 0 && !t->recorded)
        status = add_grid(&m, t);
    return status;
}

void cube_topologies_free(struct cube_topologies *c)
{
    for (size_t i = 0; i < c->names.n; i++)
        free(c->names.items[i]);
    for (size_t i = 0; i < c->coordinates.n; i++)
        free(c->coordinates.items[i]);
    array_free(&c->names);
    array_free(&c->coordinates);
    array_free(&c->items);
}
