/* SPDX-License-Identifier: BSD-3-Clause */
#include "site_volume.h"

#include "decoder/trace/cursor.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Shorter repetitions are walked: two times are examined, and the last one leads out of the
 * repetition. */
#define WORTHWHILE 4

static enum refrain_status no_memory(const struct site_volume *s)
{
    log_error("out of memory: sums over %zu rows with %zu columns", s->group->rows.n, s->n_columns);
    return REFRAIN_ERR_MEMORY;
}

enum refrain_status site_volume_start(struct site_volume *s, const struct volume_source *source,
                                      uint32_t thread, uint32_t site, const struct group *group)
{
    *s = (struct site_volume){.source = source,
                              .trace = &source->reader->trace,
                              .group = group,
                              .thread = thread,
                              .site = site,
                              .n_columns = group_slot_columns(group)};
    s->of_row = calloc(group->rows.n + 1, sizeof *s->of_row);
    s->columns = calloc(s->n_columns + 1, sizeof *s->columns);
    s->lists = malloc((s->n_columns + 1) * sizeof *s->lists);
    return s->of_row && s->columns && s->lists ? REFRAIN_OK : no_memory(s);
}

void site_volume_stop(struct site_volume *s)
{
    for (size_t i = 0; s->of_row && i < s->group->rows.n; i++)
        free(s->of_row[i].each);
    free(s->of_row);
    free(s->columns);
    free(s->lists);
    row_walk_stop(&s->rows);
    volume_sum_free(&s->volume);
    array_free(&s->slots);
    *s = (struct site_volume){0};
}

/* ---- a row ----------------------------------------------------------------------------------- */

#define NO_SLOT UINT32_MAX

/* Returns the slot of a column in a row; NO_SLOT if the row is too short for it. */
static uint32_t slot_of(const struct site_volume *s, const struct row *row, size_t column)
{
    const uint32_t slot = s->group->columns.items[column].slot;
    return slot < row->n_slots ? slot : NO_SLOT;
}

static int64_t row_value(const struct site_volume *s, const struct row *row, uint32_t slot)
{
    return rankfn_at(row_slot(row, slot), s->ordinal, s->rank);
}

/* Finds the volume of the current call, which is of this row. Columns that do not matter have a
 * value only if `look_up`. */
static enum refrain_status find_volume(struct site_volume *s, const struct row *row, bool look_up)
{
    s->slots.n = 0;
    if (!array_reserve(&s->slots, (size_t)row->n_slots + 1))
        return REFRAIN_ERR_MEMORY;
    const struct call call = {.rank = s->rank,
                              .thread = s->thread,
                              .site = s->site,
                              .function = s->trace->sites.items[s->site].function,
                              .slots = s->slots.items,
                              .n_slots = row->n_slots};
    row_at(row, s->ordinal, s->rank, s->slots.items);
    for (size_t i = 0; i < s->n_columns; i++) {
        const struct site_volume_column *c = &s->columns[i];
        const uint32_t slot = s->group->columns.items[i].slot;
        const int64_t value = look_up ? series_at(c->series, s->index) : c->value;
        if (slot < row->n_slots)
            s->slots.items[slot] = (int64_t)((uint64_t)s->slots.items[slot] + (uint64_t)value);
    }
    return volume_sum_of(s->source, &call, &s->volume);
}

/* Finds bounds of the slot's values with the column. Returns false if they are unknown. */
static bool bounds_of(const struct site_volume *s, size_t column, int64_t slot, int64_t *least, int64_t *most)
{
    const int64_t far = INT64_MAX / 2;
    for (size_t i = 0; i < s->n_columns; i++) {
        if (i != column && s->group->columns.items[i].slot == s->group->columns.items[column].slot)
            return false;
    }
    if (slot < -far || slot > far || !series_bounds(s->columns[column].series, least, most) ||
        *least < -far || *most > far)
        return false;
    *least += slot;
    *most += slot;
    return true;
}

static bool counts_from_zero(const struct site_volume *s, uint32_t slot)
{
    bool found = false;
    for (size_t k = 0; k < s->volume.terms.n && !found; k++)
        found = s->volume.terms.items[k].slot == slot && s->volume.terms.items[k].positive;
    return found;
}

/* Finds how the columns may change their slots; with `look` also by bounds. A partner that cannot
 * be MPI_PROC_NULL does not matter; an amount that may be negative, and then counts as 0,
 * decides. */
static void find_bounds(struct site_volume *s, const struct row *row, bool look)
{
    for (size_t i = 0; i < s->n_columns; i++) {
        const uint32_t slot = s->group->columns.items[i].slot;
        int64_t least, most;
        if (slot >= row->n_slots || s->volume.uses.items[slot] == VOLUME_UNUSED)
            continue;
        uint8_t *use = &s->volume.uses.items[slot];
        const bool known = look && bounds_of(s, i, row_value(s, row, slot), &least, &most);
        if (*use == VOLUME_PARTNER)
            *use = known && !volume_has_nobody(s->source, least, most) ? VOLUME_UNUSED : VOLUME_DECIDES;
        else if (*use == VOLUME_AMOUNT && counts_from_zero(s, slot) && !(known && least >= 0))
            *use = VOLUME_DECIDES;
    }
}

