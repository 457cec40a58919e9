/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorded_topology.h"

#include "decoder/trace/cursor.h"
#include "src/core/base/bisect.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The parameters that matter, of all these functions. */
enum said {
    SAID_PARENT,
    SAID_MADE,
    SAID_DIMS,
    SAID_PERIODS,
    SAID_REMAIN,
    SAID_INDEX,
    SAID_EDGES,
    SAID_SOURCES,
    SAID_DEGREES,
    SAID_DESTINATIONS,
    SAID_FIELDS
};

static const struct {
    const char *param;
    enum said field;
} params[] = {
    {"comm_old", SAID_PARENT},
    {"comm", SAID_PARENT},
    {"comm_cart", SAID_MADE},
    {"comm_graph", SAID_MADE},
    {"comm_dist_graph", SAID_MADE},
    {"newcomm", SAID_MADE},
    {"dims", SAID_DIMS},
    {"periods", SAID_PERIODS},
    {"remain_dims", SAID_REMAIN},
    {"index", SAID_INDEX},
    {"edges", SAID_EDGES},
    {"sources", SAID_SOURCES},
    {"degrees", SAID_DEGREES},
    {"destinations", SAID_DESTINATIONS},
};

struct values {
    const int64_t *items;
    int64_t n;
};

/* A call of one member of the new communicator. */
struct saying {
    struct recorded_topology *declared;
    struct values fields[SAID_FIELDS];
    int64_t rank; /* in the communicator */
};

static enum refrain_status add_edge(struct saying *s, int64_t a, int64_t b)
{
    if (a < 0 || b < 0 || a > TRACE_RANKS_MAX || b > TRACE_RANKS_MAX)
        return REFRAIN_OK; /* MPI_PROC_NULL */
    return array_push(&s->declared->edges, ((struct graph_edge){(uint32_t)a, (uint32_t)b}))
               ? REFRAIN_OK
               : REFRAIN_ERR_MEMORY;
}

/* ---- reading each function ------------------------------------------------------------------- */

static enum refrain_status take_cart(struct saying *s)
{
    struct placement *p = &s->declared->cart;
    const struct values *dims = &s->fields[SAID_DIMS], *periods = &s->fields[SAID_PERIODS];
    if (s->rank != 0 || dims->n > LATTICE_DIMS)
        return REFRAIN_OK;
    *p = (struct placement){0};
    for (int64_t d = 0; d < dims->n; d++) {
        if (dims->items[d] <= 0 || dims->items[d] > TRACE_RANKS_MAX)
            return REFRAIN_OK;
        p->sizes[d] = (uint32_t)dims->items[d];
        p->periodic |= (uint32_t)(d < periods->n && periods->items[d] != 0) << d;
    }
    p->n_dims = (unsigned)dims->n;
    return REFRAIN_OK;
}

static enum refrain_status take_sub(struct saying *s)
{
    const struct values *remain = &s->fields[SAID_REMAIN];
    for (int64_t d = 0; s->rank == 0 && d < remain->n && d < LATTICE_DIMS; d++)
        s->declared->remain |= (uint32_t)(remain->items[d] != 0) << d;
    return REFRAIN_OK;
}

/* index[i] is the number of edges of ranks 0 … i together. */
static enum refrain_status take_graph(struct saying *s)
{
    const struct values *index = &s->fields[SAID_INDEX], *edges = &s->fields[SAID_EDGES];
    enum refrain_status status = REFRAIN_OK;
    for (int64_t rank = 0, at = 0; s->rank == 0 && rank < index->n; rank++)
        for (; at < index->items[rank] && at < edges->n && status == REFRAIN_OK; at++)
            status = add_edge(s, rank, edges->items[at]);
    return status;
}

static enum refrain_status take_dist_graph(struct saying *s)
{
    const struct values *sources = &s->fields[SAID_SOURCES], *degrees = &s->fields[SAID_DEGREES],
                        *to = &s->fields[SAID_DESTINATIONS];
    enum refrain_status status = REFRAIN_OK;
    int64_t at = 0;
    for (int64_t i = 0; i < sources->n && i < degrees->n; i++)
        for (int64_t end = at + degrees->items[i]; at < end && at < to->n && status == REFRAIN_OK; at++)
            status = add_edge(s, sources->items[i], to->items[at]);
    return status;
}

