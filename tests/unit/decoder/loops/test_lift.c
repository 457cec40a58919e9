/* SPDX-License-Identifier: BSD-3-Clause */
/* Models lifted from traces expand to the calls, and their size does not grow with the number of
 * calls. */
#include <criterion/criterion.h>

#include <string.h>

#include "decoder/loops/lift.h"
#include "tests/unit/support/loop_models.h"
#include "tests/unit/support/polling.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/site_calls.h"
#include "tests/unit/support/synthetic.h"

static void check_lanes(const struct trace *t, const char *name)
{
    const struct definitions none = {0};
    uint32_t *order = malloc((t->shapes.n + 1) * sizeof *order);
    cr_assert(order);
    for (size_t i = 0; i < t->shapes.n; i++)
        order[i] = (uint32_t)i;
    const struct reader r = {.path = name, .trace = *t, .order = order};
    struct lane_ref lane;
    for (uint64_t rank = 0; reader_next_rank(&r, &rank); rank++) {
        for (size_t at = 0; reader_next_lane(&r, (uint32_t)rank, LANE_THREAD, &at, &lane);) {
            for (int mode = CALL_EVENT_MESSAGES; mode <= CALL_EVENT_CALLS; mode++)
                cr_assert_eq(loop_model_check(&r, &none, &lane, mode, NULL), REFRAIN_OK, "%s: rank %u", name,
                             lane.rank);
        }
    }
    free(order);
}

Test(lift, synthetic_programs)
{
    static const struct {
        const char *name;
        void (*program)(struct synthetic_rank *r);
        uint32_t ranks, dims;
    } programs[] = {
        {"periodic grid", synthetic_grid_periodic_loop, 27, 3},
        {"grid", synthetic_grid_null_loop, 16, 2},
        {"grid, if", synthetic_grid_if_loop, 16, 2},
        {"halo", synthetic_halo_periodic, 27, 3},
        {"halo, if", synthetic_halo_if, 16, 2},
        {"ring", synthetic_ring, 8, 1},
        {"xor", synthetic_xor, 16, 1},
        {"master", synthetic_master, 8, 1},
        {"irregular", synthetic_irregular, 4, 1},
        {"partners", synthetic_partners, 8, 1},
        {"wildcard", synthetic_wildcard, 4, 1},
        {"vector", synthetic_vector, 8, 1},
        {"turn", synthetic_turn, 9, 2},
        {"exchange", synthetic_exchange, 4, 1},
        {"pairs", synthetic_pairs, 4, 1},
        {"orders", synthetic_orders, 8, 1},
    };
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        const struct synthetic_run run =
            synthetic_run_on(programs[i].name, programs[i].program, programs[i].ranks, 50, programs[i].dims);
        struct trace t = {0};
        cr_assert_eq(synthetic_merge(&run, SYNTHETIC_BINOMIAL, 0, true, &t), REFRAIN_OK);
        check_lanes(&t, programs[i].name);
        trace_free(&t);
    }
}

/* Loops of the shape, fillers and orders. */
Test(lift, programs_that_poll)
{
    for (size_t i = 0; i < POLLING_PROGRAMS; i++) {
        struct polling_calls calls = {0};
        polling_run(&calls, i, 0, polling_programs[i].turns);
        struct trace t = polling_record(&calls, 0);
        check_lanes(&t, "polling");
        trace_free(&t);
        polling_free(&calls);
    }
}

/* Streams, orders, fillers and columns of any kind. */
Test(lift, sites_at_random)
{
    for (unsigned seed = 0; seed < 600; seed++) {
        uint64_t state = random_seed(seed);
        struct site_calls s;
        site_calls_make(&s, &state, seed % SITE_VALUES);
        for (int mode = CALL_EVENT_MESSAGES; mode <= CALL_EVENT_CALLS; mode++)
            cr_assert_eq(loop_model_check(&s.reader, &s.definitions, &s.lane, mode, NULL), REFRAIN_OK,
                         "seed %u", seed);
        site_calls_free(&s);
    }
}

/* ---- long ones ------------------------------------------------------------------------------- */

