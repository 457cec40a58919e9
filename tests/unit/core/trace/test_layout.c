/* SPDX-License-Identifier: BSD-3-Clause */
#include "src/core/base/log.h"
#include "src/core/trace/functable.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdlib.h>
#include <string.h>

#define N(array) (sizeof(array) / sizeof(array)[0])

enum { RANK, COUNT, COMM, TEXT, TEXTS, STAT, ADDR };

static struct kind kinds[] = {
    {"RANK", VALUE_INT, "RANK", ""},
    {"POLY", VALUE_INT, "", ""},
    {"COMMUNICATOR", VALUE_HANDLE, "COMM", "comm"},
    {"STRING", VALUE_STRING, "", ""},
    {"ARGV", VALUE_STRINGS, "", ""},
    {"STATUS", VALUE_STATUS, "", ""},
    {"BUFFER", VALUE_ADDRESS, "", ""},
};

static struct param recv_params[] = {
    {"buf", ADDR, PARAM_OUT | PARAM_IN}, {"count", COUNT, PARAM_IN},
    {"source", RANK, PARAM_IN},          {"comm", COMM, PARAM_IN},
    {"status", STAT, PARAM_OUT},
};
static struct param spawn_params[] = {
    {"command", TEXT, PARAM_IN},
    {"argv", TEXTS, PARAM_IN},
    {"ranks", RANK, PARAM_IN | PARAM_ARRAY},
    {"argc", COUNT, PARAM_IN | PARAM_OUT | PARAM_NULLABLE},
    {"codes", COUNT, PARAM_OUT | PARAM_ARRAY},
    {"statuses", STAT, PARAM_OUT | PARAM_ARRAY},
};

static struct function functions[] = {
    {"MPI_Recv", COUNT + 1, N(recv_params), recv_params},
    {"MPI_Spawn", COUNT + 1, N(spawn_params), spawn_params},
    {"MPI_Nothing", 0, 0, NULL},
};

static struct functable table = {
    .kinds = {kinds, N(kinds), 0}, .functions = {functions, N(functions), 0}, .constants = {NULL, 0, 0}};

static const int64_t recv_row[] = {2, 8, 1, 3, 0, 2, 0, 1, 5, 0, 64, 0};
static const int64_t spawn_row[] = {
    3,  0x636261,                                     /* command: "abc" */
    2,  1,        'x', 9, 1, 2,                       /* argv: "x" and nine letters */
    3,  5,        6,   7,                             /* ranks */
    -1,                                               /* argc: null */
    0,                                                /* result */
    1,                                                /* argc is not null now … */
    4,                                                /* … as 4 */
    -2,                                               /* codes: unused */
    2,  0,        11,  0, 0, 0, 0, 1, 12, 0, 0, 0, 0, /* statuses */
};

Test(layout, recv)
{
    struct layout l;
    struct layout_item item;
    enum refrain_status status;
    static const struct {
        const char *name;
        enum layout_phase phase;
        int at;
        uint32_t n;
    } expected[] = {
        {"buf", LAYOUT_BEFORE, 0, 1},   {"count", LAYOUT_BEFORE, 1, 1}, {"source", LAYOUT_BEFORE, 2, 1},
        {"comm", LAYOUT_BEFORE, 3, 1},  {NULL, LAYOUT_RESULT, 4, 1},    {"buf", LAYOUT_AFTER, 5, 1},
        {"status", LAYOUT_AFTER, 6, 6},
    };
    layout_start(&l, &table, 0, recv_row, N(recv_row));
    for (size_t i = 0; i < N(expected); i++) {
        cr_assert(layout_next(&l, &item, &status));
        cr_assert_eq(item.phase, expected[i].phase);
        cr_assert_eq(item.slots, recv_row + expected[i].at);
        cr_assert_eq(item.n_slots, expected[i].n);
        cr_assert_eq(item.count, 1);
        cr_assert_eq(item.param == NULL, expected[i].name == NULL);
        cr_assert(!item.param || strcmp(item.param->name, expected[i].name) == 0);
    }
    cr_assert(!layout_next(&l, &item, &status));
    cr_assert_eq(status, REFRAIN_OK);
}

