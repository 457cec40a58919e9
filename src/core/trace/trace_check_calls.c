/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace_check_calls.h"

#include <stdlib.h>

#include "src/core/base/log.h"

#define CALLS_MAX (UINT64_C(1) << 62)

/* finding a rank's column takes longer than visiting a rank */
#define CHOICE_WORK 8

static const char too_long[] = "so many ranks that checking their calls would take too long";

/* ---- columns --------------------------------------------------------------------------------- */

void column_choice_start(struct column_choice *c, const struct rankfn *f)
{
    *c = (struct column_choice){.f = f};
    if (f->plain)
        series_cursor_start(&c->plain, f->plain);
    if (f->relative)
        series_cursor_start(&c->relative, f->relative);
}

bool column_choice_next(struct column_choice *c, const struct trace *t, int64_t rank, uint64_t *column)
{
    uint64_t forms[4];
    int64_t value;
    unsigned n = 0;
    if (c->f->forms & RANKFN_CONSTANT)
        forms[n++] = (uint64_t)c->f->constant;
    if (c->f->forms & RANKFN_OFFSET)
        forms[n++] = (uint64_t)c->f->offset + (uint64_t)rank;
    if (c->f->plain && series_cursor_next(&c->plain, &value))
        forms[n++] = (uint64_t)value;
    if (c->f->relative && series_cursor_next(&c->relative, &value))
        forms[n++] = (uint64_t)value + (uint64_t)rank;
    for (unsigned i = 1; i < n; i++) {
        if (forms[i] != forms[0])
            return false;
    }
    *column = n > 0 ? forms[0] : UINT64_MAX;
    return *column < t->columns.n;
}

/* Whether all ranks have the same column, as ranks have that run through the same loops. */
static bool is_one(const struct rankfn *f)
{
    return f->forms == RANKFN_CONSTANT;
}

static bool list_fits(const struct series *list, bool wanted, uint64_t n)
{
    return wanted ? list && series_length(list) == n : !list;
}

const char *trace_check_loops(const struct trace *t, const struct shape *s)
{
    const uint32_t known = RANKFN_CONSTANT | RANKFN_OFFSET | RANKFN_PLAIN | RANKFN_RELATIVE;
    const uint64_t n_ranks = series_length(s->ranks);
    if (s->loops.n > LOOPS_MAX)
        return "too many loops";
    for (size_t i = 0; i < s->loops.n; i++) {
        const struct loop *l = &s->loops.items[i];
        const struct rankfn *f = &l->counts;
        if (l->n < 1 || l->n > LOOP_SITES_MAX)
            return "a loop without sites, or with too many";
        if (l->after >= t->sites.n)
            return "a loop comes after a site that does not exist";
        for (uint32_t k = 0; k < l->n; k++) {
            if (l->sites[k] >= t->sites.n)
                return "a loop has a site that does not exist";
        }
        if (f->forms == 0 || f->forms & ~known || !list_fits(f->plain, f->forms & RANKFN_PLAIN, n_ranks) ||
            !list_fits(f->relative, f->forms & RANKFN_RELATIVE, n_ranks))
            return "the counts of a loop are not a function of the ranks";
    }
    return NULL;
}

/* ---- calls of a site by each rank ------------------------------------------------------------ */

static uint32_t times_in(const struct loop *l, uint32_t site)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < l->n; k++)
        n += l->sites[k] == site;
    return n;
}

/* Numbers that are equal for all ranks of a shape. */
struct plan {
    /* How often the skeleton has the site that loop i follows. */
    uint64_t base[LOOPS_MAX];
    uint32_t inner[LOOPS_MAX][LOOPS_MAX]; /* [i][j]: how often loop j has that site, i < j */
    /* How often the skeleton and each loop have the current site. */
    uint64_t site_base, site_in[LOOPS_MAX];
};

static void make_plan(const struct calls_check *c, const struct shape *s, uint32_t site, struct plan *p)
{
    *p = (struct plan){.site_base = c->skeleton[site]};
    for (size_t i = 0; i < s->loops.n; i++) {
        const struct loop *l = &s->loops.items[i];
        p->base[i] = c->skeleton[l->after];
        p->site_in[i] = times_in(l, site);
        for (size_t j = i + 1; j < s->loops.n; j++)
            p->inner[i][j] = times_in(&s->loops.items[j], l->after);
    }
}

