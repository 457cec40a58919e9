/* SPDX-License-Identifier: BSD-3-Clause */
#include "random_trace.h"

#include "src/core/base/log.h"
#include "src/core/grammar/grammar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* This file is no test itself: its calls fail only without memory. */
#define HAS(call)                                                                                            \
    do {                                                                                                     \
        if (!(call))                                                                                         \
            abort();                                                                                         \
    } while (0)
#define OK(call) HAS((call) == REFRAIN_OK)

/* xorshift64* (Vigna 2016): the same numbers on all machines, unlike rand(). */
struct dice {
    uint64_t state;
};

static uint64_t roll(struct dice *d)
{
    d->state ^= d->state >> 12;
    d->state ^= d->state << 25;
    d->state ^= d->state >> 27;
    return d->state * UINT64_C(0x2545F4914F6CDD1D);
}

static uint32_t below(struct dice *d, uint32_t n)
{
    return (uint32_t)((roll(d) >> 32) % n);
}

static int64_t any_value(struct dice *d)
{
    switch (below(d, 8)) {
    case 0:
        return (int64_t)roll(d);
    case 1:
        return below(d, 2) ? INT64_MAX : INT64_MIN;
    case 2:
        return (int64_t)below(d, 100000);
    default:
        return (int64_t)below(d, 40) - 20;
    }
}

/* ---- the table of functions, sites ----------------------------------------------------------- */

static char *text(const char *prefix, unsigned number)
{
    char name[64];
    snprintf(name, sizeof name, "%s%u", prefix, number);
    return strdup(name);
}

static void make_functions(struct dice *d, struct functable *t)
{
    unsigned n_kinds = 1 + below(d, 6), n_functions = 1 + below(d, 8), n_constants = below(d, 10);
    for (unsigned i = 0; i < n_kinds; i++) {
        struct kind k = {text("KIND", i), below(d, VALUE_TYPES), text("SET", below(d, 3)), strdup("")};
        HAS(array_push(&t->kinds, k));
    }
    for (unsigned i = 0; i < n_functions; i++) {
        struct function f = {
            .name = text("MPI_F", i), .result = below(d, n_kinds + 1), .n_params = below(d, 5)};
        f.params = calloc(f.n_params + 1, sizeof *f.params);
        for (unsigned p = 0; p < f.n_params; p++)
            f.params[p] = (struct param){text("p", below(d, 4)), below(d, n_kinds), 1 + below(d, 3)};
        HAS(array_push(&t->functions, f));
    }
    for (unsigned i = 0; i < n_constants; i++) {
        struct constant c = {text("SET", below(d, 2)), any_value(d), text("MPI_C", i)};
        HAS(array_push(&t->constants, c));
    }
}

static void make_sites(struct dice *d, struct trace *t)
{
    unsigned n_modules = 1 + below(d, 3), n_sites = 1 + below(d, 12);
    uint32_t index;
    for (unsigned i = 0; i < n_modules; i++) {
        char *name = text("module", i);
        OK(trace_intern_module(t, name, &index));
        free(name);
    }
    for (unsigned i = 0; i < n_sites; i++) {
        struct frame frames[4];
        struct site s = {below(d, (uint32_t)t->functions.functions.n), below(d, 5), frames};
        for (uint32_t k = 0; k < s.n_frames; k++)
            frames[k] = (struct frame){below(d, n_modules), below(d, 3) ? 4096 + below(d, 8) : roll(d)};
        OK(trace_intern_site(t, &s, &index));
    }
}

/* ---- series, functions of ranks -------------------------------------------------------------- */

static struct series *make_series(struct dice *d, uint64_t n)
{
    struct series *s = series_create();
    bool smooth = below(d, 2);
    for (uint64_t i = 0; i < n; i++)
        OK(series_append(s, smooth ? (int64_t)(i % 5) : any_value(d)));
    return s;
}

