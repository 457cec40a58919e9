/* SPDX-License-Identifier: BSD-3-Clause */
/* The constants that occur, compared with a search of all calls, one by one. */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "src/core/trace/constant_search.h"
#include "src/core/trace/lane_walk.h"
#include "src/core/trace/stream_walk.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/site_calls.h"

enum { EACH = 50, LEAST = -10, MOST_CONSTANTS = 600 };

/* For each set, EACH constants with values from LEAST on, and one more of value 0, which is hidden
 * by the first constant of that value. */
struct constants {
    struct constant items[MOST_CONSTANTS];
    bool occurs[MOST_CONSTANTS];
    size_t n;
};

static void make_constants(struct constants *c)
{
    static const char *sets[] = {"RANK",  "TAG",      "ERROR_CODE",   "REQUEST", "ADDRESS",
                                 "ARRAY", "DATATYPE", "COMMUNICATOR", "NOBODYS"};
    *c = (struct constants){.n = 0};
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
        for (int64_t value = LEAST; value < LEAST + EACH; value++)
            c->items[c->n++] = (struct constant){(char *)sets[s], value, (char *)"NAME"};
        c->items[c->n++] = (struct constant){(char *)sets[s], 0, (char *)"AGAIN"};
    }
}

static bool *place_of(struct constants *c, const char *set, int64_t value)
{
    for (size_t i = 0; i < c->n; i++) {
        if (c->items[i].value == value && strcmp(c->items[i].set, set) == 0)
            return &c->occurs[i];
    }
    return NULL;
}

static bool told(struct constants *c, const char *set, int64_t value)
{
    const bool *place = place_of(c, set, value);
    cr_assert(place);
    return *place;
}

static size_t count_told(const struct constants *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++)
        n += c->occurs[i];
    return n;
}

static void search(struct site_calls *s, struct constants *c)
{
    make_constants(c);
    cr_assert_eq(constant_search(&s->trace, c->items, c->n, c->occurs), REFRAIN_OK);
}

/* ---- call by call ---------------------------------------------------------------------------- */

static void mark(struct constants *c, const char *set, int64_t value)
{
    bool *place = place_of(c, set, value);
    if (place)
        *place = true;
}

static void mark_value(struct constants *c, const struct kind *kind, const int64_t *slots)
{
    switch ((enum value_type)kind->type) {
    case VALUE_INT:
        mark(c, kind->set, slots[0]);
        break;
    case VALUE_HANDLE:
        if (slots[0] & 1)
            mark(c, kind->set, slots[0] >> 1);
        break;
    case VALUE_ADDRESS:
        if (slots[0] == ADDRESS_CONSTANT)
            mark(c, kind->set, slots[1]);
        break;
    case VALUE_STATUS:
        if (!(slots[0] & STATUS_PARTIAL)) {
            mark(c, "RANK", slots[1]);
            mark(c, "TAG", slots[2]);
        }
        mark(c, "ERROR_CODE", slots[3]);
        break;
    default:
        break;
    }
}

static void mark_call(struct constants *c, const struct functable *table, uint32_t function,
                      const int64_t *slots, uint32_t n)
{
    struct layout l;
    struct layout_item item;
    enum refrain_status status;
    layout_start(&l, table, function, slots, n);
    while (layout_next(&l, &item, &status)) {
        uint32_t at = 0;
        for (int64_t i = 0; i < item.count; i++) {
            mark_value(c, item.kind, item.slots + at);
            at += layout_value_slots((enum value_type)item.kind->type, item.slots + at, item.n_slots - at);
        }
    }
    cr_assert_eq(status, REFRAIN_OK);
}

static void mark_calls(const struct site_calls *s, struct constants *c)
{
    const struct trace *t = &s->trace;
    const struct group *g = s->group;
    const uint64_t calls = rules_length(t->shapes.items[0].skeleton);
    struct series_cursor columns[8];
    struct stream_walk walk;
    uint32_t row;
    uint64_t count;
    make_constants(c);
    for (size_t k = 0; k < group_slot_columns(g); k++)
        series_cursor_start(&columns[k], t->columns.items[rankfn_at(&g->columns.items[k].series, 0, 0)]);
    cr_assert_eq(stream_walk_group(&walk, t, g, 0, 0, calls), REFRAIN_OK);
    while (stream_walk_next(&walk, &row, &count)) {
        for (; count > 0; count--) {
            int64_t slots[SITE_VALUES_SLOTS], value = 0;
            const struct row *r = &g->rows.items[row];
            for (uint32_t i = 0; i < r->n_slots; i++)
                slots[i] = rankfn_at(row_slot(r, i), 0, 0);
            for (size_t k = 0; k < group_slot_columns(g); k++) {
                cr_assert(series_cursor_next(&columns[k], &value));
                if (g->columns.items[k].slot < r->n_slots)
                    slots[g->columns.items[k].slot] += value;
            }
            mark_call(c, &t->functions, t->sites.items[0].function, slots, r->n_slots);
        }
    }
    stream_walk_stop(&walk);
}

