/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix_grid.h"

#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>

/* Returns the row or column of a rank; ranks outside of the matrix share the last one. */
static uint32_t block_of(const struct matrix_grid *g, uint32_t rank)
{
    const uint32_t i = rank - g->matrix->first_rank;
    if (i >= g->matrix->n_ranks)
        return g->n;
    return (g->places ? g->places[i] : i) / g->block;
}

static bool set_order(struct matrix_grid *g, const uint32_t *order)
{
    const struct matrix *m = g->matrix;
    if (!order)
        return true;
    g->order = order;
    g->places = malloc(((size_t)m->n_ranks + 1) * sizeof *g->places);
    for (uint32_t i = 0; g->places && i < m->n_ranks; i++)
        g->places[order[i] - m->first_rank] = i;
    return g->places;
}

enum refrain_status matrix_grid_create(struct matrix_grid *g, const struct matrix *m, uint32_t most,
                                       const uint32_t *order)
{
    assert(most > 0);
    const uint32_t block = m->n_ranks > most ? (m->n_ranks - 1) / most + 1 : 1;
    *g = (struct matrix_grid){
        .matrix = m, .n = m->n_ranks > 0 ? (m->n_ranks - 1) / block + 1 : 0, .block = block};
    g->cells = calloc((size_t)(g->n + 1) * (g->n + 1), sizeof *g->cells);
    if (!g->cells || !set_order(g, order)) {
        log_error("out of memory: a matrix of %u ranks", m->n_ranks);
        matrix_grid_free(g);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < m->cells.n; i++) {
        const struct matrix_cell *c = &m->cells.items[i];
        const uint32_t from = block_of(g, c->from), to = block_of(g, c->to);
        struct matrix_sum *sum = &g->cells[(size_t)from * (g->n + 1) + to];
        sum->messages += c->messages;
        sum->bytes += c->bytes;
        g->all.messages += c->messages;
        g->all.bytes += c->bytes;
        g->from_outside = g->from_outside || from == g->n;
        g->to_outside = g->to_outside || to == g->n;
    }
    return REFRAIN_OK;
}

void matrix_grid_free(struct matrix_grid *g)
{
    free(g->cells);
    free(g->places);
    *g = (struct matrix_grid){0};
}

uint32_t matrix_grid_rank(const struct matrix_grid *g, uint32_t place)
{
    assert(place < g->matrix->n_ranks);
    return g->order ? g->order[place] : g->matrix->first_rank + place;
}

void matrix_grid_put_ranks(const struct matrix_grid *g, uint32_t i, struct bytes *out)
{
    assert(i < g->n);
    const uint32_t first = i * g->block, behind = g->matrix->n_ranks - first;
    const uint32_t n = behind < g->block ? behind : g->block;
    uint32_t least = matrix_grid_rank(g, first), most = least;
    for (uint32_t k = 1; k < n; k++) {
        const uint32_t rank = matrix_grid_rank(g, first + k);
        least = rank < least ? rank : least;
        most = rank > most ? rank : most;
    }
    text_uint(out, least);
    if (n > 1)
        text_printf(out, most - least == n - 1 ? "-%u" : "+%u", most - least == n - 1 ? most : n - 1);
}
