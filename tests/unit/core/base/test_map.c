/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include <stdlib.h>

#include "src/core/base/map.h"
#include "src/core/base/mix.h"

Test(map, an_empty_map_has_nothing)
{
    struct map m = {0};
    size_t at;
    cr_assert_eq(map_get(&m, 0), MAP_NONE);
    cr_assert_eq(map_first(&m, 5, &at), MAP_NONE);
    cr_assert_not(map_remove(&m, 0, 0));
    map_clear(&m);
    map_free(&m);
}

Test(map, set_replaces_and_clear_empties)
{
    struct map m = {0};
    for (uint32_t i = 0; i < 1000; i++)
        cr_assert(map_set(&m, i, i));
    for (uint32_t i = 0; i < 1000; i++)
        cr_assert(map_set(&m, i, 2 * i));
    cr_assert_eq(m.n, 1000);
    for (uint32_t i = 0; i < 1000; i++)
        cr_assert_eq(map_get(&m, i), 2 * i);
    cr_assert_eq(map_get(&m, 1000), MAP_NONE);
    cr_assert(m.n * 3 <= m.cap * 2);
    map_clear(&m);
    cr_assert_eq(map_get(&m, 7), MAP_NONE);
    map_free(&m);
}

/* How often the value is stored under the key. */
static unsigned occurrences(const struct map *m, uint64_t key, uint32_t value)
{
    unsigned n = 0;
    size_t at;
    for (uint32_t v = map_first(m, key, &at); v != MAP_NONE; v = map_next(m, key, &at))
        n += v == value;
    return n;
}

/* Few keys and many values make long chains, so that removal has to move entries of other keys
 * too. */
Test(map, agrees_with_a_table_under_random_changes)
{
    enum { KEYS = 40, VALUES = 8, STEPS = 20000 };
    struct map m = {0};
    unsigned counts[KEYS][VALUES] = {{0}};
    size_t n = 0;
    for (uint64_t step = 0; step < STEPS; step++) {
        uint64_t random = mix(1, step);
        uint64_t key = random % KEYS;
        uint32_t value = (uint32_t)(random >> 16) % VALUES;
        uint64_t scattered = key % 2 ? key : mix(2, key);
        /* phases of growing and of shrinking */
        bool adding = (random >> 32) % 8 < (step / 2000 % 2 ? 2u : 6u);
        if (adding) {
            cr_assert(map_add(&m, scattered, value));
            counts[key][value]++;
            n++;
        } else {
            bool there = counts[key][value] > 0;
            cr_assert_eq(map_remove(&m, scattered, value), there);
            counts[key][value] -= there;
            n -= there;
        }
        cr_assert_eq(m.n, n);
        cr_assert_eq(occurrences(&m, scattered, value), counts[key][value]);
        for (uint64_t k = 0; step % 500 == 0 && k < KEYS; k++) {
            for (uint32_t v = 0; v < VALUES; v++)
                cr_assert_eq(occurrences(&m, k % 2 ? k : mix(2, k), v), counts[k][v]);
        }
    }
    map_free(&m);
}
