/* SPDX-License-Identifier: BSD-3-Clause */
#include "rankfn.h"

#include "src/core/base/map.h"
#include "src/core/base/mix.h"

#include <assert.h>

/* Invariant: a function has lists only if neither constant nor offset holds, and then at least one
 * list. */
#define SIMPLE (RANKFN_CONSTANT | RANKFN_OFFSET)

#define DISTINCT_MAX 64 /* lists with more different values do not count as lists of few values */
#define PLACES       (4 * DISTINCT_MAX)

/* Ranks and values are added as unsigned numbers, since values may be arbitrary. */
static int64_t plus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t minus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

struct rankfn rankfn_single(int64_t value, int64_t rank)
{
    return (struct rankfn){.forms = SIMPLE, .constant = value, .offset = minus(value, rank)};
}

void rankfn_free(struct rankfn *f)
{
    series_free(f->plain);
    series_free(f->relative);
    *f = (struct rankfn){0};
}

struct rankfn rankfn_share(const struct rankfn *f)
{
    if (f->plain)
        series_share(f->plain);
    if (f->relative)
        series_share(f->relative);
    return *f;
}

bool rankfn_is_shared(const struct rankfn *f, const struct rankfn *g)
{
    return f->forms == g->forms && f->constant == g->constant && f->offset == g->offset &&
           f->plain == g->plain && f->relative == g->relative;
}

uint64_t rankfn_share_key(const struct rankfn *f)
{
    const uint64_t words[] = {(uint64_t)f->constant, (uint64_t)f->offset, (uintptr_t)f->plain,
                              (uintptr_t)f->relative};
    uint64_t key = f->forms;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        key = mix_lightly(key, words[i]);
    return key;
}

/* Whether f can give that list without converting its other list. */
static bool has_list(const struct rankfn *f, uint32_t form)
{
    return (f->forms & (SIMPLE | form)) != 0;
}

/* Make a list of the same value for each rank. */
static struct series *repeated(int64_t value, const struct series *ranks)
{
    struct series *s = series_create();
    if (s && series_append_run(s, value, 0, series_length(ranks)) != REFRAIN_OK) {
        series_free(s);
        s = NULL;
    }
    return s;
}

/* Make a list form of f on its ranks. It may be shared; the caller frees it. NULL if memory is
 * short. */
static struct series *make_list(const struct rankfn *f, const struct series *ranks, uint32_t form)
{
    if (form == RANKFN_PLAIN) {
        if (f->forms & RANKFN_PLAIN)
            return series_share(f->plain);
        if (f->forms & RANKFN_CONSTANT)
            return repeated(f->constant, ranks);
        if (f->forms & RANKFN_OFFSET)
            return series_map(ranks, 1, f->offset);
        return series_sum(f->relative, ranks, 1);
    }
    if (f->forms & RANKFN_RELATIVE)
        return series_share(f->relative);
    if (f->forms & RANKFN_OFFSET)
        return repeated(f->offset, ranks);
    if (f->forms & RANKFN_CONSTANT)
        return series_map(ranks, -1, f->constant);
    return series_sum(f->plain, ranks, -1);
}

/* Append g's list to f's list of that form; *list is f's list, or NULL if f has none yet. After an
 * error, the caller still has to free *list. */
static enum refrain_status extend_list(const struct rankfn *f, const struct series *ranks,
                                       const struct rankfn *g, const struct series *more, uint32_t form,
                                       struct series **list)
{
    if (!*list && !(*list = make_list(f, ranks, form)))
        return REFRAIN_ERR_MEMORY;
    struct series *tail = make_list(g, more, form);
    if (!tail)
        return REFRAIN_ERR_MEMORY;
    enum refrain_status status = series_own(list);
    if (status == REFRAIN_OK)
        status = series_concat(*list, tail);
    series_free(tail);
    return status;
}

static void drop_list(struct rankfn *f, uint32_t form)
{
    struct series **list = form == RANKFN_PLAIN ? &f->plain : &f->relative;
    series_free(*list);
    *list = NULL;
    f->forms &= ~form;
}

