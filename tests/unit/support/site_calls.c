/* SPDX-License-Identifier: BSD-3-Clause */
#include "site_calls.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "src/core/grammar/grammar.h"

/* ---- the function table ---------------------------------------------------------------------- */

#define TEXT(s) ((char *)(s))

enum { ERROR_CODE, COUNT, DATATYPE, RANK, TAG, COMM, LOGICAL, STATUS, NAME, REQUEST, ADDRESS };
enum { IN = PARAM_IN, OUT = PARAM_OUT, INOUT = PARAM_IN | PARAM_OUT, ARRAY_OF = PARAM_ARRAY };

static struct kind kinds[] = {
    [ERROR_CODE] = {TEXT("ERROR_CODE"), VALUE_INT, TEXT("ERROR_CODE"), TEXT("")},
    [COUNT] = {TEXT("XFER_NUM_ELEM_NNI"), VALUE_INT, TEXT(""), TEXT("")},
    [DATATYPE] = {TEXT("DATATYPE"), VALUE_HANDLE, TEXT("DATATYPE"), TEXT("type")},
    [RANK] = {TEXT("RANK"), VALUE_INT, TEXT("RANK"), TEXT("")},
    [TAG] = {TEXT("TAG"), VALUE_INT, TEXT("TAG"), TEXT("")},
    [COMM] = {TEXT("COMMUNICATOR"), VALUE_HANDLE, TEXT("COMMUNICATOR"), TEXT("comm")},
    [LOGICAL] = {TEXT("LOGICAL"), VALUE_INT, TEXT(""), TEXT("")},
    [STATUS] = {TEXT("STATUS"), VALUE_STATUS, TEXT(""), TEXT("")},
    [NAME] = {TEXT("STRING"), VALUE_STRING, TEXT(""), TEXT("")},
    [REQUEST] = {TEXT("REQUEST"), VALUE_HANDLE, TEXT("REQUEST"), TEXT("req")},
    [ADDRESS] = {TEXT("BUFFER"), VALUE_ADDRESS, TEXT("ADDRESS"), TEXT("")},
};

static struct param send_params[] = {{TEXT("count"), COUNT, IN},
                                     {TEXT("datatype"), DATATYPE, IN},
                                     {TEXT("dest"), RANK, IN},
                                     {TEXT("comm"), COMM, IN}};
static struct param ssend_params[] = {{TEXT("count"), COUNT, IN},
                                      {TEXT("datatype"), DATATYPE, IN},
                                      {TEXT("dest"), RANK, IN},
                                      {TEXT("tag"), TAG, IN},
                                      {TEXT("comm"), COMM, IN}};
static struct param test_params[] = {{TEXT("flag"), LOGICAL, OUT}, {TEXT("status"), STATUS, OUT}};
static struct param values_params[] = {
    {TEXT("name"), NAME, IN}, {TEXT("requests"), REQUEST, INOUT | ARRAY_OF}, {TEXT("buf"), ADDRESS, OUT}};

static struct function functions[] = {
    [SITE_SEND] = {TEXT("MPI_Send"), ERROR_CODE + 1, 4, send_params},
    [SITE_SSEND] = {TEXT("MPI_Ssend"), ERROR_CODE + 1, 5, ssend_params},
    [SITE_TEST] = {TEXT("MPI_Test"), ERROR_CODE + 1, 2, test_params},
    [SITE_VALUES] = {TEXT("MPI_Values"), ERROR_CODE + 1, 3, values_params},
};

static struct constant constants[] = {
    {TEXT("RANK"), -2, TEXT("MPI_PROC_NULL")},
    {TEXT("RANK"), -1, TEXT("MPI_ANY_SOURCE")},
    {TEXT("RANK"), 3, TEXT("THREE")},
    {TEXT("RANK"), 3, TEXT("THREE_AGAIN")},
    {TEXT("ERROR_CODE"), 0, TEXT("MPI_SUCCESS")},
    {TEXT("REQUEST"), 0, TEXT("MPI_REQUEST_NULL")},
};

/* ---- by hand --------------------------------------------------------------------------------- */

static struct site only_site;

/* The start rule 0^calls. */
static struct rules *power(uint64_t calls)
{
    const uint32_t first[] = {0, 1};
    const struct rules_item item = {0, calls};
    struct rules *r = NULL;
    cr_assert_eq(rules_create(1, first, &item, &r), REFRAIN_OK);
    return r;
}

