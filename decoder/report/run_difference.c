/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_difference.h"

#include "src/core/base/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers of several runs ----------------------------------------------------------------- */

static void spread_add(struct run_spread *s, double value)
{
    const double before = s->mean;
    s->n++;
    s->mean += (value - before) / (double)s->n;
    /* a sum of squares until all values are added */
    s->deviation += (value - before) * (value - s->mean);
    s->least = s->n == 1 || value < s->least ? value : s->least;
    s->most = s->n == 1 || value > s->most ? value : s->most;
}

static void spread_end(struct run_spread *s)
{
    s->deviation = s->n > 1 ? sqrt(s->deviation / (double)(s->n - 1)) : 0;
}

/* Returns Student's t for a two-sided interval of 95 per cent. */
static double student(size_t freedom)
{
    static const double table[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};
    const size_t n = sizeof table / sizeof table[0];
    return freedom <= n ? table[freedom - 1] : 1.960 + 2.5 / (double)freedom;
}

/* Both groups are assumed to vary equally, so one group may be a single run. */
static struct run_change change_between(const struct run_spread *a, const struct run_spread *b)
{
    struct run_change c = {.known = true, .from = a->mean, .to = b->mean};
    const size_t freedom = a->n + b->n - 2;
    if (a->n == 0 || b->n == 0 || freedom == 0)
        return c;
    const double squares =
        (double)(a->n - 1) * a->deviation * a->deviation + (double)(b->n - 1) * b->deviation * b->deviation;
    c.has_noise = true;
    c.noise = student(freedom) * sqrt(squares / (double)freedom * (1 / (double)a->n + 1 / (double)b->n));
    return c;
}

/* ---- values of runs -------------------------------------------------------------------------- */

bool run_difference_fact(const struct run_difference *d, enum run_fact fact, size_t group,
                         struct run_spread *s)
{
    *s = (struct run_spread){0};
    for (size_t run = d->groups[group]; run < d->groups[group + 1]; run++) {
        if (d->runs[run].knows[fact])
            spread_add(s, d->runs[run].facts[fact]);
    }
    spread_end(s);
    return s->n > 0;
}

struct run_change run_difference_fact_change(const struct run_difference *d, enum run_fact fact)
{
    struct run_spread a, b;
    return run_difference_fact(d, fact, 0, &a) && run_difference_fact(d, fact, d->n_groups - 1, &b)
               ? change_between(&a, &b)
               : (struct run_change){0};
}

static uint32_t threads_of(const struct run_difference *d, size_t group)
{
    return d->runs[d->groups[group]].threads;
}

double run_difference_threads(const struct run_difference *d)
{
    return (double)threads_of(d, d->n_groups - 1) / threads_of(d, 0);
}

/* Strong scaling divides the same work, weak scaling gives each thread the same work: the exponent
 * of the growth is near 0 or near 1. */
static void find_scaling(struct run_difference *d)
{
    const double threads = run_difference_threads(d);
    const struct run_change computation = run_difference_fact_change(d, FACT_COMPUTATION);
    d->growth = 1;
    if (threads_of(d, 0) == threads_of(d, d->n_groups - 1))
        return;
    d->scaling = SCALING_NEITHER;
    if (!computation.known || computation.from <= 0 || computation.to <= 0)
        return;
    d->growth = computation.to * threads / computation.from;
    const double exponent = log(d->growth) / log(threads);
    if (fabs(exponent) <= 0.25)
        d->scaling = SCALING_STRONG;
    else if (fabs(exponent - 1) <= 0.25)
        d->scaling = SCALING_WEAK;
}

/* ---- values of a row ------------------------------------------------------------------------- */

const struct run_place *run_difference_of_run(const struct run_difference *d, enum run_places kind,
                                              const struct run_difference_row *row, size_t run)
{
    return d->lists[kind].places.items[row->first_place + run];
}

const struct run_place *run_difference_place(const struct run_difference *d, enum run_places kind,
                                             const struct run_difference_row *row, size_t group)
{
    const struct run_place *place = NULL;
    for (size_t run = d->groups[group]; run < d->groups[group + 1]; run++)
        place = run_difference_of_run(d, kind, row, run) ? run_difference_of_run(d, kind, row, run) : place;
    return place;
}

size_t run_difference_runs(const struct run_difference *d, enum run_places kind,
                           const struct run_difference_row *row)
{
    size_t n = 0;
    for (size_t run = 0; run < d->n_runs; run++)
        n += run_difference_of_run(d, kind, row, run) != NULL;
    return n;
}

const char *run_difference_name(const struct run_difference *d, enum run_places kind,
                                const struct run_difference_row *row, const struct run_place **moved)
{
    const struct run_place *first = NULL, *last = NULL;
    const char *name = NULL;
    for (size_t run = 0; run < d->n_runs; run++) {
        const struct run_place *place = run_difference_of_run(d, kind, row, run);
        if (!place)
            continue;
        name = run_place_name(&d->runs[run], place);
        last = place;
        first = first ? first : place;
    }
    if (moved)
        *moved = first->has_line && last->has_line && first->line != last->line ? first : NULL;
    return name;
}

