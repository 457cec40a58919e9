/* SPDX-License-Identifier: BSD-3-Clause */
#include "codec_classes.h"

#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

#define TRIES_MAX    64 /* candidates */
#define SEARCHES_MAX 64 /* that are remembered */
#define LEAST_COST   3  /* bytes of any series that has values */

static void forget_found(struct class_lists *c)
{
    series_free(c->classes);
    c->classes = NULL;
    for (size_t i = 0; i < c->n; i++) {
        series_free(c->items[i].of_class);
        c->items[i].of_class = NULL;
    }
}

void classes_free(struct class_lists *c)
{
    forget_found(c);
    for (size_t i = 0; i < c->n; i++)
        free(c->items[i].values);
    for (size_t i = 0; i < c->searches.n; i++) {
        free(c->searches.items[i].done);
        partition_free(&c->searches.items[i].best);
    }
    array_free(&c->searches);
    array_free(c);
}

/* The classes that a list alone makes. */
static enum refrain_status count_values(struct class_list *list, uint32_t n_ranks)
{
    struct partition all, cut;
    enum refrain_status status = partition_create(n_ranks, &all);
    if (status != REFRAIN_OK)
        return status;
    status = partition_refine(&all, list->values, &cut);
    partition_free(&all);
    if (status != REFRAIN_OK)
        return status;
    list->distinct = cut.n_classes;
    partition_free(&cut);
    return REFRAIN_OK;
}

enum refrain_status classes_add(struct class_lists *c, const struct series *list)
{
    struct class_list fresh = {.series = list, .cost = series_cost(list)};
    if (!(fresh.values = malloc(c->n_ranks * sizeof *fresh.values))) {
        log_error("out of memory: a list of %u ranks", c->n_ranks);
        return REFRAIN_ERR_MEMORY;
    }
    series_values(list, 0, c->n_ranks, fresh.values);
    enum refrain_status status = count_values(&fresh, c->n_ranks);
    if (status == REFRAIN_OK && !array_push(c, fresh))
        status = REFRAIN_ERR_MEMORY;
    if (status != REFRAIN_OK)
        free(fresh.values);
    return status;
}

/* ---- one candidate --------------------------------------------------------------------------- */

/* K into s, which is empty. */
static enum refrain_status put_classes(struct series *s, const struct partition *p)
{
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t i = 0; i < p->n && status == REFRAIN_OK; i++)
        status = series_append(s, p->classes[i]);
    return status;
}

/* V into s, which is empty. */
static enum refrain_status put_values(struct series *s, const int64_t *of_class, uint32_t n)
{
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t i = 0; i < n && status == REFRAIN_OK; i++)
        status = series_append(s, of_class[i]);
    return status;
}

/* What a list gains if its V costs that much; 0 if it stays as it is. */
static int64_t gain_of(const struct class_list *list, size_t cost)
{
    return list->cost > cost + COMPOSITION_COST ? (int64_t)(list->cost - cost - COMPOSITION_COST) : 0;
}

static bool can_gain(const struct class_list *list, const struct partition *p, int64_t *of_class)
{
    return !list->done && gain_of(list, LEAST_COST) > 0 && partition_respects(p, list->values, of_class);
}

/* Room for weighing candidates. */
struct scales {
    struct series *series; /* for one at a time */
    int64_t *of_class;     /* a value for each class */
};

/* What the classes would save in all, if it is more than `most`; something else up to `most` if not. Begins
 * with the most that it could be, and looks closer only as long as that is enough. */
static enum refrain_status weigh(const struct class_lists *c, const struct partition *p,
                                 const struct scales *room, int64_t most, int64_t *saved)
{
    int64_t bound = 0;
    for (size_t i = 0; i < c->n; i++) {
        if (can_gain(&c->items[i], p, room->of_class))
            bound += gain_of(&c->items[i], LEAST_COST);
    }
    *saved = most < bound - LEAST_COST ? bound : most;
    if (*saved <= most)
        return REFRAIN_OK;
    series_empty(room->series);
    enum refrain_status status = put_classes(room->series, p);
    bound -= (int64_t)series_cost(room->series);
    for (size_t i = 0; i < c->n && bound > most && status == REFRAIN_OK; i++) {
        const struct class_list *list = &c->items[i];
        if (!can_gain(list, p, room->of_class))
            continue;
        series_empty(room->series);
        status = put_values(room->series, room->of_class, p->n_classes);
        bound += gain_of(list, series_cost(room->series)) - gain_of(list, LEAST_COST);
    }
    *saved = bound;
    return status;
}

/* V of a list, if it pays. *out is NULL otherwise. */
static enum refrain_status make_values(const struct class_list *list, const struct partition *p,
                                       int64_t *of_class, struct series **out)
{
    *out = NULL;
    if (!can_gain(list, p, of_class))
        return REFRAIN_OK;
    struct series *s = series_create();
    enum refrain_status status = s ? put_values(s, of_class, p->n_classes) : REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_OK && gain_of(list, series_cost(s)) > 0)
        *out = s;
    else
        series_free(s);
    return status;
}

