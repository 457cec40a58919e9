/* SPDX-License-Identifier: BSD-3-Clause */
#include "codec_compose.h"

#include "src/core/passes/codec_added.h"
#include "src/core/passes/codec_classes.h"
#include "src/core/passes/codec_domains.h"
#include "src/core/base/log.h"
#include "src/core/passes/torus_permutation.h"

#include <stdlib.h>

struct planned_sum {
    const struct series *list, *a, *b;
    int64_t factor;
};

struct planned_permutation {
    const struct series *list;
    struct permuted permuted;
};

struct planned_composition {
    const struct series *list;
    struct composition composition;
};

/* Until all lists are known, and with them their numbers, lists name each other by address, and the series
 * that they consist of by numbers of `made`. */
struct plan {
    struct codec_tables *tables;
    ARRAY(struct planned_sum) added;
    ARRAY(struct planned_permutation) permuted;
    ARRAY(struct planned_composition) compositions;
};

static void plan_free(struct plan *p)
{
    array_free(&p->added);
    array_free(&p->permuted);
    array_free(&p->compositions);
}

/* Series that only the tables know; they own it now. */
static enum refrain_status keep(struct plan *p, struct series *s, uint64_t *number)
{
    if (!array_push(&p->tables->made, s)) {
        series_free(s);
        return REFRAIN_ERR_MEMORY;
    }
    *number = p->tables->made.n - 1;
    return REFRAIN_OK;
}

/* ---- by classes ------------------------------------------------------------------------------ */

static enum refrain_status add_compositions(struct class_lists *c, struct plan *plan)
{
    struct planned_composition planned;
    enum refrain_status status = keep(plan, c->classes, &planned.composition.classes);
    c->classes = NULL;
    for (size_t i = 0; i < c->n && status == REFRAIN_OK; i++) {
        struct class_list *list = &c->items[i];
        if (!list->of_class)
            continue;
        status = keep(plan, list->of_class, &planned.composition.values);
        list->of_class = NULL;
        list->done = true;
        planned.list = list->series;
        if (status == REFRAIN_OK && !array_push(&plan->compositions, planned))
            status = REFRAIN_ERR_MEMORY;
    }
    return status;
}

/* There may be lists that depend on one thing, and others that depend on another. */
static enum refrain_status compose_by_classes(struct class_lists *c, struct plan *plan)
{
    enum refrain_status status = REFRAIN_OK;
    while (status == REFRAIN_OK && (status = classes_find(c)) == REFRAIN_OK && c->classes)
        status = add_compositions(c, plan);
    return status;
}

