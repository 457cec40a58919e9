/* SPDX-License-Identifier: BSD-3-Clause */
/* Classes of ranks, and which of them save the most, against the long way. */
#include <criterion/criterion.h>

#include <string.h>

#include "src/core/passes/codec_classes.h"
#include "tests/unit/support/random.h"

enum { RANKS_MOST = 90, LISTS_MOST = 12 };

/* ---- partitions ------------------------------------------------------------------------------ */

Test(classes, refining_is_comparing_all_with_all)
{
    uint64_t state = random_seed(1);
    for (int round = 0; round < 300; round++) {
        const uint32_t n = 1 + random_below(&state, RANKS_MOST), distinct = 1 + random_below(&state, 12);
        struct partition p, finer;
        int64_t values[2][RANKS_MOST], room[RANKS_MOST];
        cr_assert_eq(partition_create(n, &p), REFRAIN_OK);
        for (int k = 0; k < 2; k++) {
            for (uint32_t i = 0; i < n; i++)
                values[k][i] = (int64_t)random_below(&state, distinct) - 3;
            cr_assert_eq(partition_refine(&p, values[k], &finer), REFRAIN_OK);
            cr_assert_eq(partition_respects(&p, values[k], room), finer.n_classes == p.n_classes);
            cr_assert(partition_respects(&finer, values[k], room));
            partition_free(&p);
            p = finer;
        }
        uint32_t n_classes = 0;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t first = 0;
            while (values[0][first] != values[0][i] || values[1][first] != values[1][i])
                first++;
            cr_assert_eq(p.classes[i], first == i ? n_classes : p.classes[first]);
            n_classes += first == i;
        }
        cr_assert_eq(p.n_classes, n_classes);
        partition_free(&p);
    }
}

/* ---- searches -------------------------------------------------------------------------------- */

/* Lists of which some depend on the same thing, a class of the rank. */
static struct class_lists some_lists(uint64_t *state, struct series **lists)
{
    struct class_lists c = {.n_ranks = 8 + random_below(state, RANKS_MOST - 8)};
    const uint32_t n = 2 + random_below(state, LISTS_MOST - 2);
    uint32_t class[2][RANKS_MOST];
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < c.n_ranks; i++)
            class[k][i] = random_below(state, 5);
    for (uint32_t l = 0; l < n; l++) {
        const uint32_t kind = random_below(state, 4), size = random_below(state, 2) ? 10 : 1000000;
        int64_t of_class[5];
        for (int k = 0; k < 5; k++)
            of_class[k] = random_below(state, size);
        cr_assert(lists[l] = series_create());
        for (uint32_t i = 0; i < c.n_ranks; i++)
            cr_assert_eq(series_append(lists[l], kind < 3 ? of_class[class[kind % 2][i]]
                                                          : (int64_t)random_below(state, 100)),
                         REFRAIN_OK);
        cr_assert_eq(classes_add(&c, lists[l]), REFRAIN_OK);
    }
    return c;
}

static struct series *series_of(const int64_t *values, uint32_t n)
{
    struct series *s = series_create();
    for (uint32_t i = 0; i < n; i++)
        cr_assert_eq(series_append(s, values[i]), REFRAIN_OK);
    return s;
}

/* What classes save, list by list. */
static int64_t saved_by(const struct class_lists *c, const struct partition *p)
{
    int64_t values[RANKS_MOST];
    for (uint32_t i = 0; i < p->n; i++)
        values[i] = p->classes[i];
    struct series *s = series_of(values, p->n);
    int64_t saved = -(int64_t)series_cost(s);
    series_free(s);
    for (size_t l = 0; l < c->n; l++) {
        if (c->items[l].done || !partition_respects(p, c->items[l].values, values))
            continue;
        s = series_of(values, p->n_classes);
        if (series_cost(s) + COMPOSITION_COST < c->items[l].cost)
            saved += (int64_t)(c->items[l].cost - series_cost(s) - COMPOSITION_COST);
        series_free(s);
    }
    return saved;
}