Test(constant_search, nothing_that_a_call_has_is_missed)
{
    static struct constants searched, walked;
    size_t n_searched = 0, n_walked = 0;
    for (unsigned seed = 0; seed < 400; seed++) {
        uint64_t state = random_seed(seed);
        struct site_calls s;
        site_calls_make(&s, &state, (enum site_calls_function)(seed % SITE_FUNCTIONS));
        search(&s, &searched);
        mark_calls(&s, &walked);
        for (size_t i = 0; i < walked.n; i++)
            cr_assert(searched.occurs[i] || !walked.occurs[i], "seed %u: %s %ld", seed, walked.items[i].set,
                      (long)walked.items[i].value);
        /* in SITE_VALUES columns decide about lengths */
        if (seed % SITE_FUNCTIONS != SITE_VALUES) {
            n_searched += count_told(&searched);
            n_walked += count_told(&walked);
        }
        site_calls_free(&s);
    }
    cr_expect_lt(n_searched, n_walked + n_walked / 5, "%zu of %zu", n_searched, n_walked);
}

/* ---- by hand --------------------------------------------------------------------------------- */

static struct series *run(int64_t first, int64_t step, uint64_t n)
{
    struct series *s = series_create();
    cr_assert_eq(series_append_run(s, first, step, n), REFRAIN_OK);
    return s;
}

static struct series *list(const int64_t *values, size_t n)
{
    struct series *s = series_create();
    for (size_t i = 0; i < n; i++)
        cr_assert_eq(series_append(s, values[i]), REFRAIN_OK);
    return s;
}

/* The column has more values than could be walked. */
Test(constant_search, a_column_is_looked_at_once)
{
    static const int64_t slots[] = {1, 1, 5, 3, 1, 0};
    static struct constants c;
    struct site_calls s;
    site_calls_create(&s, SITE_SSEND, UINT64_C(1) << 50);
    site_calls_add_row(&s, slots, SITE_SSEND_SLOTS);
    site_calls_add_column(&s, 3, run(0, 7, UINT64_C(1) << 50));
    search(&s, &c);
    for (int64_t tag = LEAST; tag < LEAST + EACH; tag++)
        cr_expect_eq(told(&c, "TAG", tag), tag >= 3 && (tag - 3) % 7 == 0, "tag %ld", (long)tag);
    cr_expect(told(&c, "RANK", 5) && told(&c, "ERROR_CODE", 0) && told(&c, "DATATYPE", 0));
    cr_expect_eq(count_told(&c), 6 + 4, "tags, and one of each other set");
    site_calls_free(&s);
}

/* What is added to the column differs from row to row. */
Test(constant_search, rows_have_what_a_column_gives_each)
{
    static const int64_t one[] = {1, 1, 10, 3, 1, 0}, other[] = {1, 1, 20, 3, 1, 0}, values[] = {0, -12, 9};
    static const uint32_t first[] = {0, 2};
    static const struct rules_item items[] = {{0, 2}, {1, 1}};
    static struct constants c;
    struct site_calls s;
    site_calls_create(&s, SITE_SSEND, 3);
    site_calls_add_row(&s, one, SITE_SSEND_SLOTS);
    site_calls_add_row(&s, other, SITE_SSEND_SLOTS);
    cr_assert_eq(rules_create(1, first, items, &s.group->stream), REFRAIN_OK);
    site_calls_add_column(&s, 2, list(values, 3));
    search(&s, &c);
    cr_expect(told(&c, "RANK", 10) && told(&c, "RANK", -2) && told(&c, "RANK", 29));
    cr_expect(!told(&c, "RANK", 0) && !told(&c, "RANK", 9));
    site_calls_free(&s);
}

