/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology_source.h"

#include "decoder/region/declared_topology.h"
#include "decoder/topology/identify/difference.h"
#include "matrix_source.h"
#include "src/core/base/log.h"
#include "world_select.h"

#include <stdlib.h>

static enum refrain_status check(const struct options *o)
{
    const bool elsewhere = options_has(o, OPTION_AT) || options_has(o, OPTION_RMA);
    const bool matrix = options_has(o, OPTION_MATRIX);
    if (matrix && (o->n_operands > 0 || elsewhere || options_has(o, OPTION_COMM))) {
        log_error("--matrix takes the place of a trace: leave out the trace, --at, --comm and --rma");
        return REFRAIN_ERR_USAGE;
    }
    if (!matrix && o->n_operands == 0) {
        log_error("a trace is missing, or --matrix FILE");
        return REFRAIN_ERR_USAGE;
    }
    if ((matrix || elsewhere || options_has(o, OPTION_COMM)) && options_has(o, OPTION_PHASES)) {
        log_error("--phases is for all messages of a trace: leave out --at, --comm, --matrix and --rma");
        return REFRAIN_ERR_USAGE;
    }
    if (elsewhere && options_has(o, OPTION_COMM)) {
        log_error("--comm is for all messages of a run: leave out --at and --rma");
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

/* The messages of one communicator, between its members. */
static enum refrain_status select_communicator(struct topology_source *s, const char *name)
{
    ARRAY(struct matrix_cell) cells = {0};
    enum refrain_status status = REFRAIN_OK;
    s->comm = communicators_find(&s->communicators, name);
    if (!s->comm)
        return REFRAIN_ERR_USAGE;
    for (size_t i = 0; i < s->matrix.cells.n && status == REFRAIN_OK; i++) {
        const struct matrix_cell *cell = &s->matrix.cells.items[i];
        if (s->labels.items.items[cell->label].comm == s->comm->comm && !array_push(&cells, *cell))
            status = REFRAIN_ERR_MEMORY;
    }
    if (status == REFRAIN_OK)
        status = traffic_create_of(&s->traffic, &s->matrix, cells.items, cells.n, s->comm->ranks, s->comm->n);
    array_free(&cells);
    return status;
}

/* Does each member have a place, and a different one? */
static bool are_different(const struct placement *p)
{
    bool *taken = calloc((size_t)placement_places(p) + 1, sizeof *taken);
    bool different = taken;
    for (uint32_t i = 0; i < p->n && different; i++) {
        different = p->at[i] != PLACE_NONE && !taken[p->at[i]];
        if (different)
            taken[p->at[i]] = true;
    }
    free(taken);
    return different;
}

/* By its members' coordinates; false if these are no places of a topology. */
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

/* What the program says by refrain_topology_cart, as a topology of MPI_COMM_WORLD. One that not all ranks have a place of
 * their own in is nothing to compare with. */
static enum refrain_status add_own(struct declared *to, const struct reader *r, const struct communicators *c)
{
    struct declared_topology own;
    struct recorded_topology t = {.function = "refrain_topology_cart", .parent = -1};
    enum refrain_status status = declared_topology_read(&own, r);
    if (status != REFRAIN_OK)
        return status;
    bool usable = own.n > 0 && own.n <= LATTICE_DIMS && c->items.n > 0;
    for (unsigned d = 0; usable && d < own.n; d++) {
        t.cart.sizes[t.cart.n_dims++] = own.dimensions[d].size;
        t.cart.periodic |= (uint32_t)own.dimensions[d].periodic << d;
    }
    usable = usable && placement_places(&t.cart) <= TRACE_RANKS_MAX;
    if (usable)
        status = placement_reserve(&t.cart, c->items.items[0].n);
    if (usable && status == REFRAIN_OK && place_members(&t.cart, &own, &c->items.items[0])) {
        if (!array_push(&to->items, t))
            status = REFRAIN_ERR_MEMORY;
        /* The communicators are in order, and this one is the first. */
        for (size_t i = to->items.n; status == REFRAIN_OK && i-- > 1;)
            to->items.items[i] = to->items.items[i - 1];
        if (status == REFRAIN_OK)
            to->items.items[0] = t;
    }
    if (to->items.n == 0 || to->items.items[0].cart.at != t.cart.at)
        placement_free(&t.cart);
    declared_topology_free(&own);
    return status;
}

static enum refrain_status read_labelled(struct topology_source *s, const struct options *o)
{
    enum refrain_status status = world_open(&s->reader, o);
    if (status != REFRAIN_OK) {
        s->reader = (struct reader){0};
        return status;
    }
    status = definitions_read(&s->definitions, &s->reader);
    if (status == REFRAIN_OK)
        status = matrix_of_trace_labelled(&s->matrix, &s->labels, &s->reader, &s->definitions);
    if (status == REFRAIN_OK)
        status = communicators_create(&s->communicators, &s->reader, &s->definitions);
    if (status == REFRAIN_OK)
        status = declared_create(&s->declared, &s->reader, &s->definitions, &s->communicators);
    if (status == REFRAIN_OK)
        status = add_own(&s->declared, &s->reader, &s->communicators);
    if (status != REFRAIN_OK)
        return status;
    return options_has(o, OPTION_COMM) ? select_communicator(s, options_value(o, OPTION_COMM))
                                       : traffic_create(&s->traffic, &s->matrix);
}

enum refrain_status topology_source_read(struct topology_source *s, const struct options *o)
{
    *s = (struct topology_source){0};
    enum refrain_status status = check(o);
    if (status != REFRAIN_OK)
        return status;
    if (!options_has(o, OPTION_MATRIX) && !options_has(o, OPTION_AT) && !options_has(o, OPTION_RMA) &&
        (!options_has(o, OPTION_WINDOW) || options_has(o, OPTION_PHASES))) {
        status = read_labelled(s, o);
    } else {
        status = options_has(o, OPTION_MATRIX) ? matrix_read(&s->matrix, options_value(o, OPTION_MATRIX))
                                               : matrix_source_read(&s->matrix, o);
        if (status == REFRAIN_OK)
            status = traffic_create(&s->traffic, &s->matrix);
    }
    if (status != REFRAIN_OK)
        topology_source_free(s);
    return status;
}

void topology_source_free(struct topology_source *s)
{
    traffic_free(&s->traffic);
    matrix_free(&s->matrix);
    declared_free(&s->declared);
    communicators_free(&s->communicators);
    matrix_labels_free(&s->labels);
    definitions_free(&s->definitions);
    reader_close(&s->reader);
    *s = (struct topology_source){0};
}
