/* SPDX-License-Identifier: BSD-3-Clause */
#include "torus_permutation.h"

#include "src/core/base/gcd.h"
#include "src/core/base/log.h"
#include "src/core/base/map.h"
#include "src/core/base/mix.h"
#include "src/core/base/order.h"

#include <stdlib.h>
#include <string.h>

#define COST_MIN 10 /* bytes; a shorter list gains nothing */
#define TABLES   16 /* bytes of the tables without entries */
#define MAP_COST 5  /* bytes */
/* Limit of the places that this pass examines; it bounds the time. The limit suffices for some hundred pairs
 * of lists that have the same values but that no map of a torus connects, and for recognizing each permuted
 * list. */
#define TRIES      (UINT64_C(1) << 18)
#define TRIES_EACH 4 /* added to TRIES for each value */

/* The common part of all lists that are permutations of each other: values whose minimum is 0 and
 * that have no common divisor. */
struct base {
    uint64_t *values; /* owned */
    uint32_t list;    /* the list that it was found in; NO_LIST: the numbers 0 1 2 … */
    bool used;
    uint64_t rare;               /* the value with the fewest places … */
    ARRAY(uint32_t) rare_places; /* … and these places; empty until they are needed */
};

#define NO_LIST UINT32_MAX

/* The numbers that turn a base into a list: shift + slope i + scale value i. */
struct normal_form {
    int64_t scale, shift, slope;
};

struct search {
    const struct rank_lists *lists;
    uint32_t n; /* ranks */
    ARRAY(struct base) bases;
    ARRAY(struct normal_form) normal_forms; /* of the lists in which bases were found */
    /* Hash of the values, which does not depend on their order -> number of the base. */
    struct map index;
    /* Possible lengths of a grid's rows: divisors of n from 2 on. */
    ARRAY(uint32_t) lengths;
    uint64_t *values; /* values of the current list, in normal form */
    struct torus_permutations *out;
    uint64_t tries; /* places that may still be examined */
};

void rank_lists_free(struct rank_lists *l)
{
    for (size_t i = 0; i < l->n; i++)
        free(l->items[i].values);
    array_free(l);
}

enum refrain_status rank_lists_add(struct rank_lists *l, const struct series *list)
{
    const struct rank_list fresh = {
        .series = list, .cost = series_cost(list), .values = malloc(l->n_ranks * sizeof *fresh.values)};
    if (!fresh.values) {
        log_error("out of memory: a list of %u ranks", l->n_ranks);
        return REFRAIN_ERR_MEMORY;
    }
    series_values(list, 0, l->n_ranks, fresh.values);
    if (array_push(l, fresh))
        return REFRAIN_OK;
    free(fresh.values);
    return REFRAIN_ERR_MEMORY;
}

void torus_permutations_free(struct torus_permutations *t)
{
    for (size_t i = 0; i < t->bases.n; i++)
        series_free(t->bases.items[i]);
    array_free(&t->bases);
    array_free(&t->maps);
    array_free(&t->lists);
}

/* ---- normal forms ---------------------------------------------------------------------------- */

/* Remove the slope, the minimum and the common divisor. False if only zeros remain. */
static bool normalise(struct search *s, const int64_t *list, int64_t slope, struct normal_form *out)
{
    int64_t least = list[0];
    uint64_t common = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        s->values[i] = (uint64_t)list[i] - (uint64_t)slope * i;
        least = (int64_t)s->values[i] < least ? (int64_t)s->values[i] : least;
    }
    for (uint32_t i = 0; i < s->n; i++) {
        s->values[i] -= (uint64_t)least;
        if (common != 1 && s->values[i] != common)
            common = GCD(s->values[i], common);
    }
    for (uint32_t i = 0; i < s->n && common > 1; i++)
        s->values[i] /= common;
    *out = (struct normal_form){(int64_t)common, least, slope};
    return common > 0;
}

static uint64_t hash_unordered(const uint64_t *values, uint32_t n)
{
    uint64_t key = 0;
    for (uint32_t i = 0; i < n; i++)
        key += mix(0, values[i]);
    return key;
}

