/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include <stdlib.h>

#include "src/core/base/mix.h"
#include "src/core/series/series_impl.h"

/* ---- sequences ------------------------------------------------------------------------------- */

struct values {
    int64_t *items;
    size_t n, cap;
};

struct random {
    uint64_t state;
};

static uint64_t below(struct random *r, uint64_t n)
{
    return mix(0, ++r->state) % n;
}

static int64_t some_value(struct random *r)
{
    static const int64_t extremes[] = {INT64_MAX, INT64_MIN, -1, 0};
    return below(r, 10) == 0 ? extremes[below(r, 4)] : (int64_t)below(r, 20) - 4;
}

/* A random nest of loops, expanded: each leaf is a value plus a step for every index around it. */
struct nest {
    uint64_t seed;
    unsigned depth;
};

static void write_nest(struct values *v, struct nest nest, uint64_t around)
{
    struct random r = {nest.seed};
    uint64_t parts = 1 + below(&r, 3);
    for (uint64_t p = 0; p < parts; p++) {
        uint64_t seed = mix(nest.seed, p), step = (uint64_t)some_value(&r), first = (uint64_t)some_value(&r);
        uint64_t count = 1 + below(&r, 6);
        bool leaf = nest.depth == 0 || below(&r, 3) == 0;
        for (uint64_t i = 0; i < (leaf ? 1 : count); i++) {
            if (leaf)
                cr_assert(array_push(v, (int64_t)(first + around)));
            else
                write_nest(v, (struct nest){seed, nest.depth - 1}, around + step * i);
        }
    }
}

/* Pieces of nests and of noise, cut anywhere, so that seams are inside loops. */
static void write_random(struct values *v, struct random *r, size_t most)
{
    v->n = 0;
    while (v->n < most) {
        if (below(r, 4) == 0) {
            for (uint64_t i = below(r, 12); i > 0; i--)
                cr_assert(array_push(v, some_value(r)));
        } else {
            uint64_t seed = below(r, 1000);
            unsigned depth = (unsigned)below(r, 4);
            for (uint64_t i = 1 + below(r, 5); i > 0 && v->n < most; i--)
                write_nest(v, (struct nest){seed, depth}, 0);
        }
        if (below(r, 6) == 0)
            break;
    }
    if (v->n > most)
        v->n = most;
}

static struct series *series_of(const int64_t *values, size_t n)
{
    struct series *s = series_create();
    cr_assert_not_null(s);
    for (size_t i = 0; i < n; i++)
        cr_assert_eq(series_append(s, values[i]), REFRAIN_OK);
    return s;
}

#define SERIES(...) series_of((int64_t[]){__VA_ARGS__}, sizeof(int64_t[]){__VA_ARGS__} / sizeof(int64_t))

/* ---- checks ---------------------------------------------------------------------------------- */

/* Checks every invariant of series_impl.h; returns the number of values. */
static uint64_t check_nodes(const struct series *s, uint32_t first, uint32_t end, uint32_t depth,
                            uint32_t *coef)
{
    uint64_t n = 0;
    unsigned elements = 0;
    for (uint32_t k = first; k < end; k += series_extent(&s->nodes.items[k])) {
        const struct series_node *node = &s->nodes.items[k];
        cr_assert_eq(node->depth, depth);
        cr_assert_eq(node->coef, *coef);
        if (series_is_pack(node)) {
            cr_assert_eq(depth, 0);
            cr_assert_lt(node->n, s->packs.n);
            n += s->packs.items[node->n]->n;
            continue;
        }
        cr_assert(node->span >= 1 && node->span <= end - k);
        elements++;
        if (series_is_leaf(node)) {
            *coef += depth;
            n++;
        } else {
            cr_assert(node->n >= 2);
            cr_assert_lt(depth, SERIES_DEPTH_MAX);
            n += node->n * check_nodes(s, k + 1, k + node->span, depth + 1, coef);
        }
    }
    cr_assert(depth == 0 || (elements >= 1 && elements <= SERIES_BLOCK_MAX));
    return n;
}

