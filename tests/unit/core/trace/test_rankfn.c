/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "src/core/base/mix.h"
#include "src/core/trace/rankfn.h"

/* A function of the rank to merge, and the ranks of the merge: those whose hash modulo `sparse` is
 * 0. */
struct job {
    int64_t (*value)(int64_t rank);
    int64_t ranks;
    uint64_t sparse;
};

struct part {
    struct rankfn f;
    struct series *ranks;
};

static void part_free(struct part *p)
{
    rankfn_free(&p->f);
    series_free(p->ranks);
}

/* The ranks [first, first + n) of the job, merged pairwise; a part without ranks has no
 * function. */
static struct part merged(const struct job *job, int64_t first, int64_t n)
{
    struct part p = {.ranks = NULL};
    if (n == 1) {
        p.ranks = series_create();
        cr_assert_not_null(p.ranks);
        if (first < job->ranks && mix(0, (uint64_t)first) % job->sparse == 0) {
            cr_assert_eq(series_append(p.ranks, first), REFRAIN_OK);
            p.f = rankfn_single(job->value(first), first);
        }
        return p;
    }
    struct part right = merged(job, first + n / 2, n / 2);
    p = merged(job, first, n / 2);
    if (series_length(p.ranks) == 0 || series_length(right.ranks) == 0) {
        struct part with = series_length(p.ranks) == 0 ? right : p;
        part_free(series_length(p.ranks) == 0 ? &p : &right);
        return with;
    }
    cr_assert_eq(rankfn_concat(&p.f, p.ranks, &right.f, right.ranks), REFRAIN_OK);
    cr_assert_eq(series_concat(p.ranks, right.ranks), REFRAIN_OK);
    part_free(&right);
    return p;
}

static void check_values(const struct job *job, const struct part *p)
{
    struct series_cursor c;
    int64_t rank;
    uint64_t i = 0;
    series_cursor_start(&c, p->ranks);
    for (; series_cursor_next(&c, &rank); i++)
        cr_assert_eq(rankfn_at(&p->f, i, rank), job->value(rank));
    cr_assert_eq(p->f.plain != NULL, (p->f.forms & RANKFN_PLAIN) != 0);
    cr_assert_eq(p->f.relative != NULL, (p->f.forms & RANKFN_RELATIVE) != 0);
    cr_assert(!p->f.plain || series_length(p->f.plain) == i);
    cr_assert(!p->f.relative || series_length(p->f.relative) == i);
}

static int64_t seven(int64_t rank)
{
    (void)rank;
    return 7;
}

static int64_t below_by_two(int64_t rank)
{
    return rank - 2;
}

static int64_t with_border(int64_t rank)
{
    return rank % 5 == 4 ? -2 : rank + 1;
}

static int64_t to_partner(int64_t rank)
{
    return rank ^ 4;
}

/* Regular in the value, but irregular relative to the rank where ranks are missing. */
static int64_t counts_up(int64_t rank)
{
    return rank < 100 ? 1 : 2;
}

static int64_t extreme(int64_t rank)
{
    return rank % 3 == 0 ? INT64_MIN : rank % 3 == 1 ? INT64_MAX : 0;
}

static int64_t noise(int64_t rank)
{
    return (int64_t)mix(7, (uint64_t)rank);
}

/* Near the rank at first, then a constant with exceptions: each half keeps another list. */
static int64_t changes_its_mind(int64_t rank)
{
    int64_t jitter = (int64_t)(mix(3, (uint64_t)rank) % 2);
    return rank < 512 ? rank + jitter : 100000 + jitter;
}

static const struct {
    int64_t (*value)(int64_t);
    uint32_t forms; /* forms that may exist after settling, of the full set of ranks */
} FUNCTIONS[] = {
    {seven, RANKFN_CONSTANT},
    {below_by_two, RANKFN_OFFSET},
    {with_border, RANKFN_PLAIN | RANKFN_RELATIVE},
    {to_partner, RANKFN_PLAIN | RANKFN_RELATIVE},
    {counts_up, RANKFN_PLAIN},
    {extreme, RANKFN_PLAIN | RANKFN_RELATIVE},
    {noise, RANKFN_PLAIN | RANKFN_RELATIVE},
    {changes_its_mind, RANKFN_PLAIN | RANKFN_RELATIVE},
};
#define N_FUNCTIONS (sizeof FUNCTIONS / sizeof FUNCTIONS[0])