/* ---- bases ----------------------------------------------------------------------------------- */

static enum refrain_status add_base(struct search *s, uint32_t list, const struct normal_form *form,
                                    uint64_t key)
{
    struct base b = {.list = list, .values = malloc(s->n * sizeof *b.values)};
    if (!b.values) {
        log_error("out of memory: a list of %u ranks", s->n);
        return REFRAIN_ERR_MEMORY;
    }
    memcpy(b.values, s->values, s->n * sizeof *b.values);
    if (!array_push(&s->bases, b)) {
        free(b.values);
        return REFRAIN_ERR_MEMORY;
    }
    return array_push(&s->normal_forms, *form) && map_add(&s->index, key, (uint32_t)s->bases.n - 1)
               ? REFRAIN_OK
               : REFRAIN_ERR_MEMORY;
}

static enum refrain_status add_numbers(struct search *s)
{
    const struct normal_form form = {1, 0, 0};
    for (uint32_t i = 0; i < s->n; i++)
        s->values[i] = i;
    return add_base(s, NO_LIST, &form, hash_unordered(s->values, s->n));
}

static enum refrain_status find_rare(const struct search *s, struct base *b)
{
    uint64_t *sorted = malloc(s->n * sizeof *sorted);
    uint32_t least = UINT32_MAX;
    if (!sorted) {
        log_error("out of memory: a list of %u ranks", s->n);
        return REFRAIN_ERR_MEMORY;
    }
    memcpy(sorted, b->values, s->n * sizeof *sorted);
    qsort(sorted, s->n, sizeof *sorted, order_u64);
    for (uint32_t i = 0, end; i < s->n; i = end) {
        for (end = i + 1; end < s->n && sorted[end] == sorted[i];)
            end++;
        if (end - i < least) {
            least = end - i;
            b->rare = sorted[i];
        }
    }
    free(sorted);
    for (uint32_t i = 0; i < s->n; i++) {
        if (b->values[i] == b->rare && !array_push(&b->rare_places, i))
            return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

/* ---- maps ------------------------------------------------------------------------------------ */

static bool is_turned(struct search *s, const struct base *b, const struct torus *t,
                      struct torus_position shift)
{
    uint32_t i = 0;
    while (i < s->n && s->values[i] == b->values[torus_position(t, shift, i)])
        i++;
    s->tries -= s->tries > i ? i + 1 : s->tries;
    return i == s->n;
}

/* Find a shift with which the map makes the current list. The rare value at place `rare` must come
 * from one of the base's places of that value. */
static bool find_shift(struct search *s, const struct base *b, const struct torus_map *m, uint32_t rare,
                       struct torus_position *shift)
{
    const struct torus t = torus_of(m, s->n);
    const struct torus_position from = torus_move(&t, rare);
    for (size_t i = 0; i < b->rare_places.n && s->tries > 0; i++) {
        const uint32_t to = b->rare_places.items[i];
        shift->row = torus_wrap((int64_t)(to / t.columns) - from.row, t.rows);
        shift->column = torus_wrap((int64_t)(to % t.columns) - from.column, t.columns);
        if (is_turned(s, b, &t, *shift))
            return true;
    }
    return false;
}

/* The maps in the order of the search: the identity, then matrices of numbers from -1 to 1 that
 * reach all places. `code` is 0 … MATRICES - 1; false if the matrix does not reach all places. */
enum { MATRICES = 1 + 3 * 3 * 3 * 3 };

static bool make_matrix(unsigned code, struct torus_map *m)
{
    m->rr = m->cc = 1;
    m->rc = m->cr = 0;
    if (code == 0)
        return true;
    int64_t *const numbers[] = {&m->rr, &m->rc, &m->cr, &m->cc};
    for (unsigned i = 0, rest = code - 1; i < 4; i++, rest /= 3)
        *numbers[i] = (int)(rest % 3) - 1;
    const int64_t determinant = m->rr * m->cc - m->rc * m->cr;
    return determinant == 1 || determinant == -1;
}

/* A grid of one row uses only the coefficient of the column. */
static bool fits(const struct torus_map *m, uint32_t n)
{
    return m->columns < n || (m->rr == 1 && m->rc == 0 && m->cr == 0);
}

static bool try_new_maps(struct search *s, const struct base *b, uint32_t rare, struct torus_map *m,
                         struct torus_position *shift)
{
    for (unsigned code = 0; code < MATRICES && s->tries > 0; code++) {
        if (!make_matrix(code, m))
            continue;
        for (size_t i = 0; i < s->lengths.n; i++) {
            m->columns = s->lengths.items[i];
            if (fits(m, s->n) && find_shift(s, b, m, rare, shift))
                return true;
        }
    }
    return false;
}

static enum refrain_status find_lengths(struct search *s)
{
    for (uint32_t length = 2; length <= s->n; length++) {
        if (s->n % length == 0 && !array_push(&s->lengths, length))
            return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

static enum refrain_status find_map(struct search *s, const struct torus_map *m, uint32_t *number)
{
    for (*number = 0; *number < s->out->maps.n; ++*number) {
        if (torus_map_equal(&s->out->maps.items[*number], m))
            return REFRAIN_OK;
    }
    return array_push(&s->out->maps, *m) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

static enum refrain_status note(struct search *s, uint32_t list, uint32_t base, uint32_t map,
                                struct torus_position at, const struct normal_form *f)
{
    const struct permuted_list permuted = {list, base, map, at, f->scale, f->shift, f->slope};
    return array_push(&s->out->lists, permuted) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* Note the list in which a base was found: its map is the identity, on the grid of the first list that was
 * made from this base. */
static enum refrain_status note_base(struct search *s, uint32_t number, uint32_t columns)
{
    struct base *b = &s->bases.items[number];
    const struct torus_map as_it_is = {.columns = columns, .rr = 1, .cc = 1};
    uint32_t map;
    if (b->used || b->list == NO_LIST)
        return REFRAIN_OK;
    b->used = true;
    enum refrain_status status = find_map(s, &as_it_is, &map);
    return status == REFRAIN_OK
               ? note(s, b->list, number, map, (struct torus_position){0, 0}, &s->normal_forms.items[number])
               : status;
}

/* Try the known maps first, since they cost nothing more. */
static enum refrain_status try_base(struct search *s, uint32_t list, uint32_t number,
                                    const struct normal_form *form, bool *found)
{
    struct base *b = &s->bases.items[number];
    struct torus_position shift;
    uint32_t rare = 0, map = 0;
    enum refrain_status status = b->rare_places.n > 0 ? REFRAIN_OK : find_rare(s, b);
    *found = false;
    if (status != REFRAIN_OK)
        return status;
    while (rare < s->n && s->values[rare] != b->rare)
        rare++;
    if (rare == s->n)
        return REFRAIN_OK; /* different values with equal hashes */
    while (map < s->out->maps.n && !find_shift(s, b, &s->out->maps.items[map], rare, &shift))
        map++;
    if (map == s->out->maps.n) {
        struct torus_map m;
        if (!try_new_maps(s, b, rare, &m, &shift))
            return REFRAIN_OK;
        status = note_base(s, number, m.columns);
        if (status == REFRAIN_OK)
            status = find_map(s, &m, &map);
    } else {
        status = note_base(s, number, s->out->maps.items[map].columns);
    }
    *found = true;
    return status == REFRAIN_OK ? note(s, list, number, map, shift, form) : status;
}

/* Try to make the list from a base. If that fails, the list becomes a base for those that follow. */
static enum refrain_status try_list(struct search *s, uint32_t list)
{
    static const int64_t slopes[] = {0, -1, 1};
    const struct rank_list *l = &s->lists->items[list];
    struct normal_form form;
    size_t at;
    if (l->cost < COST_MIN || s->tries == 0)
        return REFRAIN_OK;
    for (size_t i = 0; i < sizeof slopes / sizeof slopes[0]; i++) {
        if (!normalise(s, l->values, slopes[i], &form))
            return REFRAIN_OK;
        const uint64_t key = hash_unordered(s->values, s->n);
        for (uint32_t base = map_first(&s->index, key, &at); base != MAP_NONE;
             base = map_next(&s->index, key, &at)) {
            bool found;
            enum refrain_status status = try_base(s, list, base, &form, &found);
            if (status != REFRAIN_OK || found)
                return status;
        }
    }
    normalise(s, l->values, 0, &form);
    return add_base(s, list, &form, hash_unordered(s->values, s->n));
}

/* ---- all ------------------------------------------------------------------------------------- */

static int by_list(const void *a, const void *b)
{
    const struct permuted_list *p = a, *q = b;
    return (p->list > q->list) - (p->list < q->list);
}

static enum refrain_status make_base(const struct search *s, const struct base *b, struct series **out)
{
    enum refrain_status status = (*out = series_create()) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (uint32_t i = 0; i < s->n && status == REFRAIN_OK; i++)
        status = series_append(*out, (int64_t)b->values[i]);
    return status;
}

/* Make a series of each base that costs fewer bytes than its lists save; drop the lists of other bases. */
static enum refrain_status keep_paying(struct search *s)
{
    struct torus_permutations *t = s->out;
    enum refrain_status status = REFRAIN_OK;
    size_t kept = 0;
    int64_t *saved = calloc(s->bases.n, sizeof *saved);
    if (!saved || !array_reserve(&t->bases, s->bases.n)) {
        free(saved);
        log_error("out of memory: %zu permuted lists", t->lists.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < t->lists.n; i++) {
        const struct permuted_list *l = &t->lists.items[i];
        saved[l->base] += (int64_t)s->lists->items[l->list].cost - PERMUTED_COST;
    }
    for (size_t i = 0; i < s->bases.n && status == REFRAIN_OK; i++) {
        struct series **base = &t->bases.items[t->bases.n++];
        *base = NULL;
        if (saved[i] > 0 && (status = make_base(s, &s->bases.items[i], base)) == REFRAIN_OK)
            saved[i] -= (int64_t)series_cost(*base);
        if (saved[i] <= 0) {
            series_free(*base);
            *base = NULL;
        } else {
            t->saved += saved[i];
        }
    }
    for (size_t i = 0; i < t->lists.n; i++) {
        if (t->bases.items[t->lists.items[i].base])
            t->lists.items[kept++] = t->lists.items[i];
    }
    t->lists.n = kept;
    t->saved -= TABLES + MAP_COST * (int64_t)t->maps.n;
    free(saved);
    if (kept > 0)
        qsort(t->lists.items, kept, sizeof *t->lists.items, by_list);
    return status;
}

enum refrain_status torus_permutations_find(const struct rank_lists *l, struct torus_permutations *out)
{
    struct search s = {.lists = l, .n = l->n_ranks, .out = out};
    s.tries = TRIES + TRIES_EACH * (uint64_t)l->n * l->n_ranks;
    enum refrain_status status = REFRAIN_OK;
    *out = (struct torus_permutations){.saved = 0};
    if (l->n == 0 || l->n_ranks < PERMUTED_RANKS_MIN || l->n_ranks > PERMUTED_RANKS_MAX)
        return REFRAIN_OK;
    if (!(s.values = malloc(s.n * sizeof *s.values))) {
        log_error("out of memory: a list of %u ranks", s.n);
        return REFRAIN_ERR_MEMORY;
    }
    status = add_numbers(&s);
    if (status == REFRAIN_OK)
        status = find_lengths(&s);
    for (uint32_t i = 0; i < l->n && status == REFRAIN_OK; i++)
        status = try_list(&s, i);
    if (status == REFRAIN_OK)
        status = keep_paying(&s);
    for (size_t i = 0; i < s.bases.n; i++) {
        free(s.bases.items[i].values);
        array_free(&s.bases.items[i].rare_places);
    }
    array_free(&s.bases);
    array_free(&s.normal_forms);
    array_free(&s.lengths);
    map_free(&s.index);
    free(s.values);
    return status;
}