/* `calls` calls, alternating between rows 0 and 1; the count grows by 3 in each call. */
static void make_long(struct site_calls *s, uint64_t calls)
{
    static const int64_t rows[2][SITE_SEND_SLOTS] = {{0, 1, 4, 1, 0}, {0, 1, 5, 1, 0}};
    const uint32_t first[] = {0, 2, 3};
    const struct rules_item items[] = {{0, 1}, {1, 1}, {RULES_REF | 0, calls / 2}};
    struct series *counts = series_create();
    site_calls_create(s, SITE_SEND, calls);
    site_calls_add_row(s, rows[0], SITE_SEND_SLOTS);
    site_calls_add_row(s, rows[1], SITE_SEND_SLOTS);
    cr_assert_eq(rules_create(2, first, items, &s->group->stream), REFRAIN_OK);
    cr_assert(counts);
    cr_assert_eq(series_append_run(counts, 7, 3, calls), REFRAIN_OK);
    site_calls_add_column(s, 0, counts);
    cr_assert_eq(trace_check(&s->trace), REFRAIN_OK);
}

static struct nlr *lift_calls_of(struct site_calls *s, struct event_templates *templates)
{
    struct call_event_source source;
    struct nlr *model = NULL;
    cr_assert_eq(call_event_source_create(&source, &s->reader, &s->definitions, CALL_EVENT_CALLS, templates),
                 REFRAIN_OK);
    cr_assert_eq(lift_lane(&source, &s->lane, 0, 0, &model), REFRAIN_OK);
    call_event_source_free(&source);
    return model;
}

/* 10^3, 10^6 … 10^18 calls give the same model, except for its count. */
Test(lift, calls_are_not_walked)
{
    uint64_t calls = 1000;
    for (int i = 0; i < 6; i++, calls *= 1000) {
        struct site_calls s;
        struct event_templates templates = {0};
        make_long(&s, calls);
        struct nlr *model = lift_calls_of(&s, &templates);
        cr_assert_eq(nlr_length(model), calls);
        cr_assert_eq(model->nodes.n, 3);
        cr_assert_eq(nlr_number(model, &model->nodes.items[0], 0)[0], calls / 2);
        for (uint64_t k = 0; k < 2; k++) { /* rank, count, dest: 7 + 6i to 4, and 10 + 6i to 5 */
            const uint64_t *count = nlr_number(model, &model->nodes.items[1 + k], 1);
            const uint64_t *dest = nlr_number(model, &model->nodes.items[1 + k], 2);
            cr_assert(count[0] == 7 + 3 * k && count[1] == 6);
            cr_assert(dest[0] == 4 + k && dest[1] == 0);
        }
        nlr_free(model);
        event_templates_free(&templates);
        site_calls_free(&s);
    }
}

/* A unit is four calls. By chance the counts of the first three calls are a loop in one unit,
 * which is the first or the last. */
static void check_coincidence(bool at_the_end)
{
    static const int64_t first[] = {1, 2, 3, 9}, step[] = {1, 2, 5, 1};
    enum { UNITS = 5000 };
    struct site_calls s;
    struct series *counts = series_create();
    const uint32_t rules[] = {0, 4, 5};
    const struct rules_item items[] = {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {RULES_REF | 0, UNITS}};
    size_t nodes;
    cr_assert(counts);
    site_calls_create(&s, SITE_SEND, 4 * UNITS);
    for (int64_t k = 0; k < 4; k++) {
        const int64_t row[SITE_SEND_SLOTS] = {0, 1, k == 3 ? 7 : 5, 1, 0};
        site_calls_add_row(&s, row, SITE_SEND_SLOTS);
    }
    for (int64_t i = 0; i < 4 * UNITS; i++) {
        const int64_t unit = at_the_end ? UNITS - 1 - i / 4 : i / 4;
        cr_assert_eq(series_append(counts, first[i % 4] + step[i % 4] * unit), REFRAIN_OK);
    }
    cr_assert_eq(rules_create(2, rules, items, &s.group->stream), REFRAIN_OK);
    site_calls_add_column(&s, 0, counts);
    cr_assert_eq(loop_model_check(&s.reader, &s.definitions, &s.lane, CALL_EVENT_CALLS, &nodes), REFRAIN_OK);
    cr_assert_leq(nodes, 16, "%zu nodes", nodes);
    site_calls_free(&s);
}

Test(lift, units_that_fit_later)
{
    check_coincidence(false);
}

Test(lift, a_last_unit_that_does_not_fit)
{
    check_coincidence(true);
}