/* Finds the columns that matter to the row. If one column decides, all matter, because it may make
 * others matter. */
static void find_columns(struct site_volume *s, const struct row *row, struct site_volume_row *of_row)
{
    for (size_t i = 0; i < s->n_columns; i++) {
        const uint32_t slot = slot_of(s, row, i);
        const bool decides = slot != NO_SLOT && s->volume.uses.items[slot] == VOLUME_DECIDES;
        of_row->varies = of_row->varies || decides;
        s->anew = s->anew || (decides && !s->columns[i].decides);
        s->columns[i].decides = s->columns[i].decides || decides;
    }
    for (size_t i = 0; i < s->n_columns; i++) {
        const uint32_t slot = slot_of(s, row, i);
        const bool matters =
            slot != NO_SLOT && (of_row->varies || s->volume.uses.items[slot] != VOLUME_UNUSED);
        s->anew = s->anew || (matters && !s->columns[i].matters);
        s->columns[i].matters = s->columns[i].matters || matters;
    }
}

/* Stores the volume of a row (volume_sum) as a sum over the columns' values. */
static void put_sum(const struct site_volume *s, const struct row *row, struct site_volume_row *of_row)
{
    memset(of_row->each, 0, s->n_columns * sizeof *of_row->each);
    of_row->fixed = s->volume.fixed;
    for (size_t k = 0; k < s->volume.terms.n; k++) {
        const struct volume_term *term = &s->volume.terms.items[k];
        struct volume_term line = *term;
        for (size_t i = 0; i < s->n_columns; i++) {
            if (slot_of(s, row, i) != term->slot)
                continue;
            line.positive = false; /* a part of the amount may be negative */
            volume_add(&of_row->each[i], volume_of_term(&line, 1), 1);
        }
        volume_add(&of_row->fixed, volume_of_term(&line, row_value(s, row, term->slot)), 1);
    }
}

/* A row that varies has another volume_sum in each call, so the meaning of its columns is found
 * for each call, without their bounds, which take long. */
static enum refrain_status take_varying(struct site_volume *s, const struct row *row,
                                        struct site_volume_row *of_row, bool look_up)
{
    enum refrain_status status = find_volume(s, row, look_up);
    if (status != REFRAIN_OK)
        return status;
    find_bounds(s, row, false);
    find_columns(s, row, of_row);
    return REFRAIN_OK;
}

/* Examines a row that occurs for the first time. */
static enum refrain_status learn(struct site_volume *s, const struct row *row, struct site_volume_row *of_row)
{
    if (!of_row->each && !(of_row->each = malloc((s->n_columns + 1) * sizeof *of_row->each)))
        return no_memory(s);
    enum refrain_status status = find_volume(s, row, true);
    if (status != REFRAIN_OK)
        return status;
    s->same = s->same && !s->volume.personal;
    for (uint32_t i = 0; i < row->n_slots; i++) {
        if (s->volume.uses.items[i] != VOLUME_UNUSED && !(row_slot(row, i)->forms & RANKFN_CONSTANT))
            s->same = false;
    }
    find_bounds(s, row, true);
    find_columns(s, row, of_row);
    of_row->known = true;
    if (of_row->varies)
        return take_varying(s, row, of_row, true);
    put_sum(s, row, of_row);
    return REFRAIN_OK;
}

/* ---- the walk -------------------------------------------------------------------------------- */

static enum refrain_status take_call(struct site_volume *s)
{
    const uint32_t number = row_walk_next(&s->rows);
    const struct row *row = &s->group->rows.items[number];
    struct site_volume_row *of_row = &s->of_row[number];
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < s->n_columns; i++) {
        if (s->columns[i].matters)
            series_cursor_next(&s->columns[i].cursor, &s->columns[i].value);
    }
    if (!of_row->known)
        status = learn(s, row, of_row);
    if (status != REFRAIN_OK || s->anew)
        return status;
    if (of_row->varies) {
        if ((status = take_varying(s, row, of_row, false)) == REFRAIN_OK)
            volume_add(&s->total, volume_at(&s->volume, s->slots.items), 1);
    } else {
        volume_add(&s->total, of_row->fixed, 1);
        for (size_t i = 0; i < s->n_columns; i++)
            volume_add(&s->total, of_row->each[i], (uint64_t)s->columns[i].value);
    }
    s->index++;
    return status;
}

/* The common repetition of everything that is walked. */
struct common {
    uint64_t period, times;
    struct row_repetition rows; /* its part of the rows; the columns' parts are in column.chosen */
};