static void check(const struct series *s)
{
    uint32_t coef = 0, node = 0;
    cr_assert_eq(check_nodes(s, 0, (uint32_t)s->nodes.n, 0, &coef), s->length);
    cr_assert_eq(coef, s->coefs.n);
    for (size_t t = 0; t < s->tops.n; t++) {
        cr_assert_eq(s->tops.items[t], node);
        node += series_extent(&s->nodes.items[node]);
    }
    cr_assert_eq(node, s->nodes.n);
}

/* Are the w nodes at a and at b alike, except for the first values of their leaves? With `less` 1,
 * those at a are in one loop more, and those at b are iteration number `step` of it. */
static bool is_like(const struct series *s, size_t a, size_t b, size_t w, uint32_t less, uint64_t step)
{
    for (size_t k = 0; k < w; k++) {
        const struct series_node *x = &s->nodes.items[a + k], *y = &s->nodes.items[b + k];
        if (x->span != y->span || x->depth != y->depth + less)
            return false;
        if (!series_is_leaf(x) && x->n != y->n)
            return false;
        for (uint32_t d = 0; d < y->depth && series_is_leaf(x); d++)
            if (s->coefs.items[x->coef + less + d] != s->coefs.items[y->coef + d])
                return false;
        if (less > 0 && series_is_leaf(x) && y->n != x->n + s->coefs.items[x->coef] * step)
            return false;
    }
    return true;
}

/* Checks that no elements at the end are the next iteration of a loop before them, and that no
 * three blocks make a loop. It checks each place, node by node. */
static void check_reduced(struct series *s)
{
    bool changed = true;
    const size_t n = s->tops.n, end = s->nodes.n;
    for (size_t b = 1; b <= SERIES_BLOCK_MAX && b < n; b++) {
        const size_t block = s->tops.items[n - b], loop = s->tops.items[n - b - 1], w = end - block;
        cr_assert_not(s->nodes.items[loop].span == w + 1 &&
                      is_like(s, loop + 1, block, w, 1, s->nodes.items[loop].n));
        if (3 * b > n || block - s->tops.items[n - 2 * b] != w || block - s->tops.items[n - 3 * b] != 2 * w)
            continue;
        bool progression = is_like(s, block - w, block, w, 0, 0) && is_like(s, block - 2 * w, block, w, 0, 0);
        for (size_t k = block; k < end && progression; k++) {
            const struct series_node *x = &s->nodes.items[k], *y = x - w, *z = y - w;
            progression = !series_is_leaf(x) || (x->n - y->n == y->n - z->n && x->depth < SERIES_DEPTH_MAX);
        }
        cr_assert_not(progression);
    }
    if (n == 0)
        return;
    cr_assert_eq(series_reduce(s, true, &changed), REFRAIN_OK);
    cr_assert_not(changed);
}

static void check_holds(const struct series *s, const int64_t *values, size_t n)
{
    struct series_cursor c;
    int64_t v;
    check(s);
    cr_assert_eq(series_length(s), n);
    series_cursor_start(&c, s);
    for (size_t i = 0; i < n; i++) {
        cr_assert(series_cursor_next(&c, &v));
        cr_assert_eq(v, values[i], "value %zu is %ld instead of %ld", i, (long)v, (long)values[i]);
    }
    cr_assert_not(series_cursor_next(&c, &v));
}

