/* SPDX-License-Identifier: BSD-3-Clause */
/* The scan finds constructs where expanding the model finds them, and events where walking the
 * calls finds them. */
#include <criterion/criterion.h>

#include "decoder/loops/event_lane.h"
#include "decoder/scan/scan.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"
#include "tests/unit/support/model_program.h"
#include "tests/unit/support/polling.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/scan_checks.h"
#include "tests/unit/support/site_calls.h"
#include "tests/unit/support/synthetic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- nests at random ------------------------------------------------------------------------- */

enum { PROCESSES = 3 };

struct nest {
    struct arena arena;
    uint64_t state;
    bool below_zero; /* bounds may be below zero */
};

static struct construct *make_event(struct nest *n, uint32_t depth)
{
    struct construct *c = arena_array(&n->arena, 1, sizeof *c);
    const uint32_t acts = 1 + random_below(&n->state, PROCESSES);
    c->depth = depth;
    c->acts = arena_array(&n->arena, acts, sizeof *c->acts);
    c->n_acts = acts;
    for (uint32_t k = 0; k < acts; k++)
        c->acts[k].process = (k + random_below(&n->state, 2)) % PROCESSES;
    return c;
}

static struct system *make_system(struct nest *n, uint32_t depth)
{
    struct construct_list list = {0};
    const uint32_t items = 1 + random_below(&n->state, depth == 0 ? 4 : 3);
    for (uint32_t i = 0; i < items; i++) {
        uint64_t count[8] = {1 + random_below(&n->state, 4)};
        struct construct *c;
        if (depth >= 3 || random_below(&n->state, 2) == 0) {
            c = make_event(n, depth);
        } else {
            for (uint32_t d = 0; d < depth; d++) {
                count[1 + d] = random_below(&n->state, 3);
                count[0] -= n->below_zero ? random_below(&n->state, 3) : 0;
                if (n->below_zero && random_below(&n->state, 3) == 0)
                    count[1 + d] = (uint64_t)-1;
            }
            c = construct_loop(&n->arena, depth, count, make_system(n, depth + 1));
        }
        cr_assert(c && array_push(&list.all, c));
    }
    struct system *s = system_of(&n->arena, &list);
    array_free(&list.all);
    return s;
}

static void check_nests(bool below_zero, size_t *polynomials, size_t *others)
{
    for (unsigned seed = 0; seed < 400; seed++) {
        struct nest n = {.state = random_seed(seed), .below_zero = below_zero};
        const struct system *top = make_system(&n, 0);
        for (uint32_t process = 0; process < PROCESSES; process++)
            cr_assert_eq(occurrences_check(top, process, polynomials, others), REFRAIN_OK, "seed %u", seed);
        arena_free(&n.arena);
    }
}

Test(scan, nests_have_polynomials)
{
    size_t polynomials = 0, others = 0;
    check_nests(false, &polynomials, &others);
    cr_assert(polynomials > 1000 && others == 0, "%zu, %zu", polynomials, others);
}

/* … and where some have none, these are counted. */
Test(scan, bounds_below_zero)
{
    size_t polynomials = 0, others = 0;
    check_nests(true, &polynomials, &others);
    cr_assert(polynomials > 1000 && others > 100, "%zu, %zu", polynomials, others);
}

/* A million times a thousand iterations: they are not counted one by one. */
Test(scan, large_nests)
{
    struct nest n = {.state = random_seed(1)};
    struct construct_list inner = {0}, outer = {0};
    struct construct_range range;
    struct occurrences o;
    struct construct *event = make_event(&n, 2);
    int64_t position;
    event->acts[0].process = 0;
    cr_assert(array_push(&inner.all, event));
    struct construct *loop = construct_loop(&n.arena, 1, (uint64_t[]){1000, 3}, system_of(&n.arena, &inner));
    cr_assert(loop && array_push(&outer.all, loop));
    struct construct_list top = {0};
    struct construct *around =
        construct_loop(&n.arena, 0, (uint64_t[]){1000000}, system_of(&n.arena, &outer));
    cr_assert(around && array_push(&top.all, around));
    const struct system *s = system_of(&n.arena, &top);
    cr_assert_eq(construct_range_find(s, "1.1.1", &range), REFRAIN_OK);
    cr_assert_eq(occurrences_find(&o, s, &range.first, OCCURRENCE_EVENT, 0), REFRAIN_OK);
    cr_assert(occurrences_are_polynomial(&o));
    cr_assert(polynomial_value(&o.position, (uint64_t[]){999999, 5}, &position));
    /* 999999 * 1000 + 3 * 999999 * 999998 / 2 + 5 */
    cr_assert_eq(position, INT64_C(1500995499008), "%lld", (long long)position);
    occurrences_free(&o);
    cr_assert_neq(occurrences_find(&o, s, &range.first, OCCURRENCE_START, 0), REFRAIN_OK,
                  "an event has no start");
    occurrences_free(&o);
    array_free(&inner.all);
    array_free(&outer.all);
    array_free(&top.all);
    arena_free(&n.arena);
}

