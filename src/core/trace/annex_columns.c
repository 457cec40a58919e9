/* SPDX-License-Identifier: BSD-3-Clause */
#include "annex_columns.h"

#include "src/core/base/bisect.h"
#include "src/core/base/log.h"
#include "src/core/base/section.h"

#define XXH_INLINE_ALL
#include <assert.h>
#include <stdlib.h>
#include <xxhash.h>

#define ENTRY_BYTES 3  /* least bytes of an entry of the section */
#define LEVEL       12 /* of zstd; higher levels hardly shrink irregular values */

/* ---- detaching ------------------------------------------------------------------------------- */

enum { UNUSED, SLOT, OTHER };

/* Find out what each column is used for. */
static uint8_t *find_uses(const struct trace *t)
{
    uint8_t *use = calloc(t->columns.n + 1, 1);
    for (size_t i = 0; i < t->shapes.n && use; i++) {
        const struct shape *s = &t->shapes.items[i];
        const int64_t rank = series_at(s->ranks, 0);
        for (size_t l = 0; l < s->loops.n; l++)
            use[rankfn_at(&s->loops.items[l].counts, 0, rank)] = OTHER;
        for (size_t e = 0; e < s->entries.n; e++) {
            const struct group *g = &s->entries.items[e].groups.items[0];
            for (size_t c = 0; c < g->columns.n; c++) {
                uint8_t *of = &use[rankfn_at(&g->columns.items[c].series, 0, rank)];
                *of = c >= group_slot_columns(g) || *of == OTHER ? OTHER : SLOT;
            }
        }
    }
    return use;
}

static struct series *stand_in(const void *data, size_t n, uint64_t length)
{
    const XXH128_hash_t hash = XXH3_128bits(data, n);
    struct series *s = series_create();
    if (s && series_append_run(s, (int64_t)hash.low64, (int64_t)hash.high64, length)) {
        series_free(s);
        s = NULL;
    }
    return s;
}

/* A piece is encoded as a separate file with one section. */
static enum refrain_status detach(struct trace *t, uint32_t column, struct bytes *pieces)
{
    const struct annex_column away = {column, t->first_rank, (uint32_t)t->away.n};
    const size_t start = pieces->n;
    struct bytes raw[SECTIONS] = {0}, *encoded = &raw[SECTION_SERI];
    struct series *s = NULL;
    series_encode(t->columns.items[column], encoded);
    enum refrain_status status = encoded->failed ? REFRAIN_ERR_MEMORY : section_write(raw, 0, LEVEL, pieces);
    if (status == REFRAIN_OK && !pieces->failed)
        s = stand_in(encoded->data, encoded->n, series_length(t->columns.items[column]));
    status = s && array_push(&t->away, away) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_OK)
        status = annex_add(&t->annex, away.rank, ANNEX_COLUMN, away.number, pieces->data + start,
                           pieces->n - start);
    bytes_free(encoded);
    if (status != REFRAIN_OK) {
        series_free(s);
        return status;
    }
    series_free(t->columns.items[column]);
    t->columns.items[column] = s;
    return REFRAIN_OK;
}

static bool is_worth_it(const struct series *column, int n_ranks)
{
    const uint64_t n = series_bytes(column);
    return n >= ANNEX_COLUMN_LEAST && n * (uint64_t)n_ranks >= ANNEX_COLUMNS_LEAST;
}

