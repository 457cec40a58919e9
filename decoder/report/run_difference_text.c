/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the sentences and two tables: one of the whole runs, one of the places that changed most.
 *
 *     call sites                          A        B     change   relative    waiting       calls
 *     MPI_Recv exchange (halo.c:31)   1.8 s    0.3 s     -1.5 s    -83.3 %     -1.2 s        4000
 *
 * If the numbers of threads differ, the table has the loss in place of the change; for runs of one group,
 * the variation. */
#include "run_difference.h"

#include "decoder/util/emitter.h"
#include "decoder/util/text.h"

#include <math.h>
#include <stdio.h>

enum { GROUPS_MOST = 12, COLUMNS_MOST = GROUPS_MOST + 8, LABEL = 8 };

struct columns {
    struct emitter_column items[COLUMNS_MOST];
    char labels[GROUPS_MOST][LABEL];
    size_t n;
};

static void add_column(struct columns *c, const char *title, bool left)
{
    c->items[c->n++] = (struct emitter_column){"", title, left, 0, 0};
}

static size_t groups_shown(const struct run_difference *d)
{
    return d->n_groups < GROUPS_MOST ? d->n_groups : GROUPS_MOST;
}

static bool is_repeated(const struct run_difference *d)
{
    return d->n_runs > d->n_groups;
}

/* Adds the title and a value column for each group. After this, the struct must not move. */
static void add_values(struct columns *c, const struct run_difference *d, const char *title)
{
    struct bytes label = {0};
    add_column(c, title, true);
    for (size_t group = 0; d->n_groups > 1 && group < groups_shown(d); group++) {
        label.n = 0;
        run_difference_put_label(group, &label);
        bytes_put_u8(&label, '\0');
        snprintf(c->labels[group], LABEL, "%s", label.failed ? "?" : (const char *)label.data);
        add_column(c, c->labels[group], false);
    }
    bytes_free(&label);
    static const char *const spread[] = {"mean", "deviation", "min", "max"};
    for (size_t i = 0; d->n_groups == 1 && i < sizeof spread / sizeof spread[0]; i++)
        add_column(c, spread[i], false);
}

static void put_cell(struct emitter *e, bool known, double value, enum run_unit unit, bool is_change)
{
    emitter_cell_open(e);
    if (known)
        run_difference_put_value(value, unit, is_change, &e->cells);
    else
        text_putc(&e->cells, '-');
    emitter_cell_close(e);
}

/* Writes mean, deviation, minimum and maximum of one group. */
static void put_spread(struct emitter *e, bool known, const struct run_spread *s, enum run_unit unit)
{
    put_cell(e, known, s->mean, unit, false);
    put_cell(e, known && s->n > 1, s->deviation, unit, false);
    put_cell(e, known, s->least, unit, false);
    put_cell(e, known, s->most, unit, false);
}

/* Writes the noise of a change: "0.3 s", or "within 0.3 s" if the change is not larger. */
static void put_noise(struct emitter *e, const struct run_change *c, enum run_unit unit)
{
    emitter_cell_open(e);
    if (!c->has_noise)
        text_putc(&e->cells, '-');
    else if (c->noise > 0 && fabs(c->to - c->from) <= c->noise)
        text_put(&e->cells, "within ");
    if (c->has_noise)
        run_difference_put_value(c->noise, unit, false, &e->cells);
    emitter_cell_close(e);
}

static void put_relative(struct emitter *e, const struct run_change *c, bool before, bool after)
{
    emitter_cell_open(e);
    if (before != after)
        text_put(&e->cells, after ? "new" : "gone");
    else if (c->known && c->from > 0)
        text_printf(&e->cells, "%+.1f %%", 100 * (c->to - c->from) / c->from);
    else
        text_putc(&e->cells, '-');
    emitter_cell_close(e);
}

/* ---- lines for runs -------------------------------------------------------------------------- */

static void put_fact(struct emitter *e, const struct run_difference *d, enum run_fact fact)
{
    const enum run_unit unit = run_facts[fact].unit;
    const struct run_change change = run_difference_fact_change(d, fact);
    struct run_spread s;
    emitter_cell_text(e, run_facts[fact].what);
    for (size_t group = 0; group < groups_shown(d); group++) {
        const bool known = run_difference_fact(d, fact, group, &s);
        if (d->n_groups == 1)
            put_spread(e, known, &s, unit);
        else
            put_cell(e, known, s.mean, unit, false);
    }
    if (d->n_groups == 1)
        return;
    put_cell(e, change.known, change.to - change.from, unit, true);
    const struct run_change none = {0};
    put_relative(e, unit == UNIT_SHARE ? &none : &change, true, true);
    if (is_repeated(d))
        put_noise(e, &change, unit);
}