/* ---- models ---------------------------------------------------------------------------------- */

Test(scan, models_of_programs)
{
    struct program p = {0};
    for (unsigned i = 0; i < 12; i++) {
        program_say(&p, "0 local begin");
        for (unsigned k = 0; k < 5 + i; k++) {
            program_say(&p, "0 send 1 tag5");
            program_say(&p, "1 recv 0 tag5");
            if (i < 6)
                program_say(&p, "1 local half");
        }
        program_say(&p, "1 send 2 tag%u", i);
        program_say(&p, "2 recv 1 tag%u", i);
    }
    program_model(&p);
    size_t polynomials = 0, others = 0;
    for (uint32_t i = 0; i < p.model.processes.n; i++) {
        cr_assert_eq(occurrences_check(p.model.all, i, &polynomials, &others), REFRAIN_OK);
        cr_assert_eq(occurrences_check(p.model.processes.items[i].own, i, &polynomials, &others), REFRAIN_OK);
    }
    cr_assert_gt(polynomials, 30);
    program_end(&p);
}

/* ---- events of lanes ------------------------------------------------------------------------- */

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
                cr_assert_eq(event_lane_check(&r, &none, &lane, mode), REFRAIN_OK, "%s: rank %u", name,
                             lane.rank);
        }
    }
    free(order);
}

