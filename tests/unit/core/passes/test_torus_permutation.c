/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of the search for lists that are others seen from another place of a torus. */
#include "src/core/passes/torus_permutation.h"
#include "tests/unit/support/random.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MOST = 72, TURNS = 16 };

/* Lists that a test makes; the struct owns their series. */
struct made {
    struct rank_lists lists;
    struct series *series[32];
};

static void make_list(struct made *m, uint32_t n, const int64_t *values)
{
    struct series *s = series_create();
    for (uint32_t i = 0; i < n; i++)
        cr_assert_eq(series_append(s, values[i]), REFRAIN_OK);
    m->lists.n_ranks = n;
    m->series[m->lists.n] = s;
    cr_assert_eq(rank_lists_add(&m->lists, s), REFRAIN_OK);
}

static void made_free(struct made *m)
{
    for (size_t i = 0; i < m->lists.n; i++)
        series_free(m->series[i]);
    rank_lists_free(&m->lists);
}

static void random_values(uint64_t *random, uint32_t n, uint32_t below, int64_t *values)
{
    for (uint32_t i = 0; i < n; i++)
        values[i] = random_below(random, below);
}

/* The rule of the format, written in another way than in torus.h. */
static uint32_t place_of(const struct torus_map *m, int64_t row, int64_t column, uint32_t n, uint32_t i)
{
    const int64_t columns = m->columns, rows = n / m->columns, r = i / columns, c = i % columns;
    int64_t to_row = (m->rr * r + m->rc * c + row) % rows,
            to_column = (m->cr * r + m->cc * c + column) % columns;
    to_row += to_row < 0 ? rows : 0;
    to_column += to_column < 0 ? columns : 0;
    return (uint32_t)(to_row * columns + to_column);
}

/* Every list that was found expands to its values. */
static void check_turned(const struct made *m, const struct torus_permutations *t)
{
    const uint32_t n = m->lists.n_ranks;
    for (size_t i = 0; i < t->lists.n; i++) {
        const struct permuted_list *l = &t->lists.items[i];
        const struct torus_map *map = &t->maps.items[l->map];
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t from = place_of(map, l->at.row, l->at.column, n, k);
            const int64_t value =
                l->shift + l->slope * k + l->scale * series_at(t->bases.items[l->base], from);
            cr_assert_eq(value, m->lists.items[l->list].values[k], "list %u, rank %u", l->list, k);
        }
    }
}

/* Does the map reach every place? On grids that are not squares, some maps with such a matrix do
 * not. */
static bool reaches_all(const struct torus_map *m, uint32_t n)
{
    bool reached[RANKS_MOST] = {false};
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool *place = &reached[place_of(m, 0, 0, n, i)];
        count += !*place;
        *place = true;
    }
    return count == n;
}

static struct torus_map random_map(uint64_t *random, uint32_t columns, uint32_t n)
{
    struct torus_map map = {.columns = columns};
    do {
        int64_t *const numbers[] = {&map.rr, &map.rc, &map.cr, &map.cc};
        for (int i = 0; i < 4; i++)
            *numbers[i] = (int)random_below(random, 3) - 1;
    } while (llabs(map.rr * map.cc - map.rc * map.cr) != 1 || !reaches_all(&map, n));
    return map;
}

/* A list without a law, moved on a grid by maps of all kinds. */
static void make_turns(struct made *m, uint64_t *random, uint32_t n, uint32_t columns)
{
    int64_t base[RANKS_MOST], list[RANKS_MOST];
    random_values(random, n, 1000, base);
    make_list(m, n, base);
    while (m->lists.n < TURNS) {
        const struct torus_map map = random_map(random, columns, n);
        const int64_t scale = 1 + random_below(random, 30), shift = (int)random_below(random, 999) - 500,
                      row = (int)random_below(random, 99) - 50, column = (int)random_below(random, 99) - 50;
        for (uint32_t i = 0; i < n; i++)
            list[i] = shift + scale * base[place_of(&map, row, column, n, i)];
        make_list(m, n, list);
    }
}

