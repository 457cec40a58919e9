#include "codec_compose.h"

#include "codec_classes.h"
#include "codec_turns.h"
#include "log.h"

#include <stdlib.h>

#define RANKS_MIN  4 /* classes of two ranks are the least that pays */
#define RANKS_MAX  (UINT32_C(1) << 16)
#define VALUES_MAX (UINT64_C(1) << 22) /* of all lists: bounds the time that this takes */
#define NONE       UINT32_MAX

struct list {
    const struct series *series; /* borrowed from the trace */
    uint32_t next;               /* of the same domain; NONE at the end */
};

/* A set of ranks that lists are over. */
struct domain {
    const struct series *ranks;
    uint32_t first, last; /* lists */
};

struct lists {
    ARRAY(struct list) lists; /* distinct */
    ARRAY(struct domain) domains;
    struct map list_index, domain_index;
    uint64_t values;
};

/* ---- all lists, by domain ------------------------------------------------------------------------------ */

static enum refrain_status find_domain(struct lists *l, const struct series *ranks, uint32_t *number)
{
    uint64_t key = series_hash(ranks);
    size_t at;
    for (uint32_t i = map_first(&l->domain_index, key, &at); i != MAP_NONE;
         i = map_next(&l->domain_index, key, &at)) {
        if (series_equal(l->domains.items[i].ranks, ranks)) {
            *number = i;
            return REFRAIN_OK;
        }
    }
    *number = (uint32_t)l->domains.n;
    struct domain fresh = {.ranks = ranks, .first = NONE, .last = NONE};
    return array_push(&l->domains, fresh) && map_add(&l->domain_index, key, *number) ? REFRAIN_OK
                                                                                     : REFRAIN_ERR_MEMORY;
}

/* A list over several domains counts for the first. */
static enum refrain_status add_list(struct lists *l, uint32_t domain, const struct series *series)
{
    uint64_t key = series_hash(series);
    size_t at;
    for (uint32_t i = map_first(&l->list_index, key, &at); i != MAP_NONE;
         i = map_next(&l->list_index, key, &at)) {
        if (series_equal(l->lists.items[i].series, series))
            return REFRAIN_OK;
    }
    const uint64_t n = series_length(series);
    if (n > VALUES_MAX - l->values)
        return REFRAIN_OK;
    l->values += n;
    const uint32_t fresh = (uint32_t)l->lists.n;
    struct list list = {.series = series, .next = NONE};
    if (!array_push(&l->lists, list) || !map_add(&l->list_index, key, fresh))
        return REFRAIN_ERR_MEMORY;
    struct domain *d = &l->domains.items[domain];
    if (d->first == NONE)
        d->first = fresh;
    else
        l->lists.items[d->last].next = fresh;
    d->last = fresh;
    return REFRAIN_OK;
}

static enum refrain_status collect_group(struct lists *l, const struct codec_tables *tables,
                                         const struct group *g)
{
    const uint64_t n = series_length(g->ranks);
    uint32_t domain;
    if (n < RANKS_MIN || n > RANKS_MAX)
        return REFRAIN_OK;
    enum refrain_status status = find_domain(l, g->ranks, &domain);
    for (size_t r = 0; r < g->rows.n; r++) {
        const struct row *row = &g->rows.items[r];
        for (uint32_t i = 0; i < row->n_slots && status == REFRAIN_OK; i++) {
            const struct rankfn *f = &row->slots[i];
            if ((f->plain || f->relative) && !codec_whole_get(&tables->whole, f) &&
                codec_sums_get(&tables->sums, f) == 0)
                status = add_list(l, domain, f->plain ? f->plain : f->relative);
        }
    }
    return status;
}

static enum refrain_status collect(struct lists *l, const struct codec_tables *tables, const struct trace *t)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t s = 0; s < t->shapes.n; s++) {
        const struct shape *shape = &t->shapes.items[s];
        for (size_t e = 0; e < shape->entries.n; e++) {
            const struct entry *entry = &shape->entries.items[e];
            for (size_t g = 0; g < entry->groups.n && status == REFRAIN_OK; g++)
                status = collect_group(l, tables, &entry->groups.items[g]);
        }
    }
    return status;
}

/* ---- what they consist of ------------------------------------------------------------------------------ */

/* Series that only the tables know: K and V. */
static enum refrain_status keep(struct codec_tables *tables, struct series *s, uint32_t *number)
{
    if (!array_push(&tables->made, s)) {
        series_free(s);
        return REFRAIN_ERR_MEMORY;
    }
    *number = (uint32_t)tables->made.n - 1;
    return REFRAIN_OK;
}