static struct rankfn make_rankfn(struct dice *d, const struct series *ranks, bool settled)
{
    uint64_t n = series_length(ranks);
    if (n == 1 && !settled && below(d, 4))
        return rankfn_single(any_value(d), series_at(ranks, 0));
    struct rankfn f = {.forms = settled ? 1u << below(d, 4) : 1 + below(d, 15)};
    if (f.forms & RANKFN_CONSTANT)
        f.constant = any_value(d);
    if (f.forms & RANKFN_OFFSET)
        f.offset = any_value(d);
    if (f.forms & RANKFN_PLAIN)
        f.plain = make_series(d, n);
    if (f.forms & RANKFN_RELATIVE)
        f.relative = make_series(d, n);
    return f;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static struct rules *make_rules(struct dice *d, uint32_t alphabet, uint64_t length)
{
    struct grammar *g = grammar_create();
    struct rules *r;
    uint32_t period = 1 + below(d, 5);
    for (uint64_t i = 0; i < length; i++)
        OK(grammar_append(g, below(d, 10) ? (uint32_t)(i % period) % alphabet : below(d, alphabet), 1));
    OK(grammar_rules(g, &r));
    grammar_free(g);
    return r;
}

/* Two arrays of one length at the end of the row; the second holds the sums of the first, times a
 * factor. */
static void add_sums(struct dice *d, const struct series *ranks, struct row *r)
{
    const uint32_t n = 4 + below(d, 6), n_ranks = (uint32_t)series_length(ranks);
    const uint32_t first = r->n_slots;
    struct row longer;
    OK(row_make(&longer, first + 2 * n + 2));
    longer.timing = r->timing;
    for (uint32_t k = 0; k < first; k++)
        *row_slot_own(&longer, k) = rankfn_share(row_slot(r, k));
    row_free(r);
    *r = longer;
    *row_slot_own(r, first) = *row_slot_own(r, first + n + 1) =
        (struct rankfn){.forms = RANKFN_CONSTANT, .constant = n};
    for (uint32_t k = 0; k < n; k++) {
        *row_slot_own(r, first + 1 + k) = make_rankfn(d, ranks, true);
        *row_slot_own(r, first + n + 2 + k) =
            (struct rankfn){.forms = RANKFN_PLAIN, .plain = series_create()};
    }
    const uint64_t factor = (uint64_t)any_value(d);
    for (uint32_t i = 0; i < n_ranks; i++) {
        uint64_t sum = (uint64_t)any_value(d);
        const int64_t rank = series_at(ranks, i);
        for (uint32_t k = 0; k < n; k++) {
            OK(series_append(row_slot_own(r, first + n + 2 + k)->plain, (int64_t)sum));
            sum += factor * (uint64_t)rankfn_at(row_slot(r, first + 1 + k), i, rank);
        }
    }
}

static void make_group(struct dice *d, struct trace *t, uint64_t calls, struct series *ranks, bool settled,
                       bool times, struct group *g)
{
    *g = (struct group){.ranks = ranks};
    uint32_t n_rows = below(d, 3) ? 1 : 1 + below(d, 4);
    if (n_rows > 1 || below(d, 8) == 0)
        g->stream = make_rules(d, n_rows, calls);
    for (uint32_t i = 0; i < n_rows; i++) {
        uint32_t n_slots = below(d, 10);
        struct row r;
        if (i == 0 && n_slots == 0)
            n_slots = 1; /* for a column */
        OK(row_make(&r, n_slots));
        r.timing = i;
        for (uint32_t k = 0; k < r.n_slots; k++)
            *row_slot_own(&r, k) = below(d, 3)
                                       ? (struct rankfn){.forms = RANKFN_CONSTANT, .constant = below(d, 3)}
                                       : make_rankfn(d, ranks, settled);
        if (settled && below(d, 6) == 0)
            add_sums(d, ranks, &r);
        HAS(array_push(&g->rows, r));
    }
    for (uint32_t i = 0; times && i < n_rows; i++) {
        struct timing timing;
        timing_clear(&timing);
        for (uint32_t k = 1 + below(d, 4); k > 0; k--)
            timing_add(&timing, below(d, 100000), below(d, 1000));
        HAS(array_push(&g->timings, timing));
    }
    if (times && n_rows > 1 && below(d, 4) == 0) { /* two rows share times, as after a refinement */
        g->rows.items[1].timing = 0;
        timing_merge(&g->timings.items[0], &g->timings.items[1]);
        timing_clear(&g->timings.items[1]);
    }
    if (below(d, 4) == 0) {
        struct column c = {.slot = 0, .series = {.forms = RANKFN_CONSTANT}};
        struct series *values = make_series(d, calls);
        uint32_t index;
        OK(trace_intern_column(t, values, &index));
        c.series.constant = index;
        series_free(values);
        HAS(array_push(&g->columns, c));
    }
}

/* Deal the ranks out to at most `parts` sets; empty ones are left out. */
static unsigned deal(struct dice *d, const struct series *ranks, unsigned parts, struct series **sets)
{
    struct series *hands[8];
    unsigned n = 0;
    int64_t rank;
    struct series_cursor c;
    for (unsigned i = 0; i < parts; i++)
        hands[i] = series_create();
    series_cursor_start(&c, ranks);
    while (series_cursor_next(&c, &rank))
        OK(series_append(hands[below(d, parts)], rank));
    for (unsigned i = 0; i < parts; i++) {
        if (series_length(hands[i]) > 0)
            sets[n++] = hands[i];
        else
            series_free(hands[i]);
    }
    return n;
}

static void make_shape(struct dice *d, struct trace *t, uint32_t kind, uint32_t number, struct series *ranks,
                       bool settled, bool times)
{
    uint32_t n_sites = 1 + below(d, (uint32_t)t->sites.n);
    struct shape s = {.kind = kind, .number = number, .ranks = ranks};
    s.skeleton = make_rules(d, n_sites, 1 + below(d, 200));
    uint64_t calls[64] = {0};
    rules_count(s.skeleton, calls, n_sites);
    for (uint32_t site = 0; site < n_sites; site++) {
        if (calls[site] == 0)
            continue;
        struct entry e = {.site = site};
        struct series *sets[8];
        unsigned n = deal(d, ranks, below(d, 3) ? 1 : 1 + below(d, 4), sets);
        for (unsigned i = 0; i < n; i++) {
            struct group g;
            make_group(d, t, calls[site], sets[i], settled, times && below(d, 20), &g);
            HAS(array_push(&e.groups, g));
        }
        HAS(array_push(&s.entries, e));
    }
    HAS(array_push(&t->shapes, s));
}

/* Clocks of some ranks. */
static void make_clocks(struct dice *d, struct trace *t)
{
    for (uint32_t rank = t->first_rank; rank < t->first_rank + t->n_ranks; rank++) {
        struct rank_clock c = {.rank = rank};
        uint64_t local = roll(d);
        if (below(d, 4) == 0)
            continue;
        for (uint32_t n = 1 + below(d, 3); n > 0; n--) {
            const struct clock_point p = {local, -(int64_t)below(d, 1000),
                                          below(d, 2) ? CLOCK_UNKNOWN : below(d, 99)};
            HAS(array_push(&c.points, p));
            local += 1000 + below(d, 1000000);
        }
        HAS(array_push(&t->clocks, c));
    }
}

void random_trace(uint32_t seed, bool settled, struct trace *out)
{
    struct dice dice = {.state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1}, *d = &dice;
    struct trace t = {.first_rank = below(d, 2) ? below(d, 50) : 0, .n_ranks = 1 + below(d, 12)};
    bool times = below(d, 4);
    for (int i = 0; i < 8; i++)
        roll(d);
    OK(trace_add_meta(&t, "command", "./program with \"words\""));
    OK(trace_add_meta(&t, "seed", ""));
    make_functions(d, &t.functions);
    make_sites(d, &t);

    struct series *all = series_create();
    OK(series_append_run(all, t.first_rank, 1, t.n_ranks));
    for (uint32_t lane = 0; lane < 3; lane++) {
        struct series *sets[8];
        unsigned n = deal(d, all, 1 + below(d, 3), sets);
        for (unsigned i = 0; i < n; i++)
            make_shape(d, &t, lane > 0, lane > 0 ? lane - 1 : 0, sets[i], settled, times);
    }
    if (below(d, 2)) {
        struct rank_time r = {.function = 0, .ranks = series_copy(all), .sums = make_series(d, t.n_ranks)};
        HAS(array_push(&t.rank_times, r));
    }
    series_free(all);
    if (below(d, 2))
        make_clocks(d, &t);
    *out = t;
}

/* ---- comparing ------------------------------------------------------------------------------- */

#define SAME(what, condition)                                                                                \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            log_error("traces differ: %s", what);                                                            \
            return false;                                                                                    \
        }                                                                                                    \
    } while (0)

