/* SPDX-License-Identifier: BSD-3-Clause */
#include "part_cells.h"

#include <assert.h>

/* The last ones are for programs, and in JSON only. */
static const struct emitter_column all_columns[] = {
    {"seconds", "time [s]", false, 1, 6},
    {"share", "run %", false, 100, 1},
    {"path_share", "path %", false, 100, 1},
    {"threads", "threads", false, 0, 0},
    {"parallel", "parallel %", false, 100, 1},
    {"load_balance", "balance %", false, 100, 1},
    {"communication", "commun. %", false, 100, 1},
    {"serialization", "serial. %", false, 100, 1},
    {"transfer", "transfer %", false, 100, 1},
    {"path_seconds", "", false, 1, 6},
    {"sum_seconds", "", false, 1, 6},
    {"computing_seconds", "", false, 1, 6},
    {"most_computing_seconds", "", false, 1, 6},
    {"ideal_seconds", "", false, 1, 6},
    {"sum_ideal_seconds", "", false, 1, 6},
};
enum { COLUMNS = sizeof all_columns / sizeof all_columns[0], IN_TEXT = 9 };

size_t part_cells_columns(struct emitter_column columns[PART_CELLS_MOST], bool as_json)
{
    static_assert(COLUMNS == PART_CELLS_MOST, "the columns are all of them");
    const size_t n = as_json ? COLUMNS : IN_TEXT;
    for (size_t i = 0; i < n; i++)
        columns[i] = all_columns[i];
    return n;
}

static void put_seconds(struct emitter *e, double nanoseconds)
{
    emitter_cell_real(e, nanoseconds * 1e-9);
}

static void put_none(struct emitter *e, size_t n)
{
    for (size_t i = 0; i < n; i++)
        emitter_cell_none(e);
}

/* Without computing there is nothing to be efficient. */
static void put_efficiencies(struct emitter *e, const struct efficiency *of)
{
    if (of->most == 0) {
        put_none(e, 5);
        return;
    }
    emitter_cell_real(e, efficiency_load_balance(of) * efficiency_communication(of));
    emitter_cell_real(e, efficiency_load_balance(of));
    emitter_cell_real(e, efficiency_communication(of));
    emitter_cell_real(e, efficiency_serialization(of));
    emitter_cell_real(e, efficiency_transfer(of));
}

void part_cells_put(struct emitter *e, const struct part_sum *s, const struct part_sum *run)
{
    const struct efficiency *of = &s->efficiency;
    put_seconds(e, (double)of->time);
    emitter_cell_real(e, run->time > 0 ? (double)s->time / (double)run->time : 0);
    if (run->path > 0)
        emitter_cell_real(e, (double)s->path / (double)run->path);
    else
        emitter_cell_none(e);
    emitter_cell_uint(e, of->threads);
    put_efficiencies(e, of);
    if (!e->as_json)
        return;
    if (run->path > 0)
        put_seconds(e, (double)s->path);
    else
        emitter_cell_none(e);
    put_seconds(e, (double)s->time);
    put_seconds(e, (double)of->computing);
    put_seconds(e, (double)of->most);
    put_seconds(e, (double)of->ideal);
    put_seconds(e, (double)s->ideal);
}

void part_cells_put_time(struct emitter *e, uint64_t time)
{
    put_seconds(e, (double)time);
    put_none(e, (e->as_json ? COLUMNS : IN_TEXT) - 1);
}