static enum refrain_status take_adjacent(struct saying *s)
{
    const struct values *sources = &s->fields[SAID_SOURCES], *to = &s->fields[SAID_DESTINATIONS];
    enum refrain_status status = REFRAIN_OK;
    for (int64_t i = 0; i < sources->n && status == REFRAIN_OK; i++)
        status = add_edge(s, sources->items[i], s->rank);
    for (int64_t i = 0; i < to->n && status == REFRAIN_OK; i++)
        status = add_edge(s, s->rank, to->items[i]);
    return status;
}

static const struct maker {
    const char *function;
    enum refrain_status (*take)(struct saying *s);
} makers[] = {
    {"MPI_Cart_create", take_cart},
    {"MPI_Cart_sub", take_sub},
    {"MPI_Graph_create", take_graph},
    {"MPI_Dist_graph_create", take_dist_graph},
    {"MPI_Dist_graph_create_adjacent", take_adjacent},
};

static const struct maker *find_maker(const char *function)
{
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (strcmp(makers[i].function, function) == 0)
            return &makers[i];
    return NULL;
}

/* ---- calls ----------------------------------------------------------------------------------- */

struct search {
    struct declared *declared;
    const struct reader *reader;
    const struct definitions *definitions;
    const struct communicators *communicators;
};

static enum refrain_status find_fields(const struct search *s, uint32_t function, const int64_t *slots,
                                       uint32_t n, struct values *fields)
{
    struct layout layout;
    struct layout_item item;
    enum refrain_status status;
    layout_start(&layout, &s->reader->trace.functions, function, slots, n);
    while (layout_next(&layout, &item, &status))
        for (size_t i = 0; item.param && i < sizeof params / sizeof *params; i++)
            if (strcmp(params[i].param, item.param->name) == 0)
                fields[params[i].field] = (struct values){item.slots, item.count > 0 ? item.count : 0};
    return status;
}

/* Returns the topology of a communicator, added if there is none yet. */
static enum refrain_status intern(struct declared *d, uint32_t comm, struct recorded_topology **out)
{
    const size_t at = BISECT(i, d->items.n, d->items.items[i].comm < comm);
    if (at == d->items.n || d->items.items[at].comm != comm) {
        if (!array_push(&d->items, ((struct recorded_topology){0})))
            return REFRAIN_ERR_MEMORY;
        memmove(&d->items.items[at + 1], &d->items.items[at], (d->items.n - 1 - at) * sizeof *d->items.items);
        d->items.items[at] = (struct recorded_topology){.comm = comm, .parent = -1};
    }
    *out = &d->items.items[at];
    return REFRAIN_OK;
}

static enum refrain_status take_row(struct search *s, const struct maker *maker, uint32_t function,
                                    uint32_t rank, const int64_t *slots, uint32_t n)
{
    struct saying saying = {0};
    enum refrain_status status = find_fields(s, function, slots, n, saying.fields);
    const struct values *made = &saying.fields[SAID_MADE], *parent = &saying.fields[SAID_PARENT];
    if (status != REFRAIN_OK || made->n == 0 || made->items[0] & 1)
        return status;
    const struct member *m = definitions_member(s->definitions, rank, made->items[0] >> 1);
    const uint32_t comm = m ? communicators_index(s->communicators, (int64_t)m->number << 1) : UINT32_MAX;
    if (comm == UINT32_MAX)
        return REFRAIN_OK;
    if ((status = intern(s->declared, comm, &saying.declared)) != REFRAIN_OK)
        return status;
    const struct member *of = parent->n > 0 && !(parent->items[0] & 1)
                                  ? definitions_member(s->definitions, rank, parent->items[0] >> 1)
                                  : NULL;
    saying.rank = m->rank_in_comm;
    saying.declared->function = maker->function;
    saying.declared->parent = of ? (int64_t)of->number << 1 : -1;
    return maker->take(&saying);
}