static void put_facts(struct emitter *e, const struct run_difference *d)
{
    struct columns c = {0};
    add_values(&c, d, "times: mean of a rank");
    if (d->n_groups > 1) {
        add_column(&c, "change", false);
        add_column(&c, "relative", false);
    }
    if (d->n_groups > 1 && is_repeated(d))
        add_column(&c, "noise", false);
    emitter_table(e, "run", c.items, c.n);
    for (int fact = 0; fact < FACTS; fact++)
        put_fact(e, d, (enum run_fact)fact);
    emitter_table_end(e);
}

/* ---- lines for places ------------------------------------------------------------------------ */

/* Writes "400" or "400 -> 380"; computation has no calls. */
static void put_calls(struct emitter *e, const struct run_change *c)
{
    emitter_cell_open(e);
    if (c->from > 0 || c->to > 0)
        run_difference_put_value(c->from, UNIT_NUMBER, false, &e->cells);
    else
        text_putc(&e->cells, '-');
    if (fabs(c->to - c->from) > 0) {
        text_put(&e->cells, " -> ");
        run_difference_put_value(c->to, UNIT_NUMBER, false, &e->cells);
    }
    emitter_cell_close(e);
}

static void put_name(struct emitter *e, const struct run_difference *d, enum run_places kind,
                     const struct run_difference_row *row)
{
    emitter_cell_open(e);
    run_difference_put_name(d, kind, row, &e->cells);
    emitter_cell_close(e);
}

static void put_row(struct emitter *e, const struct run_difference *d, enum run_places kind,
                    const struct run_difference_row *row)
{
    const struct run_change time = run_difference_change(d, kind, row, PLACE_TIME),
                            calls = run_difference_change(d, kind, row, PLACE_CALLS),
                            waiting = run_difference_change(d, kind, row, PLACE_WAITING);
    const bool before = run_difference_place(d, kind, row, 0),
               after = run_difference_place(d, kind, row, d->n_groups - 1);
    struct run_spread s;
    put_name(e, d, kind, row);
    for (size_t group = 0; group < groups_shown(d); group++) {
        const bool known = run_difference_value(d, kind, row, PLACE_TIME, group, &s);
        if (d->n_groups == 1)
            put_spread(e, known, &s, UNIT_SECONDS);
        else
            put_cell(e, known, s.mean, UNIT_SECONDS, false);
    }
    if (d->scaling != SCALING_NONE) {
        put_cell(e, time.known, run_difference_ideal(d, time.from), UNIT_SECONDS, false);
        put_cell(e, time.known, time.to - run_difference_ideal(d, time.from), UNIT_SECONDS, true);
    } else if (d->n_groups > 1) {
        put_cell(e, time.known, time.to - time.from, UNIT_SECONDS, true);
        put_relative(e, &time, before, after);
    }
    if (d->n_groups > 1 && is_repeated(d))
        put_noise(e, &time, UNIT_SECONDS);
    put_cell(e, waiting.known && (waiting.from > 0 || waiting.to > 0),
             waiting.to - (d->n_groups > 1 ? waiting.from : 0), UNIT_SECONDS, d->n_groups > 1);
    put_calls(e, &calls);
}

/* A change is small if it is below this share of the longer run; then it may be chance. */
#define SMALL 0.001
static bool is_small(const struct run_difference *d, enum run_places kind,
                     const struct run_difference_row *row)
{
    const struct run_change run = run_difference_fact_change(d, FACT_RUN),
                            time = run_difference_change(d, kind, row, PLACE_TIME),
                            calls = run_difference_change(d, kind, row, PLACE_CALLS);
    if (!time.known)
        return d->n_groups > 1 && fabs(calls.to - calls.from) <= 0;
    return row->weight <= SMALL * fmax(run.from, run.to);
}

/* Writes "and 4 more (--json), which changed by less than 0.1 % of the run". */
static void put_rest(const struct run_difference *d, size_t rest, size_t small, struct bytes *out)
{
    text_printf(out, "and %zu more (--json)", rest);
    if (small == rest)
        text_put(out, ", which");
    else if (small > 0)
        text_printf(out, "; %zu of them", small);
    if (small == 0)
        text_put(out, "\n");
    else if (!run_difference_fact_change(d, FACT_RUN).known)
        text_put(out, " have as many calls as before\n");
    else
        text_printf(out, " %s less than %g %% of the run\n",
                    d->scaling != SCALING_NONE ? "lost"
                    : d->n_groups > 1          ? "changed by"
                                               : "took",
                    100 * SMALL);
}