/* The most that joins of lists, those with few values first, can save. */
static int64_t most_saved(const struct class_lists *c)
{
    struct partition p, finer;
    int64_t most = 0;
    cr_assert_eq(partition_create(c->n_ranks, &p), REFRAIN_OK);
    for (uint32_t distinct = 1; distinct <= c->n_ranks; distinct++) {
        for (size_t l = 0; l < c->n; l++) {
            if (c->items[l].distinct != distinct || c->items[l].done)
                continue;
            cr_assert_eq(partition_refine(&p, c->items[l].values, &finer), REFRAIN_OK);
            if (finer.n_classes == p.n_classes || finer.n_classes > p.n / 2) {
                partition_free(&finer);
                continue;
            }
            partition_free(&p);
            p = finer;
            const int64_t saved = saved_by(c, &p);
            most = saved > most ? saved : most;
        }
    }
    partition_free(&p);
    return most;
}

/* Is V of K each list that has one, and does that save what is said? */
static void check_found(const struct class_lists *c)
{
    int64_t saved = -(int64_t)series_cost(c->classes);
    for (size_t l = 0; l < c->n; l++) {
        const struct class_list *list = &c->items[l];
        if (!list->of_class)
            continue;
        cr_assert_not(list->done);
        saved += (int64_t)(list->cost - series_cost(list->of_class) - COMPOSITION_COST);
        for (uint32_t i = 0; i < c->n_ranks; i++)
            cr_assert_eq(series_at(list->of_class, (uint64_t)series_at(c->classes, i)), list->values[i]);
    }
    cr_assert_eq(c->saved, saved);
}

/* Find classes until none pay, as whoever writes the lists does. Returns how often something was found. */
static unsigned find_all(struct class_lists *c, int64_t *total)
{
    unsigned found = 0;
    for (;; found++) {
        const int64_t most = most_saved(c);
        cr_assert_eq(classes_find(c), REFRAIN_OK);
        cr_assert_eq(c->classes != NULL, most > 0);
        if (!c->classes)
            return found;
        check_found(c);
        cr_assert_eq(c->saved, most);
        *total += c->saved;
        for (size_t l = 0; l < c->n; l++)
            c->items[l].done = c->items[l].done || c->items[l].of_class;
    }
}

Test(classes, the_best_join_is_found_each_time)
{
    uint64_t state = random_seed(2);
    unsigned found = 0;
    for (int round = 0; round < 200; round++) {
        struct series *lists[LISTS_MOST] = {NULL};
        struct class_lists c = some_lists(&state, lists);
        bool left_out[LISTS_MOST];
        int64_t first = 0, again = 0, others = 0;
        for (size_t l = 0; l < c.n; l++)
            left_out[l] = random_below(&state, 3) == 0;

        const unsigned n = find_all(&c, &first);
        found += n;
        for (size_t l = 0; l < c.n; l++)
            c.items[l].done = left_out[l];
        find_all(&c, &others);
        const size_t searches = c.searches.n;
        for (size_t l = 0; l < c.n; l++)
            c.items[l].done = false;
        cr_assert_eq(find_all(&c, &again), n);
        cr_assert_eq(again, first);
        cr_assert_eq(c.searches.n, searches, "what was found is remembered");
        classes_free(&c);
        for (int l = 0; l < LISTS_MOST; l++)
            series_free(lists[l]);
    }
    cr_assert_gt(found, 100);
}

/* More ways of leaving lists out than are remembered. */
Test(classes, old_searches_are_forgotten)
{
    uint64_t state = random_seed(3);
    struct series *lists[LISTS_MOST] = {NULL};
    struct class_lists c = some_lists(&state, lists);
    while (c.n < 8) {
        classes_free(&c);
        for (int l = 0; l < LISTS_MOST; l++) {
            series_free(lists[l]);
            lists[l] = NULL;
        }
        c = some_lists(&state, lists);
    }
    for (unsigned out = 0; out < 2 * 256; out++) {
        for (size_t l = 0; l < c.n; l++)
            c.items[l].done = l < 8 && (out >> l & 1);
        const int64_t most = most_saved(&c);
        cr_assert_eq(classes_find(&c), REFRAIN_OK);
        cr_assert_eq(c.classes ? c.saved : 0, most);
    }
    cr_assert_lt(c.searches.n, 256);
    classes_free(&c);
    for (int l = 0; l < LISTS_MOST; l++)
        series_free(lists[l]);
}