static bool same_functions(const struct functable *a, const struct functable *b)
{
    SAME("number of kinds", a->kinds.n == b->kinds.n);
    for (size_t i = 0; i < a->kinds.n; i++) {
        const struct kind *k = &a->kinds.items[i], *l = &b->kinds.items[i];
        SAME("kind", k->type == l->type && !strcmp(k->name, l->name) && !strcmp(k->set, l->set) &&
                         !strcmp(k->prefix, l->prefix));
    }
    SAME("number of functions", a->functions.n == b->functions.n);
    for (size_t i = 0; i < a->functions.n; i++) {
        const struct function *f = &a->functions.items[i], *g = &b->functions.items[i];
        SAME("function", f->result == g->result && f->n_params == g->n_params && !strcmp(f->name, g->name));
        for (uint32_t p = 0; p < f->n_params; p++)
            SAME("parameter", f->params[p].kind == g->params[p].kind &&
                                  f->params[p].flags == g->params[p].flags &&
                                  !strcmp(f->params[p].name, g->params[p].name));
    }
    SAME("number of constants", a->constants.n == b->constants.n);
    for (size_t i = 0; i < a->constants.n; i++) {
        const struct constant *c = &a->constants.items[i], *e = &b->constants.items[i];
        SAME("constant", c->value == e->value && !strcmp(c->set, e->set) && !strcmp(c->name, e->name));
    }
    return true;
}

