/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include <stdlib.h>

#include "src/core/lane/column.h"
#include "src/core/lane/lane.h"
#include "src/core/lane/site_table.h"

enum { RANK = 5 };

static struct lane *make_lane(uint32_t sites, bool with_times)
{
    struct lane *l = lane_create(LANE_THREAD, 0, with_times);
    for (uint32_t i = 0; i < sites; i++) {
        struct frame frame = {.module = 0, .offset = 16 * (i + 1)};
        struct site site = {.function = 0, .n_frames = 1, .frames = &frame};
        uint32_t index;
        cr_assert_eq(lane_add_site(l, &site, &index), REFRAIN_OK);
        cr_assert_eq(index, i);
    }
    return l;
}

static void record(struct lane *l, uint32_t site, int64_t a, int64_t b, int64_t c)
{
    const int64_t slots[] = {a, b, c};
    cr_assert_eq(lane_record(l, site, slots, 3, 5, 7), REFRAIN_OK);
}

static struct trace store(struct lane *l)
{
    struct trace t = {.first_rank = RANK, .n_ranks = 1};
    cr_assert_eq(lane_store(l, RANK, &t), REFRAIN_OK);
    return t;
}

static const struct group *group_of(const struct trace *t, size_t site)
{
    cr_assert_eq(t->shapes.n, 1);
    cr_assert_lt(site, t->shapes.items[0].entries.n);
    cr_assert_eq(t->shapes.items[0].entries.items[site].groups.n, 1);
    return &t->shapes.items[0].entries.items[site].groups.items[0];
}

/* Slot `slot` of call number n of a group. */
static int64_t value_of(const struct trace *t, const struct group *g, uint64_t n, uint32_t slot)
{
    uint32_t row = 0;
    if (g->stream) {
        struct rules_cursor c;
        cr_assert_eq(rules_cursor_start(&c, g->stream), REFRAIN_OK);
        cr_assert_eq(rules_cursor_seek(&c, n, NULL, 0), REFRAIN_OK);
        cr_assert(rules_cursor_next(&c, &row));
        rules_cursor_stop(&c);
    }
    for (size_t i = 0; i < g->columns.n; i++)
        if (g->columns.items[i].slot == slot)
            return rankfn_at(row_slot(&g->rows.items[row], slot), 0, RANK) +
                   series_at(t->columns.items[rankfn_at(&g->columns.items[i].series, 0, RANK)], n);
    return rankfn_at(row_slot(&g->rows.items[row], slot), 0, RANK);
}

Test(lane, a_lane_without_calls_stores_nothing)
{
    struct lane *l = make_lane(2, true);
    struct trace t = store(l);
    cr_assert_eq(t.shapes.n, 0);
    cr_assert_eq(t.sites.n, 0);
    trace_free(&t);
    lane_free(l);
}

Test(lane, a_loop_with_constant_arguments_has_one_row_a_site_and_no_stream)
{
    struct lane *l = make_lane(3, true);
    for (int i = 0; i < 1000; i++) {
        record(l, 0, 1, 2, 3);
        record(l, 1, 4, 5, 6);
        record(l, 1, 4, 5, 6);
    }
    cr_assert_eq(lane_calls(l), 3000);
    struct trace t = store(l);
    cr_assert_eq(t.sites.n, 2, "a site without calls is not stored");
    cr_assert_eq(rules_length(t.shapes.items[0].skeleton), 3000);
    cr_assert_leq(t.shapes.items[0].skeleton->first[t.shapes.items[0].skeleton->n_rules], 3);
    for (size_t site = 0; site < 2; site++) {
        const struct group *g = group_of(&t, site);
        cr_assert_null(g->stream);
        cr_assert_eq(g->rows.n, 1);
        cr_assert_eq(g->timings.n, 1);
        cr_assert_eq(g->timings.items[0].count, site == 0 ? 1000 : 2000);
        cr_assert_eq(g->timings.items[0].duration.sum, 7 * g->timings.items[0].count);
    }
    trace_free(&t);
    lane_free(l);
}