static void check_access(const struct series *s, const int64_t *values, size_t n, struct random *r)
{
    struct series_cursor c;
    int64_t v, some[16], first, step;
    for (unsigned trial = 0; trial < 8 && n > 0; trial++) {
        size_t i = below(r, n), more = below(r, n - i < 16 ? n - i + 1 : 17);
        cr_assert_eq(series_at(s, i), values[i]);
        series_values(s, i, more, some);
        for (size_t k = 0; k < more; k++)
            cr_assert_eq(some[k], values[i + k]);

        series_cursor_start(&c, s);
        series_cursor_seek(&c, i);
        uint64_t run = series_cursor_run(&c, &first, &step);
        cr_assert(run >= 1 && run <= n - i);
        for (size_t k = 0; k < run; k++)
            cr_assert_eq((int64_t)((uint64_t)first + (uint64_t)step * k), values[i + k]);
        size_t skipped = below(r, run + 1);
        series_cursor_skip(&c, skipped);
        cr_assert_eq(series_cursor_next(&c, &v), i + skipped < n);
        cr_assert(i + skipped == n || v == values[i + skipped]);
    }
    series_cursor_start(&c, s);
    series_cursor_seek(&c, n);
    cr_assert_not(series_cursor_next(&c, &v));
    cr_assert_eq(series_cursor_run(&c, &first, &step), 0);
}

static void check_code(const struct series *s)
{
    struct bytes b = {0};
    struct series *back;
    series_encode(s, &b);
    cr_assert_not(b.failed);
    cr_assert_eq(b.n, series_cost(s));
    cr_assert_leq(series_weight(s), 2 * b.n + 1024);
    cr_assert_geq(2 * series_weight(s) + 1024, b.n);
    struct bytes_reader r = bytes_reader_of(b.data, b.n);
    cr_assert_eq(series_decode(&r, &back), REFRAIN_OK);
    cr_assert_eq(bytes_left(&r), 0);
    check(back);
    cr_assert_eq(series_hash(back), series_hash(s));
    cr_assert(series_equal(back, s));
    series_free(back);
    bytes_free(&b);
}

/* ---- resulting forms ------------------------------------------------------------------------- */

Test(series, an_empty_series_is_a_series)
{
    struct series *s = series_create(), *t = series_create();
    int64_t v;
    check_holds(s, NULL, 0);
    check_code(s);
    cr_assert_not(series_is_constant(s, &v));
    cr_assert_eq(series_concat(s, t), REFRAIN_OK);
    check_holds(s, NULL, 0);
    cr_assert(series_equal(s, t));
    series_free(s);
    series_free(t);
    series_free(NULL);
}

Test(series, the_example_of_the_header_is_one_nest)
{
    struct series *s = SERIES(1, 2, 3, -1, 5, 6, 7, -1, 9, 10, 11, -1);
    static const uint8_t code[] = {1, 2, 2, 2, 1, 1, 2, 8, 2, 1, 3, 0};
    struct bytes b = {0};
    cr_assert_eq(s->tops.n, 1);
    cr_assert_eq(s->nodes.n, 4);
    series_encode(s, &b);
    cr_assert_eq(b.n, sizeof code);
    for (size_t i = 0; i < sizeof code; i++)
        cr_assert_eq(b.data[i], code[i]);
    bytes_free(&b);
    series_free(s);
}

Test(series, loops_nest_as_deep_as_allowed_and_no_deeper)
{
    enum { LEVELS = SERIES_DEPTH_MAX + 1 };
    size_t n = 1;
    for (unsigned d = 0; d < LEVELS; d++)
        n *= 3;
    struct values v = {0};
    for (size_t i = 0; i < n; i++) {
        /* digits to base 3, each with a weight that no sum of the lower ones reaches in affine
         * progression */
        uint64_t value = 0, weight = 1;
        for (size_t rest = i; rest > 0; rest /= 3, weight *= 7)
            value += rest % 3 * weight;
        cr_assert(array_push(&v, (int64_t)value));
    }
    struct series *s = series_of(v.items, v.n);
    check_holds(s, v.items, v.n);
    cr_assert_eq(s->tops.n, 3);
    cr_assert_eq(s->nodes.n, 3 * (SERIES_DEPTH_MAX + 1));
    check_code(s);
    array_free(&v);
    series_free(s);
}