/* Searches in the next n calls. */
static bool find_common(struct site_volume *s, uint64_t n, unsigned depth, struct common *common)
{
    size_t k = 0;
    for (size_t i = 0; i < s->n_columns; i++) {
        if (!s->columns[i].matters)
            continue;
        series_cursor_repetitions(&s->columns[i].cursor, &s->lists[k]);
        if (s->columns[i].decides)
            repetitions_keep_still(&s->lists[k]);
        if (s->lists[k++].n == 0)
            return false;
    }
    row_walk_repetitions(&s->rows, &s->lists[k]);
    repetitions_keep_still(&s->lists[k]);
    if (!repetitions_agree(s->lists, k + 1, n, WORTHWHILE, &common->period, &common->times))
        return false;
    common->rows = row_walk_choose(&s->rows, &s->lists[k].items[s->lists[k].at]);
    for (size_t i = 0, at = 0; i < s->n_columns; i++) {
        if (s->columns[i].matters) {
            s->columns[i].chosen[depth] = s->lists[at].items[s->lists[at].at];
            at++;
        }
    }
    return true;
}

static void pass(struct site_volume *s, unsigned depth, const struct common *common, uint64_t times)
{
    const uint64_t calls = times * common->period;
    row_walk_repeat(&s->rows, &common->rows, calls / common->rows.all.period);
    for (size_t i = 0; i < s->n_columns; i++) {
        struct site_volume_column *c = &s->columns[i];
        if (c->matters)
            series_cursor_repeat(&c->cursor, &c->chosen[depth], calls / c->chosen[depth].period);
    }
    s->index += calls;
}

static struct volume minus(struct volume a, struct volume b)
{
    return (struct volume){a.sent - b.sent, a.received - b.received};
}

static enum refrain_status walk(struct site_volume *s, uint64_t n, unsigned depth);

/* Walks all times except the last. The first two move a and b; time k after them moves b + k (b -
 * a). */
static enum refrain_status walk_common(struct site_volume *s, unsigned depth, const struct common *common)
{
    const uint64_t rest = common->times - 3, next = rest + 1;
    const struct volume at_0 = s->total;
    enum refrain_status status = walk(s, common->period, depth + 1);
    const struct volume at_1 = s->total;
    if (status == REFRAIN_OK && !s->anew)
        status = walk(s, common->period, depth + 1);
    if (status != REFRAIN_OK || s->anew)
        return status;
    const struct volume a = minus(at_1, at_0), b = minus(s->total, at_1);
    volume_add(&s->total, b, rest);
    volume_add(&s->total, minus(b, a), rest % 2 ? next / 2 * rest : rest / 2 * next);
    pass(s, depth, common, rest);
    return REFRAIN_OK;
}

static enum refrain_status walk(struct site_volume *s, uint64_t n, unsigned depth)
{
    enum refrain_status status = REFRAIN_OK;
    struct common common;
    while (n > 0 && status == REFRAIN_OK && !s->anew) {
        if (n >= WORTHWHILE && depth < SITE_VOLUME_DEPTH && find_common(s, n, depth, &common)) {
            status = walk_common(s, depth, &common);
            n -= (common.times - 1) * common.period;
        } else {
            status = take_call(s);
            n--;
        }
    }
    return status;
}

static enum refrain_status walk_calls(struct site_volume *s, uint64_t calls)
{
    s->anew = false;
    s->index = 0;
    s->total = (struct volume){0};
    for (size_t i = 0; i < s->n_columns; i++) {
        s->columns[i].value = 0;
        series_cursor_start(&s->columns[i].cursor, s->columns[i].series);
    }
    row_walk_stop(&s->rows);
    enum refrain_status status = row_walk_start(&s->rows, s->trace, s->group, s->ordinal, s->rank);
    return status == REFRAIN_OK ? walk(s, calls, 0) : status;
}

/* Do all ranks have the same columns, as far as they matter? */
static bool is_same(const struct site_volume *s)
{
    const struct group *g = s->group;
    bool same = s->same;
    for (size_t i = 0; i < g->columns.n && same; i++)
        same = (i < s->n_columns && !s->columns[i].matters) ||
               (g->columns.items[i].series.forms & RANKFN_CONSTANT);
    return same;
}

enum refrain_status site_volume_rank(struct site_volume *s, uint64_t ordinal, uint32_t rank, uint64_t calls,
                                     struct volume *out)
{
    assert(ordinal < series_length(s->group->ranks));
    enum refrain_status status = REFRAIN_OK;
    if (s->same && s->same_calls == calls) {
        *out = s->total;
        return REFRAIN_OK;
    }
    s->same = true;
    s->ordinal = ordinal;
    s->rank = rank;
    for (size_t i = 0; i < s->group->rows.n; i++)
        s->of_row[i].known = s->of_row[i].varies = false;
    for (size_t i = 0; i < s->n_columns; i++) {
        const int64_t which = rankfn_at(&s->group->columns.items[i].series, ordinal, rank);
        s->columns[i].series = s->trace->columns.items[which];
    }
    do
        status = walk_calls(s, calls);
    while (status == REFRAIN_OK && s->anew);
    if (status != REFRAIN_OK)
        return status;
    s->same = is_same(s);
    s->same_calls = calls;
    *out = s->total;
    return REFRAIN_OK;
}