void site_calls_create(struct site_calls *s, enum site_calls_function function, uint64_t calls)
{
    static uint32_t order;
    struct trace *t = &s->trace;
    struct shape shape = {.kind = LANE_THREAD};
    struct entry entry = {0};
    struct group group = {0};
    *s = (struct site_calls){0};
    only_site.function = function;
    t->n_ranks = 1;
    t->functions.kinds.items = kinds;
    t->functions.kinds.n = sizeof kinds / sizeof kinds[0];
    t->functions.functions.items = functions;
    t->functions.functions.n = SITE_FUNCTIONS;
    t->functions.constants.items = constants;
    t->functions.constants.n = sizeof constants / sizeof constants[0];
    t->sites.items = &only_site;
    t->sites.n = 1;
    shape.ranks = series_single(0);
    shape.skeleton = power(calls);
    group.ranks = series_single(0);
    cr_assert(shape.ranks && group.ranks);
    cr_assert(array_push(&entry.groups, group));
    cr_assert(array_push(&shape.entries, entry));
    cr_assert(array_push(&t->shapes, shape));
    s->group = &t->shapes.items[0].entries.items[0].groups.items[0];
    s->lane = (struct lane_ref){.shape = &t->shapes.items[0]};

    cr_assert(array_push(&s->definitions.sizes, ((struct datatype_size){.handle = 1, .size = 8})));
    cr_assert(map_set(&s->definitions.by_handle, 1, 0));
    s->reader = (struct reader){.path = "made", .trace = *t, .order = &order};
}

void site_calls_add_row(struct site_calls *s, const int64_t *slots, uint32_t n)
{
    struct row row;
    cr_assert_eq(row_make(&row, n), REFRAIN_OK);
    row.timing = TIMING_NONE;
    for (uint32_t i = 0; i < n; i++)
        *row_slot_own(&row, i) = rankfn_single(slots[i], 0);
    cr_assert(array_push(&s->group->rows, row));
}

void site_calls_add_column(struct site_calls *s, uint32_t slot, struct series *series)
{
    const struct column column = {slot, rankfn_single((int64_t)s->trace.columns.n, 0)};
    cr_assert(series);
    cr_assert(array_push(&s->trace.columns, series));
    cr_assert(array_push(&s->group->columns, column));
    s->reader.trace = s->trace;
}

/* Static parts are not freed. */
void site_calls_free(struct site_calls *s)
{
    struct trace *t = &s->trace;
    memset(&t->functions, 0, sizeof t->functions);
    memset(&t->sites, 0, sizeof t->sites);
    definitions_free(&s->definitions);
    trace_free(t);
}

/* ---- at random ------------------------------------------------------------------------------- */

/* n values in loops, with steps up to `most`. */
static void make_values(uint64_t *state, int64_t *values, size_t n, uint32_t most, unsigned depth)
{
    const size_t body = 1 + random_below(state, (uint32_t)(n < 12 ? n : 12));
    const uint32_t range = 2 * most + 1;
    if (depth == 0 || random_below(state, 8) == 0) {
        for (size_t i = 0; i < n; i++)
            values[i] = random_below(state, range);
        return;
    }
    if (random_below(state, 4) == 0 && n > 8) { /* two parts */
        const size_t half = 1 + random_below(state, (uint32_t)n - 1);
        make_values(state, values, half, most, depth - 1);
        make_values(state, values + half, n - half, most, depth - 1);
        return;
    }
    int64_t steps[12];
    make_values(state, values, body, most, depth - 1);
    for (size_t i = 0; i < body; i++)
        steps[i] = random_below(state, 2) ? (int64_t)random_below(state, range) - (int64_t)most : 0;
    for (size_t i = body; i < n; i++)
        values[i] = values[i - body] + steps[i % body];
}

/* The values modulo `modulus`, unless that is 0. */
static struct series *make_series(uint64_t *state, size_t n, uint32_t most, uint32_t modulus)
{
    struct series *s = series_create();
    int64_t *values = malloc((n + 1) * sizeof *values);
    cr_assert(s && values);
    make_values(state, values, n, most, 4);
    for (size_t i = 0; i < n; i++) {
        const int64_t rest = modulus > 0 ? (int64_t)((uint64_t)values[i] % modulus) : values[i];
        cr_assert_eq(series_append(s, rest), REFRAIN_OK);
    }
    free(values);
    return s;
}