Test(series, values_wrap)
{
    struct values v = {0};
    uint64_t at = (uint64_t)INT64_MAX - 5;
    for (unsigned i = 0; i < 100; i++, at += UINT64_C(0x4000000000000001))
        cr_assert(array_push(&v, (int64_t)at));
    struct series *s = series_of(v.items, v.n);
    cr_assert_eq(s->tops.n, 1);
    check_holds(s, v.items, v.n);
    check_code(s);
    array_free(&v);
    series_free(s);
}

Test(series, a_constant_is_recognized)
{
    int64_t value = 0;
    struct series *same = SERIES(-7, -7, -7, -7, -7), *one = SERIES(3), *run = SERIES(3, 4, 5, 6),
                  *late = SERIES(1, 1, 1, 2);
    cr_assert(series_is_constant(same, &value));
    cr_assert_eq(value, -7);
    cr_assert(series_is_constant(one, &value));
    cr_assert_eq(value, 3);
    cr_assert_not(series_is_constant(run, &value));
    cr_assert_not(series_is_constant(late, &value));
    series_free(same);
    series_free(one);
    series_free(run);
    series_free(late);
}

Test(series, equality_is_of_values_not_of_forms)
{
    struct series *whole = SERIES(0, 1, 2, 3, 4, 5), *pair = SERIES(0, 1), *parts = series_create();
    cr_assert_eq(series_append(parts, 0), REFRAIN_OK);
    cr_assert_eq(series_append_run(parts, 1, 1, 5), REFRAIN_OK);
    cr_assert(series_equal(whole, parts));
    cr_assert_not(series_equal(whole, pair));
    struct series *other = SERIES(0, 1, 2, 3, 4, 6);
    cr_assert_not(series_equal(whole, other));
    series_free(whole);
    series_free(pair);
    series_free(parts);
    series_free(other);
}