/* What that would save in all, without the lists that are done. */
static enum refrain_status classes_would_save(struct class_lists *c, int64_t *saved)
{
    enum refrain_status status = REFRAIN_OK;
    bool *was_done = malloc(c->n * sizeof *was_done);
    if (!was_done) {
        log_error("out of memory: %zu lists", c->n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < c->n; i++)
        was_done[i] = c->items[i].done;
    *saved = 0;
    while ((status = classes_find(c)) == REFRAIN_OK && c->classes) {
        *saved += c->saved;
        for (size_t i = 0; i < c->n; i++)
            c->items[i].done = c->items[i].done || c->items[i].of_class;
    }
    for (size_t i = 0; i < c->n; i++)
        c->items[i].done = was_done[i];
    free(was_done);
    return status;
}

/* ---- by permutations ------------------------------------------------------------------------- */

static enum refrain_status find_map(struct derived *d, const struct torus_map *m, uint64_t *number)
{
    for (*number = 0; *number < d->maps.n; ++*number) {
        if (torus_map_equal(&d->maps.items[*number], m))
            return REFRAIN_OK;
    }
    return array_push(&d->maps, *m) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

static enum refrain_status add_permutations(const struct class_lists *c, struct torus_permutations *t,
                                            struct plan *plan)
{
    enum refrain_status status = REFRAIN_OK;
    uint64_t *number = malloc((t->bases.n + 1) * sizeof *number); /* of each base */
    if (!number) {
        log_error("out of memory: %zu lists", t->bases.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < t->bases.n && status == REFRAIN_OK; i++) {
        if (t->bases.items[i])
            status = keep(plan, t->bases.items[i], &number[i]);
        t->bases.items[i] = NULL;
    }
    for (size_t i = 0; i < t->lists.n && status == REFRAIN_OK; i++) {
        const struct permuted_list *l = &t->lists.items[i];
        struct planned_permutation planned = {.list = c->items[l->list].series,
                                              .permuted = {.base = number[l->base],
                                                           .row = l->at.row,
                                                           .column = l->at.column,
                                                           .scale = l->scale,
                                                           .shift = l->shift,
                                                           .slope = l->slope}};
        status = find_map(&plan->tables->derived, &t->maps.items[l->map], &planned.permuted.map);
        if (status == REFRAIN_OK && !array_push(&plan->permuted, planned))
            status = REFRAIN_ERR_MEMORY;
    }
    free(number);
    return status;
}

static void set_done(struct class_lists *c, const struct torus_permutations *t, bool done)
{
    for (size_t i = 0; i < t->lists.n; i++)
        c->items[t->lists.items[i].list].done = done;
}

/* Do permutations leave so little that nothing else can save much more? */
static bool save_most(const struct class_lists *c, const struct torus_permutations *t)
{
    int64_t cost = 0;
    for (size_t i = 0; i < c->n; i++)
        cost += (int64_t)c->items[i].cost;
    return t->saved * 4 >= cost * 3;
}

/* Lists are permuted, and the others go by classes, if that saves more than if all go by classes. */
static enum refrain_status compose_by_permutations(struct class_lists *c, struct plan *plan)
{
    struct torus_permutations permutations;
    int64_t all = 0, others = 0;
    enum refrain_status status = torus_permutations_find(c, &permutations);
    const bool compare = permutations.lists.n > 0 && !save_most(c, &permutations);
    if (status == REFRAIN_OK && compare)
        status = classes_would_save(c, &all);
    set_done(c, &permutations, true);
    if (status == REFRAIN_OK && compare)
        status = classes_would_save(c, &others);
    if (permutations.saved + others > all && status == REFRAIN_OK)
        status = add_permutations(c, &permutations, plan);
    else
        set_done(c, &permutations, false);
    torus_permutations_free(&permutations);
    return status;
}

/* ---- by addition ----------------------------------------------------------------------------- */

static enum refrain_status compose_by_addition(const struct class_lists *c, struct plan *plan)
{
    struct added_lists sums;
    enum refrain_status status = added_find(c, &sums);
    for (size_t i = 0; i < sums.n && status == REFRAIN_OK; i++) {
        const struct added_list *l = &sums.items[i];
        const struct planned_sum planned = {c->items[l->list].series, c->items[l->a].series,
                                            c->items[l->b].series, l->factor};
        if (!array_push(&plan->added, planned))
            status = REFRAIN_ERR_MEMORY;
    }
    array_free(&sums);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static enum refrain_status compose_domain(const struct domains *l, const struct domain *d, struct plan *plan)
{
    struct class_lists c = {.n_ranks = (uint32_t)series_length(d->ranks)};
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t i = d->first; i != DOMAIN_END && status == REFRAIN_OK; i = l->lists.items[i].next)
        status = classes_add(&c, l->lists.items[i].series);
    if (status == REFRAIN_OK)
        status = compose_by_permutations(&c, plan);
    if (status == REFRAIN_OK)
        status = compose_by_classes(&c, plan);
    if (status == REFRAIN_OK)
        status = compose_by_addition(&c, plan);
    classes_free(&c);
    return status;
}

/* Those that are made of others come before these. They are all different, so each gets the next number. */
static enum refrain_status number_lists(const struct plan *p)
{
    enum refrain_status status = REFRAIN_OK;
    uint32_t number;
    for (size_t i = p->added.n; i-- > 0 && status == REFRAIN_OK;)
        status = codec_intern_series(p->tables, p->added.items[i].list, &number);
    for (size_t i = 0; i < p->permuted.n && status == REFRAIN_OK; i++)
        status = codec_intern_series(p->tables, p->permuted.items[i].list, &number);
    for (size_t i = 0; i < p->compositions.n && status == REFRAIN_OK; i++)
        status = codec_intern_series(p->tables, p->compositions.items[i].list, &number);
    return status;
}

/* What they consist of gets its numbers behind them. */
static enum refrain_status number_parts(const struct plan *p)
{
    struct codec_tables *t = p->tables;
    struct derived *d = &t->derived;
    struct series *const *made = t->made.items;
    const size_t n = t->series.n;
    enum refrain_status status = array_reserve(&d->added, p->added.n) &&
                                         array_reserve(&d->permuted, p->permuted.n) &&
                                         array_reserve(&d->compositions, p->compositions.n)
                                     ? REFRAIN_OK
                                     : REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < p->permuted.n && status == REFRAIN_OK; i++) {
        struct permuted *permuted = &d->permuted.items[d->permuted.n++];
        *permuted = p->permuted.items[i].permuted;
        status = codec_intern_part(t, n, made[permuted->base], &permuted->base);
    }
    for (size_t i = 0; i < p->compositions.n && status == REFRAIN_OK; i++) {
        struct composition *c = &d->compositions.items[d->compositions.n++];
        *c = p->compositions.items[i].composition;
        status = codec_intern_part(t, n, made[c->classes], &c->classes);
        if (status == REFRAIN_OK)
            status = codec_intern_part(t, n, made[c->values], &c->values);
    }
    for (size_t i = p->added.n; i-- > 0 && status == REFRAIN_OK;) {
        uint32_t a = 0, b = 0;
        status = codec_intern_series(t, p->added.items[i].a, &a);
        if (status == REFRAIN_OK)
            status = codec_intern_series(t, p->added.items[i].b, &b);
        d->added.items[d->added.n++] = (struct added){a, b, p->added.items[i].factor};
    }
    return status;
}

enum refrain_status codec_compose(const struct trace *t, struct codec_tables *tables)
{
    struct domains l;
    struct plan plan = {.tables = tables};
    enum refrain_status status = domains_collect(t, tables, &l);
    for (size_t i = 0; i < l.domains.n && status == REFRAIN_OK; i++)
        status = compose_domain(&l, &l.domains.items[i], &plan);
    if (status == REFRAIN_OK)
        status = number_lists(&plan);
    if (status == REFRAIN_OK)
        status = number_parts(&plan);
    plan_free(&plan);
    domains_free(&l);
    return status;
}
