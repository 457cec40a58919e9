/* SPDX-License-Identifier: BSD-3-Clause */
/* Check a whole trace against the promises of trace.h; first its tables (trace_check_tables.h). The
 * work is linear in the size of the trace, with two exceptions that walk rank by rank: the rank
 * sets of a site with several groups, and columns that differ by rank. */
#include "trace_check_tables.h"

#include "src/core/base/log.h"
#include "slot_sums.h"
#include "trace_check_calls.h"

#include <stdlib.h>
#include <string.h>

/* The budget: ranks, or groups of eight neighbouring ranks, that a check may visit. It takes about
 * a second. A site of a 3-D stencil on a million ranks needs 200,000. A forged file of a few bytes
 * that names 2^26 ranks again and again is refused. */
#define WORK_MAX (UINT64_C(1) << 28)

#define RANKFN_FORMS (RANKFN_CONSTANT | RANKFN_OFFSET | RANKFN_PLAIN | RANKFN_RELATIVE)

struct check {
    const struct trace *trace;
    uint64_t *calls;      /* calls of each site in the current shape, without its loops */
    uint8_t *shape_ranks; /* a bit for each rank of the trace: it has the current shape */
    uint8_t *lane_ranks;  /* … it has one of the shapes of the current lane */
    uint64_t work;        /* ranks visited so far */
    struct calls_check of_ranks;
    size_t shape, site; /* the current ones, for messages; NOWHERE: none */
};

#define NOWHERE SIZE_MAX
#define VARIES  UINT64_MAX

static enum refrain_status broken(const struct check *c, const char *what)
{
    if (c->shape == NOWHERE)
        log_error("inconsistent trace: %s", what);
    else if (c->site == NOWHERE)
        log_error("inconsistent trace: shape %zu: %s", c->shape, what);
    else
        log_error("inconsistent trace: shape %zu, site %zu: %s", c->shape, c->site, what);
    return REFRAIN_ERR_CHECK;
}

/* ---- sets of ranks --------------------------------------------------------------------------- */

static const char too_much[] = "sets of so many ranks that checking them would take too long";

static bool is_too_much(const struct check *c)
{
    return c->work > WORK_MAX;
}

/* Flip n neighbouring bits. False if one of them already has the new state. */
static bool flip_run(uint8_t *bits, uint32_t place, uint64_t n, bool set)
{
    const uint8_t before = set ? 0 : UINT8_MAX;
    while (n > 0) {
        if (place % 8 == 0 && n >= 8) {
            if (bits[place / 8] != before)
                return false;
            bits[place / 8] = (uint8_t)~before;
            place += 8;
            n -= 8;
            continue;
        }
        const uint8_t bit = (uint8_t)(1u << place % 8);
        if ((bits[place / 8] & bit) != (before & bit))
            return false;
        bits[place / 8] ^= bit;
        place++;
        n--;
    }
    return true;
}

/* Flip the bit of each rank of the set to `set`. False if a bit already has this state, or if the
 * ranks do not ascend or are not in the trace. The function works on runs: a set usually has few. */
static bool flip_ranks(struct check *c, const struct series *ranks, uint8_t *bits, bool set)
{
    struct series_cursor at;
    int64_t first, step;
    uint64_t n, least = 0; /* least valid place: after the last rank */
    series_cursor_start(&at, ranks);
    while ((n = series_cursor_run(&at, &first, &step)) > 0) {
        const uint64_t place = (uint64_t)first - c->trace->first_rank, size = c->trace->n_ranks;
        if (n == 1)
            step = 1;
        if (place < least || place >= size || step < 1 || (uint64_t)step > size || n > size ||
            (n - 1) * (uint64_t)step >= size - place)
            return false;
        least = place + (n - 1) * (uint64_t)step + 1;
        c->work += step == 1 ? n / 8 + 1 : n;
        const uint64_t neighbours = step == 1 ? n : 1;
        for (uint64_t p = place; p < least; p += neighbours * (uint64_t)step) {
            if (!flip_run(bits, (uint32_t)p, neighbours, set))
                return false;
        }
        series_cursor_skip(&at, n);
    }
    return true;
}

static bool rank_count_fits(const struct check *c, const struct series *ranks)
{
    return ranks && series_length(ranks) >= 1 && series_length(ranks) <= c->trace->n_ranks;
}

/* Check that each rank of the shape is in exactly one group of the entry. */
static enum refrain_status check_partition(struct check *c, const struct shape *s, const struct entry *e)
{
    if (e->groups.n == 0)
        return broken(c, "the site has no group");
    if (is_too_much(c))
        return broken(c, too_much);
    for (size_t i = 0; i < e->groups.n; i++) {
        if (!rank_count_fits(c, e->groups.items[i].ranks))
            return broken(c, "a group has no ranks or too many");
    }
    if (e->groups.n == 1) {
        return series_equal(e->groups.items[0].ranks, s->ranks)
                   ? REFRAIN_OK
                   : broken(c, "the group's ranks are not those of the shape");
    }
    uint64_t total = 0;
    for (size_t i = 0; i < e->groups.n; i++) {
        const struct series *ranks = e->groups.items[i].ranks;
        total += series_length(ranks);
        if (total > series_length(s->ranks) || !flip_ranks(c, ranks, c->shape_ranks, false))
            return broken(c, "the groups' ranks are not those of the shape");
    }
    /* Now all bits are clear if and only if no rank was left out. */
    if (total != series_length(s->ranks) || !flip_ranks(c, s->ranks, c->shape_ranks, true))
        return broken(c, "the groups leave out ranks of the shape");
    return REFRAIN_OK;
}