/* The numbers of n rows, as a stream or an order. */
static void make_rows(struct site_calls *s, uint64_t *state, size_t n, bool as_order)
{
    struct series *order = make_series(state, n, 3, (uint32_t)s->group->rows.n);
    struct series_cursor c;
    struct grammar *g = grammar_create();
    int64_t row;
    cr_assert(g);
    series_cursor_start(&c, order);
    while (series_cursor_next(&c, &row))
        cr_assert_eq(grammar_append(g, (uint32_t)row, 1), REFRAIN_OK);
    if (as_order) {
        site_calls_add_column(s, COLUMN_ORDER, order);
    } else {
        cr_assert_eq(grammar_rules(g, &s->group->stream), REFRAIN_OK);
        series_free(order);
    }
    grammar_free(g);
}

static void make_row(struct site_calls *s, uint64_t *state, enum site_calls_function function)
{
    const int64_t count = random_below(state, 100), flag = random_below(state, 4) > 0;
    const int64_t send[] = {count, 1, (int64_t)random_below(state, 6) - 2, 1, 0};
    const int64_t ssend[] = {count, 1, (int64_t)random_below(state, 6) - 2, 9, 1, 0};
    const int64_t test[] = {0,          flag, random_below(state, 4) == 0 ? STATUS_PARTIAL : 0, 3, count, 0,
                            count - 20, 0};
    const int64_t values[] = {1, 'a', 3, 2, 1, 6, 0, 3, 1, 1, 1, ADDRESS_HEAP, 7, count};
    if (function == SITE_SEND)
        site_calls_add_row(s, send, random_below(state, 6) == 0 ? SITE_SEND_SLOTS - 1 : SITE_SEND_SLOTS);
    else if (function == SITE_SSEND)
        site_calls_add_row(s, ssend, SITE_SSEND_SLOTS);
    else if (function == SITE_TEST)
        site_calls_add_row(s, test, SITE_TEST_SLOTS);
    else
        site_calls_add_row(s, values, SITE_VALUES_SLOTS);
}

/* Slots that may have a column, and how many values the column may have; 0: any number. */
static const struct candidate {
    uint32_t slot, values;
} candidates[SITE_FUNCTIONS][6] = {
    [SITE_SEND] = {{0, 0}, {2, 0}, {3, 0}, {UINT32_MAX, 0}},
    [SITE_SSEND] = {{0, 0}, {2, 0}, {3, 0}, {4, 0}, {UINT32_MAX, 0}},
    [SITE_TEST] = {{1, 2}, {3, 0}, {4, 0}, {6, 0}, {UINT32_MAX, 0}},
    /* a length, requests before and after the call, the form of an address (ADDRESS_HEAP …), an
     * offset */
    [SITE_VALUES] = {{0, 8}, {3, 0}, {8, 0}, {11, 4}, {13, 0}, {UINT32_MAX, 0}},
};

void site_calls_make(struct site_calls *s, uint64_t *state, enum site_calls_function function)
{
    const size_t inner = 1 + random_below(state, 300);
    struct series *fills = random_below(state, 3) == 0 ? make_series(state, inner, 2, 5) : NULL;
    uint64_t calls = inner, sum, most;
    if (fills) {
        cr_assert(series_total(fills, &sum, &most));
        calls += sum + random_below(state, 9);
    }
    site_calls_create(s, function, calls);
    for (uint32_t n = 1 + random_below(state, 4); n > 0; n--)
        make_row(s, state, function);
    for (const struct candidate *c = candidates[function]; c->slot != UINT32_MAX; c++) {
        if (random_below(state, 3) == 0)
            site_calls_add_column(s, c->slot, make_series(state, calls, 20, c->values));
    }
    if (fills || s->group->rows.n > 1 || random_below(state, 2))
        make_rows(s, state, inner, random_below(state, 3) == 0);
    if (fills)
        site_calls_add_column(s, COLUMN_FILLER, fills);
    cr_assert_eq(trace_check(&s->trace), REFRAIN_OK);
}
