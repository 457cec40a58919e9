/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank functions and rank sets of real communication patterns, merged pairwise as the ranks of a
 * job are: up a binomial tree, [r, r + 2^k) with [r + 2^k, r + 2^(k+1)). The result may not be
 * larger than the result of appending, and may not grow with the number of ranks. */
#include <criterion/criterion.h>

#include "src/core/series/series.h"
#include "tests/unit/support/effort.h"

/* A pattern: the value of a rank, and which ranks take part. */
struct pattern {
    int64_t (*value)(int64_t rank, const struct pattern *p);
    bool (*has)(int64_t rank, const struct pattern *p); /* NULL: all ranks */
    int64_t ranks;
    int64_t n[3]; /* of a grid, x first; otherwise n[0] is the parameter */
    int dim, step;
    bool periodic, relative;
};

static struct series *merged(const struct pattern *p, int64_t first, int64_t n)
{
    struct series *s;
    if (n == 1) {
        s = series_create();
        cr_assert_not_null(s);
        if (!p->has || p->has(first, p))
            cr_assert_eq(series_append(s, p->value(first, p)), REFRAIN_OK);
        return s;
    }
    s = merged(p, first, n / 2);
    if (first + n / 2 < p->ranks) {
        struct series *right = merged(p, first + n / 2, n / 2);
        cr_assert_eq(series_concat(s, right), REFRAIN_OK);
        series_free(right);
    }
    return s;
}

static struct series *appended(const struct pattern *p)
{
    struct series *s = series_create();
    cr_assert_not_null(s);
    for (int64_t rank = 0; rank < p->ranks; rank++) {
        if (!p->has || p->has(rank, p))
            cr_assert_eq(series_append(s, p->value(rank, p)), REFRAIN_OK);
    }
    return s;
}

/* Merge, and compare with the values and with the result of appending. The cost may not be more
 * than `most`. */
static size_t check(const char *name, const struct pattern *p, size_t most)
{
    int64_t size = 1, v;
    while (size < p->ranks)
        size *= 2;
    struct series *s = merged(p, 0, size), *plain = appended(p);
    struct series_cursor c;
    series_cursor_start(&c, s);
    for (int64_t rank = 0; rank < p->ranks; rank++) {
        if (p->has && !p->has(rank, p))
            continue;
        cr_assert(series_cursor_next(&c, &v));
        cr_assert_eq(v, p->value(rank, p));
    }
    cr_assert_not(series_cursor_next(&c, &v));
    const size_t cost = series_cost(s), least = series_cost(plain);
    cr_assert_leq(cost, least + least / 10 + 2, "%s of %ld x %ld x %ld, %ld ranks: %zu merged, %zu appended",
                  name, (long)p->n[0], (long)p->n[1], (long)p->n[2], (long)p->ranks, cost, least);
    cr_assert_leq(cost, most, "%s of %ld x %ld x %ld, %ld ranks: %zu", name, (long)p->n[0], (long)p->n[1],
                  (long)p->n[2], (long)p->ranks, cost);
    series_free(s);
    series_free(plain);
    return cost;
}

/* ---- grids ----------------------------------------------------------------------------------- */

static void coordinates(int64_t rank, const struct pattern *p, int64_t c[3])
{
    c[0] = rank % p->n[0];
    c[1] = rank / p->n[0] % p->n[1];
    c[2] = rank / p->n[0] / p->n[1];
}

static int64_t neighbour(int64_t rank, const struct pattern *p)
{
    int64_t c[3];
    coordinates(rank, p, c);
    c[p->dim] += p->step;
    const bool outside = c[p->dim] < 0 || c[p->dim] >= p->n[p->dim];
    c[p->dim] = (c[p->dim] + p->n[p->dim]) % p->n[p->dim];
    int64_t v = outside && !p->periodic ? -2 : c[0] + p->n[0] * (c[1] + p->n[1] * c[2]);
    return p->relative ? v - rank : v;
}

/* A few hundred grids of 3 to 16 in each direction; x takes all values. */
static bool next_grid(struct pattern *p, int64_t least_z)
{
    if (p->n[0] == 0) {
        p->n[0] = p->n[1] = 3;
        p->n[2] = least_z;
    } else if ((p->n[2] += p->n[1] % 4 + 3) > 16) {
        p->n[2] = least_z + p->n[0] % 3;
        if ((p->n[1] += p->n[0] % 3 + 2) > 16) {
            p->n[1] = 3;
            p->n[0]++;
        }
    }
    p->ranks = p->n[0] * p->n[1] * p->n[2];
    return p->n[0] <= effort(16, 7);
}