static uint64_t calls_of(const struct calls_check *c, int64_t rank)
{
    return c->alike ? c->calls_alike : c->calls[rank - c->trace->first_rank];
}

/* Count the calls of one rank, from the last loop to the first, since loops add calls for the loops
 * before them. No product wraps, because all calls together are less than CALLS_MAX. */
static const char *count_rank(struct calls_check *c, const struct shape *s, const struct plan *p,
                              struct column_choice *choices, int64_t rank)
{
    uint64_t sums[LOOPS_MAX], all = rules_length(s->skeleton), calls = p->site_base;
    for (size_t i = s->loops.n; i-- > 0;) {
        const uint32_t n = s->loops.items[i].n;
        uint64_t column, times = p->base[i];
        if (!column_choice_next(&choices[i], c->trace, rank, &column))
            return "the counts of a loop do not exist";
        for (size_t j = i + 1; j < s->loops.n; j++)
            times += p->inner[i][j] * sums[j];
        if (series_length(c->trace->columns.items[column]) != times)
            return "the number of a loop's counts does not fit its calls";
        sums[i] = c->columns[column].sum;
        if (!c->columns[column].counts || all >= CALLS_MAX || sums[i] > (CALLS_MAX - 1 - all) / n)
            return "the counts of a loop are negative or too large";
        all += sums[i] * n;
        calls += p->site_in[i] * sums[i];
    }
    if (c->alike)
        c->calls_alike = calls;
    else
        c->calls[rank - c->trace->first_rank] = calls;
    return NULL;
}

static bool loops_alike(const struct shape *s)
{
    for (size_t i = 0; i < s->loops.n; i++) {
        if (!is_one(&s->loops.items[i].counts))
            return false;
    }
    return true;
}