Test(series, what_meets_at_a_seam_is_brought_together)
{
    static const struct {
        const char *what;
        int64_t left[16], right[16];
        size_t n_left, n_right, tops;
    } cases[] = {
        {"join", {1, 2, 3}, {4, 5, 6}, 3, 3, 1},
        {"absorb", {1, 2}, {3, 4, 5}, 2, 3, 1},
        {"rotate", {1, 9, 2, 9, 3, 9, 4}, {9, 5, 9, 6, 9, 7}, 7, 6, 2},
        {"peel", {-1, -1, -1, -1}, {-1, 0, 1, 2, 3}, 4, 5, 2},
        {"a row that is cut", {1, 2, 3, 4, -1, 5, 6, 7, 8, -1, 9, 10}, {11, 12, -1}, 12, 3, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct series *left = series_of(cases[i].left, cases[i].n_left),
                      *right = series_of(cases[i].right, cases[i].n_right), *whole = series_copy(left);
        for (size_t k = 0; k < cases[i].n_right; k++)
            cr_assert_eq(series_append(whole, cases[i].right[k]), REFRAIN_OK);
        cr_assert_eq(series_concat(left, right), REFRAIN_OK);
        check(left);
        cr_assert(series_equal(left, whole), "%s", cases[i].what);
        cr_assert_eq(left->tops.n, cases[i].tops, "%s: %zu elements", cases[i].what, left->tops.n);
        series_free(left);
        series_free(right);
        series_free(whole);
    }
}

/* ---- properties ------------------------------------------------------------------------------ */

Test(series, every_sequence_comes_back)
{
    struct values v = {0};
    for (uint64_t seed = 0; seed < 3000; seed++) {
        struct random r = {seed << 32};
        write_random(&v, &r, seed % 400);
        struct series *s = series_of(v.items, v.n);
        check_holds(s, v.items, v.n);
        check_reduced(s);
        check_access(s, v.items, v.n, &r);
        check_code(s);
        struct series *copy = series_copy(s);
        cr_assert_eq(series_hash(copy), series_hash(s));
        check_holds(copy, v.items, v.n);
        series_free(copy);
        series_free(s);
    }
    array_free(&v);
}

Test(series, concatenation_is_appending)
{
    struct values v = {0};
    for (uint64_t seed = 0; seed < 3000; seed++) {
        struct random r = {seed << 32 | 1};
        write_random(&v, &r, 300);
        size_t at = below(&r, v.n + 1);
        struct series *s = series_of(v.items, at);
        while (at < v.n) {
            size_t n = 1 + below(&r, v.n - at);
            struct series *tail = series_of(v.items + at, n);
            uint64_t hash = series_hash(tail);
            cr_assert_eq(series_concat(s, tail), REFRAIN_OK);
            cr_assert_eq(series_hash(tail), hash);
            at += n;
            check_holds(s, v.items, at);
            check_reduced(s);
            series_free(tail);
        }
        check_code(s);
        series_free(s);
    }
    array_free(&v);
}

Test(series, owners_share_until_one_wants_to_change_it)
{
    struct series *mine = SERIES(1, 2, 3, 9, 4), *first = mine, *yours = series_share(mine);
    cr_assert_eq(yours, mine);
    cr_assert(series_is_shared(mine));
    cr_assert_eq(series_own(&mine), REFRAIN_OK);
    cr_assert_neq(mine, first);
    cr_assert_not(series_is_shared(mine));
    cr_assert_not(series_is_shared(yours));
    cr_assert_eq(series_append(mine, 7), REFRAIN_OK);
    check_holds(mine, (int64_t[]){1, 2, 3, 9, 4, 7}, 6);
    check_holds(yours, (int64_t[]){1, 2, 3, 9, 4}, 5);
    cr_assert_eq(series_own(&yours), REFRAIN_OK);
    cr_assert_eq(yours, first, "it is nobody else's any more");

    series_share(yours);
    series_free(yours);
    check_holds(yours, (int64_t[]){1, 2, 3, 9, 4}, 5);
    series_empty(yours);
    check_holds(yours, NULL, 0);
    cr_assert_eq(series_append(yours, 5), REFRAIN_OK);
    check_holds(yours, (int64_t[]){5}, 1);
    series_free(yours);
    series_free(mine);
}

Test(series, maps_and_sums_are_those_of_the_values)
{
    struct values v = {0}, w = {0};
    for (uint64_t seed = 0; seed < 500; seed++) {
        struct random r = {seed << 32 | 2};
        write_random(&v, &r, 200);
        do {
            write_random(&w, &r, v.n);
        } while (w.n < v.n);
        int64_t scale = some_value(&r), shift = some_value(&r);
        struct series *a = series_of(v.items, v.n), *b = series_of(w.items, w.n);
        struct series *sum = series_sum(a, b, scale), *mapped = series_map(a, scale, shift);
        for (size_t i = 0; i < v.n; i++) {
            w.items[i] = (int64_t)((uint64_t)v.items[i] + (uint64_t)scale * (uint64_t)w.items[i]);
            v.items[i] = (int64_t)((uint64_t)v.items[i] * (uint64_t)scale + (uint64_t)shift);
        }
        check_holds(sum, w.items, w.n);
        check_holds(mapped, v.items, v.n);
        series_free(a);
        series_free(b);
        series_free(sum);
        series_free(mapped);
    }
    array_free(&v);
    array_free(&w);
}

Test(series, a_run_is_its_values)
{
    for (uint64_t n = 0; n < 8; n++) {
        struct series *s = SERIES(5, 7), *values = SERIES(5, 7);
        cr_assert_eq(series_append_run(s, 9, 2, n), REFRAIN_OK);
        for (uint64_t i = 0; i < n; i++)
            cr_assert_eq(series_append(values, 9 + 2 * (int64_t)i), REFRAIN_OK);
        check(s);
        cr_assert(series_equal(s, values));
        cr_assert_eq(series_cost(s), series_cost(values));
        series_free(s);
        series_free(values);
    }
}

/* A value below 0 is not allowed among counts; the sum of other values is known without expanding
 * them. */
Test(series, the_total_is_the_sum)
{
    struct values v = {0};
    unsigned good = 0;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        struct random r = {seed << 32 | 5};
        const uint64_t lift = seed % 3 ? 100 : 0;
        uint64_t sum = 0, total, largest = 0, most;
        bool fits = true;
        write_random(&v, &r, 300);
        for (size_t i = 0; i < v.n; i++) {
            v.items[i] = (int64_t)((uint64_t)v.items[i] + lift);
            fits = fits && v.items[i] >= 0 && v.items[i] < INT64_MAX / 1000;
            sum += (uint64_t)v.items[i];
            largest = (uint64_t)v.items[i] > largest ? (uint64_t)v.items[i] : largest;
        }
        struct series *s = series_of(v.items, v.n);
        cr_assert_eq(series_total(s, &total, &most), fits, "seed %lu", (unsigned long)seed);
        cr_assert(!fits || (total == sum && most == largest));
        sum = 0;
        for (size_t i = 0; i <= v.n && fits; i++) {
            cr_assert_eq(series_total_before(s, i), sum, "seed %lu, %zu values", (unsigned long)seed, i);
            sum += i < v.n ? (uint64_t)v.items[i] : 0;
        }
        good += fits;
        series_free(s);
    }
    cr_assert(good > 100 && good < 2900);
    array_free(&v);
}