Test(rankfn, one_rank_is_both_constant_and_offset)
{
    struct rankfn f = rankfn_single(3, 10);
    cr_assert_eq(f.forms, RANKFN_CONSTANT | RANKFN_OFFSET);
    struct rankfn g = f;
    rankfn_settle(&f, true);
    rankfn_settle(&g, false);
    cr_assert_eq(f.forms, RANKFN_OFFSET);
    cr_assert_eq(g.forms, RANKFN_CONSTANT);
    cr_assert_eq(f.offset, -7);
    cr_assert_eq(g.constant, 3);
    cr_assert_eq(rankfn_at(&f, 0, 10), 3);
    cr_assert_eq(rankfn_at(&g, 0, 10), 3);
    cr_assert_not(rankfn_equal(&f, &g));
}

Test(rankfn, merging_keeps_every_value)
{
    for (size_t k = 0; k < N_FUNCTIONS; k++) {
        for (uint64_t sparse = 1; sparse < 6; sparse += 2) {
            for (int64_t ranks = 100; ranks <= 1024; ranks += 308) {
                struct job job = {FUNCTIONS[k].value, ranks, sparse};
                struct part p = merged(&job, 0, 1024);
                check_values(&job, &p);
                struct rankfn copy = rankfn_share(&p.f);
                cr_assert(rankfn_equal(&copy, &p.f));
                cr_assert(rankfn_is_shared(&copy, &p.f));
                cr_assert_eq(rankfn_cost(&copy), rankfn_cost(&p.f));
                rankfn_free(&copy);
                rankfn_settle(&p.f, true);
                cr_assert_eq(p.f.forms & (p.f.forms - 1), 0, "one form is left");
                cr_assert_neq(p.f.forms, 0);
                check_values(&job, &p);
                part_free(&p);
            }
        }
    }
}

Test(rankfn, the_form_is_the_expected_one)
{
    for (size_t k = 0; k < N_FUNCTIONS; k++) {
        struct job job = {FUNCTIONS[k].value, 1024, 1};
        struct part p = merged(&job, 0, 1024);
        rankfn_settle(&p.f, true);
        cr_assert_neq(p.f.forms & FUNCTIONS[k].forms, 0, "function %zu has form %u", k, p.f.forms);
        part_free(&p);
    }
}

/* The number of different values, up to 65. */
static uint64_t count_distinct(const struct series *s)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < series_length(s); i++) {
        uint64_t k = 0;
        while (series_at(s, k) != series_at(s, i))
            k++;
        n += k == i;
    }
    return n < 65 ? n : 65;
}

Test(rankfn, the_better_list_has_few_values_or_is_small)
{
    enum { RANKS = 150 };
    unsigned by_values = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct series *lists[2];
        for (uint64_t l = 0; l < 2; l++) {
            const uint64_t range = 1 + mix(seed, l) % (l == 0 ? 10 : 120), step = mix(seed, 5 + l) % 3;
            lists[l] = series_create();
            for (uint64_t i = 0; i < RANKS; i++) {
                const uint64_t value = step == 2 ? i % range : mix(seed, 100 * l + i) % range;
                cr_assert_eq(series_append(lists[l], (int64_t)value << 40 * (seed % 2)), REFRAIN_OK);
            }
        }
        const uint64_t n[2] = {count_distinct(lists[0]), count_distinct(lists[1])};
        uint32_t better = series_cost(lists[1]) < series_cost(lists[0]) ? RANKFN_RELATIVE : RANKFN_PLAIN;
        if (2 * n[0] <= n[1] && n[0] <= RANKS / 2)
            better = RANKFN_PLAIN;
        else if (2 * n[1] <= n[0] && n[1] <= RANKS / 2)
            better = RANKFN_RELATIVE;
        by_values += 2 * n[0] <= n[1] || 2 * n[1] <= n[0];
        cr_assert_eq(rankfn_better_list(lists[0], lists[1]), better, "seed %lu", (unsigned long)seed);
        series_free(lists[0]);
        series_free(lists[1]);
    }
    cr_assert_gt(by_values, 100);
}