static bool same_clocks(const struct rank_clocks *a, const struct rank_clocks *b)
{
    SAME("number of clocks", a->n == b->n);
    for (size_t i = 0; i < a->n; i++) {
        const struct rank_clock *c = &a->items[i], *e = &b->items[i];
        SAME("clock", c->rank == e->rank && c->points.n == e->points.n);
        for (size_t k = 0; k < c->points.n; k++)
            SAME("point", memcmp(&c->points.items[k], &e->points.items[k], sizeof(struct clock_point)) == 0);
    }
    return true;
}

static bool same_tables(const struct trace *a, const struct trace *b)
{
    SAME("ranks", a->first_rank == b->first_rank && a->n_ranks == b->n_ranks);
    SAME("number of meta", a->meta.n == b->meta.n);
    for (size_t i = 0; i < a->meta.n; i++)
        SAME("meta", !strcmp(a->meta.items[i].key, b->meta.items[i].key) &&
                         !strcmp(a->meta.items[i].value, b->meta.items[i].value));
    SAME("number of modules", a->modules.n == b->modules.n);
    for (size_t i = 0; i < a->modules.n; i++)
        SAME("module", !strcmp(a->modules.items[i], b->modules.items[i]));
    SAME("number of sites", a->sites.n == b->sites.n);
    for (size_t i = 0; i < a->sites.n; i++) {
        const struct site *s = &a->sites.items[i], *u = &b->sites.items[i];
        SAME("site", s->function == u->function && s->n_frames == u->n_frames);
        for (uint32_t k = 0; k < s->n_frames; k++)
            SAME("frame",
                 s->frames[k].module == u->frames[k].module && s->frames[k].offset == u->frames[k].offset);
    }
    SAME("number of columns", a->columns.n == b->columns.n);
    for (size_t i = 0; i < a->columns.n; i++)
        SAME("column", series_equal(a->columns.items[i], b->columns.items[i]));
    SAME("number of rank times", a->rank_times.n == b->rank_times.n);
    for (size_t i = 0; i < a->rank_times.n; i++) {
        const struct rank_time *r = &a->rank_times.items[i], *s = &b->rank_times.items[i];
        SAME("rank time", r->function == s->function && series_equal(r->ranks, s->ranks) &&
                              series_equal(r->sums, s->sums));
    }
    return same_clocks(&a->clocks, &b->clocks) && same_functions(&a->functions, &b->functions);
}

static bool same_rules(const struct rules *a, const struct rules *b, bool folded)
{
    if (!a || !b || !folded)
        return (!a && !b) || (a && b && rules_equal(a, b));
    struct rules_cursor c = {0}, e = {0};
    bool same = true, more = true;
    OK(rules_cursor_start(&c, a));
    OK(rules_cursor_start(&e, b));
    while (same && more) {
        uint32_t s = 0, u = 0;
        more = rules_cursor_next(&c, &s);
        same = rules_cursor_next(&e, &u) == more && s == u;
    }
    rules_cursor_stop(&c);
    rules_cursor_stop(&e);
    return same;
}

/* Structs may have padding, so timings are compared by their bytes in the file. */
static bool same_timing(const struct timing *a, const struct timing *b)
{
    struct bytes x = {0}, y = {0};
    timing_encode(a, &x);
    timing_encode(b, &y);
    bool same = x.n == y.n && memcmp(x.data, y.data, x.n) == 0;
    bytes_free(&x);
    bytes_free(&y);
    return same;
}