Test(layout, failed_call_ends_after_its_result)
{
    struct layout l;
    struct layout_item item;
    enum refrain_status status;
    unsigned n = 0;
    layout_start(&l, &table, 0, recv_row, 5);
    while (layout_next(&l, &item, &status))
        n++;
    cr_assert_eq(status, REFRAIN_OK);
    cr_assert_eq(n, 5);
}

Test(layout, strings_arrays_and_null)
{
    struct layout l;
    struct layout_item item;
    enum refrain_status status;
    static const struct {
        int at;
        int64_t count;
        uint32_t n;
    } expected[] = {
        {0, 1, 2},  {2, 1, 6}, {9, 3, 3}, {13, ARRAY_NULL, 0}, {13, 1, 1}, {15, 1, 1}, {17, ARRAY_UNUSED, 0},
        {18, 2, 12}};
    layout_start(&l, &table, 1, spawn_row, N(spawn_row));
    for (size_t i = 0; i < N(expected); i++) {
        cr_assert(layout_next(&l, &item, &status), "item %zu", i);
        cr_assert_eq(item.count, expected[i].count, "item %zu", i);
        cr_assert_eq(item.n_slots, expected[i].n, "item %zu", i);
        cr_assert_eq(item.slots - spawn_row, expected[i].at, "item %zu", i);
    }
    cr_assert(!layout_next(&l, &item, &status));
    cr_assert_eq(status, REFRAIN_OK);
}

Test(layout, nothing_at_all)
{
    struct layout l;
    struct layout_item item;
    enum refrain_status status;
    layout_start(&l, &table, 2, NULL, 0);
    cr_assert(!layout_next(&l, &item, &status));
    cr_assert_eq(status, REFRAIN_OK);
}

/* The program ended during the call: the row has only the part before the call. */
Test(layout, call_that_has_not_returned)
{
    struct layout l;
    struct layout_item item;
    enum refrain_status status;
    uint32_t n = 0;
    layout_start(&l, &table, 0, recv_row, 4);
    for (; layout_next(&l, &item, &status); n++)
        cr_assert_eq(item.phase, LAYOUT_BEFORE);
    cr_assert_eq(status, REFRAIN_OK);
    cr_assert_eq(n, 4);
}

/* MPI_IN_PLACE and similar constants take two slots. */
Test(layout, address_that_is_a_constant)
{
    static const int64_t row[] = {ADDRESS_CONSTANT, -1, 8, 1, 3, 15};
    struct layout l;
    struct layout_item item;
    enum refrain_status status;
    layout_start(&l, &table, 0, row, N(row));
    cr_assert(layout_next(&l, &item, &status));
    cr_assert_eq(item.n_slots, 2);
    cr_assert(layout_next(&l, &item, &status));
    cr_assert_str_eq(item.param->name, "count");
    cr_assert_eq(item.slots[0], 8);
    cr_assert_eq(layout_value_slots(VALUE_ADDRESS, row, 1), 2, "cut off");
    static const struct {
        int64_t form;
        uint32_t slots;
    } addresses[] = {
        {ADDRESS_UNKNOWN, 1}, {ADDRESS_STACK, 2},  {ADDRESS_STATIC, 3}, {ADDRESS_HEAP, 3},  {ADDRESS_MAP, 3},
        {ADDRESS_MPI, 3},     {ADDRESS_WINDOW, 3}, {ADDRESS_DEVICE, 4}, {ADDRESS_FORMS, 1}, {-1, 1},
        {INT64_MAX, 1}};
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++)
        cr_assert_eq(layout_value_slots(VALUE_ADDRESS, &addresses[i].form, 1), addresses[i].slots);
}

Test(layout, ranks)
{
    bool is_rank[N(spawn_row)];
    cr_assert_eq(layout_ranks(&table, 0, recv_row, N(recv_row), is_rank), REFRAIN_OK);
    for (size_t i = 0; i < N(recv_row); i++)
        cr_assert_eq(is_rank[i], i == 2 || i == 7, "slot %zu", i);
    cr_assert_eq(layout_ranks(&table, 1, spawn_row, N(spawn_row), is_rank), REFRAIN_OK);
    for (size_t i = 0; i < N(spawn_row); i++)
        cr_assert_eq(is_rank[i], (i >= 9 && i <= 11) || i == 19 || i == 25, "slot %zu", i);
}