/* ---- rows and columns ------------------------------------------------------------------------ */

static bool list_fits(const struct series *list, bool wanted, uint64_t n)
{
    return wanted ? list && series_length(list) == n : !list;
}

static bool rankfn_fits(const struct rankfn *f, uint64_t n)
{
    return f->forms != 0 && !(f->forms & ~(uint32_t)RANKFN_FORMS) &&
           list_fits(f->plain, f->forms & RANKFN_PLAIN, n) &&
           list_fits(f->relative, f->forms & RANKFN_RELATIVE, n);
}

/* Whether the function names existing columns, each with `calls` values. */
static bool columns_exist(struct check *c, const struct group *g, const struct rankfn *f, uint64_t calls)
{
    struct column_choice choice;
    struct series_cursor ranks;
    int64_t rank;
    uint64_t column;
    const bool same = f->forms == RANKFN_CONSTANT;
    c->work += same ? 1 : series_length(g->ranks);
    column_choice_start(&choice, f);
    series_cursor_start(&ranks, g->ranks);
    for (uint64_t i = 0; series_cursor_next(&ranks, &rank) && (i == 0 || !same); i++) {
        if (!column_choice_next(&choice, c->trace, rank, &column) ||
            series_length(c->trace->columns.items[column]) != calls)
            return false;
    }
    return true;
}

static enum refrain_status check_column(struct check *c, const struct group *g, const struct column *column,
                                        uint64_t calls)
{
    const struct rankfn *f = &column->series;
    bool slot_exists = column->slot >= COLUMN_ORDER;
    for (size_t i = 0; i < g->rows.n && !slot_exists; i++)
        slot_exists = column->slot < g->rows.items[i].n_slots;
    if (!slot_exists)
        return broken(c, "a column belongs to a slot that no row has");
    if (!rankfn_fits(f, series_length(g->ranks)))
        return broken(c, "a column is not a function of its ranks");
    return calls == VARIES || columns_exist(c, g, f, calls) ? REFRAIN_OK
                                                            : broken(c, "a column does not fit its calls");
}