Test(scan, synthetic_programs)
{
    static const struct {
        const char *name;
        void (*program)(struct synthetic_rank *r);
        uint32_t ranks, dims;
    } programs[] = {
        {"grid", synthetic_grid_null_loop, 16, 2}, {"halo, if", synthetic_halo_if, 16, 2},
        {"master", synthetic_master, 8, 1},        {"irregular", synthetic_irregular, 4, 1},
        {"wildcard", synthetic_wildcard, 4, 1},    {"orders", synthetic_orders, 8, 1},
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

Test(scan, programs_that_poll)
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

Test(scan, sites_at_random)
{
    for (unsigned seed = 0; seed < 400; seed++) {
        uint64_t state = random_seed(seed);
        struct site_calls s;
        site_calls_make(&s, &state, seed % SITE_VALUES);
        for (int mode = CALL_EVENT_MESSAGES; mode <= CALL_EVENT_CALLS; mode++)
            cr_assert_eq(event_lane_check(&s.reader, &s.definitions, &s.lane, mode), REFRAIN_OK, "seed %u",
                         seed);
        site_calls_free(&s);
    }
}

/* Two calls to a rank and one to MPI_PROC_NULL, 10^3 … 10^15 times: event e belongs to call 3 (e /
 * 2) + e % 2. */
Test(scan, events_are_not_walked_to)
{
    static const int64_t rows[2][SITE_SEND_SLOTS] = {{0, 1, 4, 1, 0}, {0, 1, -2, 1, 0}};
    static const uint32_t first[] = {0, 2, 3};
    for (uint64_t times = 1000; times <= UINT64_C(1000000000000000); times *= 1000) {
        const struct rules_item items[] = {{0, 2}, {1, 1}, {RULES_REF | 0, times}};
        struct site_calls s;
        struct event_templates templates = {0};
        struct call_event_source source;
        struct event_lane l;
        uint64_t state = random_seed(1);
        site_calls_create(&s, SITE_SEND, 3 * times);
        site_calls_add_row(&s, rows[0], SITE_SEND_SLOTS);
        site_calls_add_row(&s, rows[1], SITE_SEND_SLOTS);
        cr_assert_eq(rules_create(2, first, items, &s.group->stream), REFRAIN_OK);
        cr_assert_eq(
            call_event_source_create(&source, &s.reader, &s.definitions, CALL_EVENT_MESSAGES, &templates),
            REFRAIN_OK);
        cr_assert_eq(event_lane_start(&l, &source, &s.lane), REFRAIN_OK);
        cr_assert_eq(l.position.events, 2 * times);
        for (int i = 0; i < 1000; i++) {
            const uint64_t far =
                (uint64_t)random_below(&state, UINT32_MAX) << 31 | random_below(&state, 1u << 31);
            const uint64_t event = i == 0 ? 2 * times - 1 : far % (2 * times);
            cr_assert_eq(event_lane_seek(&l, event), REFRAIN_OK);
            cr_assert_eq(l.call.index, 3 * (event / 2) + event % 2);
        }
        cr_assert_neq(event_lane_seek(&l, 2 * times), REFRAIN_OK, "there are no more");
        event_lane_stop(&l);
        call_event_source_free(&source);
        event_templates_free(&templates);
        site_calls_free(&s);
    }
}

/* for 10 { for 4 - i0 { a } b }: from the fifth iteration on the inner loop is empty. Positions
 * after it have no polynomials, which is reported. */
Test(scan, what_has_no_polynomial)
{
    struct nest n = {.state = random_seed(1)};
    struct construct_list inner = {0}, outer = {0}, top = {0};
    struct model m = {0};
    struct scan s = {0};
    struct output out = {0};
    struct construct *a = make_event(&n, 2), *b = make_event(&n, 1);
    a->acts[0].process = b->acts[0].process = 0;
    cr_assert(array_push(&inner.all, a));
    struct construct *loop =
        construct_loop(&n.arena, 1, (uint64_t[]){4, (uint64_t)-1}, system_of(&n.arena, &inner));
    cr_assert(loop && array_push(&outer.all, loop) && array_push(&outer.all, b));
    struct construct *around = construct_loop(&n.arena, 0, (uint64_t[]){10}, system_of(&n.arena, &outer));
    cr_assert(around && array_push(&top.all, around));
    const struct system *system = system_of(&n.arena, &top);
    cr_assert(array_push(&m.processes, ((struct model_process){.rank = 7})));

    cr_assert_eq(scan_add(&s, &m, 0, system, "1.2", NULL), REFRAIN_OK);
    cr_assert_eq(scan_put_positions(&s, &out), REFRAIN_OK);
    static const char none[] = "# rank 7\n# no polynomial: ";
    cr_assert(out.text.n > sizeof none && memcmp(out.text.data, none, sizeof none - 1) == 0);
    out.text.n = 0;
    const unsigned errors = log_error_count();
    cr_assert_eq(scan_put_c(&s, &out), REFRAIN_ERR_USAGE);
    cr_assert(log_error_count() == errors + 1 && out.text.n == 0);
    scan_free(&s);

    s = (struct scan){0};
    const enum occurrence_point start = OCCURRENCE_START;
    cr_assert_eq(scan_add(&s, &m, 0, system, "1", &start), REFRAIN_OK);
    cr_assert(!occurrences_are_polynomial(&s.parts.items[0].occurrences), "how many are inside is not known");
    size_t others = 0;
    cr_assert_eq(occurrences_check(system, 0, NULL, &others), REFRAIN_OK);
    cr_assert_gt(others, 0);
    scan_free(&s);
    array_free(&m.processes);
    array_free(&inner.all);
    array_free(&outer.all);
    array_free(&top.all);
    bytes_free(&out.text);
    arena_free(&n.arena);
}

/* ---- long ranges ----------------------------------------------------------------------------- */

/* code that visits all earlier items, or all others, does not finish in time */
enum { LONG = 50000 };

/* One after the other, each in two processes. */
static const struct system *make_long(struct nest *n)
{
    struct construct_list list = {0};
    for (size_t i = 0; i < LONG; i++) {
        struct construct *c = arena_array(&n->arena, 1, sizeof *c);
        struct act *acts = arena_array(&n->arena, 2, sizeof *acts);
        cr_assert(c && acts && array_push(&list.all, c));
        acts[1].process = 1;
        *c = (struct construct){.acts = acts, .n_acts = 2};
    }
    const struct system *s = system_of(&n->arena, &list);
    cr_assert(s);
    array_free(&list.all);
    return s;
}

/* The positions are more than the buffer of the output holds. */
static void check_positions(const struct scan *s, const struct bytes *expected)
{
    char path[] = "/tmp/refrain-positions.XXXXXX", *text = malloc(expected->n + 1);
    struct output out;
    const int fd = mkstemp(path);
    cr_assert(fd >= 0);
    close(fd);
    cr_assert_eq(output_open(&out, path), REFRAIN_OK);
    cr_assert_eq(output_end(&out, scan_put_positions(s, &out)), REFRAIN_OK);
    FILE *file = fopen(path, "r");
    cr_assert(text && file && fread(text, 1, expected->n + 1, file) == expected->n);
    cr_assert(memcmp(text, expected->data, expected->n) == 0);
    fclose(file);
    unlink(path);
    free(text);
}

Test(scan, long_ranges, .timeout = 600)
{
    struct nest n = {0};
    struct model m = {0};
    struct scan s = {0};
    struct output out = {0};
    struct bytes expected = {0};
    const struct system *top = make_long(&n);
    for (uint32_t i = 0; i < 2; i++) {
        cr_assert(array_push(&m.processes, ((struct model_process){.rank = 7 + i})));
        cr_assert_eq(scan_add(&s, &m, i, top, "1-50000", NULL), REFRAIN_OK);
    }
    cr_assert_eq(s.parts.n, 2 * LONG);

    for (unsigned i = 0; i < LONG; i++)
        text_printf(&expected, "# ranks 7-8, construct %u\nevent %u\n", i + 1, i);
    check_positions(&s, &expected);

    static const char function[] = "static void scan_", last[] = "{8, 0, \"50000\", scan_49999},\n};\n";
    size_t functions = 0;
    cr_assert_eq(scan_put_c(&s, &out), REFRAIN_OK);
    cr_assert(memmem(out.text.data, out.text.n, last, sizeof last - 1), "as that of rank 7");
    for (size_t i = 0; i + sizeof function <= out.text.n; i++)
        functions += memcmp(out.text.data + i, function, sizeof function - 1) == 0;
    cr_assert_eq(functions, LONG);
    scan_free(&s);
    array_free(&m.processes);
    bytes_free(&out.text);
    bytes_free(&expected);
    arena_free(&n.arena);
}