Test(rankfn, regular_functions_stay_small)
{
    static int64_t (*const regular[])(int64_t) = {seven, below_by_two, with_border, to_partner, counts_up};
    for (size_t k = 0; k < sizeof regular / sizeof regular[0]; k++) {
        struct job job = {regular[k], 1 << 14, 1};
        struct part p = merged(&job, 0, 1 << 14);
        cr_assert_leq(rankfn_cost(&p.f), 24);
        part_free(&p);
    }
}

/* Parts of 2^40 ranks: no list of them may be expanded. */
Test(rankfn, merging_does_not_depend_on_the_number_of_ranks)
{
    enum { CONSTANT, OFFSET, OTHER_OFFSET, PARTS };
    const uint64_t n = UINT64_C(1) << 40;
    struct rankfn f = {.forms = RANKFN_CONSTANT, .constant = 5};
    struct rankfn g[PARTS] = {
        [CONSTANT] = {.forms = RANKFN_CONSTANT, .constant = 6},
        [OFFSET] = {.forms = RANKFN_OFFSET, .offset = 1},
        [OTHER_OFFSET] = {.forms = RANKFN_OFFSET, .offset = -1},
    };
    struct series *ranks = series_create();
    cr_assert_eq(series_append_run(ranks, 0, 1, n), REFRAIN_OK);
    for (unsigned i = 0; i < PARTS; i++) {
        struct series *more = series_create();
        cr_assert_eq(series_append_run(more, (int64_t)(n * (i + 1)), 1, n), REFRAIN_OK);
        cr_assert_eq(rankfn_concat(&f, ranks, &g[i], more), REFRAIN_OK);
        cr_assert_eq(series_concat(ranks, more), REFRAIN_OK);
        series_free(more);
    }
    const int64_t expected[] = {5, 6, 1, -1};
    for (uint64_t part = 0; part <= PARTS; part++) {
        for (uint64_t i = part * n; i < (part + 1) * n; i += n / 4 + 1) {
            int64_t rank = (int64_t)i, base = part >= 2 ? rank : 0;
            cr_assert_eq(rankfn_at(&f, i, rank), base + expected[part]);
        }
    }
    rankfn_free(&f);
    series_free(ranks);
}

/* One half has only the relative list, the other half only the plain one. */
Test(rankfn, halves_with_different_lists_come_together)
{
    for (int swapped = 0; swapped < 2; swapped++) {
        struct rankfn halves[2];
        struct series *ranks[2];
        for (int h = 0; h < 2; h++) {
            struct series *list = series_create();
            ranks[h] = series_create();
            for (int64_t i = 0; i < 20; i++) {
                cr_assert_eq(series_append(ranks[h], 100 * h + i), REFRAIN_OK);
                cr_assert_eq(series_append(list, i * i), REFRAIN_OK);
            }
            bool relative = h == swapped;
            halves[h] = (struct rankfn){.forms = relative ? RANKFN_RELATIVE : RANKFN_PLAIN,
                                        .plain = relative ? NULL : list,
                                        .relative = relative ? list : NULL};
        }
        cr_assert_eq(rankfn_concat(&halves[0], ranks[0], &halves[1], ranks[1]), REFRAIN_OK);
        for (int64_t i = 0; i < 40; i++) {
            int64_t h = i / 20, k = i % 20, rank = 100 * h + k;
            cr_assert_eq(rankfn_at(&halves[0], (uint64_t)i, rank), k * k + (h == swapped ? rank : 0));
        }
        for (int h = 0; h < 2; h++) {
            rankfn_free(&halves[h]);
            series_free(ranks[h]);
        }
    }
}