/* Choose the lists of f and g together: those that both can give. If each has a different one,
 * choose that of the larger part. */
static uint32_t common_lists(const struct rankfn *f, const struct series *ranks, const struct rankfn *g,
                             const struct series *more)
{
    uint32_t lists = 0;
    if (has_list(f, RANKFN_PLAIN) && has_list(g, RANKFN_PLAIN))
        lists |= RANKFN_PLAIN;
    if (has_list(f, RANKFN_RELATIVE) && has_list(g, RANKFN_RELATIVE))
        lists |= RANKFN_RELATIVE;
    if (lists == 0)
        lists = series_length(ranks) < series_length(more) ? g->forms : f->forms;
    return lists;
}

uint32_t rankfn_common_forms(const struct rankfn *f, const struct rankfn *g)
{
    uint32_t simple = f->forms & g->forms & SIMPLE;
    if (f->constant != g->constant)
        simple &= ~(uint32_t)RANKFN_CONSTANT;
    if (f->offset != g->offset)
        simple &= ~(uint32_t)RANKFN_OFFSET;
    return simple;
}

enum refrain_status rankfn_concat(struct rankfn *f, const struct series *ranks, const struct rankfn *g,
                                  const struct series *more)
{
    assert(series_length(ranks) > 0 && series_length(more) > 0);
    assert(f->forms && g->forms);
    const uint32_t simple = rankfn_common_forms(f, g);
    if (simple != 0) {
        f->forms = simple;
        f->constant = simple & RANKFN_CONSTANT ? f->constant : 0;
        f->offset = simple & RANKFN_OFFSET ? f->offset : 0;
        return REFRAIN_OK;
    }

    /* The lists are made from f's forms, so these change only when both lists exist. */
    const uint32_t lists = common_lists(f, ranks, g, more);
    struct series *plain = f->plain, *relative = f->relative;
    enum refrain_status status = REFRAIN_OK;
    if (lists & RANKFN_PLAIN)
        status = extend_list(f, ranks, g, more, RANKFN_PLAIN, &plain);
    if (status == REFRAIN_OK && lists & RANKFN_RELATIVE)
        status = extend_list(f, ranks, g, more, RANKFN_RELATIVE, &relative);
    f->plain = plain;
    f->relative = relative;
    if (status != REFRAIN_OK)
        return status;

    f->constant = f->offset = 0;
    f->forms = RANKFN_PLAIN | RANKFN_RELATIVE;
    if (!(lists & RANKFN_PLAIN))
        drop_list(f, RANKFN_PLAIN);
    if (!(lists & RANKFN_RELATIVE))
        drop_list(f, RANKFN_RELATIVE);
    if (lists != (RANKFN_PLAIN | RANKFN_RELATIVE))
        return REFRAIN_OK;
    const size_t plain_cost = series_weight(f->plain), relative_cost = series_weight(f->relative);
    if (plain_cost > 4 + 2 * relative_cost)
        drop_list(f, RANKFN_PLAIN);
    else if (relative_cost > 4 + 2 * plain_cost)
        drop_list(f, RANKFN_RELATIVE);
    return REFRAIN_OK;
}

/* Count the different values of a list, up to DISTINCT_MAX + 1. */
static uint64_t distinct_values(const struct series *s)
{
    int64_t seen[DISTINCT_MAX], value, step;
    uint8_t places[PLACES] = {0}; /* by hash: index in `seen` + 1; 0: free */
    size_t n = 0;
    struct series_cursor c;
    uint64_t run;
    series_cursor_start(&c, s);
    while ((run = series_cursor_run(&c, &value, &step)) > 0) {
        size_t at = map_home((uint64_t)value, PLACES);
        while (places[at] > 0 && seen[places[at] - 1] != value)
            at = (at + 1) % PLACES;
        if (places[at] == 0 && n == DISTINCT_MAX)
            return DISTINCT_MAX + 1;
        if (places[at] == 0) {
            seen[n++] = value;
            places[at] = (uint8_t)n;
        }
        series_cursor_skip(&c, step == 0 ? run : 1);
    }
    return n;
}