/* Symbols of requests are even; the handle of a constant lies between two of them. */
Test(constant_search, a_handle_between_others_is_none_of_them)
{
    static const int64_t slots[] = {1, 'a', 3, 2, 1, 6, 0, 3, 1, 1, 1, ADDRESS_CONSTANT, 4};
    static struct constants c;
    struct site_calls s;
    site_calls_create(&s, SITE_VALUES, 100);
    site_calls_add_row(&s, slots, sizeof slots / sizeof slots[0]);
    site_calls_add_column(&s, 3, run(0, 2, 100));
    search(&s, &c);
    cr_expect(told(&c, "REQUEST", 0), "of another slot");
    for (int64_t request = 1; request < LEAST + EACH; request++)
        cr_expect(!told(&c, "REQUEST", request));
    cr_expect(told(&c, "ADDRESS", 4));
    cr_expect_eq(count_told(&c), 3);
    site_calls_free(&s);
}

/* The slot has no form of an address in the row, but in one value of the column: the next slot is
 * a constant only in that call. */
Test(constant_search, what_comes_behind_a_column_that_decides_may_be_anything)
{
    static const int64_t slots[] = {1, 'a', 3, 2, 4, 6, 0, 3, 8, 8, 8, 0, 5},
                         forms[] = {ADDRESS_STACK, ADDRESS_CONSTANT, ADDRESS_STACK};
    static struct constants c;
    struct site_calls s;
    site_calls_create(&s, SITE_VALUES, 3);
    site_calls_add_row(&s, slots, sizeof slots / sizeof slots[0]);
    site_calls_add_column(&s, 11, list(forms, 3));
    search(&s, &c);
    cr_expect(told(&c, "ADDRESS", 5));
    cr_expect(!told(&c, "REQUEST", 4), "it is before the column");
    cr_expect(!told(&c, "NOBODYS", 5));
    site_calls_free(&s);
}

/* Source and tag of a partial status have no meaning and are not searched. */
Test(constant_search, partial_statuses)
{
    static const int64_t slots[] = {0, 1, STATUS_PARTIAL, 7, 8, 9, 0, 0}, values[] = {-3, 5, 5};
    static struct constants c;
    struct site_calls s;
    site_calls_create(&s, SITE_TEST, 3);
    site_calls_add_row(&s, slots, SITE_TEST_SLOTS);
    site_calls_add_column(&s, 5, list(values, 3));
    search(&s, &c);
    cr_expect(told(&c, "ERROR_CODE", 0) && told(&c, "ERROR_CODE", 6) && told(&c, "ERROR_CODE", 14));
    cr_expect_eq(count_told(&c), 3);
    site_calls_free(&s);
}

static struct kind *kind_of(struct site_calls *s, const char *name)
{
    struct kind *k = s->trace.functions.kinds.items;
    while (strcmp(k->name, name) != 0)
        k++;
    return k;
}

Test(constant_search, flags_are_told_bit_by_bit)
{
    static const int64_t slots[] = {1, 1, 5, 6, 1, 0}, values[] = {0, 1, 1};
    static struct constants c;
    struct site_calls s;
    site_calls_create(&s, SITE_SSEND, 3);
    site_calls_add_row(&s, slots, SITE_SSEND_SLOTS);
    kind_of(&s, "TAG")->type = VALUE_FLAGS;
    search(&s, &c);
    for (int64_t flag = LEAST; flag < LEAST + EACH; flag++)
        cr_expect_eq(told(&c, "TAG", flag), flag != 0 && (6 & flag) == flag, "flag %ld", (long)flag);
    site_calls_add_column(&s, 3, list(values, 3));
    memset(c.occurs, 0, sizeof c.occurs);
    cr_assert_eq(constant_search(&s.trace, c.items, c.n, c.occurs), REFRAIN_OK);
    cr_expect(told(&c, "TAG", 1) && told(&c, "TAG", 7), "of a column all");
    cr_expect(!told(&c, "TAG", 0));
    site_calls_free(&s);
}

/* A sentinel in place of an array. */
Test(constant_search, arrays_that_are_constants)
{
    static const int64_t slots[] = {1, 'a', ARRAY_CODE - 6, 0, ARRAY_NULL, ADDRESS_UNKNOWN};
    static struct constants c;
    struct site_calls s;
    site_calls_create(&s, SITE_VALUES, 1);
    site_calls_add_row(&s, slots, sizeof slots / sizeof slots[0]);
    search(&s, &c);
    cr_expect(told(&c, "ARRAY", 6) && told(&c, "ERROR_CODE", 0));
    cr_expect_eq(count_told(&c), 2);
    site_calls_free(&s);
}