static void put_places(struct emitter *e, const struct run_difference *d, enum run_places kind, uint64_t top)
{
    static const char *const titles[] = {"call sites", "functions", "regions, without those inside"};
    const struct run_difference_list *list = &d->lists[kind];
    struct columns c = {0};
    size_t n = 0, small = 0;
    for (size_t i = 0; i < list->rows.n; i++)
        small += is_small(d, kind, &list->rows.items[i]);
    if (small == list->rows.n)
        return;
    add_values(&c, d, titles[kind]);
    if (d->n_groups > 1) {
        add_column(&c, d->scaling != SCALING_NONE ? "ideal" : "change", false);
        add_column(&c, d->scaling != SCALING_NONE ? "lost" : "relative", false);
    }
    if (d->n_groups > 1 && is_repeated(d))
        add_column(&c, "noise", false);
    add_column(&c, "waiting", false);
    add_column(&c, "calls", false);
    emitter_table(e, run_places_keys[kind], c.items, c.n);
    for (size_t i = 0; i < list->rows.n && n < top; i++) {
        if (is_small(d, kind, &list->rows.items[i]))
            continue;
        put_row(e, d, kind, &list->rows.items[i]);
        n++;
    }
    emitter_table_end(e);
    if (n < list->rows.n)
        put_rest(d, list->rows.n - n, small, &e->out->text);
}

/* ---- all ------------------------------------------------------------------------------------- */

static bool is_same_change(const struct run_change *c)
{
    return !c->known || fabs(c->to - c->from) <= 0;
}

/* Are the runs equal in everything that the text shows? */
static bool is_same(const struct run_difference *d)
{
    bool same = d->n_groups > 1 && d->model.differing == 0 && !d->model.too_many;
    for (int fact = 0; fact < FACTS && same; fact++) {
        const struct run_change c = run_difference_fact_change(d, (enum run_fact)fact);
        same = is_same_change(&c);
    }
    for (size_t i = 0; i < d->lists[PLACES_SITES].rows.n && same; i++) {
        for (int value = 0; value < PLACE_VALUES && same; value++) {
            const struct run_change c = run_difference_change(
                d, PLACES_SITES, &d->lists[PLACES_SITES].rows.items[i], (enum place_value)value);
            same = is_same_change(&c);
        }
    }
    return same;
}

static void put_files(const struct run_difference *d, struct bytes *out)
{
    for (size_t group = 0; group < d->n_groups; group++) {
        run_difference_put_label(group, out);
        text_put(out, "   ");
        for (size_t run = d->groups[group]; run < d->groups[group + 1]; run++) {
            text_putc(out, ' ');
            text_put_name(out, d->runs[run].file);
        }
        text_putc(out, '\n');
    }
}

/* Do the first runs and the last make other calls? Then their models differ, too. */
static bool make_other_calls(const struct run_difference *d)
{
    const struct run_difference_list *list = &d->lists[PLACES_SITES];
    bool other = false;
    for (size_t i = 0; i < list->rows.n && !other && d->n_groups > 1; i++) {
        const struct run_change c = run_difference_change(d, PLACES_SITES, &list->rows.items[i], PLACE_CALLS);
        other = !is_same_change(&c);
    }
    return other;
}

static enum refrain_status put_text(const struct run_difference *d, enum run_places kind, uint64_t top,
                                    struct output *out)
{
    put_files(d, &out->text);
    if (is_same(d)) {
        text_put(&out->text, "no difference\n");
        run_difference_put_same_files(d, &out->text);
        return REFRAIN_OK;
    }
    struct emitter e = emitter_open(out, false, 0);
    run_difference_put_words(d, 0, &out->text);
    e.gap = true;
    put_facts(&e, d);
    if (top > 0)
        put_places(&e, d, kind, top);
    if (!d->has_models && make_other_calls(d))
        text_put(
            &out->text,
            "\nThe runs differ in their calls: refrain diff --by model shows the models side by side.\n");
    return emitter_close(&e);
}

enum refrain_status run_difference_put(const struct run_difference *d, enum run_places kind, uint64_t top,
                                       bool as_json, struct output *out)
{
    struct json j = json_of(&out->text);
    if (!as_json)
        return put_text(d, kind, top, out);
    json_object(&j, NULL);
    const enum refrain_status status = run_difference_put_json(d, &j);
    json_end(&j);
    text_putc(&out->text, '\n');
    return status;
}