/* ---- long ones and damaged ones -------------------------------------------------------------- */

Test(series, length_may_not_pass_its_limit)
{
    struct series *s = series_create();
    cr_assert_eq(series_append_run(s, 0, 1, INT64_MAX), REFRAIN_OK);
    cr_assert_eq(series_length(s), (uint64_t)INT64_MAX);
    cr_assert_eq(series_at(s, INT64_MAX - 1), INT64_MAX - 1);
    check_code(s);
    cr_assert_eq(series_append(s, 0), REFRAIN_ERR_USAGE);
    series_free(s);
}

Test(series, a_million_random_values_stay_plain)
{
    struct series *s = series_create();
    for (uint64_t i = 0; i < 1000000; i++)
        cr_assert_eq(series_append(s, (int64_t)mix(5, i)), REFRAIN_OK);
    for (uint64_t i = 0; i < 1000000; i += 99999)
        cr_assert_eq(series_at(s, i), (int64_t)mix(5, i));
    cr_assert_leq(series_cost(s), 8 * 1000000 + 32);
    cr_assert_leq(series_bytes(s), 8 * 1000000 + 200000);
    check(s);
    check_code(s);
    series_free(s);
}

/* Lists are compared by weight while ranks are merged; a list with a law weighs about what it
 * costs in the file. */
Test(series, weight_is_near_the_cost)
{
    struct random r = {7};
    struct series *noise = series_create(), *grid = series_create();
    for (uint64_t i = 0; i < 100000; i++) {
        cr_assert_eq(series_append(noise, (int64_t)below(&r, UINT64_C(1) << 20)), REFRAIN_OK);
        cr_assert_eq(series_append(grid, i % 32 == 31 ? -1 : (int64_t)i + 1), REFRAIN_OK);
    }
    cr_assert_eq(series_weight(grid), series_cost(grid));
    cr_assert_leq(series_weight(noise), series_cost(noise) * 5 / 4);
    cr_assert_geq(series_weight(noise), series_cost(noise) * 3 / 4);
    series_free(noise);
    series_free(grid);
}

/* Two values in random order take one bit each, which is the minimum. */
Test(series, a_bound_of_the_cost_is_that_of_the_cost)
{
    struct random r = {8};
    for (uint64_t n = 1; n < 6000; n += n / 4 + 1) {
        struct series *s = series_create();
        for (uint64_t i = 0; i < n; i++)
            cr_assert_eq(series_append(s, below(&r, 50) == 0 ? 1 : 0), REFRAIN_OK);
        cr_assert_eq(series_pack(s), REFRAIN_OK);
        const size_t cost = series_cost(s);
        for (size_t bytes = 0; bytes < 2 * cost; bytes++)
            cr_assert_eq(series_costs_at_most(s, bytes), cost <= bytes, "%zu of %zu bytes", bytes, cost);
        series_free(s);
    }
}

