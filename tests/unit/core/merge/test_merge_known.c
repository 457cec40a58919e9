/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of merges that are looked up instead of merged again are the same as merged ones. */
#include <criterion/criterion.h>

#include "src/core/merge/merge_parts.h"
#include "tests/unit/support/random.h"

enum { FUNCTIONS = 12, RANKS = 40, MERGES = 200, DOMAINS = 20 };

/* Some ranks of 0 … 2 * RANKS - 1, in two sets that follow each other or interlock; neither is
 * empty. */
struct ranks {
    struct series *of[2];
};

static struct ranks some_ranks(uint64_t *state, bool behind)
{
    struct ranks r = {{series_create(), series_create()}};
    for (int64_t rank = 0; rank < 2 * RANKS; rank++) {
        const bool second = behind ? rank >= RANKS : random_below(state, 2);
        if (rank < 2 || random_below(state, 4) > 0)
            cr_assert_eq(series_append(r.of[rank < 2 && !behind ? rank : second], rank), REFRAIN_OK);
    }
    return r;
}

static void ranks_free(struct ranks *r)
{
    series_free(r->of[0]);
    series_free(r->of[1]);
}

/* A function with the forms that hold, as a merge leaves it. */
static struct rankfn some_function(uint64_t *state, const struct series *ranks)
{
    const uint32_t kind = random_below(state, 4);
    const int64_t base = random_below(state, 3);
    struct merge_values v;
    struct series_cursor c;
    int64_t rank;
    cr_assert_eq(merge_values_start(&v), REFRAIN_OK);
    series_cursor_start(&c, ranks);
    while (series_cursor_next(&c, &rank)) {
        const int64_t value = kind == 0   ? base
                              : kind == 1 ? rank + base
                              : kind == 2 ? (rank % 5 == base ? -1 : rank + 1)
                                          : random_below(state, 3);
        cr_assert_eq(merge_values_append(&v, value, rank), REFRAIN_OK);
    }
    struct rankfn f = merge_values_finish(&v);
    merge_values_stop(&v);
    return f;
}

/* A copy with its own lists, in the same form. */
static struct rankfn deep_copy(const struct rankfn *f)
{
    struct rankfn copy = *f;
    copy.plain = f->plain ? series_copy(f->plain) : NULL;
    copy.relative = f->relative ? series_copy(f->relative) : NULL;
    return copy;
}

static void assert_same_bytes(const struct series *a, const struct series *b)
{
    struct bytes x = {0}, y = {0};
    cr_assert_eq(!a, !b);
    if (!a)
        return;
    series_encode(a, &x);
    series_encode(b, &y);
    cr_assert_eq(x.n, y.n);
    cr_assert_arr_eq(x.data, y.data, x.n);
    bytes_free(&x);
    bytes_free(&y);
}

static void assert_same(const struct rankfn *f, const struct rankfn *g)
{
    cr_assert_eq(f->forms, g->forms);
    cr_assert_eq(f->constant, g->constant);
    cr_assert_eq(f->offset, g->offset);
    assert_same_bytes(f->plain, g->plain);
    assert_same_bytes(f->relative, g->relative);
}

/* Merge shares of few functions over and over; merge each once more from copies, without a
 * memory. */
static void merge_many(struct merge_known *known, uint64_t *state, bool behind)
{
    struct ranks r = some_ranks(state, behind);
    struct rankfn f[FUNCTIONS], g[FUNCTIONS];
    struct merge_domain d, plain = merge_domain_of(r.of[0], r.of[1]);
    cr_assert_eq(merge_known_domain(known, r.of[0], r.of[1], &d), REFRAIN_OK);
    cr_assert_eq(d.behind, plain.behind);
    for (int i = 0; i < FUNCTIONS; i++) {
        f[i] = some_function(state, r.of[0]);
        g[i] = some_function(state, r.of[1]);
    }
    for (int i = 0; i < MERGES; i++) {
        const struct rankfn *x = &f[random_below(state, FUNCTIONS)], *y = &g[random_below(state, FUNCTIONS)];
        struct rankfn fast = rankfn_share(x), fast_y = rankfn_share(y), slow = deep_copy(x),
                      slow_y = deep_copy(y);
        cr_assert_eq(merge_rankfns(&fast, &fast_y, &d), REFRAIN_OK);
        cr_assert_eq(merge_rankfns(&slow, &slow_y, &plain), REFRAIN_OK);
        assert_same(&fast, &slow);
        rankfn_free(&fast);
        rankfn_free(&fast_y);
        rankfn_free(&slow);
        rankfn_free(&slow_y);
    }
    struct series *both = series_share(r.of[0]), *slow = series_copy(r.of[0]);
    cr_assert_eq(merge_known_ranks(&d, &both), REFRAIN_OK);
    cr_assert_eq(merge_ranks(&slow, r.of[1]), REFRAIN_OK);
    assert_same_bytes(both, slow);
    series_free(both);
    series_free(slow);
    for (int i = 0; i < FUNCTIONS; i++) {
        rankfn_free(&f[i]);
        rankfn_free(&g[i]);
    }
    ranks_free(&r);
}

