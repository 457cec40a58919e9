/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix_text.h"

#include "decoder/util/emitter.h"
#include "decoder/util/text.h"
#include "matrix_grid.h"
#include "src/core/base/log.h"

#include <stdlib.h>

/* Tables for people have at most this many rows and columns. */
#define TABLE_MOST 16

bool matrix_put_missing(const struct matrix *m, struct bytes *out)
{
    if (m->unclear > 0)
        text_printf(out,
                    "Not counted: %llu starts of persistent requests that may be sends; which sends is "
                    "not known.",
                    (unsigned long long)m->unclear);
    return m->unclear > 0;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void put_cell(struct emitter *e, uint64_t value)
{
    if (value > 0)
        emitter_cell_uint(e, value);
    else
        emitter_cell_text(e, ".");
}

static uint64_t value_of(const struct matrix_sum *s, bool messages)
{
    return messages ? s->messages : s->bytes;
}

/* Writes a line with its sum; the sum of all lines if `from` is NULL. */
static void put_line(struct emitter *e, const struct matrix_grid *g, const uint32_t *from, bool messages)
{
    const uint32_t first = from ? *from : 0, last = from ? *from + 1 : g->n + 1;
    uint64_t all = 0;
    for (uint32_t to = 0; to < g->n + g->to_outside; to++) {
        uint64_t sum = 0;
        for (uint32_t i = first; i < last; i++)
            sum += value_of(matrix_grid_at(g, i, to), messages);
        put_cell(e, sum);
        all += sum;
    }
    put_cell(e, all);
}

/* `names` contains the ranks of each line as consecutive strings with a NUL each; `at` has their
 * beginnings. */
static void put_square(struct emitter *e, const struct matrix_grid *g, const char *names, const size_t *at,
                       bool messages)
{
    struct emitter_column columns[TABLE_MOST + 3] = {{"from", messages ? "messages" : "bytes", true, 0, 0}};
    size_t n = 1;
    for (uint32_t i = 0; i < g->n; i++)
        columns[n++] = (struct emitter_column){"to", names + at[i], false, 0, 0};
    if (g->to_outside)
        columns[n++] = (struct emitter_column){"outside", "outside", false, 0, 0};
    columns[n++] = (struct emitter_column){"all", "all", false, 0, 0};
    emitter_table(e, "matrix", columns, n);
    for (uint32_t i = 0; i < g->n; i++) {
        emitter_cell_text(e, names + at[i]);
        put_line(e, g, &i, messages);
    }
    if (g->from_outside) {
        emitter_cell_text(e, "outside");
        put_line(e, g, &g->n, messages);
    }
    emitter_cell_text(e, "all");
    put_line(e, g, NULL, messages);
    emitter_table_end(e);
}

/* Describes the order of lines and columns. */
static const char *order_of(const struct matrix_subject *s, struct bytes *text)
{
    text_printf(text, "Ranks are in the order of their places in the topology: %s.", s->order_name);
    bytes_put_u8(text, '\0');
    return text->failed ? "" : (const char *)text->data;
}

enum refrain_status matrix_put_table(const struct matrix *m, const struct matrix_subject *s,
                                     struct output *out)
{
    struct matrix_grid g;
    struct bytes names = {0}, missing = {0}, order = {0};
    size_t at[TABLE_MOST];
    enum refrain_status status = matrix_grid_create(&g, m, TABLE_MOST, s->order);
    if (status != REFRAIN_OK)
        return status;
    for (uint32_t i = 0; i < g.n; i++) {
        at[i] = names.n;
        matrix_grid_put_ranks(&g, i, &names);
        bytes_put_u8(&names, '\0');
    }
    struct emitter e = emitter_open(out, false, 0);
    const bool noted = matrix_put_missing(m, &missing);
    bytes_put_u8(&missing, '\0');
    if (names.failed || missing.failed) {
        status = REFRAIN_ERR_MEMORY;
    } else {
        put_square(&e, &g, (const char *)names.data, at, true);
        put_square(&e, &g, (const char *)names.data, at, false);
        if (s->order)
            emitter_note(&e, "order", order_of(s, &order));
        if (noted)
            emitter_note(&e, "note", (const char *)missing.data);
    }
    const enum refrain_status closed = emitter_close(&e);
    bytes_free(&order);
    bytes_free(&missing);
    bytes_free(&names);
    matrix_grid_free(&g);
    return status == REFRAIN_OK ? closed : status;
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static void put_rank(uint32_t rank, struct bytes *out)
{
    if (rank == MATRIX_OUTSIDE)
        text_put(out, "outside");
    else
        text_uint(out, rank);
}

static void put_rank_cell(uint32_t rank, struct emitter *e)
{
    if (rank == MATRIX_OUTSIDE)
        emitter_cell_none(e);
    else
        emitter_cell_uint(e, rank);
}

enum refrain_status matrix_put_csv(const struct matrix *m, const struct matrix_subject *s, struct output *out)
{
    (void)s;
    text_put(&out->text, "from,to,messages,bytes\n");
    for (size_t i = 0; i < m->cells.n; i++) {
        const struct matrix_cell *c = &m->cells.items[i];
        put_rank(c->from, &out->text);
        text_putc(&out->text, ',');
        put_rank(c->to, &out->text);
        text_printf(&out->text, ",%llu,%llu\n", (unsigned long long)c->messages,
                    (unsigned long long)c->bytes);
    }
    return out->text.failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
}

static void put_order(struct emitter *e, const struct matrix *m, const struct matrix_subject *s)
{
    static const struct emitter_column column = {"rank", "rank", false, 0, 0};
    emitter_text(e, "order", "order", s->order_name);
    emitter_table(e, "lines", &column, 1);
    for (uint32_t i = 0; i < m->n_ranks; i++)
        emitter_cell_uint(e, s->order[i]);
    emitter_table_end(e);
}

enum refrain_status matrix_put_json(const struct matrix *m, const struct matrix_subject *s,
                                    struct output *out)
{
    static const struct emitter_column columns[] = {{"from", "from", false, 0, 0},
                                                    {"to", "to", false, 0, 0},
                                                    {"messages", "messages", false, 0, 0},
                                                    {"bytes", "bytes", false, 0, 0}};
    struct emitter e = emitter_open(out, true, 0);
    emitter_uint(&e, "ranks", "ranks", m->n_ranks);
    if (s->path)
        emitter_text(&e, "at", "at", s->path);
    if (s->one_sided)
        emitter_text(&e, "communication", "communication", "one-sided");
    emitter_table(&e, "pairs", columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < m->cells.n; i++) {
        const struct matrix_cell *c = &m->cells.items[i];
        put_rank_cell(c->from, &e);
        put_rank_cell(c->to, &e);
        emitter_cell_uint(&e, c->messages);
        emitter_cell_uint(&e, c->bytes);
    }
    emitter_table_end(&e);
    if (s->order)
        put_order(&e, m, s);
    emitter_uint(&e, "unclear_starts", "unclear starts", m->unclear);
    return emitter_close(&e);
}