static int by_address(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* In MPI_Testsome, requests of a long array complete in any order: memory grows with what changes. */
Test(lane, long_rows_share_what_is_equal)
{
    enum { SLOTS = 800, CALLS = 400 };
    int64_t slots[SLOTS];
    struct lane *l = make_lane(1, false);
    for (int64_t i = 0; i < SLOTS; i++)
        slots[i] = i;
    srand(3);
    for (int i = 0; i < CALLS; i++) {
        slots[rand() % SLOTS] = -1 - rand() % 100;
        cr_assert_eq(lane_record(l, 0, slots, SLOTS, 5, 7), REFRAIN_OK);
    }
    struct trace t = store(l);
    const struct group *g = group_of(&t, 0);
    const size_t n_blocks = row_blocks(SLOTS);
    const struct slot_block **blocks = calloc(g->rows.n * n_blocks, sizeof(struct slot_block *));
    size_t distinct = 0;
    cr_assert(t.shares_slots);
    cr_assert_gt(g->rows.n, CALLS / 2);
    for (size_t r = 0; r < g->rows.n; r++)
        for (size_t k = 0; k < n_blocks; k++)
            blocks[r * n_blocks + k] = g->rows.items[r].blocks[k];
    qsort(blocks, g->rows.n * n_blocks, sizeof(struct slot_block *), by_address);
    for (size_t i = 0; i < g->rows.n * n_blocks; i++)
        distinct += i == 0 || blocks[i] != blocks[i - 1];
    cr_expect_leq(distinct, n_blocks + CALLS, "%zu blocks", distinct);
    for (uint32_t i = 0; i < SLOTS; i++)
        cr_assert_eq(value_of(&t, g, CALLS - 1, i), slots[i]);
    free(blocks);
    trace_free(&t);
    lane_free(l);
}

Test(lane, rows_are_numbered_by_first_occurrence_and_the_stream_tells_their_order)
{
    static const int64_t tags[] = {4, 4, 4, 9, 4, 9, 2};
    struct lane *l = make_lane(1, false);
    for (size_t i = 0; i < 7; i++)
        record(l, 0, 1, tags[i], 3);
    struct trace t = store(l);
    const struct group *g = group_of(&t, 0);
    cr_assert_eq(g->rows.n, 3);
    cr_assert_eq(g->timings.n, 0, "no times were recorded");
    cr_assert_eq(row_slot(&g->rows.items[1], 1)->constant, 9);
    cr_assert_eq(rules_length(g->stream), 7);
    for (size_t i = 0; i < 7; i++)
        cr_assert_eq(value_of(&t, g, i, 1), tags[i]);
    trace_free(&t);
    lane_free(l);
}

Test(lane, a_lane_can_be_stored_and_go_on)
{
    struct lane *l = make_lane(1, true);
    for (int i = 0; i < 10; i++)
        record(l, 0, 1, i % 2, 3);
    struct trace first = store(l);
    for (int i = 10; i < 30; i++)
        record(l, 0, 1, i % 2, 3);
    struct trace second = store(l);
    cr_assert_eq(rules_length(group_of(&first, 0)->stream), 10);
    cr_assert_eq(rules_length(group_of(&second, 0)->stream), 30);
    for (uint64_t i = 0; i < 30; i++)
        cr_assert_eq(value_of(&second, group_of(&second, 0), i, 1), (int64_t)i % 2);
    trace_free(&first);
    trace_free(&second);
    lane_free(l);
}

/* Record so many calls, and check the rows and columns that they leave: a column costs O(1), and
 * all values come back. */
static void check_counter(int calls, size_t expected_rows, size_t expected_columns,
                          void (*call)(struct lane *l, int i), uint32_t slot, int64_t (*value)(int i))
{
    struct lane *l = make_lane(1, true);
    for (int i = 0; i < calls; i++)
        call(l, i);
    struct trace t = store(l);
    const struct group *g = group_of(&t, 0);
    cr_assert_eq(g->rows.n, expected_rows, "%d calls: %zu rows", calls, g->rows.n);
    cr_assert_eq(g->columns.n, expected_columns, "%d calls: %zu columns", calls, g->columns.n);
    cr_assert_eq(t.columns.n, expected_columns);
    for (size_t c = 0; c < t.columns.n; c++) {
        cr_assert_eq(series_length(t.columns.items[c]), (uint64_t)calls);
        cr_assert_lt(series_cost(t.columns.items[c]), 200, "a counter is O(1)");
    }
    for (int i = 0; i < calls; i += 1 + calls / 50)
        cr_assert_eq(value_of(&t, g, (uint64_t)i, slot), value(i));
    uint64_t timed = 0;
    for (size_t i = 0; i < g->timings.n; i++)
        timed += g->timings.items[i].count;
    cr_assert_eq(timed, (uint64_t)calls);
    trace_free(&t);
    lane_free(l);
}

static void call_tag(struct lane *l, int i)
{
    record(l, 0, 10 + i % 2, i, 3);
}

static int64_t value_tag(int i)
{
    return i;
}

Test(lane, a_counter_becomes_a_column)
{
    check_counter(6, 6, 0, call_tag, 1, value_tag); /* six rows are not worth a column */
    check_counter(20, 2, 1, call_tag, 1, value_tag);
    check_counter(49, 2, 1, call_tag, 1, value_tag);
    check_counter(20000, 2, 1, call_tag, 1, value_tag);
}

static void call_together(struct lane *l, int i)
{
    record(l, 0, 2 * i, 7, i);
}

static int64_t value_together(int i)
{
    return 2 * i;
}

Test(lane, slots_that_move_together_become_columns_together)
{
    check_counter(20, 1, 2, call_together, 0, value_together);
    check_counter(5000, 1, 2, call_together, 0, value_together);
}

static void call_nested(struct lane *l, int i)
{
    record(l, 0, i / 10, i % 3, i);
}

static int64_t value_nested(int i)
{
    return i / 10;
}

Test(lane, a_slow_counter_leaves_after_a_fast_one)
{
    check_counter(300, 3, 2, call_nested, 0, value_nested);
    check_counter(20000, 3, 2, call_nested, 0, value_nested);
}

Test(lane, rows_that_repeat_stay_rows)
{
    struct lane *l = make_lane(1, true);
    srand(3);
    for (int i = 0; i < 3000; i++)
        record(l, 0, rand() % 2, rand() % 2, rand() % 2);
    struct trace t = store(l);
    cr_assert_eq(group_of(&t, 0)->rows.n, 8);
    cr_assert_eq(group_slot_columns(group_of(&t, 0)), 0);
    cr_assert_not_null(group_order(group_of(&t, 0)), "which comes when is irregular");
    cr_assert_leq(series_cost(t.columns.items[0]), 3000 / 2 + 32);
    trace_free(&t);
    lane_free(l);
}

/* Rows are found by the row before or by their hash: their numbers are the same. */
Test(lane, rows_are_numbered_by_first_occurrence_in_any_order)
{
    static const uint32_t order[] = {0, 0, 1, 0, 1, 2, 0, 1, 1, 2, 2, 0, 3, 1, 0, 3};
    struct site_table t = site_table_empty(1000);
    for (uint32_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        const int64_t slots[] = {7, order[i] * 10};
        uint32_t row = 99;
        cr_assert_eq(site_table_record(&t, slots, order[i] == 2 ? 1 : 2, &row), REFRAIN_OK);
        cr_assert_eq(site_table_add_times(&t, row, 1, i), REFRAIN_OK);
        cr_assert_eq(row, order[i], "call %u", i);
    }
    cr_assert_eq(t.rows.n, 4);
    cr_assert_eq(t.calls, sizeof order / sizeof order[0]);
    cr_assert_eq(t.timings.items[2].count, 3);
    cr_assert_eq(t.timings.items[3].duration.max, 15);
    site_table_free(&t);
}

/* A column that exists from the first call on and one that is extracted later give the same
 * table. */
Test(lane, extraction_is_a_function_of_the_calls_alone)
{
    enum { CALLS = 2000 };
    struct site_table late = site_table_empty(1000), early = site_table_empty(1000), reduced;
    struct rules *late_rules, *early_rules;
    uint32_t row;
    bool found;
    early.columns.items = calloc(1, sizeof *early.columns.items);
    early.columns.n = early.columns.cap = 1;
    early.columns.items[0] = (struct site_column){.slot = 1, .values = series_create()};
    for (int i = 0; i < CALLS; i++) {
        const int64_t slots[] = {i % 7 % 3, 100 + i, -5};
        uint32_t n = i % 11 == 10 ? 1 : 3; /* rows that end before the column's slot */
        cr_assert_eq(site_table_record(&late, slots, n, &row), REFRAIN_OK);
        cr_assert_eq(site_table_record(&early, slots, n, &row), REFRAIN_OK);
    }
    cr_assert_eq(column_extract(&late, false, &reduced, &found), REFRAIN_OK);
    cr_assert(found);
    cr_assert_eq(reduced.columns.n, 1);
    cr_assert_eq(reduced.columns.items[0].slot, 1);
    cr_assert(series_equal(reduced.columns.items[0].values, early.columns.items[0].values));
    cr_assert_eq(series_hash(reduced.columns.items[0].values), series_hash(early.columns.items[0].values));
    cr_assert_eq(reduced.rows.n, early.rows.n);
    cr_assert_arr_eq(reduced.slots.items, early.slots.items, early.slots.n * sizeof(int64_t));
    cr_assert_eq(site_table_settle(&reduced, false), REFRAIN_OK);
    cr_assert_eq(site_table_settle(&early, false), REFRAIN_OK);
    cr_assert_eq(grammar_rules(reduced.stream.grammar, &late_rules), REFRAIN_OK);
    cr_assert_eq(grammar_rules(early.stream.grammar, &early_rules), REFRAIN_OK);
    cr_assert(rules_equal(late_rules, early_rules));
    rules_free(late_rules);
    rules_free(early_rules);
    site_table_free(&late);
    site_table_free(&early);
    site_table_free(&reduced);
}

Test(lane, memory_of_a_steady_loop_does_not_grow)
{
    struct lane *l = make_lane(2, true);
    size_t bytes = 0;
    for (int i = 0; i < 100000; i++) {
        record(l, 0, 1, i, i % 4);
        record(l, 1, 2, 3, 4);
        if (i == 1000)
            bytes = lane_bytes(l);
    }
    cr_assert_gt(bytes, 0);
    cr_assert_leq(lane_bytes(l), bytes + bytes / 8);
    lane_free(l);
}

/* Neighbours repeat in every iteration, and their numbers depend on the rank, so they belong in
 * rows. */
Test(lane, many_neighbours_in_a_loop_stay_rows)
{
    enum { NEIGHBOURS = 26 };
    struct lane *l = make_lane(1, true);
    for (int i = 0; i < 40; i++)
        for (int k = 0; k < NEIGHBOURS; k++)
            record(l, 0, 8, RANK + k, 3);
    struct trace t = store(l);
    cr_assert_eq(group_of(&t, 0)->rows.n, NEIGHBOURS);
    cr_assert_eq(t.columns.n, 0);
    trace_free(&t);
    lane_free(l);
}

/* Twelve calls, all different: no counter, and few enough to be rows. */
Test(lane, irregular_values_of_a_short_run_stay_rows)
{
    static const int64_t values[] = {9, 1, 77, 5, 6, 40, 2, 3, 90, 8, 21, 60};
    struct lane *l = make_lane(1, true);
    for (size_t i = 0; i < 12; i++)
        record(l, 0, 8, values[i], 3);
    struct trace t = store(l);
    cr_assert_eq(group_of(&t, 0)->rows.n, 12);
    cr_assert_eq(t.columns.n, 0);
    trace_free(&t);
    lane_free(l);
}

/* Slots are compared four at a time: the difference may be in any of the four, or in the rest at
 * the end. */
Test(lane, rows_differ_in_any_slot)
{
    for (uint32_t n = 1; n <= 9; n++) {
        for (uint32_t k = 0; k < n; k++) {
            int64_t slots[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
            struct lane *l = make_lane(1, true);
            cr_assert_eq(lane_record(l, 0, slots, n, 0, 1), REFRAIN_OK);
            cr_assert_eq(lane_record(l, 0, slots, n, 0, 1), REFRAIN_OK);
            slots[k] ^= INT64_MIN;
            cr_assert_eq(lane_record(l, 0, slots, n, 0, 1), REFRAIN_OK);
            struct trace t = store(l);
            cr_assert_eq(group_of(&t, 0)->rows.n, 2, "slot %u of %u", k, n);
            for (uint64_t call = 0; call < 3; call++) {
                const int64_t own = call < 2 ? (int64_t)k + 1 : slots[k];
                cr_assert_eq(value_of(&t, group_of(&t, 0), call, k), own);
            }
            trace_free(&t);
            lane_free(l);
        }
    }
}

/* A row with fewer slots is another row, even if it begins in the same way; so is the longer row
 * after it. */
Test(lane, a_shorter_row_is_no_repetition)
{
    const int64_t slots[] = {1, 2, 3, 4, 5};
    struct lane *l = make_lane(1, false);
    for (uint32_t i = 0; i < 6; i++)
        cr_assert_eq(lane_record(l, 0, slots, i % 2 ? 4 : 5, 0, 0), REFRAIN_OK);
    struct trace t = store(l);
    cr_assert_eq(group_of(&t, 0)->rows.n, 2);
    cr_assert_eq(lane_calls(l), 6);
    trace_free(&t);
    lane_free(l);
}