/* Write all lists with these classes that gain by it, and tell what that saves. */
static enum refrain_status use_classes(struct class_lists *c, const struct partition *p, int64_t *of_class)
{
    if (!(c->classes = series_create()))
        return REFRAIN_ERR_MEMORY;
    enum refrain_status status = put_classes(c->classes, p);
    c->saved = -(int64_t)series_cost(c->classes);
    for (size_t i = 0; i < c->n && status == REFRAIN_OK; i++) {
        struct class_list *list = &c->items[i];
        status = make_values(list, p, of_class, &list->of_class);
        if (list->of_class)
            c->saved += gain_of(list, series_cost(list->of_class));
    }
    return status;
}

/* ---- the best -------------------------------------------------------------------------------- */

/* Lists by their number of values, then as they were added. */
static int by_distinct(const void *a, const void *b)
{
    const struct class_list *p = *(const struct class_list *const *)a,
                            *q = *(const struct class_list *const *)b;
    if (p->distinct != q->distinct)
        return p->distinct < q->distinct ? -1 : 1;
    return (p > q) - (p < q);
}

/* Join the lists in this order. *best is the join that saved the most; without classes if none does. */
static enum refrain_status try_joins(const struct class_lists *c, struct class_list *const *order,
                                     const struct scales *room, struct partition *best)
{
    struct partition p = {0};
    int64_t most = 0, saved;
    enum refrain_status status = partition_create(c->n_ranks, &p);
    unsigned tries = 0;
    for (size_t i = 0; i < c->n && tries < TRIES_MAX && status == REFRAIN_OK; i++) {
        struct partition finer = {0};
        if (order[i]->done || partition_respects(&p, order[i]->values, room->of_class))
            continue;
        status = partition_refine(&p, order[i]->values, &finer);
        if (status != REFRAIN_OK || finer.n_classes > p.n / 2) {
            partition_free(&finer);
            continue;
        }
        partition_free(&p);
        p = finer;
        tries++;
        status = weigh(c, &p, room, most, &saved);
        if (status == REFRAIN_OK && saved > most) {
            most = saved;
            partition_free(best);
            status = partition_copy(&p, best);
        }
    }
    partition_free(&p);
    return status;
}

static const struct class_search *known_search(const struct class_lists *c)
{
    for (size_t i = 0; i < c->searches.n; i++) {
        size_t k = 0;
        while (k < c->n && c->searches.items[i].done[k] == c->items[k].done)
            k++;
        if (k == c->n)
            return &c->searches.items[i];
    }
    return NULL;
}

/* A search that takes the place of an older one if there are many. */
static struct class_search *new_search(struct class_lists *c)
{
    struct class_search fresh = {.done = malloc((c->n + 1) * sizeof *fresh.done)};
    if (!fresh.done)
        log_error("out of memory: %zu lists of %u ranks", c->n, c->n_ranks);
    if (!fresh.done || !array_reserve(&c->searches, 1)) {
        free(fresh.done);
        return NULL;
    }
    for (size_t i = 0; i < c->n; i++)
        fresh.done[i] = c->items[i].done;
    if (c->searches.n == SEARCHES_MAX) {
        free(c->searches.items[0].done);
        partition_free(&c->searches.items[0].best);
        memmove(c->searches.items, c->searches.items + 1, --c->searches.n * sizeof fresh);
    }
    c->searches.items[c->searches.n++] = fresh;
    return &c->searches.items[c->searches.n - 1];
}

static enum refrain_status search(struct class_lists *c, const struct scales *room,
                                  const struct class_search **found)
{
    struct class_list **order = malloc((c->n + 1) * sizeof(struct class_list *));
    struct class_search *fresh = order ? new_search(c) : NULL;
    enum refrain_status status = fresh ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    if (!order)
        log_error("out of memory: %zu lists of %u ranks", c->n, c->n_ranks);
    for (size_t i = 0; i < c->n && fresh; i++)
        order[i] = &c->items[i];
    if (fresh) {
        qsort(order, c->n, sizeof(struct class_list *), by_distinct);
        status = try_joins(c, order, room, &fresh->best);
    }
    free(order);
    *found = fresh;
    return status;
}

enum refrain_status classes_find(struct class_lists *c)
{
    const struct scales room = {.series = series_create(),
                                .of_class = malloc(c->n_ranks * sizeof *room.of_class)};
    const struct class_search *found = known_search(c);
    enum refrain_status status = REFRAIN_OK;
    forget_found(c);
    if (!room.series || !room.of_class) {
        log_error("out of memory: %zu lists of %u ranks", c->n, c->n_ranks);
        status = REFRAIN_ERR_MEMORY;
    }
    if (status == REFRAIN_OK && !found)
        status = search(c, &room, &found);
    if (status == REFRAIN_OK && found->best.n > 0)
        status = use_classes(c, &found->best, room.of_class);
    free(room.of_class);
    series_free(room.series);
    return status;
}