/* 200 calls, whose counts have no order. */
Test(lift, what_has_no_structure_is_given_up)
{
    static const int64_t row[SITE_SEND_SLOTS] = {0, 1, 4, 1, 0};
    static const struct {
        size_t most;
        enum refrain_status status;
    } cases[] = {{0, REFRAIN_OK}, {1000, REFRAIN_OK}, {50, REFRAIN_ERR_USAGE}};
    struct site_calls s;
    struct series *counts = series_create();
    uint64_t state = random_seed(1);
    cr_assert(counts);
    site_calls_create(&s, SITE_SEND, 200);
    site_calls_add_row(&s, row, SITE_SEND_SLOTS);
    for (int i = 0; i < 200; i++)
        cr_assert_eq(series_append(counts, random_below(&state, 1000000)), REFRAIN_OK);
    site_calls_add_column(&s, 0, counts);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct event_templates templates = {0};
        struct call_event_source source;
        struct nlr *model = NULL;
        cr_assert_eq(
            call_event_source_create(&source, &s.reader, &s.definitions, CALL_EVENT_CALLS, &templates),
            REFRAIN_OK);
        cr_assert_eq(lift_lane(&source, &s.lane, 0, cases[i].most, &model), cases[i].status);
        nlr_free(model);
        call_event_source_free(&source);
        event_templates_free(&templates);
    }
    site_calls_free(&s);
}

/* A column contains values that have names: these are read call by call. */
Test(lift, names_of_numbers)
{
    static const int64_t row[SITE_SEND_SLOTS] = {1, 1, -6, 1, 0};
    for (int named = 0; named < 2; named++) {
        struct site_calls s;
        struct series *dest = series_create();
        size_t nodes;
        cr_assert(dest);
        site_calls_create(&s, SITE_SEND, 40);
        site_calls_add_row(&s, row, SITE_SEND_SLOTS);
        cr_assert_eq(series_append_run(dest, named ? 0 : 10, 1, 40), REFRAIN_OK);
        site_calls_add_column(&s, 2, dest);
        cr_assert_eq(loop_model_check(&s.reader, &s.definitions, &s.lane, CALL_EVENT_CALLS, &nodes),
                     REFRAIN_OK);
        cr_assert(named ? nodes > 4 : nodes == 2, "%zu nodes", nodes);
        site_calls_free(&s);
    }
}

/* The first message goes to MPI_PROC_NULL, the others have tags without a law. */
Test(lift, a_message_to_nobody_first)
{
    static const int64_t row[SITE_SSEND_SLOTS] = {1, 1, -2, 0, 1, 0};
    enum { CALLS = 60 };
    struct site_calls s;
    struct series *dest = series_create(), *tags = series_create();
    uint64_t state = random_seed(1);
    cr_assert(dest && tags);
    site_calls_create(&s, SITE_SSEND, CALLS);
    site_calls_add_row(&s, row, SITE_SSEND_SLOTS);
    for (int i = 0; i < CALLS; i++) {
        cr_assert_eq(series_append(dest, i == 0 ? 0 : 2 + (int64_t)random_below(&state, 50)), REFRAIN_OK);
        cr_assert_eq(series_append(tags, (int64_t)random_below(&state, 1000)), REFRAIN_OK);
    }
    site_calls_add_column(&s, 2, dest);
    site_calls_add_column(&s, 3, tags);
    cr_assert_eq(loop_model_check(&s.reader, &s.definitions, &s.lane, CALL_EVENT_MESSAGES, NULL), REFRAIN_OK);
    site_calls_free(&s);
}

/* A column's slot is a request in one row. In the other row, which has a longer name before it, it
 * is the number of requests. */
Test(lift, rows_of_different_places)
{
    static const int64_t request[] = {1, 'a', 3, 0, 1, 6, 0, 3, 1, 1, 1, ADDRESS_HEAP, 7, 64};
    static const int64_t count[] = {9, 'a', 'b', 3, 2, 1, 6, 0, 3, 1, 1, 1, ADDRESS_HEAP, 7, 64};
    enum { CALLS = 60 };
    const uint32_t first[] = {0, 2, 3};
    const struct rules_item items[] = {{0, 1}, {1, 1}, {RULES_REF | 0, CALLS / 2}};
    struct site_calls s;
    struct series *column = series_create();
    uint64_t state = random_seed(1);
    cr_assert(column);
    site_calls_create(&s, SITE_VALUES, CALLS);
    site_calls_add_row(&s, request, SITE_VALUES_SLOTS);
    site_calls_add_row(&s, count, SITE_VALUES_SLOTS + 1);
    for (int i = 0; i < CALLS; i++) {
        const int64_t value = i % 2 == 0 ? 100 + (int64_t)random_below(&state, 100) : 0;
        cr_assert_eq(series_append(column, value), REFRAIN_OK);
    }
    cr_assert_eq(rules_create(2, first, items, &s.group->stream), REFRAIN_OK);
    site_calls_add_column(&s, 3, column);
    cr_assert_eq(loop_model_check(&s.reader, &s.definitions, &s.lane, CALL_EVENT_CALLS, NULL), REFRAIN_OK);
    site_calls_free(&s);
}
