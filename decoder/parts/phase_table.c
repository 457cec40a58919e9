/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of phases, in the order of the model, with the sums of sections before those that have several.
 * */
#include "part_cells.h"
#include "program_parts.h"

#include "decoder/trace/site.h"
#include "decoder/util/text.h"

#define SHOWN_LEAST 0.0005 /* of the run: less is 0.0 % in text */

static const char *const section_names[PHASE_SECTIONS] = {[PHASE_WARM_UP] = "warm-up",
                                                          [PHASE_MAIN_LOOP] = "main loop",
                                                          [PHASE_AFTER] = "after it",
                                                          [PHASE_WHOLE] = "all phases"};

struct table {
    const struct program_parts *parts;
    const struct causes_view *view;
    struct phase_rows rows;
    struct emitter e;
    bool all; /* rows: also those that are short */
};

static uint64_t begin_of_run(const struct table *t)
{
    return t->parts->times.begin;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* The numbers of the top level from one phase to another. */
static void put_top_path(const struct run_phases *p, uint32_t first, uint32_t last, struct bytes *out)
{
    const struct run_phase *to = &p->items.items[last];
    const uint64_t begin = p->items.items[first].first.levels[0].number,
                   end = to->first.n == 1 ? to->last : to->first.levels[0].number;
    text_uint(out, begin);
    if (end > begin) {
        text_putc(out, '-');
        text_uint(out, end);
    }
}

static void put_call(struct table *t, uint32_t site)
{
    const struct reader *r = t->view->search->reader;
    if (site == RUN_PHASE_NONE) {
        emitter_cell_none(&t->e);
        return;
    }
    const char *key = emitter_cell_open(&t->e);
    if (t->e.as_json) {
        json_object(&t->e.json, key);
        json_string(&t->e.json, "function", reader_function(r, site));
        site_put_json(&r->trace, t->view->symbols, site, &t->e.json, "site");
        json_end(&t->e.json);
    } else {
        site_put_line(r, t->view->symbols, site, &t->e.cells);
    }
    emitter_cell_close(&t->e);
}

/* In text the row before says where this one begins. */
static void put_calls(struct table *t, uint32_t from, uint32_t until)
{
    if (t->e.as_json)
        put_call(t, from);
    put_call(t, until);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void put_plain(struct table *t, const char *name, const struct part_sum *sum)
{
    emitter_cell_text(&t->e, name);
    emitter_cell_none(&t->e);
    if (sum)
        part_cells_put(&t->e, sum, &t->rows.run);
    else
        part_cells_put_time(&t->e, begin_of_run(t));
    put_calls(t, RUN_PHASE_NONE, RUN_PHASE_NONE);
}

static void put_row(struct table *t, const char *name, const struct phase_row *row, bool top)
{
    const struct run_phases *p = t->rows.phases;
    struct bytes path = {0};
    emitter_cell_text(&t->e, name);
    (top ? put_top_path : run_phases_put_path)(p, row->first, row->last, &path);
    emitter_cell_made(&t->e, &path);
    part_cells_put(&t->e, &row->sum, &t->rows.run);
    put_calls(t, p->items.items[row->first].from_site, p->items.items[row->last].to_site);
}

static bool is_shown(const struct table *t, const struct part_sum *sum)
{
    return (double)sum->time >= SHOWN_LEAST * (double)t->rows.run.time;
}

/* Is the row among the `top` longest, and shown at all? */
static bool is_long(const struct table *t, const struct phase_row *row)
{
    size_t longer = 0;
    for (size_t i = 0; i < t->rows.items.n; i++)
        longer += t->rows.items.items[i].sum.time > row->sum.time;
    return longer < t->view->top && is_shown(t, &row->sum);
}

static size_t count_rows(const struct table *t, enum phase_section section)
{
    size_t n = 0;
    for (size_t i = 0; i < t->rows.items.n; i++)
        n += t->rows.items.items[i].section == section;
    return n;
}

static void put_section(struct table *t, enum phase_section section)
{
    const struct phase_row *all = &t->rows.sections[section];
    const bool several = count_rows(t, section) > 1 || section == PHASE_WHOLE;
    if (!phase_row_is_there(all))
        return;
    if (section != PHASE_WHOLE)
        put_row(t, section_names[section], all, true);
    for (size_t i = 0; several && i < t->rows.items.n; i++) {
        const struct phase_row *row = &t->rows.items.items[i];
        if (row->section == section && (t->all || is_long(t, row)))
            put_row(t, t->e.as_json ? "phase" : "  phase", row, false);
    }
}

static void put_notes(struct table *t)
{
    size_t rest = 0;
    if (!phase_row_is_there(&t->rows.sections[PHASE_MAIN_LOOP]))
        emitter_note(&t->e, "note",
                     "There is no main loop: no loop of all processes has a tenth of the run.");
    for (size_t i = 0; i < t->rows.items.n && !t->all; i++)
        rest += !is_long(t, &t->rows.items.items[i]);
    if (rest > 0)
        text_printf(&t->e.out->text, "\n%zu more phases are shorter (--top).\n", rest);
}

static void put_table(struct table *t, const char *key)
{
    struct emitter_column columns[PART_CELLS_MOST + 4] = {{"part", "part", true, 0, 0},
                                                          {"constructs", "constructs", true, 0, 0}};
    size_t n = 2 + part_cells_columns(columns + 2, t->e.as_json);
    if (t->e.as_json)
        columns[n++] = (struct emitter_column){"from", "", true, 0, 0};
    columns[n++] = (struct emitter_column){"until", "until", true, 0, 0};
    emitter_table(&t->e, key, columns, n);
    put_plain(t, "MPI_Init", NULL);
    put_plain(t, "run", &t->rows.run);
    for (unsigned k = 0; k < PHASE_SECTIONS; k++)
        put_section(t, (enum phase_section)k);
    if (t->all || is_shown(t, &t->rows.outside))
        put_plain(t, "outside", &t->rows.outside);
    emitter_table_end(&t->e);
}

enum refrain_status phase_table_put(const struct program_parts *p, const struct causes_view *v, bool as_json,
                                    struct output *out)
{
    struct table t = {.parts = p, .view = v, .all = as_json};
    enum refrain_status status = phase_rows_create(&t.rows, &p->phases, &p->times);
    if (status == REFRAIN_OK) {
        t.e = emitter_open(out, as_json, 0);
        put_table(&t, "parts");
        put_notes(&t);
        status = emitter_close(&t.e);
    }
    phase_rows_free(&t.rows);
    return status;
}

enum refrain_status program_parts_put_json(const struct program_parts *p, const struct causes_view *v,
                                           struct json *j)
{
    struct table t = {.parts = p, .view = v, .e = {.as_json = true, .json = *j}};
    const enum refrain_status status = phase_rows_create(&t.rows, &p->phases, &p->times);
    if (status == REFRAIN_OK) {
        put_table(&t, "phases");
        *j = t.e.json;
    }
    phase_rows_free(&t.rows);
    return status;
}