/* Count the calls of a site into c->calls or, if all ranks agree, c->calls_alike. */
static const char *count_site(struct calls_check *c, const struct shape *s, uint32_t site)
{
    struct column_choice choices[LOOPS_MAX];
    struct series_cursor ranks;
    int64_t rank;
    struct plan plan;
    const char *what = NULL;
    make_plan(c, s, site, &plan);
    for (size_t i = 0; i < s->loops.n; i++)
        column_choice_start(&choices[i], &s->loops.items[i].counts);
    series_cursor_start(&ranks, s->ranks);
    c->alike = loops_alike(s);
    for (bool more = true; more && !what && series_cursor_next(&ranks, &rank); more = !c->alike)
        what = count_rank(c, s, &plan, choices, rank);
    return what;
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* Check rows and filler of one rank. *order and *filler are columns; NULL if the group has none. */
static const char *check_rows(const struct calls_check *c, const struct group *g, uint64_t calls,
                              const uint64_t *order, const uint64_t *filler)
{
    uint64_t rows = g->stream ? rules_length(g->stream) : calls;
    if (order) {
        const struct column_facts *facts = &c->columns[*order];
        rows = series_length(c->trace->columns.items[*order]);
        if (!facts->counts || (rows > 0 && facts->most >= g->rows.n))
            return "the order has a row that does not exist";
    }
    if (!filler)
        return rows == calls ? NULL : "the order of the rows does not fit the calls of a rank";
    const struct column_facts *facts = &c->columns[*filler];
    if (rows > calls || series_length(c->trace->columns.items[*filler]) != rows)
        return "the filler does not fit the order of the rows";
    return facts->counts && facts->sum <= calls - rows ? NULL
                                                       : "a filler comes more often than the site is called";
}

static const char *check_orders(const struct calls_check *c, const struct group *g)
{
    const struct column *order = group_order(g), *filler = group_filler(g);
    struct column_choice orders, fillers;
    struct series_cursor ranks;
    int64_t rank;
    uint64_t rows = 0, fills = 0;
    const char *what = filler && !g->stream && !order ? "a filler without other rows" : NULL;
    if (order)
        column_choice_start(&orders, &order->series);
    if (filler)
        column_choice_start(&fillers, &filler->series);
    const bool alike = c->alike && (!order || is_one(&order->series)) && (!filler || is_one(&filler->series));
    series_cursor_start(&ranks, g->ranks);
    for (bool more = true; more && !what && series_cursor_next(&ranks, &rank); more = !alike) {
        const uint64_t calls = calls_of(c, rank);
        if ((order && !column_choice_next(&orders, c->trace, rank, &rows)) ||
            (filler && !column_choice_next(&fillers, c->trace, rank, &fills)))
            what = "the order of the rows or a filler does not exist";
        else
            what = check_rows(c, g, calls, order ? &rows : NULL, filler ? &fills : NULL);
    }
    return what;
}

static const char *check_column(const struct calls_check *c, const struct group *g,
                                const struct column *column)
{
    struct column_choice choice;
    struct series_cursor ranks;
    int64_t rank;
    uint64_t number;
    const bool alike = c->alike && is_one(&column->series);
    column_choice_start(&choice, &column->series);
    series_cursor_start(&ranks, g->ranks);
    for (bool more = true; more && series_cursor_next(&ranks, &rank); more = !alike) {
        if (!column_choice_next(&choice, c->trace, rank, &number) ||
            series_length(c->trace->columns.items[number]) != calls_of(c, rank))
            return "a column does not fit the calls of a rank";
    }
    return NULL;
}

/* Count the searches for a column that an entry needs: one for each rank, or one for ranks that
 * share it. */
static uint64_t entry_choices(const struct shape *s, const struct entry *e)
{
    const bool alike = loops_alike(s);
    uint64_t choices = (alike ? 1 : series_length(s->ranks)) * (1 + s->loops.n);
    for (size_t i = 0; i < e->groups.n; i++) {
        const struct group *g = &e->groups.items[i];
        bool one = alike;
        for (size_t k = 0; k < g->columns.n && one; k++)
            one = is_one(&g->columns.items[k].series);
        choices += (one ? 1 : series_length(g->ranks)) * (1 + g->columns.n);
    }
    return choices;
}

static const char *check_entry(struct calls_check *c, const struct shape *s, const struct entry *e)
{
    *c->work += CHOICE_WORK * entry_choices(s, e);
    if (*c->work > c->work_max)
        return too_long;

    const char *what = count_site(c, s, e->site);
    for (size_t i = 0; i < e->groups.n && !what; i++) {
        const struct group *g = &e->groups.items[i];
        if (!group_varies(s, e->site, g))
            continue;
        what = check_orders(c, g);
        for (size_t k = 0; k < group_slot_columns(g) && !what; k++)
            what = check_column(c, g, &g->columns.items[k]);
    }
    return what;
}

/* ---- all ------------------------------------------------------------------------------------- */

static enum refrain_status prepare(struct calls_check *c)
{
    const struct trace *t = c->trace;
    if (c->columns)
        return REFRAIN_OK;
    c->columns = calloc(t->columns.n + 1, sizeof *c->columns);
    c->skeleton = malloc((t->sites.n + 1) * sizeof *c->skeleton);
    c->calls = malloc(((size_t)t->n_ranks + 1) * sizeof *c->calls);
    if (!c->columns || !c->skeleton || !c->calls) {
        log_error("out of memory: counting the calls of %u ranks", t->n_ranks);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < t->columns.n; i++) {
        struct column_facts *facts = &c->columns[i];
        facts->counts = series_total(t->columns.items[i], &facts->sum, &facts->most);
    }
    return REFRAIN_OK;
}

static bool entry_varies(const struct shape *s, const struct entry *e)
{
    for (size_t i = 0; i < e->groups.n; i++) {
        if (group_varies(s, e->site, &e->groups.items[i]))
            return true;
    }
    return false;
}

enum refrain_status trace_check_calls(struct calls_check *c, const struct shape *s, const char **what)
{
    enum refrain_status status = REFRAIN_OK;
    bool counted = false;
    *what = NULL;
    for (size_t i = 0; i < s->entries.n && !*what && status == REFRAIN_OK; i++) {
        if (!entry_varies(s, &s->entries.items[i]))
            continue;
        /* The check needs a number for each rank of the trace: half a GB for 2^26 ranks, which a
         * file of 100 bytes may claim. */
        if (c->trace->n_ranks > c->work_max / 8) {
            *what = too_long;
            break;
        }
        if ((status = prepare(c)) == REFRAIN_OK && !counted)
            status = rules_count(s->skeleton, c->skeleton, (uint32_t)c->trace->sites.n);
        counted = true;
        if (status == REFRAIN_OK)
            *what = check_entry(c, s, &s->entries.items[i]);
    }
    return *what ? REFRAIN_ERR_CHECK : status;
}

void calls_check_free(struct calls_check *c)
{
    free(c->columns);
    free(c->skeleton);
    free(c->calls);
    *c = (struct calls_check){0};
}