Test(series_ranks, neighbours_in_grids)
{
    for (unsigned kind = 0; kind < 24; kind++) {
        struct pattern p = {.value = neighbour,
                            .dim = (int)kind % 3,
                            .step = kind / 3 % 2 ? 1 : -1,
                            .periodic = kind / 6 % 2,
                            .relative = kind / 12};
        while (next_grid(&p, 1))
            check("neighbour", &p, 28);
    }
}

static int64_t identity(int64_t rank, const struct pattern *p)
{
    (void)p;
    return rank;
}

/* `step` is three digits to base 3: in each direction low border, inside, high border. */
static bool in_class(int64_t rank, const struct pattern *p)
{
    int64_t c[3];
    int code = p->step;
    coordinates(rank, p, c);
    for (int d = 0; d < 3; d++, code /= 3) {
        if (code % 3 != (c[d] == 0 ? 0 : c[d] == p->n[d] - 1 ? 2 : 1))
            return false;
    }
    return true;
}

Test(series_ranks, interior_faces_edges_and_corners_of_grids)
{
    for (int class = 0; class < 27; class ++) {
        struct pattern p = {.value = identity, .has = in_class, .step = class};
        while (next_grid(&p, 3))
            check("class", &p, 28);
    }
}

/* `step` is the number of directions in which the rank lies at a border. */
static bool at_borders(int64_t rank, const struct pattern *p)
{
    int64_t c[3];
    int n = 0;
    coordinates(rank, p, c);
    for (int d = 0; d < 3; d++)
        n += c[d] == 0 || c[d] == p->n[d] - 1;
    return n == p->step;
}

Test(series_ranks, all_faces_all_edges_and_all_corners_of_grids)
{
    for (int borders = 0; borders <= 3; borders++) {
        struct pattern p = {.value = identity, .has = at_borders, .step = borders};
        while (next_grid(&p, 3))
            check("borders", &p, 64);
    }
}

Test(series_ranks, a_thousand_times_more_ranks_cost_only_larger_numbers)
{
    for (int dim = 0; dim < 3; dim++) {
        struct pattern small = {
            .value = neighbour, .ranks = 5 * 6 * 7, .n = {5, 6, 7}, .dim = dim, .step = 1};
        struct pattern large = {
            .value = neighbour, .ranks = 55 * 66 * 58, .n = {55, 66, 58}, .dim = dim, .step = 1};
        check("large", &large, 2 * check("small", &small, 28));
    }
}

/* ---- other laws ------------------------------------------------------------------------------ */

static int64_t xor_partner(int64_t rank, const struct pattern *p)
{
    return (rank ^ p->n[0]) - (p->relative ? rank : 0);
}

static int64_t modulo(int64_t rank, const struct pattern *p)
{
    return rank % p->n[0];
}

static int64_t quotient(int64_t rank, const struct pattern *p)
{
    return rank / p->n[0];
}

/* Up and down again: which run contains the turning point depends on the start. */
static int64_t zigzag(int64_t rank, const struct pattern *p)
{
    int64_t x = rank % (2 * (p->n[0] - 1));
    return x < p->n[0] ? x : 2 * (p->n[0] - 1) - x;
}

static int64_t shift(int64_t rank, const struct pattern *p)
{
    int64_t v = (rank + p->n[0]) % p->ranks;
    return p->relative ? v - rank : v;
}

/* Ranks with one element more in a block distribution. */
static int64_t block_size(int64_t rank, const struct pattern *p)
{
    return 100 + (rank < p->n[0]);
}

Test(series_ranks, laws_of_the_rank)
{
    static int64_t (*const laws[])(int64_t, const struct pattern *) = {modulo, quotient, zigzag, shift,
                                                                       block_size};
    for (int64_t ranks = 50; ranks < effort(3000, 1000); ranks = ranks * 3 / 2 + 1) {
        for (size_t law = 0; law < sizeof laws / sizeof laws[0]; law++) {
            for (int64_t n = 2; n < 40; n++) {
                struct pattern p = {.value = laws[law], .ranks = ranks, .n = {n, 1, 1}, .relative = n % 2};
                check("law", &p, 48);
            }
        }
    }
}

Test(series_ranks, xor_partners)
{
    for (int64_t ranks = 16; ranks <= 4096; ranks *= 2) {
        for (int64_t mask = 1; mask < ranks; mask *= 2) {
            for (int relative = 0; relative < 2; relative++) {
                struct pattern p = {
                    .value = xor_partner, .ranks = ranks, .n = {mask, 1, 1}, .relative = relative};
                check("xor", &p, 36);
            }
        }
    }
}