bool run_difference_value(const struct run_difference *d, enum run_places kind,
                          const struct run_difference_row *row, enum place_value value, size_t group,
                          struct run_spread *s)
{
    bool any = false;
    *s = (struct run_spread){0};
    for (size_t run = d->groups[group]; run < d->groups[group + 1]; run++) {
        const struct run_place *place = run_difference_of_run(d, kind, row, run);
        if (!d->runs[run].places[kind].knows[value])
            continue;
        any = any || place;
        spread_add(s, place ? place->values[value] : 0);
    }
    spread_end(s);
    return any;
}

struct run_change run_difference_change(const struct run_difference *d, enum run_places kind,
                                        const struct run_difference_row *row, enum place_value value)
{
    struct run_spread a, b;
    run_difference_value(d, kind, row, value, 0, &a);
    run_difference_value(d, kind, row, value, d->n_groups - 1, &b);
    return a.n > 0 && b.n > 0 ? change_between(&a, &b) : (struct run_change){0};
}

double run_difference_ideal(const struct run_difference *d, double from)
{
    const bool divided = d->scaling == SCALING_STRONG || d->scaling == SCALING_NEITHER;
    return divided ? from / run_difference_threads(d) : from;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static enum refrain_status add_row(struct run_difference *d, struct run_difference_list *list, size_t run,
                                   const struct run_place *place)
{
    const struct run_difference_row row = {.first_place = list->places.n};
    if (!array_reserve(&list->places, d->n_runs) || !array_push(&list->rows, row))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < d->n_runs; i++)
        list->places.items[list->places.n++] = i == run ? place : NULL;
    return REFRAIN_OK;
}

/* A place that is to be paired with another one of the same key: that of an existing row, or one of the next
 * run. */
struct like {
    const char *key;
    uint64_t line;
    double calls; /* per thread */
    size_t row;   /* index of the row, for an existing row */
    const struct run_place *place;
};

static int by_key(const void *a, const void *b)
{
    const struct like *x = a, *y = b;
    const int order = strcmp(x->key, y->key);
    if (order != 0)
        return order;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* Returns how different two places of the same key are. */
static double distance(const struct like *a, const struct like *b)
{
    const double lines = a->line > b->line ? (double)(a->line - b->line) : (double)(b->line - a->line);
    return fabs(log((a->calls + 1) / (b->calls + 1))) + lines / (lines + 50);
}

/* Pairs each of the n places in `few` with one of the m >= n places in `many`, in order, so that the sum of
 * distances is smallest. least[i][j] is the smallest sum for pairing the first i of `few` with i of the first
 * j of `many`. partner[i] is the result. If n * m is greater than MOST, the first n of `many` are taken. */
#define MOST 1000000
static enum refrain_status pair_up(const struct like *few, size_t n, const struct like *many, size_t m,
                                   size_t *partner)
{
    double *least = n < m && n * m <= MOST ? malloc((n + 1) * (m + 1) * sizeof *least) : NULL;
    for (size_t i = 0; i < n; i++)
        partner[i] = i;
    if (n == m || n * m > MOST)
        return REFRAIN_OK;
    if (!least)
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i <= n; i++) {
        for (size_t j = 0; j <= m; j++) {
            double *at = &least[i * (m + 1) + j];
            *at = i == 0 ? 0 : INFINITY;
            if (i > 0 && j >= i)
                *at = fmin(at[-1], least[(i - 1) * (m + 1) + j - 1] + distance(&few[i - 1], &many[j - 1]));
        }
    }
    for (size_t i = n, j = m; i > 0; j--) {
        if (j > i && least[i * (m + 1) + j - 1] <= least[i * (m + 1) + j])
            continue;
        partner[--i] = j - 1;
    }
    free(least);
    return REFRAIN_OK;
}

/* Joins n rows with m places of the next run that have the same key. */
static enum refrain_status join(struct run_difference *d, struct run_difference_list *list, size_t run,
                                const struct like *rows, size_t n, const struct like *places, size_t m)
{
    const size_t few = n < m ? n : m;
    size_t *partner = malloc((few + 1) * sizeof *partner);
    bool *taken = calloc(m + 1, sizeof *taken);
    enum refrain_status status = partner && taken ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_OK)
        status = n <= m ? pair_up(rows, n, places, m, partner) : pair_up(places, m, rows, n, partner);
    for (size_t i = 0; i < few && status == REFRAIN_OK; i++) {
        const size_t row = n <= m ? i : partner[i], place = n <= m ? partner[i] : i;
        list->places.items[list->rows.items[rows[row].row].first_place + run] = places[place].place;
        taken[place] = true;
    }
    for (size_t i = 0; i < m && status == REFRAIN_OK; i++) {
        if (!taken[i])
            status = add_row(d, list, run, places[i].place);
    }
    free(partner);
    free(taken);
    return status;
}