Test(torus_permutation, every_map_is_found)
{
    static const uint32_t sizes[] = {9, 16, 24, 36, 64, RANKS_MOST};
    uint64_t random = random_seed(1);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        for (uint32_t columns = 2; columns < sizes[k]; columns++) {
            struct made m = {.series = {NULL}};
            struct torus_permutations t;
            if (sizes[k] % columns != 0)
                continue;
            make_turns(&m, &random, sizes[k], columns);
            cr_assert_eq(torus_permutations_find(&m.lists, &t), REFRAIN_OK);
            cr_assert_eq(t.lists.n, TURNS, "%u ranks, rows of %u", sizes[k], columns);
            check_turned(&m, &t);
            torus_permutations_free(&t);
            made_free(&m);
        }
    }
}

/* Partners and cells on a torus are permutations of the numbers of places, also relative to the
 * own rank. */
Test(torus_permutation, partners_are_places)
{
    enum { SIDE = 6, N = SIDE * SIDE };
    struct made m = {.series = {NULL}};
    for (int64_t way = 0; way < 6; way++) {
        int64_t list[N];
        for (int64_t i = 0; i < N; i++) {
            const int64_t r = i / SIDE, c = i % SIDE;
            list[i] = way < 3 ? (r + way + c) % SIDE * SIDE + (c + 2) % SIDE
                              : (r + 1) % SIDE * SIDE + (c + way) % SIDE + 5000 - i;
        }
        make_list(&m, N, list);
    }
    struct torus_permutations t;
    cr_assert_eq(torus_permutations_find(&m.lists, &t), REFRAIN_OK);
    cr_assert_eq(t.lists.n, 6);
    cr_assert_eq(t.maps.n, 2);
    check_turned(&m, &t);
    for (size_t i = 0; i < 6; i++)
        cr_expect_eq(t.lists.items[i].slope, i < 3 ? 0 : -1);
    torus_permutations_free(&t);
    made_free(&m);
}

/* One value is at another place, or is another value: that list is not a turn, although all others
 * are. */
Test(torus_permutation, near_misses_are_none)
{
    enum { N = 36 };
    uint64_t random = random_seed(2);
    for (int kind = 0; kind < 3; kind++) {
        int64_t list[N], other[N];
        struct made m = {.series = {NULL}};
        random_values(&random, N, 1000, list);
        for (int i = 0; i < N; i++)
            other[i] = 7 * list[(i + 6) % N] + 3;
        if (kind == 1)
            other[20] += 7;
        if (kind == 2) {
            const int64_t swapped = other[20];
            other[20] = other[21];
            other[21] = swapped;
        }
        make_list(&m, N, list);
        make_list(&m, N, other);
        struct torus_permutations t;
        cr_assert_eq(torus_permutations_find(&m.lists, &t), REFRAIN_OK);
        cr_assert_eq(t.lists.n, kind == 0 ? 2 : 0, "kind %d", kind);
        check_turned(&m, &t);
        torus_permutations_free(&t);
        made_free(&m);
    }
}

Test(torus_permutation, values_at_the_ends_of_the_range)
{
    enum { N = 16 };
    int64_t list[N], other[N];
    struct made m = {.series = {NULL}};
    for (int i = 0; i < N; i++)
        list[i] = i * i % 7 < 3 ? INT64_MIN : i * i % 5 == 0 ? INT64_MAX : i;
    for (int i = 0; i < N; i++)
        other[i] = list[(i + 4) % N];
    make_list(&m, N, list);
    make_list(&m, N, other);
    struct torus_permutations t;
    cr_assert_eq(torus_permutations_find(&m.lists, &t), REFRAIN_OK);
    for (size_t i = 0; i < t.lists.n; i++) {
        const struct permuted_list *l = &t.lists.items[i];
        for (uint32_t k = 0; k < N; k++) {
            const uint32_t from = place_of(&t.maps.items[l->map], l->at.row, l->at.column, N, k);
            const uint64_t value = (uint64_t)l->shift + (uint64_t)l->slope * k +
                                   (uint64_t)l->scale * (uint64_t)series_at(t.bases.items[l->base], from);
            cr_assert_eq((int64_t)value, m.lists.items[l->list].values[k]);
        }
    }
    cr_assert_eq(t.lists.n, 2);
    torus_permutations_free(&t);
    made_free(&m);
}
