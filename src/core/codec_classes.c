#include "codec_classes.h"

#include "log.h"
#include "partition.h"

#include <stdlib.h>

#define TRIES_MAX 64 /* candidates */

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

/* ---- one candidate ------------------------------------------------------------------------------------- */

static struct series *make_classes(const struct partition *p)
{
    struct series *s = series_create();
    enum refrain_status status = s ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (uint32_t i = 0; i < p->n && status == REFRAIN_OK; i++)
        status = series_append(s, p->classes[i]);
    if (status == REFRAIN_OK)
        return s;
    series_free(s);
    return NULL;
}

/* V of a list, if it pays. *out is NULL otherwise. `room` has one value for each class. */
static enum refrain_status make_values(const struct class_list *list, const struct partition *p,
                                       int64_t *room, struct series **out)
{
    *out = NULL;
    if (list->done || !partition_respects(p, list->values, room))
        return REFRAIN_OK;
    struct series *s = series_create();
    enum refrain_status status = s ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (uint32_t i = 0; i < p->n_classes && status == REFRAIN_OK; i++)
        status = series_append(s, room[i]);
    if (status == REFRAIN_OK && series_cost(s) + COMPOSITION_COST < list->cost)
        *out = s;
    else
        series_free(s);
    return status;
}

/* Write all lists with these classes that gain by it. *saved: bytes, all in all; may be negative. */
static enum refrain_status use_classes(struct class_lists *c, const struct partition *p, int64_t *room,
                                       int64_t *saved)
{
    forget_found(c);
    if (!(c->classes = make_classes(p)))
        return REFRAIN_ERR_MEMORY;
    int64_t sum = -(int64_t)series_cost(c->classes);
    for (size_t i = 0; i < c->n; i++) {
        struct class_list *list = &c->items[i];
        enum refrain_status status = make_values(list, p, room, &list->of_class);
        if (status != REFRAIN_OK)
            return status;
        if (list->of_class)
            sum += (int64_t)(list->cost - series_cost(list->of_class) - COMPOSITION_COST);
    }
    *saved = sum;
    return REFRAIN_OK;
}

/* ---- the best ------------------------------------------------------------------------------------------ */

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
static enum refrain_status search(struct class_lists *c, struct class_list *const *order, int64_t *room,
                                  struct partition *best)
{
    struct partition p = {0};
    int64_t most = 0, saved;
    enum refrain_status status = partition_create(c->n_ranks, &p);
    unsigned tries = 0;
    for (size_t i = 0; i < c->n && tries < TRIES_MAX && status == REFRAIN_OK; i++) {
        struct partition finer = {0};
        if (order[i]->done)
            continue;
        status = partition_refine(&p, order[i]->values, &finer);
        if (status != REFRAIN_OK || finer.n_classes == p.n_classes || finer.n_classes > p.n / 2) {
            partition_free(&finer);
            continue;
        }
        partition_free(&p);
        p = finer;
        tries++;
        status = use_classes(c, &p, room, &saved);
        if (status == REFRAIN_OK && saved > most) {
            most = saved;
            partition_free(best);
            status = partition_copy(&p, best);
        }
    }
    partition_free(&p);
    return status;
}

enum refrain_status classes_find(struct class_lists *c)
{
    struct partition best = {0};
    struct class_list **order = malloc((c->n + 1) * sizeof(struct class_list *));
    int64_t *room = malloc(c->n_ranks * sizeof *room);
    enum refrain_status status = REFRAIN_OK;
    if (!order || !room) {
        log_error("out of memory: %zu lists of %u ranks", c->n, c->n_ranks);
        status = REFRAIN_ERR_MEMORY;
        goto out;
    }
    for (size_t i = 0; i < c->n; i++)
        order[i] = &c->items[i];
    qsort(order, c->n, sizeof *order, by_distinct);
    status = search(c, order, room, &best);
    forget_found(c);
    if (status == REFRAIN_OK && best.n > 0)
        status = use_classes(c, &best, room, &c->saved);
out:
    partition_free(&best);
    free(room);
    free(order);
    return status;
}
