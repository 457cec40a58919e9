/* SPDX-License-Identifier: BSD-3-Clause */
#include "emitter.h"

#include "text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct emitter emitter_open(struct output *out, bool as_json, size_t label_width)
{
    struct emitter e = {
        .out = out, .as_json = as_json, .json = json_of(&out->text), .label_width = label_width};
    if (as_json)
        json_object(&e.json, NULL);
    return e;
}

enum refrain_status emitter_close(struct emitter *e)
{
    assert(!e->columns);
    if (e->as_json) {
        json_end(&e->json);
        text_putc(&e->out->text, '\n');
    }
    const bool failed = e->cells.failed || e->out->text.failed;
    bytes_free(&e->cells);
    array_free(&e->ends);
    return failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
}

void emitter_text(struct emitter *e, const char *key, const char *label, const char *value)
{
    assert(!e->columns);
    if (e->as_json) {
        json_string(&e->json, key, value);
    } else {
        text_printf(&e->out->text, "%-*s  ", (int)e->label_width, label);
        text_put_name(&e->out->text, value);
        text_putc(&e->out->text, '\n');
    }
    e->gap = true;
}

void emitter_uint(struct emitter *e, const char *key, const char *label, uint64_t value)
{
    assert(!e->columns);
    if (e->as_json) {
        json_uint(&e->json, key, value);
    } else {
        text_printf(&e->out->text, "%-*s  ", (int)e->label_width, label);
        text_uint(&e->out->text, value);
        text_putc(&e->out->text, '\n');
    }
    e->gap = true;
}

void emitter_note(struct emitter *e, const char *key, const char *text)
{
    assert(!e->columns);
    if (e->as_json)
        json_string(&e->json, key, text);
    else
        text_printf(&e->out->text, "\n%s\n", text);
}

void emitter_table(struct emitter *e, const char *key, const struct emitter_column *columns, size_t n)
{
    assert(!e->columns && n > 0);
    e->columns = columns;
    e->n_columns = n;
    e->at = 0;
    e->cells.n = e->ends.n = 0;
    if (e->as_json) {
        json_array(&e->json, key);
        return;
    }
    if (e->gap)
        text_putc(&e->out->text, '\n');
    for (size_t i = 0; i < n; i++)
        emitter_cell_text(e, columns[i].title);
}

/* Begins a cell. In text output, a cell is written to e->cells; in JSON, to the object of its
 * row. */
static const struct emitter_column *cell_begin(struct emitter *e)
{
    assert(e->columns);
    if (e->as_json && e->at == 0)
        json_object(&e->json, NULL);
    return &e->columns[e->at];
}

static void cell_end(struct emitter *e)
{
    e->at = (e->at + 1) % e->n_columns;
    if (e->as_json) {
        if (e->at == 0)
            json_end(&e->json);
    } else if (!array_push(&e->ends, e->cells.n)) {
        e->cells.failed = true;
    }
}

const char *emitter_cell_open(struct emitter *e)
{
    return cell_begin(e)->key;
}

void emitter_cell_close(struct emitter *e)
{
    cell_end(e);
}

void emitter_cell_text(struct emitter *e, const char *value)
{
    const struct emitter_column *c = cell_begin(e);
    if (e->as_json)
        json_string(&e->json, c->key, value);
    else
        text_put_name(&e->cells, value);
    cell_end(e);
}

void emitter_cell_made(struct emitter *e, struct bytes *text)
{
    bytes_put_u8(text, '\0');
    if (text->failed)
        e->out->text.failed = true;
    else
        emitter_cell_text(e, (const char *)text->data);
    bytes_free(text);
}

void emitter_cell_uint(struct emitter *e, uint64_t value)
{
    const struct emitter_column *c = cell_begin(e);
    if (e->as_json)
        json_uint(&e->json, c->key, value);
    else
        text_uint(&e->cells, value);
    cell_end(e);
}

void emitter_cell_real(struct emitter *e, double value)
{
    const struct emitter_column *c = cell_begin(e);
    if (e->as_json)
        json_real(&e->json, c->key, value);
    else
        text_printf(&e->cells, "%.*f", c->digits, value * c->scale);
    cell_end(e);
}

void emitter_cell_none(struct emitter *e)
{
    const struct emitter_column *c = cell_begin(e);
    if (e->as_json)
        json_null(&e->json, c->key);
    else
        text_putc(&e->cells, '-');
    cell_end(e);
}

static size_t cell_start(const struct emitter *e, size_t i)
{
    return i > 0 ? e->ends.items[i - 1] : 0;
}

/* Returns the number of UTF-8 characters of a cell: bytes that continue one are not counted. */
static size_t cell_characters(const struct emitter *e, size_t i)
{
    size_t n = 0;
    for (size_t at = cell_start(e, i); at < e->ends.items[i]; at++)
        n += (e->cells.data[at] & 0xc0) != 0x80;
    return n;
}

/* If a text is longer, the line's other cells come below it. */
#define WORDS_WIDEST 60

/* Returns the width of the widest cell of a column, at most WORDS_WIDEST. */
static size_t width_of(const struct emitter *e, size_t column)
{
    size_t width = 0;
    for (size_t i = column; i < e->ends.n; i += e->n_columns) {
        const size_t n = cell_characters(e, i);
        if (n > width)
            width = n;
    }
    return e->columns[column].left && width > WORDS_WIDEST ? WORDS_WIDEST : width;
}

static void put_table(struct emitter *e, const size_t *widths)
{
    struct bytes *out = &e->out->text;
    size_t end = 0; /* end of the column in characters */
    for (size_t i = 0; i < e->ends.n; i++) {
        const size_t column = i % e->n_columns, start = cell_start(e, i), n = cell_characters(e, i);
        const bool left = e->columns[column].left, last = column + 1 == e->n_columns;
        const bool too_wide = n > widths[column];
        const int blanks = too_wide ? 0 : (int)(widths[column] - n);
        end = (column > 0 ? end + 2 : 0) + widths[column];
        text_printf(out, "%s%*s", column > 0 ? "  " : "", left ? 0 : blanks, "");
        bytes_put(out, e->cells.data + start, e->ends.items[i] - start);
        if (last)
            text_putc(out, '\n');
        else if (too_wide)
            text_printf(out, "\n%*s", (int)end, "");
        else
            text_printf(out, "%*s", left ? blanks : 0, "");
    }
}

void emitter_table_end(struct emitter *e)
{
    assert(e->columns && e->at == 0);
    if (e->as_json) {
        json_end(&e->json);
    } else if (!e->cells.failed) {
        size_t *widths = calloc(e->n_columns, sizeof *widths);
        if (!widths)
            e->cells.failed = true;
        for (size_t c = 0; widths && c < e->n_columns; c++)
            widths[c] = width_of(e, c);
        if (widths)
            put_table(e, widths);
        free(widths);
    }
    e->columns = NULL;
    e->gap = true;
}
