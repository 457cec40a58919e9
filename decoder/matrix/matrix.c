/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix.h"

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

static const struct matrix_cell *find_cell(const struct matrix *m, uint32_t from, uint32_t to)
{
    const uint32_t place = map_get(&m->cell_numbers, key_of(from, to));
    return place == MAP_NONE ? NULL : &m->cells.items[place];
}

enum refrain_status matrix_add(struct matrix *m, uint32_t from, uint32_t to, uint64_t messages,
                               uint64_t bytes)
{
    uint32_t place = map_get(&m->cell_numbers, key_of(from, to));
    if (messages == 0)
        return REFRAIN_OK;
    if (place == MAP_NONE) {
        place = (uint32_t)m->cells.n;
        if (!array_push(&m->cells, ((struct matrix_cell){.from = from, .to = to})) ||
            !map_set(&m->cell_numbers, key_of(from, to), place))
            return REFRAIN_ERR_MEMORY;
    }
    m->cells.items[place].messages += messages;
    m->cells.items[place].bytes += bytes;
    return REFRAIN_OK;
}

enum refrain_status matrix_add_all(struct matrix *m, const struct matrix *from, uint64_t times)
{
    enum refrain_status status = REFRAIN_OK;
    m->unclear += from->unclear * times;
    for (size_t i = 0; i < from->cells.n && status == REFRAIN_OK; i++) {
        const struct matrix_cell *c = &from->cells.items[i];
        status = matrix_add(m, c->from, c->to, c->messages * times, c->bytes * times);
    }
    return status;
}

bool matrix_continues(const struct matrix *a, const struct matrix *b, const struct matrix *c, uint64_t k)
{
    bool same = a->cells.n == b->cells.n && a->cells.n == c->cells.n && a->unclear == b->unclear &&
                a->unclear == c->unclear;
    for (size_t i = 0; i < a->cells.n && same; i++) {
        const struct matrix_cell *x = &a->cells.items[i], *y = find_cell(b, x->from, x->to),
                                 *z = find_cell(c, x->from, x->to);
        same = y && z && x->messages == y->messages && x->messages == z->messages &&
               z->bytes - x->bytes == k * (y->bytes - x->bytes);
    }
    return same;
}

enum refrain_status matrix_add_progress(struct matrix *m, const struct matrix *a, const struct matrix *b,
                                        uint64_t times)
{
    /* 0 + 1 + … + times - 1 */
    const uint64_t steps = times % 2 == 0 ? times / 2 * (times - 1) : (times - 1) / 2 * times;
    enum refrain_status status = REFRAIN_OK;
    m->unclear += a->unclear * times;
    for (size_t i = 0; i < a->cells.n && status == REFRAIN_OK; i++) {
        const struct matrix_cell *x = &a->cells.items[i];
        const uint64_t step = find_cell(b, x->from, x->to)->bytes - x->bytes;
        status = matrix_add(m, x->from, x->to, x->messages * times, x->bytes * times + step * steps);
    }
    return status;
}

static int by_pair(const void *a, const void *b)
{
    const struct matrix_cell *x = a, *y = b;
    const uint64_t k = key_of(x->from, x->to), l = key_of(y->from, y->to);
    return k < l ? -1 : k > l;
}

void matrix_finish(struct matrix *m)
{
    if (m->cells.n > 0)
        qsort(m->cells.items, m->cells.n, sizeof *m->cells.items, by_pair);
    map_free(&m->cell_numbers);
}
