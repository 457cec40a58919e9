/* SPDX-License-Identifier: BSD-3-Clause */
/* Section 7: permuted lists, which are expanded as they are read. */
#include "steps.h"

#include <stdlib.h>

#define VALUES_MAX (UINT64_C(1) << 26) /* values of a permuted list */

enum field { BASE, MAP, ROW, COLUMN, SCALE, SHIFT, SLOPE, N_FIELDS };

struct map {
    uint64_t columns;
    int64_t rr, rc, cr, cc;
};

struct lists {
    struct map *maps;
    struct body fields[N_FIELDS];
    size_t n_maps, n_permuted;
};

/* Makes a series of n zeros. */
static struct body make_body(uint64_t n)
{
    struct body body = {.parts = zeroed(1, sizeof *body.parts), .ends = zeroed(1, sizeof *body.ends), .n = 1};
    body.parts->leaves = zeroed(n, sizeof *body.parts->leaves);
    *body.ends = n;
    return body;
}

static void get_permuted(struct input *in, struct lists *l)
{
    l->n_maps = get_count(in, 5);
    l->maps = zeroed(l->n_maps, sizeof *l->maps);
    for (struct map *m = l->maps; m < l->maps + l->n_maps; m++) {
        m->columns = get_uint(in);
        refuse_if(in, m->columns == 0, "a torus with rows of no places");
        m->rr = get_int(in);
        m->rc = get_int(in);
        m->cr = get_int(in);
        m->cc = get_int(in);
    }
    uint64_t n = get_uint(in);
    refuse_if(in, n > VALUES_MAX, "more permuted lists than this reader takes");
    l->n_permuted = (size_t)n;
    for (size_t f = 0; f < N_FIELDS && n > 0; f++) {
        l->fields[f] = get_body(in, 0, &(uint64_t){0});
        refuse_if(in, body_length(&l->fields[f]) != n, "a field of permuted lists is not of all of them");
    }
}

struct lists *get_lists(struct input *in, const struct trace *t, size_t *n)
{
    struct lists *l = zeroed(1, sizeof *l);
    if (t->final)
        get_permuted(in, l);
    *n = l->n_permuted;
    return l;
}

/* Returns a × x + b × y + z mod m without overflow: x, y and m are at most 2^26. */
static uint64_t combine(int64_t a, uint64_t x, int64_t b, uint64_t y, int64_t z, uint64_t m)
{
    const int64_t n = (int64_t)m;
    int64_t sum = a % n * (int64_t)x % n + b % n * (int64_t)y % n + z % n;
    return (uint64_t)((sum % n + n) % n);
}

static struct body permute(const struct input *in, const struct lists *l, size_t number,
                           const struct body *direct, size_t n_direct)
{
    int64_t field[N_FIELDS];
    for (size_t f = 0; f < N_FIELDS; f++)
        field[f] = series_at(&l->fields[f], number);
    refuse_if(in, (uint64_t)field[BASE] >= n_direct || (uint64_t)field[MAP] >= l->n_maps,
              "a permuted list is of a series or map that is not there");
    const struct body *base = &direct[field[BASE]];
    const struct map *m = &l->maps[field[MAP]];
    uint64_t n = body_length(base);
    refuse_if(in, n == 0 || n > VALUES_MAX || n % m->columns != 0,
              "the columns of a permuted list do not divide its base");
    struct body body = make_body(n);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t r = i / m->columns, c = i % m->columns;
        uint64_t place = combine(m->rr, r, m->rc, c, field[ROW], n / m->columns) * m->columns +
                         combine(m->cr, r, m->cc, c, field[COLUMN], m->columns);
        body.parts->leaves[i] = (int64_t)((uint64_t)field[SHIFT] + (uint64_t)field[SLOPE] * i +
                                          (uint64_t)field[SCALE] * (uint64_t)series_at(base, place));
    }
    return body;
}

/* Makes the first of the n series; those that are not permuted exist. */
void make_lists(const struct input *in, struct lists *l, struct body *series, size_t n)
{
    const struct body *direct = series + l->n_permuted;
    for (size_t i = 0; i < l->n_permuted; i++)
        series[i] = permute(in, l, i, direct, n - l->n_permuted);
    free(l->maps);
    free(l);
}
