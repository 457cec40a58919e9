/* SPDX-License-Identifier: BSD-3-Clause */
#include "separately.h"

#include "src/core/base/log.h"
#include "topology_name.h"

#include <stdlib.h>
#include <string.h>

/* A cell and the index of its communicator. */
struct filed {
    uint32_t comm;
    struct matrix_cell cell;
};

static int by_comm(const void *x, const void *y)
{
    const struct filed *a = x, *b = y;
    return (a->comm > b->comm) - (a->comm < b->comm);
}

static enum refrain_status file_cells(const struct matrix *m, const struct communicators *c,
                                      struct filed **out, size_t *n)
{
    struct filed *filed = malloc((m->cells.n + 1) * sizeof *filed);
    *n = 0;
    if (!filed) {
        log_error("out of memory: %zu pairs", m->cells.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < m->cells.n; i++) {
        const struct matrix_cell *cell = &m->cells.items[i];
        const uint32_t comm = communicators_index(c, m->labels->items.items[cell->label].comm);
        if (comm != UINT32_MAX)
            filed[(*n)++] = (struct filed){comm, *cell};
    }
    if (*n > 0)
        qsort(filed, *n, sizeof *filed, by_comm);
    *out = filed;
    return REFRAIN_OK;
}

/* ---- one communicator ------------------------------------------------------------------------ */

/* Adds a communicator to its class, which is created if there is none yet. Takes ownership of the
 * name. */
static enum refrain_status add_to_class(struct separately *s, const struct communicators *c, uint32_t comm,
                                        char *name, const struct traffic_sum *sum)
{
    const struct comm_members *p = &c->items.items[comm];
    struct comm_class *class = NULL;
    for (size_t i = 0; i < s->classes.n && !class; i++) {
        struct comm_class *known = &s->classes.items[i];
        if (known->first->origin == p->origin && known->first->n == p->n &&
            !known->first->function == !p->function && strcmp(known->name, name) == 0)
            class = known;
    }
    if (class) {
        free(name);
    } else if (array_push(&s->classes, ((struct comm_class){.first = p, .name = name}))) {
        class = &s->classes.items[s->classes.n - 1];
    } else {
        free(name);
        return REFRAIN_ERR_MEMORY;
    }
    class->sum.messages += sum->messages;
    class->sum.bytes += sum->bytes;
    return array_push(&class->comms, comm) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* Arguments that all communicators share. */
struct taking {
    struct separately *separately;
    const struct matrix *matrix;
    const struct communicators *communicators;
    const struct declared *declared;
    const struct pattern_library *library;
    const struct survey_choice *choice;
};

/* n_dims stays 0 if coordinates are not known. */
static enum refrain_status place(const struct taking *k, uint32_t comm, struct placement *out)
{
    const struct comm_members *p = &k->communicators->items.items[comm];
    const struct recorded_topology *own = declared_find(k->declared, comm);
    *out = (struct placement){0};
    if (own && own->cart.n_dims > 0 && (own->cart.at || placement_places(&own->cart) == p->n))
        return recorded_topology_place(own, p->n, out);
    if (!k->choice->given)
        return REFRAIN_OK;
    uint32_t *nodes = malloc((p->n + (size_t)1) * sizeof *nodes);
    if (!nodes) {
        log_error("out of memory: %u ranks", p->n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < p->n; i++)
        nodes[i] = p->ranks[i] - k->matrix->first_rank;
    const enum refrain_status status = placement_of_some(out, k->choice->given, nodes, p->n);
    free(nodes);
    return status;
}

static enum refrain_status take(const struct taking *k, uint32_t comm, const struct matrix_cell *cells,
                                size_t n)
{
    const struct comm_members *p = &k->communicators->items.items[comm];
    struct survey_choice choice = survey_choice_of_some(k->choice);
    struct placement placement;
    struct traffic traffic = {0};
    struct survey survey = {0};
    struct bytes name = {0};
    enum refrain_status status = place(k, comm, &placement);
    choice.given = placement.n_dims > 0 ? &placement : NULL;
    if (status == REFRAIN_OK)
        status = traffic_create_of(&traffic, k->matrix, cells, n, p->ranks, p->n);
    if (status == REFRAIN_OK)
        status = survey_create(&survey, &traffic, k->library, &choice);
    if (status == REFRAIN_OK)
        status = topology_put_summary(&survey, &name);
    if (status == REFRAIN_OK) {
        char *copy = strndup((const char *)name.data, name.n);
        status = copy ? add_to_class(k->separately, k->communicators, comm, copy, &traffic.all)
                      : REFRAIN_ERR_MEMORY;
    }
    bytes_free(&name);
    survey_free(&survey);
    traffic_free(&traffic);
    placement_free(&placement);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

enum refrain_status separately_create(struct separately *s, const struct matrix *m,
                                      const struct communicators *c, const struct declared *declared,
                                      const struct pattern_library *l, const struct survey_choice *choice)
{
    const struct taking k = {s, m, c, declared, l, choice};
    struct filed *filed = NULL;
    struct matrix_cell *cells = NULL;
    size_t n;
    *s = (struct separately){0};
    enum refrain_status status = file_cells(m, c, &filed, &n);
    if (status == REFRAIN_OK && !(cells = malloc((n + 1) * sizeof *cells))) {
        log_error("out of memory: %zu pairs", n);
        status = REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0, end; i < n && status == REFRAIN_OK; i = end) {
        for (end = i; end < n && filed[end].comm == filed[i].comm; end++)
            cells[end - i] = filed[end].cell;
        status = take(&k, filed[i].comm, cells, end - i);
    }
    free(cells);
    free(filed);
    if (status != REFRAIN_OK)
        separately_free(s);
    return status;
}

void separately_free(struct separately *s)
{
    for (size_t i = 0; i < s->classes.n; i++) {
        free(s->classes.items[i].name);
        array_free(&s->classes.items[i].comms);
    }
    array_free(&s->classes);
}