enum refrain_status annex_columns_detach(struct trace *t, int n_ranks, struct bytes *pieces)
{
    assert(t->n_ranks == 1);
    enum refrain_status status = REFRAIN_OK;
    uint8_t *use = find_uses(t);
    if (!use) {
        log_error("out of memory: %zu columns", t->columns.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint32_t c = 0; c < t->columns.n && status == REFRAIN_OK; c++) {
        if (use[c] == SLOT && is_worth_it(t->columns.items[c], n_ranks))
            status = detach(t, c, pieces);
    }
    map_free(&t->index.columns);
    free(use);
    return status;
}

/* ---- merging --------------------------------------------------------------------------------- */

enum refrain_status annex_columns_unite(struct trace *into, struct trace *next, const uint32_t *to,
                                        size_t fresh)
{
    assert(fresh <= into->columns.n);
    for (size_t i = 0; i < next->away.n; i++) {
        struct annex_column away = next->away.items[i];
        const size_t n = into->away.n;
        if (to[away.column] < fresh || (n > 0 && to[away.column] <= into->away.items[n - 1].column)) {
            annex_drop(&next->annex, away.rank, ANNEX_COLUMN, away.number);
            continue;
        }
        away.column = to[away.column];
        if (!array_push(&into->away, away))
            return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

enum refrain_status annex_columns_finish(struct trace *t)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < t->away.n && status == REFRAIN_OK; i++) {
        struct series **s = &t->columns.items[t->away.items[i].column], *zeros = series_create();
        status = zeros ? series_append_run(zeros, 0, 0, series_length(*s)) : REFRAIN_ERR_MEMORY;
        if (status == REFRAIN_OK) {
            series_free(*s);
            *s = zeros;
        } else {
            series_free(zeros);
        }
    }
    map_free(&t->index.columns);
    return status;
}

/* ---- attaching ------------------------------------------------------------------------------- */

static bool is_one_series(const struct section_file *file)
{
    for (size_t i = 0; i < SECTIONS; i++) {
        if ((file->parts[i].content.at != NULL) != (i == SECTION_SERI))
            return false;
    }
    return file->flags == 0 && bytes_left(&file->annex) == 0;
}

static enum refrain_status read_piece(const char *name, const struct annex_piece *p, const uint8_t *data,
                                      struct series **out)
{
    struct section_file file = {0};
    struct bytes_reader *in = &file.parts[SECTION_SERI].content;
    enum refrain_status status = section_read(name, data, p->length, &file);
    if (status == REFRAIN_OK)
        status = is_one_series(&file) ? series_decode(in, out) : REFRAIN_ERR_FORMAT;
    if (status == REFRAIN_OK && bytes_left(in) > 0) {
        series_free(*out);
        status = REFRAIN_ERR_FORMAT;
    }
    section_file_free(&file);
    return status;
}

static enum refrain_status attach(const char *name, struct trace *t, const struct annex_column *away,
                                  const uint8_t *annex, uint64_t *budget)
{
    const struct annex_piece *p = annex_find(&t->annex, away->rank, ANNEX_COLUMN, away->number);
    struct series **to = &t->columns.items[away->column], *s;
    if (!p || !annex_is_sound(p, annex + p->at))
        return REFRAIN_ERR_FORMAT;
    const enum refrain_status status = read_piece(name, p, annex + p->at, &s);
    if (status != REFRAIN_OK)
        return status;
    if (series_length(s) != series_length(*to) || series_bytes(s) > *budget) {
        series_free(s);
        return REFRAIN_ERR_FORMAT;
    }
    *budget -= series_bytes(s);
    series_free(*to);
    *to = s;
    return REFRAIN_OK;
}

enum refrain_status annex_columns_attach(const char *name, struct trace *t, const uint8_t *annex,
                                         uint64_t *budget)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < t->away.n && status == REFRAIN_OK; i++)
        status = attach(name, t, &t->away.items[i], annex, budget);
    if (status == REFRAIN_OK)
        array_free(&t->away);
    map_free(&t->index.columns);
    return status;
}

bool annex_column_is_away(const struct trace *t, uint32_t column)
{
    const size_t at = BISECT(i, t->away.n, t->away.items[i].column < column);
    return at < t->away.n && t->away.items[at].column == column;
}

/* ---- the section ----------------------------------------------------------------------------- */

void annex_columns_encode(const struct trace *t, struct bytes *out)
{
    uint32_t column = 0;
    if (t->away.n == 0)
        return;
    bytes_put_uint(out, t->away.n);
    for (size_t i = 0; i < t->away.n; i++) {
        const struct annex_column *away = &t->away.items[i];
        bytes_put_uint(out, away->column - column);
        bytes_put_uint(out, away->rank);
        bytes_put_uint(out, away->number);
        column = away->column;
    }
}

static enum refrain_status decode_entries(struct bytes_reader *in, struct trace *t, bool *named)
{
    uint64_t column = 0;
    const size_t n = bytes_get_count(in, ENTRY_BYTES);
    for (size_t i = 0; i < n; i++) {
        const uint64_t more = bytes_get_uint(in), rank = bytes_get_uint(in), number = bytes_get_uint(in);
        if (in->failed || (i > 0 && more == 0) || more >= t->columns.n - column || rank > UINT32_MAX ||
            number > UINT32_MAX)
            return REFRAIN_ERR_FORMAT;
        const struct annex_piece *p = annex_find(&t->annex, (uint32_t)rank, ANNEX_COLUMN, (uint32_t)number);
        if (!p || named[p - t->annex.pieces.items])
            return REFRAIN_ERR_FORMAT;
        named[p - t->annex.pieces.items] = true; /* a merge drops a piece together with its column */
        column += more;
        if (!array_push(&t->away,
                        ((struct annex_column){(uint32_t)column, (uint32_t)rank, (uint32_t)number})))
            return REFRAIN_ERR_MEMORY;
    }
    return in->failed ? REFRAIN_ERR_FORMAT : REFRAIN_OK;
}

enum refrain_status annex_columns_decode(struct bytes_reader *in, struct trace *t)
{
    bool *named = calloc(t->annex.pieces.n + 1, sizeof *named);
    if (!named) {
        log_error("out of memory: %zu pieces", t->annex.pieces.n);
        return REFRAIN_ERR_MEMORY;
    }
    const enum refrain_status status = decode_entries(in, t, named);
    free(named);
    return status;
}