/* If the number of calls VARIES, trace_check_calls checks what depends on it. */
static enum refrain_status check_group(struct check *c, const struct group *g, uint64_t calls)
{
    if (g->rows.n == 0)
        return broken(c, "a group has no row");
    if (g->stream ? group_order(g) != NULL : g->rows.n != 1 && !group_order(g))
        return broken(c, "a group has several rows, but no order of rows");
    if (g->stream &&
        ((calls != VARIES && rules_length(g->stream) != calls) || rules_alphabet(g->stream) > g->rows.n))
        return broken(c, "the order of the rows does not fit the calls");
    for (size_t i = 0; i < g->rows.n; i++) {
        const struct row *r = &g->rows.items[i];
        if (g->timings.n > 0 && r->timing != TIMING_NONE && r->timing >= g->timings.n)
            return broken(c, "a row's times do not exist");
        for (uint32_t k = 0; k < r->n_slots; k++) {
            if (!rankfn_fits(row_slot(r, k), series_length(g->ranks)))
                return broken(c, "a slot is not a function of its ranks");
        }
    }
    for (size_t i = 0; i < g->columns.n; i++) {
        enum refrain_status status = check_column(c, g, &g->columns.items[i], calls);
        if (status != REFRAIN_OK)
            return status;
    }
    for (size_t i = 0; i < g->sums.n; i++) {
        if (!rankfn_fits(&g->sums.items[i].factor, series_length(g->ranks)))
            return broken(c, "the factor of a sum is not a function of its ranks");
    }
    return slot_sums_fit(g) ? REFRAIN_OK : broken(c, "a sum belongs to an invalid slot");
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static enum refrain_status check_entries(struct check *c, const struct shape *s)
{
    const char *what = trace_check_loops(c->trace, s);
    enum refrain_status status;
    if (what)
        return broken(c, what);
    const uint32_t n_sites = shape_alphabet(s);
    if (n_sites > c->trace->sites.n)
        return broken(c, "the skeleton has a site that does not exist");
    if ((status = rules_count(s->skeleton, c->calls, n_sites)) != REFRAIN_OK)
        return status;
    for (size_t i = 0; i < s->loops.n; i++) {
        for (uint32_t k = 0; k < s->loops.items[i].n; k++)
            c->calls[s->loops.items[i].sites[k]] = VARIES;
    }

    size_t next = 0;
    for (uint32_t site = 0; site < n_sites; site++) {
        if (c->calls[site] == 0)
            continue;
        c->site = site;
        if (next == s->entries.n || s->entries.items[next].site != site)
            return broken(c, "no entry for a site of the skeleton");
        const struct entry *e = &s->entries.items[next++];
        status = check_partition(c, s, e);
        for (size_t i = 0; i < e->groups.n && status == REFRAIN_OK; i++) {
            const struct group *g = &e->groups.items[i];
            status = check_group(c, g, group_varies(s, site, g) ? VARIES : c->calls[site]);
        }
        if (status != REFRAIN_OK)
            return status;
    }
    c->site = NOWHERE;
    if (next < s->entries.n)
        return broken(c, "an entry for a site that the skeleton does not have");
    status = trace_check_calls(&c->of_ranks, s, &what);
    return what ? broken(c, what) : status;
}

static enum refrain_status check_shape(struct check *c, const struct shape *s)
{
    if (s->kind > LANE_THREAD)
        return broken(c, "an unknown kind of lane");
    if (!rank_count_fits(c, s->ranks))
        return broken(c, "no ranks or too many");
    if (!s->skeleton)
        return broken(c, "no skeleton");
    if (is_too_much(c))
        return broken(c, too_much);
    if (!flip_ranks(c, s->ranks, c->shape_ranks, true))
        return broken(c, "ranks do not ascend, or are not the trace's");
    if (!flip_ranks(c, s->ranks, c->lane_ranks, true))
        return broken(c, "a rank has another shape already");
    enum refrain_status status = check_entries(c, s);
    if (status == REFRAIN_OK)
        flip_ranks(c, s->ranks, c->shape_ranks, false);
    return status;
}

static int compare_lanes(const void *a, const void *b)
{
    const struct shape *s = *(const struct shape *const *)a, *t = *(const struct shape *const *)b;
    if (s->kind != t->kind)
        return s->kind < t->kind ? -1 : 1;
    if (s->number != t->number)
        return s->number < t->number ? -1 : 1;
    return s < t ? -1 : s > t;
}

/* Check the shapes lane by lane, to find a rank with two shapes for one lane. */
static enum refrain_status check_shapes(struct check *c)
{
    const struct trace *t = c->trace;
    const struct shape **order = malloc((t->shapes.n + 1) * sizeof *order);
    if (!order) {
        log_error("out of memory: checking %zu shapes", t->shapes.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < t->shapes.n; i++)
        order[i] = &t->shapes.items[i];
    qsort(order, t->shapes.n, sizeof *order, compare_lanes);

    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < t->shapes.n && status == REFRAIN_OK; i++) {
        if (i > 0 && (order[i]->kind != order[i - 1]->kind || order[i]->number != order[i - 1]->number))
            memset(c->lane_ranks, 0, t->n_ranks / 8 + 1);
        c->shape = (size_t)(order[i] - t->shapes.items);
        status = check_shape(c, order[i]);
    }
    c->shape = NOWHERE;
    free(order);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static enum refrain_status check_rank_times(struct check *c)
{
    const struct trace *t = c->trace;
    for (size_t i = 0; i < t->rank_times.n; i++) {
        const struct rank_time *r = &t->rank_times.items[i];
        if (r->function >= t->functions.functions.n)
            return broken(c, "the function of the ranks' times does not exist");
        if (!rank_count_fits(c, r->ranks) || !r->sums || series_length(r->sums) != series_length(r->ranks))
            return broken(c, "the ranks' times are not one for each rank");
        memset(c->shape_ranks, 0, t->n_ranks / 8 + 1);
        if (!flip_ranks(c, r->ranks, c->shape_ranks, true))
            return broken(c, "the ranks of the ranks' times do not ascend, or are not the trace's");
    }
    return REFRAIN_OK;
}

enum refrain_status trace_check(const struct trace *t)
{
    struct check c = {.trace = t, .shape = NOWHERE, .site = NOWHERE};
    c.of_ranks = (struct calls_check){.trace = t, .work = &c.work, .work_max = WORK_MAX};
    if (t->n_ranks > TRACE_RANKS_MAX || t->first_rank > UINT32_MAX - t->n_ranks)
        return broken(&c, "too many ranks");

    enum refrain_status status = REFRAIN_ERR_MEMORY;
    c.calls = malloc((t->sites.n + 1) * sizeof *c.calls);
    c.shape_ranks = calloc(t->n_ranks / 8 + 1, 1);
    c.lane_ranks = calloc(t->n_ranks / 8 + 1, 1);
    if (!c.calls || !c.shape_ranks || !c.lane_ranks) {
        log_error("out of memory: checking a trace of %u ranks", t->n_ranks);
        goto out;
    }
    if ((status = trace_check_tables(t)) == REFRAIN_OK && (status = check_shapes(&c)) == REFRAIN_OK)
        status = check_rank_times(&c);
    if (status == REFRAIN_OK)
        status = rank_clocks_check(&t->clocks, t->first_rank, t->n_ranks);
out:
    free(c.calls);
    free(c.shape_ranks);
    free(c.lane_ranks);
    calls_check_free(&c.of_ranks);
    return status;
}
