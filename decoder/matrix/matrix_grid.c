/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix_grid.h"

#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <stdlib.h>

/* The row or column of a rank; the last one for those outside. */
static uint32_t block_of(const struct matrix_grid *g, uint32_t rank)
{
    const uint32_t i = rank - g->matrix->first_rank;
    return i < g->matrix->n_ranks ? i / g->block : g->n;
}

enum refrain_status matrix_grid_create(struct matrix_grid *g, const struct matrix *m, uint32_t most)
{
    const uint32_t block = m->n_ranks > most ? (m->n_ranks - 1) / most + 1 : 1;
    *g = (struct matrix_grid){
        .matrix = m, .n = m->n_ranks > 0 ? (m->n_ranks - 1) / block + 1 : 0, .block = block};
    g->cells = calloc((size_t)(g->n + 1) * (g->n + 1), sizeof *g->cells);
    if (!g->cells) {
        log_error("out of memory: a matrix of %u ranks", m->n_ranks);
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
    *g = (struct matrix_grid){0};
}

void matrix_grid_put_ranks(const struct matrix_grid *g, uint32_t i, struct bytes *out)
{
    const uint32_t first = i * g->block, behind = g->matrix->n_ranks - first;
    const uint32_t n = behind < g->block ? behind : g->block;
    text_uint(out, g->matrix->first_rank + first);
    if (n > 1) {
        text_putc(out, '-');
        text_uint(out, g->matrix->first_rank + first + n - 1);
    }
}