static enum refrain_status take_entry(struct search *s, const struct lane_ref *lane,
                                      const struct entry *entry)
{
    const uint32_t function = s->reader->trace.sites.items[entry->site].function;
    const struct maker *maker = find_maker(s->reader->trace.functions.functions.items[function].name);
    const struct group *group;
    uint64_t ordinal;
    if (!maker)
        return REFRAIN_OK;
    enum refrain_status status = entry_group(entry, lane->rank, &group, &ordinal);
    for (size_t i = 0; status == REFRAIN_OK && group_slot_columns(group) == 0 && i < group->rows.n; i++) {
        const struct row *row = &group->rows.items[i];
        int64_t *slots = malloc((row->n_slots + (size_t)1) * sizeof *slots);
        if (!slots) {
            log_error("out of memory: a row of %u slots", row->n_slots);
            return REFRAIN_ERR_MEMORY;
        }
        row_at(row, ordinal, lane->rank, slots);
        status = take_row(s, maker, function, lane->rank, slots, row->n_slots);
        free(slots);
    }
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* MPI_Cart_sub keeps some of its parent's dimensions. A parent has a lower number than its
 * child. */
static void inherit(struct declared *d, const struct communicators *c)
{
    for (size_t i = 0; i < d->items.n; i++) {
        struct recorded_topology *t = &d->items.items[i];
        const uint32_t parent = t->remain ? communicators_index(c, t->parent) : UINT32_MAX;
        const struct recorded_topology *of = parent == UINT32_MAX ? NULL : declared_find(d, parent);
        for (unsigned k = 0; of && k < of->cart.n_dims; k++) {
            if (!(t->remain >> k & 1))
                continue;
            t->cart.periodic |= (of->cart.periodic >> k & 1) << t->cart.n_dims;
            t->cart.sizes[t->cart.n_dims++] = of->cart.sizes[k];
        }
        t->remain = 0;
    }
}

/* Does the run call any of these functions? */
static bool is_worth_it(const struct reader *r)
{
    bool any = false;
    for (size_t i = 0; i < r->trace.functions.functions.n && !any; i++)
        any = find_maker(r->trace.functions.functions.items[i].name) != NULL;
    return any;
}

enum refrain_status declared_create(struct declared *d, const struct reader *r,
                                    const struct definitions *definitions, const struct communicators *c)
{
    struct search s = {d, r, definitions, c};
    enum refrain_status status = REFRAIN_OK;
    *d = (struct declared){0};
    if (!is_worth_it(r))
        return REFRAIN_OK;
    for (uint64_t rank = 0; status == REFRAIN_OK && reader_next_rank(r, &rank); rank++) {
        struct lane_ref lane;
        for (size_t at = 0;
             status == REFRAIN_OK && reader_next_lane(r, (uint32_t)rank, LANE_THREAD, &at, &lane);)
            for (size_t i = 0; i < lane.shape->entries.n && status == REFRAIN_OK; i++)
                status = take_entry(&s, &lane, &lane.shape->entries.items[i]);
    }
    if (status == REFRAIN_OK)
        inherit(d, c);
    else
        declared_free(d);
    return status;
}

void declared_free(struct declared *d)
{
    for (size_t i = 0; i < d->items.n; i++) {
        array_free(&d->items.items[i].edges);
        placement_free(&d->items.items[i].cart);
    }
    array_free(&d->items);
}

const struct recorded_topology *declared_find(const struct declared *d, uint32_t comm)
{
    const size_t at = BISECT(i, d->items.n, d->items.items[i].comm < comm);
    return at < d->items.n && d->items.items[at].comm == comm ? &d->items.items[at] : NULL;
}

enum refrain_status recorded_topology_place(const struct recorded_topology *t, uint32_t n,
                                            struct placement *out)
{
    assert(t->cart.n_dims > 0);
    *out = t->cart;
    out->at = NULL;
    const enum refrain_status status = t->cart.at ? placement_reserve(out, n) : placement_fill(out, n);
    if (status == REFRAIN_OK && t->cart.at)
        memcpy(out->at, t->cart.at, n * sizeof *out->at);
    return status;
}
