/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix.h"

#include "src/core/base/mix.h"

#include <assert.h>
#include <stdlib.h>

void matrix_free(struct matrix *m)
{
    array_free(&m->cells);
    map_free(&m->cell_numbers);
    *m = (struct matrix){0};
}

void matrix_clear(struct matrix *m)
{
    m->cells.n = 0;
    m->unclear = 0;
    map_clear(&m->cell_numbers);
}

static uint64_t key_of(uint32_t from, uint32_t to)
{
    return (uint64_t)from << 32 | to;
}

/* Without labels, the pair is the key; with labels, several cells may have the same pair. */
static uint64_t hash_of(uint32_t from, uint32_t to, uint32_t label)
{
    return label == 0 ? key_of(from, to) : mix(label, key_of(from, to));
}

static uint32_t place_of(const struct matrix *m, uint32_t from, uint32_t to, uint32_t label)
{
    const uint64_t key = hash_of(from, to, label);
    size_t at;
    for (uint32_t v = map_first(&m->cell_numbers, key, &at); v != MAP_NONE;
         v = map_next(&m->cell_numbers, key, &at)) {
        const struct matrix_cell *c = &m->cells.items[v];
        if (c->from == from && c->to == to && c->label == label)
            return v;
    }
    return MAP_NONE;
}

/* Finds the cell with the same pair and label as a cell of another matrix. */
static const struct matrix_cell *find_cell(const struct matrix *m, const struct matrix_cell *like)
{
    const uint32_t place = place_of(m, like->from, like->to, like->label);
    return place == MAP_NONE ? NULL : &m->cells.items[place];
}

static enum refrain_status add(struct matrix *m, uint32_t from, uint32_t to, uint32_t label,
                               uint64_t messages, uint64_t bytes)
{
    uint32_t place = place_of(m, from, to, label);
    if (messages == 0)
        return REFRAIN_OK;
    if (place == MAP_NONE) {
        place = (uint32_t)m->cells.n;
        if (!array_push(&m->cells, ((struct matrix_cell){.from = from, .to = to, .label = label})) ||
            !map_add(&m->cell_numbers, hash_of(from, to, label), place))
            return REFRAIN_ERR_MEMORY;
    }
    m->cells.items[place].messages += messages;
    m->cells.items[place].bytes += bytes;
    return REFRAIN_OK;
}

enum refrain_status matrix_add(struct matrix *m, uint32_t from, uint32_t to, uint64_t messages,
                               uint64_t bytes)
{
    assert(!m->labels);
    return add(m, from, to, 0, messages, bytes);
}

static enum refrain_status intern(struct matrix_labels *l, const struct matrix_label *label, uint32_t *number)
{
    const uint64_t key = mix(mix(label->site, (uint64_t)label->comm), (uint64_t)label->tag);
    size_t at;
    for (uint32_t v = map_first(&l->by_hash, key, &at); v != MAP_NONE; v = map_next(&l->by_hash, key, &at)) {
        const struct matrix_label *known = &l->items.items[v];
        if (known->site == label->site && known->comm == label->comm && known->tag == label->tag) {
            *number = v;
            return REFRAIN_OK;
        }
    }
    *number = (uint32_t)l->items.n;
    return array_push(&l->items, *label) && map_add(&l->by_hash, key, *number) ? REFRAIN_OK
                                                                               : REFRAIN_ERR_MEMORY;
}

enum refrain_status matrix_add_labelled(struct matrix *m, const struct matrix_label *label, uint32_t from,
                                        uint32_t to, uint64_t messages, uint64_t bytes)
{
    assert(m->labels);
    uint32_t number;
    const enum refrain_status status = intern(m->labels, label, &number);
    return status == REFRAIN_OK ? add(m, from, to, number, messages, bytes) : status;
}

void matrix_labels_free(struct matrix_labels *l)
{
    array_free(&l->items);
    map_free(&l->by_hash);
}

enum refrain_status matrix_add_all(struct matrix *m, const struct matrix *from, uint64_t times)
{
    assert(m != from && m->labels == from->labels);
    enum refrain_status status = REFRAIN_OK;
    m->unclear += from->unclear * times;
    for (size_t i = 0; i < from->cells.n && status == REFRAIN_OK; i++) {
        const struct matrix_cell *c = &from->cells.items[i];
        status = add(m, c->from, c->to, c->label, c->messages * times, c->bytes * times);
    }
    return status;
}

bool matrix_continues(const struct matrix *a, const struct matrix *b, const struct matrix *c, uint64_t k)
{
    bool same = a->cells.n == b->cells.n && a->cells.n == c->cells.n && a->unclear == b->unclear &&
                a->unclear == c->unclear;
    for (size_t i = 0; i < a->cells.n && same; i++) {
        const struct matrix_cell *x = &a->cells.items[i], *y = find_cell(b, x), *z = find_cell(c, x);
        same = y && z && x->messages == y->messages && x->messages == z->messages &&
               z->bytes - x->bytes == k * (y->bytes - x->bytes);
    }
    return same;
}

enum refrain_status matrix_add_progress(struct matrix *m, const struct matrix *a, const struct matrix *b,
                                        uint64_t times)
{
    /* This is 0 + 1 + … + times - 1. */
    const uint64_t steps = times % 2 == 0 ? times / 2 * (times - 1) : (times - 1) / 2 * times;
    enum refrain_status status = REFRAIN_OK;
    m->unclear += a->unclear * times;
    for (size_t i = 0; i < a->cells.n && status == REFRAIN_OK; i++) {
        const struct matrix_cell *x = &a->cells.items[i];
        const uint64_t step = find_cell(b, x)->bytes - x->bytes;
        status = add(m, x->from, x->to, x->label, x->messages * times, x->bytes * times + step * steps);
    }
    return status;
}

static int by_pair(const void *a, const void *b)
{
    const struct matrix_cell *x = a, *y = b;
    const uint64_t k = key_of(x->from, x->to), l = key_of(y->from, y->to);
    return k != l ? (k < l ? -1 : 1) : x->label < y->label ? -1 : x->label > y->label;
}

/* Sorts the cells. Cells counted rank by rank come grouped by sender, so only each group is
 * sorted. */
void matrix_finish(struct matrix *m)
{
    struct matrix_cell *cells = m->cells.items;
    bool by_sender = true;
    for (size_t i = 1; i < m->cells.n && by_sender; i++)
        by_sender = cells[i - 1].from <= cells[i].from;
    for (size_t i = 0, end; i < m->cells.n; i = end) {
        for (end = i + 1; end < m->cells.n && (!by_sender || cells[end].from == cells[i].from);)
            end++;
        qsort(cells + i, end - i, sizeof *cells, by_pair);
    }
    map_free(&m->cell_numbers);
}