/* A final file may give a slot another form, but not other values. */
static bool same_slot(const struct rankfn *f, const struct rankfn *g, const struct series *ranks, bool folded)
{
    if (!folded || (f->forms & (f->forms - 1)) != 0)
        return rankfn_equal(f, g) && f->forms == g->forms;
    for (uint64_t i = 0; i < series_length(ranks); i++) {
        int64_t rank = series_at(ranks, i);
        if (rankfn_at(f, i, rank) != rankfn_at(g, i, rank))
            return false;
    }
    return true;
}

static bool same_group(const struct group *a, const struct group *b, bool folded)
{
    SAME("group's ranks", series_equal(a->ranks, b->ranks));
    SAME("stream", same_rules(a->stream, b->stream, folded));
    SAME("number of rows", a->rows.n == b->rows.n);
    for (size_t i = 0; i < a->rows.n; i++) {
        const struct row *r = &a->rows.items[i], *s = &b->rows.items[i];
        SAME("number of slots", r->n_slots == s->n_slots);
        for (uint32_t k = 0; k < r->n_slots; k++)
            SAME("slot", same_slot(row_slot(r, k), row_slot(s, k), a->ranks, folded));
        SAME("row's timing", folded || a->timings.n == 0 || r->timing == s->timing);
    }
    SAME("number of columns", a->columns.n == b->columns.n);
    for (size_t i = 0; i < a->columns.n; i++)
        SAME("column", a->columns.items[i].slot == b->columns.items[i].slot &&
                           rankfn_equal(&a->columns.items[i].series, &b->columns.items[i].series));
    SAME("number of timings", folded || a->timings.n == b->timings.n);
    for (size_t i = 0; i < a->timings.n && !folded; i++)
        SAME("timing", same_timing(&a->timings.items[i], &b->timings.items[i]));
    return true;
}

static bool same_shape(const struct shape *a, const struct shape *b, bool folded)
{
    SAME("lane", a->kind == b->kind && a->number == b->number);
    SAME("shape's ranks", series_equal(a->ranks, b->ranks));
    SAME("skeleton", same_rules(a->skeleton, b->skeleton, folded));
    SAME("number of entries", a->entries.n == b->entries.n);
    for (size_t i = 0; i < a->entries.n; i++) {
        const struct entry *e = &a->entries.items[i], *f = &b->entries.items[i];
        SAME("entry", e->site == f->site && e->groups.n == f->groups.n);
        for (size_t k = 0; k < e->groups.n; k++) {
            if (!same_group(&e->groups.items[k], &f->groups.items[k], folded))
                return false;
        }
    }
    return true;
}

/* Counts and sums of all times of a function, which folding keeps except for rounding. Folding
 * drops timings that no row names; here all are named, or empty. */
struct total {
    uint64_t count, duration, gap;
};

static void add_times(const struct trace *t, uint32_t function, struct total *total)
{
    for (size_t s = 0; s < t->shapes.n; s++) {
        for (size_t i = 0; i < t->shapes.items[s].entries.n; i++) {
            const struct entry *e = &t->shapes.items[s].entries.items[i];
            if (t->sites.items[e->site].function != function)
                continue;
            for (size_t k = 0; k < e->groups.n; k++) {
                for (size_t m = 0; m < e->groups.items[k].timings.n; m++) {
                    const struct timing *timing = &e->groups.items[k].timings.items[m];
                    total->count += timing->count;
                    total->duration += timing->duration.sum;
                    total->gap += timing->gap.sum;
                }
            }
        }
    }
}

static bool near(uint64_t a, uint64_t b, const struct total *t)
{
    const uint64_t off = a > b ? a - b : b - a;
    return off <= a / 512 + t->count; /* a mean has 9 bits and no fraction */
}

bool random_trace_equal(const struct trace *a, const struct trace *b, bool folded)
{
    if (!same_tables(a, b))
        return false;
    SAME("number of shapes", a->shapes.n == b->shapes.n);
    for (size_t i = 0; i < a->shapes.n; i++) {
        if (!same_shape(&a->shapes.items[i], &b->shapes.items[i], folded))
            return false;
    }
    for (uint32_t f = 0; f < a->functions.functions.n; f++) {
        struct total x = {0}, y = {0};
        add_times(a, f, &x);
        add_times(b, f, &y);
        SAME("times", x.count == y.count && near(x.duration, y.duration, &x) && near(x.gap, y.gap, &x));
        SAME("times", folded || (x.duration == y.duration && x.gap == y.gap));
    }
    return true;
}
