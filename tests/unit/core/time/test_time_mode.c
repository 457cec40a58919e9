/* SPDX-License-Identifier: BSD-3-Clause */
/* Modes of times as text and as bytes, and the grids of the lossy modes. */
#include <criterion/criterion.h>

#include <string.h>

#include "src/core/time/time_mode.h"

Test(time_mode, texts)
{
    static const struct {
        const char *text;
        uint64_t unit, floor, bound;
        uint32_t base;
    } good[] = {
        {"lossless", 1, 0, 0, 0},
        {"quantum:1us", 1000, 0, 0, 0},
        {"quantum:1.5ms", 1500000, 0, 0, 0},
        {"quantum:1ns", 1, 0, 0, 0},
        {"lossy", 0, 0, 1000, 1200000},
        {"lossy:1.05", 0, 0, 1000, 1050000},
        {"lossy:2", 0, 0, 1000, 2000000},
        {"lossy:1.2:10us", 0, 10000, 5000, 1200000},
        {"lossy:1.2:1us", 0, 1000, 1000, 1200000},
        {"lossy:1.2:0ns:1ns", 0, 0, 1, 1200000},
        {"lossy:1.2:10us:5us", 0, 10000, 5000, 1200000},
        {"lossy:1.3:10us:1ms", 0, 10000, 1000000, 1300000},
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct time_mode m;
        cr_assert(time_mode_is_sound(good[i].text), "%s", good[i].text);
        cr_assert_eq(time_mode_parse(good[i].text, NULL, &m), REFRAIN_OK);
        cr_expect_eq(m.unit, good[i].unit, "%s", good[i].text);
        cr_expect_eq(m.grids.n, good[i].unit == 0);
        if (m.grids.n > 0) {
            cr_expect_eq(m.grids.items[0].base, good[i].base);
            cr_expect_eq(m.grids.items[0].floor, good[i].floor);
            cr_expect_eq(m.grids.items[0].bound, good[i].bound);
        }
        time_mode_free(&m);
    }
    static const char *const bad[] = {"",
                                      "loss",
                                      "lossyy",
                                      "lossy:",
                                      "lossy:1",
                                      "lossy:1.00",
                                      "lossy:0",
                                      "lossy:1000",
                                      "lossy:-1.2",
                                      "lossy:1.2:",
                                      "lossy:1.2x",
                                      "lossy:1.2:10",
                                      "quantum",
                                      "quantum:",
                                      "quantum:0us",
                                      "quantum:us",
                                      "quantum:1.5ns",
                                      "quantum:1years",
                                      "lossless:1",
                                      "lossy:1.2:1us:",
                                      "lossy:1.2:0ns:0ns",
                                      "lossy:1.2:10us:4us",
                                      "lossy:1.2:0ns:1us:",
                                      "quantum:1us:1us"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_expect(!time_mode_is_sound(bad[i]), "%s", bad[i]);
}

Test(time_mode, functions_have_bases_of_their_own)
{
    struct time_mode m, back;
    struct bytes b = {0};
    cr_assert_eq(time_mode_parse("lossy:1.3:1us", "MPI_Send=1.05,MPI_Recv=2", &m), REFRAIN_OK);
    cr_expect_eq(time_mode_grid(&m, "MPI_Bcast"), 0);
    cr_expect_eq(m.grids.items[time_mode_grid(&m, "MPI_Send")].base, 1050000);
    cr_expect_eq(m.grids.items[time_mode_grid(&m, "MPI_Recv")].base, 2000000);
    time_mode_encode(&m, &b);
    struct bytes_reader in = bytes_reader_of(b.data, b.n);
    cr_assert_eq(time_mode_decode(&in, &back), REFRAIN_OK);
    cr_expect_eq(bytes_left(&in), 0);
    cr_expect(time_mode_is_equal(&m, &back));
    time_mode_free(&back);
    for (size_t n = 0; n < b.n; n++) {
        in = bytes_reader_of(b.data, n);
        cr_expect_eq(time_mode_decode(&in, &back), REFRAIN_ERR_FORMAT, "cut off after %zu", n);
    }
    time_mode_free(&m);
    bytes_free(&b);

    static const char *const bad[] = {"MPI_Send",   "MPI_Send=",     "=1.2",
                                      "MPI_Send=1", "MPI_Send=1.2,", ",MPI_Send=1.2"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_expect(!time_bases_are_sound(bad[i]), "%s", bad[i]);
}

Test(time_mode, bytes_without_sense)
{
    static const uint8_t bad[][7] = {
        {0, 1, 0, 0xC0, 0x84, 0x3D, 0},       /* base 1 */
        {0, 1, 0, 1, 0, 0, 0},                /* base 1e-6 */
        {0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, /* floor cut off */
        {0, 0, 0, 0x80, 0x9F, 0x49, 0},       /* bound 0 */
        {0, 1, 3, 0x80, 0x9F, 0x49, 0},       /* floor beyond the bound */
        {0, 0, 0x80, 0x9F, 0x49, 0, 0},       /* no bound, as in earlier versions */
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct time_mode m;
        struct bytes_reader in = bytes_reader_of(bad[i], sizeof bad[i]);
        cr_expect_eq(time_mode_decode(&in, &m), REFRAIN_ERR_FORMAT, "%zu", i);
    }
}

/* Checks both neighbours of each time on the grid. */
static void check_grid(uint32_t base, uint64_t floor, uint64_t bound)
{
    struct time_grid g;
    cr_assert_eq(time_grid_create(&g, base, floor, bound), REFRAIN_OK);
    cr_assert_eq(g.values[0], 0);
    for (uint64_t i = 1; i < g.n + 100; i++) {
        cr_assert_gt(time_grid_value(&g, i), time_grid_value(&g, i - 1));
        cr_assert_leq(time_grid_value(&g, i) - time_grid_value(&g, i - 1), 2 * bound);
    }
    for (uint64_t t = 0; t < UINT64_C(1) << 62; t = t < 3000 ? t + 1 : t + t / 37) {
        const uint64_t below = time_grid_find(&g, t);
        cr_assert(time_grid_value(&g, below) <= t && time_grid_value(&g, below + 1) > t, "%lu", t);
        for (uint64_t i = below; i <= below + time_grid_has_choice(&g, below); i++) {
            const uint64_t r = time_grid_value(&g, i);
            if (t < floor)
                cr_assert_lt(r > t ? r - t : t - r, floor, "%lu", t);
            else
                cr_assert((unsigned __int128)r * TIME_BASE_ONE <= (unsigned __int128)t * base &&
                              (unsigned __int128)t * TIME_BASE_ONE <= (unsigned __int128)r * base,
                          "%lu by %lu, base %u", t, r, base);
        }
        if (!time_grid_has_choice(&g, below))
            cr_assert_eq(time_grid_value(&g, below), t);
    }
    time_grid_free(&g);
}

Test(time_grid, neighbours_are_within_the_bound)
{
    static const uint32_t bases[] = {TIME_BASE_LEAST, 1050000, 1200000, 1500000, 2000000, 3300000, 100000000};
    static const uint64_t floors[] = {0, 1, 2, 3, 1000, 10000, 12345678},
                          bounds[] = {1, 2, 17, 1000, 5000, 123456, 6172839, TIME_BOUND_MOST};
    for (size_t b = 0; b < sizeof bases / sizeof bases[0]; b++)
        for (size_t f = 0; f < sizeof floors / sizeof floors[0]; f++)
            for (size_t s = 0; s < sizeof bounds / sizeof bounds[0]; s++)
                if (floors[f] <= 2 * bounds[s])
                    check_grid(bases[b], floors[f], bounds[s]);
}

Test(time_grid, small_times_are_exact)
{
    static const uint64_t first[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 19, 22, 26, 31};
    struct time_grid g;
    cr_assert_eq(time_grid_create(&g, 1200000, 0, 1000), REFRAIN_OK);
    cr_assert_eq(memcmp(g.values, first, sizeof first), 0);
    cr_assert_eq(g.n_alone, 5);
    /* From 10 us on, steps of 2 us. */
    cr_expect_leq(g.values[g.n - 1], 12000);
    cr_expect_eq(time_grid_value(&g, g.n), 12000);
    cr_expect_eq(time_grid_value(&g, g.n + 1), 14000);
    time_grid_free(&g);
}