/* Noise with loops in it: packed values are found again, wherever they are. */
Test(series, irregular_values_are_packed)
{
    struct values v = {0};
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct random r = {seed << 32 | 4};
        const uint64_t range = seed % 2 ? 64 : UINT64_C(1) << 20, n = 20000;
        v.n = 0;
        while (v.n < n) {
            for (uint64_t i = 1 + below(&r, 9000); i > 0; i--)
                cr_assert(array_push(&v, (int64_t)below(&r, range) - 7));
            for (uint64_t i = below(&r, 300); i > 0; i--)
                cr_assert(array_push(&v, (int64_t)(5 * i)));
        }
        struct series *s = series_of(v.items, v.n), *tail = series_of(v.items + 5000, v.n - 5000);
        check_holds(s, v.items, v.n);
        check_access(s, v.items, v.n, &r);
        check_code(s);
        cr_assert_leq(series_bytes(s), v.n * (seed % 2 ? 1 : 3) + 70000);
        struct series *head = series_of(v.items, 5000), *mapped = series_map(s, 1, 100);
        cr_assert_eq(series_concat(head, tail), REFRAIN_OK);
        check_holds(head, v.items, v.n);
        cr_assert(series_equal(head, s));
        cr_assert_eq(series_at(mapped, 12345), v.items[12345] + 100);
        series_free(mapped);
        series_free(head);
        series_free(tail);
        series_free(s);
    }
    array_free(&v);
}

static enum refrain_status decode(const uint8_t *code, size_t n, struct series **s)
{
    struct bytes_reader r = bytes_reader_of(code, n);
    return series_decode(&r, s);
}

#define REFUSED(...)                                                                                         \
    cr_assert_eq(decode((uint8_t[]){__VA_ARGS__}, sizeof(uint8_t[]){__VA_ARGS__}, &s), REFRAIN_ERR_FORMAT)

Test(series, what_cannot_be_is_refused)
{
    struct series *s = NULL;
    REFUSED(1);                                  /* no groups */
    REFUSED(1, 0, 0);                            /* an empty loop */
    REFUSED(2, 1, 5, 1, 5);                      /* leaves divided into two groups */
    REFUSED(1, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0); /* more leaves than bytes */
    REFUSED(1, 2, 1, 1, 0);                      /* no coefficient */
    REFUSED(1, 2, 1, 33, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0); /* a body of 17 */
    REFUSED(1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    REFUSED(1, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 1, 1, 0, 0); /* 2^63 + 1 iterations */
    REFUSED(1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40, 1, 0x80, 0x80, 1, 1, 1, 0, 0, 0);
    cr_assert_null(s);
}

/* Whatever the bytes are, either they are refused, or the series that comes out keeps every
 * invariant and can be read, joined to others and written again. */
Test(series, damaged_bytes_do_no_harm)
{
    struct values v = {0};
    unsigned accepted = 0;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        struct random r = {seed << 32 | 3};
        struct bytes b = {0};
        write_random(&v, &r, 120);
        struct series *s = series_of(v.items, v.n), *back;
        series_encode(s, &b);
        for (uint64_t damage = 1 + below(&r, 3); damage > 0; damage--)
            b.data[below(&r, b.n)] = (uint8_t)below(&r, 256);
        if (decode(b.data, below(&r, 4) == 0 ? below(&r, b.n + 1) : b.n, &back) == REFRAIN_OK) {
            int64_t value;
            accepted++;
            check(back);
            check_code(back);
            if (series_length(back) > 0)
                value = series_at(back, series_length(back) - 1);
            if (series_concat(s, back) == REFRAIN_OK) {
                check(s);
                cr_assert(series_length(back) == 0 || series_at(s, series_length(s) - 1) == value);
            }
            series_free(back);
        }
        bytes_free(&b);
        series_free(s);
    }
    cr_assert_gt(accepted, 100);
    array_free(&v);
}