/* Choose the smaller list, unless only the other one has few different values. */
uint32_t rankfn_better_list(const struct series *plain, const struct series *relative)
{
    assert(series_length(plain) == series_length(relative));
    const uint64_t n_plain = distinct_values(plain), n_relative = distinct_values(relative),
                   few = series_length(plain) / 2;
    if (2 * n_plain <= n_relative && n_plain <= few)
        return RANKFN_PLAIN;
    if (2 * n_relative <= n_plain && n_relative <= few)
        return RANKFN_RELATIVE;
    return series_cost(relative) < series_cost(plain) ? RANKFN_RELATIVE : RANKFN_PLAIN;
}

void rankfn_keep_list(struct rankfn *f, uint32_t form)
{
    assert(form == RANKFN_PLAIN || form == RANKFN_RELATIVE);
    assert(f->forms & form);
    drop_list(f, form == RANKFN_PLAIN ? RANKFN_RELATIVE : RANKFN_PLAIN);
}

void rankfn_settle(struct rankfn *f, bool prefer_offset)
{
    assert(f->forms);
    if ((f->forms & SIMPLE) == SIMPLE)
        f->forms = prefer_offset ? RANKFN_OFFSET : RANKFN_CONSTANT;
    if (f->plain && f->relative)
        rankfn_keep_list(f, rankfn_better_list(f->plain, f->relative));
    if (!(f->forms & RANKFN_CONSTANT))
        f->constant = 0;
    if (!(f->forms & RANKFN_OFFSET))
        f->offset = 0;
}

int64_t rankfn_at(const struct rankfn *f, uint64_t i, int64_t rank)
{
    assert(f->forms);
    if (f->forms & RANKFN_CONSTANT)
        return f->constant;
    if (f->forms & RANKFN_OFFSET)
        return plus(rank, f->offset);
    if (f->forms & RANKFN_PLAIN)
        return series_at(f->plain, i);
    return plus(rank, series_at(f->relative, i));
}

void rankfn_values(const struct rankfn *f, const int64_t *ranks, uint64_t n, int64_t *values)
{
    const struct series *list = f->plain ? f->plain : f->relative;
    const bool relative = f->forms & SIMPLE ? !(f->forms & RANKFN_CONSTANT) : !f->plain;
    const int64_t same = f->forms & RANKFN_CONSTANT ? f->constant : f->offset;
    if (!(f->forms & SIMPLE))
        series_values(list, 0, n, values);
    for (uint64_t i = 0; i < n; i++) {
        const int64_t value = f->forms & SIMPLE ? same : values[i];
        values[i] = relative ? plus(ranks[i], value) : value;
    }
}

static size_t value_cost(int64_t value)
{
    uint64_t zigzag = (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
    size_t n = 1;
    for (; zigzag >= 0x80; zigzag >>= 7)
        n++;
    return n;
}

size_t rankfn_cost(const struct rankfn *f)
{
    size_t least = SIZE_MAX;
    const size_t costs[] = {
        f->forms & RANKFN_CONSTANT ? value_cost(f->constant) : SIZE_MAX,
        f->forms & RANKFN_OFFSET ? value_cost(f->offset) : SIZE_MAX,
        f->plain ? series_cost(f->plain) : SIZE_MAX,
        f->relative ? series_cost(f->relative) : SIZE_MAX,
    };
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; i++) {
        if (costs[i] < least)
            least = costs[i];
    }
    return 1 + least;
}

bool rankfn_equal(const struct rankfn *f, const struct rankfn *g)
{
    if (f->forms != g->forms)
        return false;
    if (f->forms & RANKFN_CONSTANT && f->constant != g->constant)
        return false;
    if (f->forms & RANKFN_OFFSET && f->offset != g->offset)
        return false;
    if (f->forms & RANKFN_PLAIN && !series_equal(f->plain, g->plain))
        return false;
    return !(f->forms & RANKFN_RELATIVE) || series_equal(f->relative, g->relative);
}