Test(merge_known, what_is_known_is_what_merging_makes)
{
    struct merge_known known = {0};
    uint64_t state = random_seed(1);
    for (int i = 0; i < DOMAINS; i++)
        merge_many(&known, &state, i % 2);
    merge_known_free(&known);
}

static struct series *list_of(const int64_t *values, size_t n)
{
    struct series *s = series_create();
    for (size_t i = 0; i < n; i++)
        cr_assert_eq(series_append(s, values[i]), REFRAIN_OK);
    return s;
}

/* Ranks 0 1 2 and 3 4 5. */
static struct ranks two_threes(void)
{
    return (struct ranks){{list_of((int64_t[]){0, 1, 2}, 3), list_of((int64_t[]){3, 4, 5}, 3)}};
}

Test(merge_known, the_same_pair_has_the_same_lists)
{
    struct ranks r = two_threes();
    struct merge_known known = {0};
    struct merge_domain d;
    struct rankfn list = {.forms = RANKFN_PLAIN, .plain = list_of((int64_t[]){5, 5, 7}, 3)};
    struct rankfn first = rankfn_share(&list), second = rankfn_share(&list),
                  constant = {.forms = RANKFN_CONSTANT, .constant = 5};
    cr_assert_eq(merge_known_domain(&known, r.of[0], r.of[1], &d), REFRAIN_OK);
    cr_assert_eq(merge_rankfns(&first, &constant, &d), REFRAIN_OK);
    cr_assert_eq(merge_rankfns(&second, &constant, &d), REFRAIN_OK);
    cr_assert(rankfn_is_shared(&first, &second));
    cr_assert_eq(first.plain, second.plain);
    cr_assert_eq(known.pairs.n, 1);
    cr_assert_eq(series_length(list.plain), 3, "others who have the list keep it");

    /* Equal sets of ranks are the same domain, wherever they are stored. */
    struct ranks again = two_threes();
    struct rankfn third = rankfn_share(&list);
    cr_assert_eq(merge_known_domain(&known, again.of[0], again.of[1], &d), REFRAIN_OK);
    cr_assert_eq(merge_rankfns(&third, &constant, &d), REFRAIN_OK);
    cr_assert_eq(third.plain, first.plain);

    merge_known_free(&known);
    cr_assert_eq(series_at(first.plain, 5), 5, "what was made lives on");
    rankfn_free(&first);
    rankfn_free(&second);
    rankfn_free(&third);
    rankfn_free(&list);
    ranks_free(&r);
    ranks_free(&again);
}

Test(merge_known, a_list_that_stands_alone_is_not_remembered)
{
    struct ranks r = two_threes();
    struct merge_known known = {0};
    struct merge_domain d;
    struct rankfn f = {.forms = RANKFN_PLAIN, .plain = list_of((int64_t[]){5, 5, 7}, 3)},
                  g = {.forms = RANKFN_CONSTANT, .constant = 5};
    const struct series *before = f.plain;
    cr_assert_eq(merge_known_domain(&known, r.of[0], r.of[1], &d), REFRAIN_OK);
    cr_assert_eq(merge_rankfns(&f, &g, &d), REFRAIN_OK);
    cr_assert_eq(known.pairs.n, 0);
    cr_assert_eq(f.plain, before, "it goes on where it is");
    cr_assert_eq(series_length(f.plain), 6);
    merge_known_free(&known);
    rankfn_free(&f);
    ranks_free(&r);
}

/* Programs without regularity have very many sets of ranks. */
Test(merge_known, few_domains_are_remembered)
{
    struct merge_known known = {0};
    for (int64_t i = 0; i < 1000; i++) {
        struct ranks r = {{series_single(i), series_single(i + 1)}};
        struct merge_domain d;
        struct rankfn f = rankfn_single(5, i), g = rankfn_single(7, i + 1);
        cr_assert_eq(merge_known_domain(&known, r.of[0], r.of[1], &d), REFRAIN_OK);
        cr_assert_eq(merge_rankfns(&f, &g, &d), REFRAIN_OK);
        cr_assert_eq(rankfn_at(&f, 0, i), 5);
        cr_assert_eq(rankfn_at(&f, 1, i + 1), 7);
        rankfn_free(&f);
        ranks_free(&r);
    }
    cr_assert_leq(known.domains.n, 16);
    cr_assert_leq(known.pairs.n, 16);
    merge_known_free(&known);
}