/* Until all lists are in the tables, compositions name their parts by numbers of `made`. */
static enum refrain_status add_compositions(struct class_lists *c, struct codec_tables *tables)
{
    struct composition composition;
    enum refrain_status status = keep(tables, c->classes, &composition.classes);
    c->classes = NULL;
    for (size_t i = 0; i < c->n && status == REFRAIN_OK; i++) {
        struct class_list *list = &c->items[i];
        uint32_t number;
        if (!list->of_class)
            continue;
        status = keep(tables, list->of_class, &composition.values);
        list->of_class = NULL;
        list->done = true;
        if (status == REFRAIN_OK)
            status = codec_intern_series(tables, list->series, &number);
        if (status == REFRAIN_OK && !array_push(&tables->compositions, composition))
            status = REFRAIN_ERR_MEMORY;
    }
    return status;
}

/* There may be lists that depend on one thing, and others that depend on another. */
static enum refrain_status compose_by_classes(struct class_lists *c, struct codec_tables *tables)
{
    enum refrain_status status = REFRAIN_OK;
    while (status == REFRAIN_OK && (status = classes_find(c)) == REFRAIN_OK && c->classes)
        status = add_compositions(c, tables);
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

static enum refrain_status keep_copy(struct codec_tables *tables, const struct series *s, uint32_t *number)
{
    struct series *copy = series_copy(s);
    return copy ? keep(tables, copy, number) : REFRAIN_ERR_MEMORY;
}

static enum refrain_status add_turns(const struct class_lists *c, const struct turns *t,
                                     struct codec_tables *tables)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < t->lists.n && status == REFRAIN_OK; i++) {
        const struct turned_list *l = &t->lists.items[i];
        struct composition composition;
        uint32_t number;
        status = keep_copy(tables, t->turns.items[l->turn].places, &composition.classes);
        if (status == REFRAIN_OK)
            status = keep_copy(tables, c->items[l->base].series, &composition.values);
        if (status == REFRAIN_OK)
            status = codec_intern_series(tables, c->items[l->list].series, &number);
        if (status == REFRAIN_OK && !array_push(&tables->compositions, composition))
            status = REFRAIN_ERR_MEMORY;
    }
    return status;
}

/* Lists are turned, and the others go by classes, if that saves more than if all go by classes. */
static enum refrain_status compose_by_turns(struct class_lists *c, struct codec_tables *tables)
{
    struct turns turns;
    int64_t all = 0, others = 0;
    enum refrain_status status = turns_find(c, &turns);
    if (status == REFRAIN_OK && turns.lists.n > 0)
        status = classes_would_save(c, &all);
    for (size_t i = 0; i < turns.lists.n; i++)
        c->items[turns.lists.items[i].list].done = c->items[turns.lists.items[i].base].done = true;
    if (status == REFRAIN_OK && turns.lists.n > 0)
        status = classes_would_save(c, &others);
    if (turns.saved + others > all && status == REFRAIN_OK)
        status = add_turns(c, &turns, tables);
    else
        for (size_t i = 0; i < turns.lists.n; i++)
            c->items[turns.lists.items[i].list].done = c->items[turns.lists.items[i].base].done = false;
    turns_free(&turns);
    return status;
}

static enum refrain_status compose_domain(const struct lists *l, const struct domain *d,
                                          struct codec_tables *tables)
{
    struct class_lists c = {.n_ranks = (uint32_t)series_length(d->ranks)};
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t i = d->first; i != NONE && status == REFRAIN_OK; i = l->lists.items[i].next)
        status = classes_add(&c, l->lists.items[i].series);
    if (status == REFRAIN_OK)
        status = compose_by_turns(&c, tables);
    if (status == REFRAIN_OK)
        status = compose_by_classes(&c, tables);
    classes_free(&c);
    return status;
}

/* The parts get their numbers behind the lists. */
static enum refrain_status number_parts(struct codec_tables *tables)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < tables->compositions.n && status == REFRAIN_OK; i++) {
        struct composition *c = &tables->compositions.items[i];
        status = codec_intern_part(tables, tables->made.items[c->classes], &c->classes);
        if (status == REFRAIN_OK)
            status = codec_intern_part(tables, tables->made.items[c->values], &c->values);
    }
    return status;
}

enum refrain_status codec_compose(const struct trace *t, struct codec_tables *tables)
{
    struct lists l = {0};
    enum refrain_status status = collect(&l, tables, t);
    for (size_t i = 0; i < l.domains.n && status == REFRAIN_OK; i++)
        status = compose_domain(&l, &l.domains.items[i], tables);
    if (status == REFRAIN_OK)
        status = number_parts(tables);
    array_free(&l.lists);
    array_free(&l.domains);
    map_free(&l.list_index);
    map_free(&l.domain_index);
    return status;
}