/* The number of items that a row with one varying slot gives, and where they end. */
static unsigned items_with(uint32_t function, const int64_t *row, uint32_t n, uint32_t varying, uint32_t *end)
{
    bool varies[N(spawn_row)] = {false};
    struct layout l;
    struct layout_item item;
    enum refrain_status status = REFRAIN_OK;
    unsigned items = 0;
    varies[varying] = true;
    layout_start(&l, &table, function, row, n);
    while (!layout_is_undecided(&l, varies) && layout_next(&l, &item, &status))
        items++;
    cr_assert(l.at < n || status == REFRAIN_OK);
    *end = l.at;
    return items;
}

/* Which item of spawn_row begins where. Slots 0, 2, 8, … give a length and so decide about the
 * next items; in a list of strings, every slot is treated as one that decides. */
Test(layout, what_varies_ends_it_where_it_decides)
{
    static const uint32_t starts[] = {0, 2, 8, 12, 13, 14, 16, 17};
    static const bool decides[N(spawn_row)] = {
        [0] = true, [2] = true, [3] = true,  [4] = true,  [5] = true,  [6] = true,
        [7] = true, [8] = true, [12] = true, [14] = true, [16] = true, [17] = true};
    uint32_t end;
    for (uint32_t slot = 0; slot < N(spawn_row); slot++) {
        const unsigned items = items_with(1, spawn_row, N(spawn_row), slot, &end);
        if (!decides[slot]) {
            cr_expect(items == N(starts) && end == N(spawn_row), "slot %u", slot);
            continue;
        }
        cr_assert_lt(items, N(starts), "slot %u", slot);
        cr_expect(end == starts[items] && end <= slot, "slot %u", slot);
        cr_expect(items == N(starts) - 1 || slot < starts[items + 1], "slot %u", slot);
    }
    for (uint32_t slot = 0; slot < N(recv_row); slot++) {
        const bool form = slot == 0 || slot == 5; /* of an address, before the call and after it */
        cr_expect_eq(items_with(0, recv_row, N(recv_row), slot, &end), form ? slot : 7, "slot %u", slot);
        cr_expect_eq(end, form ? slot : N(recv_row), "slot %u", slot);
    }
}

static bool fits(uint32_t function, const int64_t *slots, uint32_t n)
{
    struct layout l;
    struct layout_item item;
    enum refrain_status status;
    int64_t sum = 0;
    unsigned errors = log_error_count();
    layout_start(&l, &table, function, slots, n);
    while (layout_next(&l, &item, &status)) {
        for (uint32_t i = 0; i < item.n_slots; i++)
            sum += item.slots[i] & 1; /* a sanitizer would see a read beyond the row */
    }
    cr_assert_geq(sum, 0);
    cr_assert_eq(log_error_count() - errors, status != REFRAIN_OK);
    return status == REFRAIN_OK;
}

/* Rows on the heap, as long as they are, cut anywhere, with wrong lengths. */
Test(layout, rows_that_do_not_fit, .init = cr_redirect_stderr)
{
    static const int64_t lies[] = {INT64_MAX, INT64_MIN, 1000, -1, -2, -16, 0, UINT32_MAX, (int64_t)1 << 62};
    for (uint32_t n = 0; n < N(spawn_row); n++) {
        int64_t *row = malloc(n * sizeof *row + 1);
        cr_assert(row);
        memcpy(row, spawn_row, n * sizeof *row);
        cr_assert_eq(fits(1, row, n), n == 13 || n == 14, "%u slots", n);
        for (uint32_t at = 0; at < n; at++) {
            for (size_t k = 0; k < N(lies); k++) {
                row[at] = lies[k];
                fits(1, row, n);
            }
            row[at] = spawn_row[at];
        }
        free(row);
    }
    cr_assert(!fits(9, recv_row, 3), "no such function");
    cr_assert(!fits(2, recv_row, 1), "too long");
}