/* Returns a row as the place that its last run before `run` has for it. */
static struct like like_of(const struct run_difference *d, const struct run_difference_list *list, size_t row,
                           size_t run)
{
    const struct run_place *const *places = &list->places.items[list->rows.items[row].first_place];
    size_t last = run;
    while (!places[last - 1])
        last--;
    const struct run_profile *p = &d->runs[last - 1];
    const struct run_place *place = places[last - 1];
    return (struct like){run_place_key(p, place), place->line, place->values[PLACE_CALLS] / p->threads, row,
                         place};
}

static size_t same_key(const struct like *c, size_t n, const char *key)
{
    size_t i = 0;
    while (i < n && strcmp(c[i].key, key) == 0)
        i++;
    return i;
}

static enum refrain_status add_run(struct run_difference *d, enum run_places kind, size_t run)
{
    struct run_difference_list *list = &d->lists[kind];
    const struct run_profile *p = &d->runs[run];
    const size_t n = list->rows.n;
    size_t m = 0;
    struct like *all = malloc((n + p->places[kind].items.n + 1) * sizeof *all), *rows = all,
                *places = all ? all + n : NULL;
    if (!all)
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n; i++)
        rows[i] = like_of(d, list, i, run);
    for (size_t i = 0; i < p->places[kind].items.n; i++) {
        const struct run_place *place = &p->places[kind].items.items[i];
        if (!place->is_init)
            places[m++] = (struct like){run_place_key(p, place), place->line,
                                        place->values[PLACE_CALLS] / p->threads, 0, place};
    }
    qsort(rows, n, sizeof *rows, by_key);
    qsort(places, m, sizeof *places, by_key);
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0, j = 0; j < m && status == REFRAIN_OK;) {
        while (i < n && strcmp(rows[i].key, places[j].key) < 0)
            i++;
        const size_t k = same_key(rows + i, n - i, places[j].key),
                     l = same_key(places + j, m - j, places[j].key);
        status = join(d, list, run, rows + i, k, places + j, l);
        i += k;
        j += l;
    }
    free(all);
    return status;
}

/* Rows of equal weight stay in the order of discovery. */
static int by_weight(const void *a, const void *b)
{
    const struct run_difference_row *x = a, *y = b;
    if (x->weight < y->weight || x->weight > y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->first_place < y->first_place ? -1 : x->first_place > y->first_place;
}

/* With several groups, the weight is the change or the loss; with one group, the time. Without times, the
 * numbers of calls are used instead. */
static double weight_of(const struct run_difference *d, enum run_places kind,
                        const struct run_difference_row *row)
{
    struct run_change c = run_difference_change(d, kind, row, PLACE_TIME);
    const bool timed = c.known;
    if (!timed)
        c = run_difference_change(d, kind, row, PLACE_CALLS);
    if (d->n_groups == 1)
        return c.from;
    if (!timed || d->scaling == SCALING_NONE)
        return fabs(c.to - c.from);
    return c.to - run_difference_ideal(d, c.from);
}

enum refrain_status run_difference_create(struct run_difference *d, const struct run_profile *runs,
                                          const size_t *groups, size_t n_groups)
{
    enum refrain_status status = REFRAIN_OK;
    *d = (struct run_difference){
        .runs = runs, .groups = groups, .n_groups = n_groups, .n_runs = groups[n_groups]};
    find_scaling(d);
    for (int kind = 0; kind < PLACES_KINDS && status == REFRAIN_OK; kind++) {
        struct run_difference_list *list = &d->lists[kind];
        for (size_t run = 0; run < d->n_runs && status == REFRAIN_OK; run++)
            status = add_run(d, (enum run_places)kind, run);
        for (size_t i = 0; i < list->rows.n && status == REFRAIN_OK; i++)
            list->rows.items[i].weight = weight_of(d, (enum run_places)kind, &list->rows.items[i]);
        if (list->rows.n > 0)
            qsort(list->rows.items, list->rows.n, sizeof *list->rows.items, by_weight);
    }
    const struct bytes *a = &runs[0].model, *b = &runs[d->n_runs - 1].model;
    d->has_models = n_groups > 1 && a->n > 0 && b->n > 0;
    if (status == REFRAIN_OK && d->has_models)
        status = line_pairs_create(&d->model, a, b);
    if (status != REFRAIN_OK) {
        log_error("out of memory: the differences between %zu runs", d->n_runs);
        run_difference_free(d);
    }
    return status;
}

void run_difference_free(struct run_difference *d)
{
    for (int kind = 0; kind < PLACES_KINDS; kind++) {
        array_free(&d->lists[kind].rows);
        array_free(&d->lists[kind].places);
    }
    line_pairs_free(&d->model);
    *d = (struct run_difference){0};
}
