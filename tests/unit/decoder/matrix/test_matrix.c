/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "decoder/loops/lift.h"
#include "decoder/matrix/group_sends.h"
#include "decoder/matrix/matrix_grid.h"
#include "decoder/matrix/matrix_text.h"
#include "tests/unit/support/effort.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/spoken.h"

#include <string.h>

/* The calls of a test, and the messages that they send. */
struct told {
    struct spoken spoken;
    uint64_t messages[SPOKEN_RANKS][SPOKEN_RANKS], bytes[SPOKEN_RANKS][SPOKEN_RANKS];
};

static void tell(struct told *t, uint32_t from, int64_t to, int64_t count)
{
    if (to == NULL_RANK)
        return;
    t->messages[from][to]++;
    t->bytes[from][to] += 8 * (uint64_t)count;
}

static void say_send(struct told *t, uint32_t from, int64_t to, int64_t count, int64_t tag)
{
    SAY(&t->spoken, from, 0, SPOKEN_SEND, count, TYPE, to, tag, WORLD, 0);
    tell(t, from, to, count);
}

static void say_recv(struct told *t, uint32_t at, int64_t from, int64_t tag, int64_t count)
{
    SAY(&t->spoken, at, 0, SPOKEN_RECV, from, tag, WORLD, 0, STATUS(from, tag, 8 * count));
}

/* ---- comparing ------------------------------------------------------------------------------- */

static void expect_cells(const struct told *t, const struct matrix *m)
{
    size_t cells = 0;
    for (uint32_t from = 0; from < SPOKEN_RANKS; from++) {
        for (uint32_t to = 0; to < SPOKEN_RANKS; to++) {
            if (t->messages[from][to] == 0)
                continue;
            cr_assert_lt(cells, m->cells.n, "%u -> %u is missing", from, to);
            const struct matrix_cell *c = &m->cells.items[cells++];
            cr_assert(c->from == from && c->to == to, "%u -> %u instead of %u -> %u", c->from, c->to, from,
                      to);
            cr_assert_eq(c->messages, t->messages[from][to], "%u -> %u: %llu messages", from, to,
                         (unsigned long long)c->messages);
            cr_assert_eq(c->bytes, t->bytes[from][to], "%u -> %u: %llu bytes instead of %llu", from, to,
                         (unsigned long long)c->bytes, (unsigned long long)t->bytes[from][to]);
        }
    }
    cr_assert_eq(cells, m->cells.n);
    cr_assert_eq(m->unclear, 0);
}

static void lift_all(const struct told *t, struct event_templates *templates, struct loop_groups *groups)
{
    struct call_event_source source;
    struct lane_ref lane;
    groups->templates = templates;
    cr_assert_eq(call_event_source_create(&source, &t->spoken.reader, &t->spoken.definitions,
                                          CALL_EVENT_MESSAGES, templates),
                 REFRAIN_OK);
    for (uint64_t rank = 0; reader_next_rank(&t->spoken.reader, &rank); rank++) {
        for (size_t at = 0; reader_next_lane(&t->spoken.reader, (uint32_t)rank, LANE_THREAD, &at, &lane);) {
            struct nlr *model;
            cr_assert_eq(lift_lane(&source, &lane, 0, 0, &model), REFRAIN_OK);
            cr_assert_eq(loop_groups_add(groups, (uint32_t)rank, lane.shape->number, model), REFRAIN_OK);
        }
    }
    call_event_source_free(&source);
}

/* Compares constructs of a system one by one: together they send what their parent sends. */
static void add_constructs(const struct told *t, const struct model *model, const struct system *s,
                           struct construct_path *path, struct matrix *sum)
{
    for (size_t i = 0; i < s->n; i++) {
        struct matrix one;
        construct_path_set(path, s, i);
        const struct construct_range at = {.first = *path, .body = s, .n = 1};
        cr_assert_eq(matrix_of_constructs(&one, &t->spoken.reader, &t->spoken.definitions, model, &at),
                     REFRAIN_OK);
        cr_assert_eq(matrix_add_all(sum, &one, 1), REFRAIN_OK);
        if (construct_is_loop(s->items[i])) {
            struct matrix body = {0};
            add_constructs(t, model, s->items[i]->body, path, &body);
            matrix_finish(&body);
            cr_assert_eq(body.cells.n, one.cells.n);
            cr_assert(one.cells.n == 0 ||
                      memcmp(body.cells.items, one.cells.items, one.cells.n * sizeof *one.cells.items) == 0);
            cr_assert_eq(body.unclear, one.unclear);
            matrix_free(&body);
        }
        matrix_free(&one);
    }
}

static void add_range(const struct told *t, const struct model *model, size_t first, size_t n,
                      struct matrix *sum)
{
    struct construct_range range = {.body = model->all, .n = n};
    struct matrix m;
    construct_path_set(&range.first, model->all, first);
    cr_assert_eq(matrix_of_constructs(&m, &t->spoken.reader, &t->spoken.definitions, model, &range),
                 REFRAIN_OK);
    cr_assert_eq(matrix_add_all(sum, &m, 1), REFRAIN_OK);
    matrix_free(&m);
}

/* A range sends what its two halves send. */
static void check_ranges(const struct told *t, const struct model *model)
{
    const size_t n = model->all->n, half = n / 2;
    struct matrix whole = {0}, halves = {0};
    if (half == 0)
        return;
    add_range(t, model, 0, n, &whole);
    add_range(t, model, 0, half, &halves);
    add_range(t, model, half, n - half, &halves);
    matrix_finish(&whole);
    matrix_finish(&halves);
    cr_assert_eq(whole.cells.n, halves.cells.n);
    cr_assert(whole.cells.n == 0 ||
              memcmp(whole.cells.items, halves.cells.items, whole.cells.n * sizeof *whole.cells.items) == 0);
    cr_assert_eq(whole.unclear, halves.unclear);
    matrix_free(&halves);
    matrix_free(&whole);
}

/* Labelled messages: all labels together. */
static void check_labelled(const struct told *t)
{
    struct matrix_labels labels = {0};
    struct matrix m, sum = {0};
    cr_assert_eq(matrix_of_trace_labelled(&m, &labels, &t->spoken.reader, &t->spoken.definitions),
                 REFRAIN_OK);
    for (size_t i = 0; i < m.cells.n; i++) {
        const struct matrix_cell *c = &m.cells.items[i];
        cr_assert_lt(c->label, labels.items.n);
        cr_assert_eq(matrix_add(&sum, c->from, c->to, c->messages, c->bytes), REFRAIN_OK);
    }
    matrix_finish(&sum);
    expect_cells(t, &sum);
    matrix_free(&sum);
    matrix_free(&m);
    matrix_labels_free(&labels);
}

/* Compares the run with the constructs of its model together. */
static enum refrain_status take_sends(void *context, uint32_t from, uint32_t to, uint64_t messages,
                                      uint64_t bytes)
{
    return matrix_add(context, from, to, messages, bytes);
}

/* Compares the messages by groups of ranks, if these give all of them. */
static void check_groups(const struct told *t)
{
    struct matrix m = {0};
    bool all;
    cr_assert_eq(group_sends(&t->spoken.reader, &t->spoken.definitions, take_sends, &m, &all), REFRAIN_OK);
    matrix_finish(&m);
    if (all)
        expect_cells(t, &m);
    matrix_free(&m);
}

static void check(struct told *t, uint64_t unclear)
{
    struct event_templates templates = {0};
    struct loop_groups groups = {0};
    struct model model;
    struct construct_path path = {0};
    struct matrix m, sum = {0};
    spoken_end(&t->spoken);
    cr_assert_eq(matrix_of_trace(&m, &t->spoken.reader, &t->spoken.definitions, CALL_EVENT_SENT), REFRAIN_OK);
    expect_cells(t, &m);
    matrix_free(&m);
    check_labelled(t);
    check_groups(t);
    lift_all(t, &templates, &groups);
    cr_assert_eq(model_create(&model, &groups), REFRAIN_OK);
    add_constructs(t, &model, model.all, &path, &sum);
    matrix_finish(&sum);
    cr_assert_eq(sum.unclear, unclear);
    if (unclear == 0)
        expect_cells(t, &sum);
    matrix_free(&sum);
    check_ranges(t, &model);
    model_free(&model);
    loop_groups_free(&groups);
    event_templates_free(&templates);
    spoken_free(&t->spoken);
}

/* ---- programs -------------------------------------------------------------------------------- */

Test(matrix, a_loop_sends_as_often_as_it_comes)
{
    struct told t = {0};
    spoken_start(&t.spoken, 3);
    for (int i = 0; i < 1000; i++) {
        for (uint32_t rank = 0; rank < 3; rank++)
            say_send(&t, rank, rank == 2 ? NULL_RANK : (int)rank + 1, 10, i);
        for (uint32_t rank = 1; rank < 3; rank++)
            say_recv(&t, rank, rank - 1, i, 10);
    }
    say_send(&t, 2, 2, 3, 0);
    check(&t, 0);
}

/* Each tag of a site has its own label. */
Test(matrix, labels_tell_tags_apart)
{
    struct told t = {0};
    struct matrix_labels labels = {0};
    struct matrix m;
    spoken_start(&t.spoken, 2);
    for (int i = 0; i < 30; i++) {
        say_send(&t, 0, 1, 10, 5);
        if (i % 3 == 0)
            say_send(&t, 0, 1, 1, 6);
    }
    spoken_end(&t.spoken);
    cr_assert_eq(matrix_of_trace_labelled(&m, &labels, &t.spoken.reader, &t.spoken.definitions), REFRAIN_OK);
    cr_assert_eq(labels.items.n, 2);
    cr_assert_eq(m.cells.n, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct matrix_label *label = &labels.items.items[m.cells.items[i].label];
        cr_expect_eq(label->comm, WORLD);
        cr_expect_neq(label->site, MATRIX_NO_SITE);
        cr_expect_eq(m.cells.items[i].messages, label->tag == 5 ? 30 : 10);
        cr_expect_eq(m.cells.items[i].bytes, label->tag == 5 ? 2400 : 80);
        cr_expect(label->tag == 5 || label->tag == 6);
    }
    matrix_free(&m);
    matrix_labels_free(&labels);
    spoken_free(&t.spoken);
}

/* Do groups of ranks give the messages of all of them? What they give is right in any case. */
static bool groups_tell(struct told *t)
{
    struct matrix m = {0};
    bool all;
    spoken_end(&t->spoken);
    cr_assert_eq(group_sends(&t->spoken.reader, &t->spoken.definitions, take_sends, &m, &all), REFRAIN_OK);
    matrix_finish(&m);
    if (all)
        expect_cells(t, &m);
    matrix_free(&m);
    spoken_free(&t->spoken);
    return all;
}

/* A 4 x 2 grid, periodic or with MPI_PROC_NULL beyond the border; sizes are the same on all ranks,
 * or different. */
Test(matrix, groups_tell_stencils)
{
    for (int periodic = 0; periodic < 2; periodic++)
        for (int64_t more = 0; more < 2; more++) {
            struct told t = {0};
            spoken_start(&t.spoken, SPOKEN_RANKS);
            for (uint32_t rank = 0; rank < SPOKEN_RANKS; rank++)
                for (int i = 0; i < 5; i++) {
                    const int64_t at = rank,
                                  right = at % 4 < 3 ? at + 1
                                          : periodic ? at - 3
                                                     : NULL_RANK,
                                  left = at % 4 > 0 ? at - 1
                                         : periodic ? at + 3
                                                    : NULL_RANK;
                    say_send(&t, rank, right, 10 + more * (rank * rank % 5), 1);
                    say_send(&t, rank, left, 10, i);
                    say_send(&t, rank, (rank + 4) % 8, i % 2 + 1, 3);
                }
            cr_expect_eq(groups_tell(&t), more == 0, "%d %d", periodic, (int)more);
        }
}

/* A partner that differs from call to call, in another way on each rank, is either in rows or in a
 * column. */
Test(matrix, groups_tell_rows)
{
    struct told t = {0};
    spoken_start(&t.spoken, 2);
    for (int64_t i = 0; i < 40; i++)
        say_send(&t, 0, i * i % 7 % 2, 10, 0);
    cr_expect(groups_tell(&t), "two rows are two partners");
    t = (struct told){0};
    spoken_start(&t.spoken, SPOKEN_RANKS);
    for (int64_t i = 0; i < 400; i++)
        say_send(&t, 0, i % SPOKEN_RANKS, 10 + i, 0);
    cr_expect_not(groups_tell(&t), "sizes that grow are a column");
}

Test(matrix, counts_may_grow)
{
    struct told t = {0};
    spoken_start(&t.spoken, 2);
    for (int i = 0; i < 300; i++) {
        for (int k = 0; k < 7; k++)
            say_send(&t, 0, 1, 5 * i + k, 0);
        say_send(&t, 1, 0, i % 10, 0);
        say_send(&t, 1, 0, 1000 - i, 0);
    }
    check(&t, 0);
}

Test(matrix, partners_may_change)
{
    struct told t = {0};
    spoken_start(&t.spoken, 8);
    for (int i = 0; i < 500; i++) {
        say_send(&t, 0, i % 8 == 3 ? NULL_RANK : i % 8, i, 0);
        say_send(&t, 1, (i * 3 + i / 8) % 8, 1, i);
        if (i % 5 == 0)
            say_send(&t, 2, i % 4 == 0 ? NULL_RANK : 1, i, i);
    }
    check(&t, 0);
}

/* The first call of a site goes to MPI_PROC_NULL: later calls count all the same. */
Test(matrix, nobody_comes_first)
{
    struct told t = {0};
    uint64_t random = 7;
    spoken_start(&t.spoken, 4);
    for (int i = 0; i < effort(2000, 600); i++) {
        const int64_t to = i == 0 ? -2 : (int64_t)random_below(&random, 6) - 2;
        say_send(&t, 0, to < 0 ? NULL_RANK : to, (int64_t)random_below(&random, 1000), i);
    }
    check(&t, 0);
}

Test(matrix, what_has_no_law_is_added_up)
{
    for (uint64_t seed = 1; seed <= effort(20, 4); seed++) {
        struct told t = {0};
        uint64_t random = random_seed((unsigned)seed);
        spoken_start(&t.spoken, 4);
        for (int i = 0; i < 400; i++) {
            const uint32_t rank = (uint32_t)random_below(&random, 4);
            const uint64_t repeat = random_below(&random, 3) == 0 ? random_below(&random, 30) : 1;
            const int64_t to = (int64_t)random_below(&random, 5) - 1,
                          step = (int64_t)random_below(&random, 3);
            const int64_t count = (int64_t)random_below(&random, seed % 2 == 0 ? 4 : 100000);
            for (uint64_t k = 0; k < repeat; k++)
                say_send(&t, rank, to < 0 ? NULL_RANK : to, count + step * (int64_t)k, 0);
        }
        check(&t, 0);
    }
}

Test(matrix, a_failed_call_sends_nothing)
{
    struct told t = {0};
    spoken_start(&t.spoken, 2);
    for (int i = 0; i < 10; i++) {
        say_send(&t, 0, 1, 1, 0);
        SAY(&t.spoken, 0, 0, SPOKEN_SEND, 7, TYPE, 1, 5, WORLD, 6);
    }
    check(&t, 0);
}

Test(matrix, a_persistent_request_sends_when_it_is_started)
{
    struct told t = {0};
    spoken_start(&t.spoken, 2);
    SAY(&t.spoken, 0, 0, SPOKEN_SEND_INIT, 10, TYPE, 1, 5, WORLD, 0, REQUEST(0));
    SAY(&t.spoken, 1, 0, SPOKEN_RECV_INIT, 0, 5, WORLD, 0, REQUEST(0));
    for (int i = 0; i < 50; i++) {
        SAY(&t.spoken, 0, 0, SPOKEN_START, REQUEST(0), 0, REQUEST(0));
        tell(&t, 0, 1, 10);
        SAY(&t.spoken, 1, 0, SPOKEN_START, REQUEST(0), 0, REQUEST(0));
        SAY(&t.spoken, 0, 0, SPOKEN_WAIT, REQUEST(0), 0, REQUEST(0), SENT);
        SAY(&t.spoken, 1, 0, SPOKEN_WAIT, REQUEST(0), 0, REQUEST(0), STATUS(0, 5, 80));
    }
    check(&t, 0);
}

/* One request number has two destinations: the run is walked for it; the model does not know
 * them. */
Test(matrix, a_request_may_mean_several_things)
{
    struct told t = {0};
    spoken_start(&t.spoken, 3);
    for (int i = 0; i < 20; i++) {
        const int to = 1 + i % 2;
        SAY(&t.spoken, 0, 0, SPOKEN_SEND_INIT, 10 + i, TYPE, to, 5, WORLD, 0, REQUEST(0));
        SAY(&t.spoken, 0, 0, SPOKEN_START, REQUEST(0), 0, REQUEST(0));
        tell(&t, 0, to, 10 + i);
        SAY(&t.spoken, 0, 0, SPOKEN_WAIT, REQUEST(0), 0, REQUEST(0), SENT);
        SAY(&t.spoken, 0, 0, SPOKEN_REQUEST_FREE, REQUEST(0), 0, NONE);
    }
    check(&t, 20);
}

/* The model knows the destination, but not the sizes. */
Test(matrix, a_request_may_have_several_sizes)
{
    struct told t = {0};
    spoken_start(&t.spoken, 3);
    for (int i = 0; i < 20; i++) {
        SAY(&t.spoken, 0, 0, SPOKEN_SEND_INIT, 10 + i % 2, TYPE, 1, 5, WORLD, 0, REQUEST(0));
        SAY(&t.spoken, 0, 0, SPOKEN_START, REQUEST(0), 0, REQUEST(0));
        tell(&t, 0, 1, 10 + i % 2);
        SAY(&t.spoken, 0, 0, SPOKEN_WAIT, REQUEST(0), 0, REQUEST(0), SENT);
        SAY(&t.spoken, 0, 0, SPOKEN_REQUEST_FREE, REQUEST(0), 0, NONE);
    }
    check(&t, 20);
}

Test(matrix, threads_send_for_their_rank)
{
    struct told t = {0};
    spoken_start(&t.spoken, 2);
    for (int i = 0; i < 100; i++) {
        say_send(&t, 0, 1, 1, 0);
        SAY(&t.spoken, 0, 1, SPOKEN_SEND, i, TYPE, 1, 5, WORLD, 0);
        tell(&t, 0, 1, i);
    }
    check(&t, 0);
}

/* ---- one-sided communication ----------------------------------------------------------------- */

static void say_window(struct told *t, uint32_t rank, int64_t comm, int64_t number)
{
    SAY(&t->spoken, rank, 0, SPOKEN_WIN_CREATE, comm, 0, WINDOW(number));
}

static void free_window(struct told *t, uint32_t rank, int64_t number)
{
    SAY(&t->spoken, rank, 0, SPOKEN_WIN_FREE, WINDOW(number), 0, NONE);
}

/* `target` is the rank in the window's group, and `is` the rank in the run. */
static void say_put(struct told *t, uint32_t from, int64_t target, int64_t is, int64_t count, int64_t number)
{
    SAY(&t->spoken, from, 0, SPOKEN_PUT, count, TYPE, target, WINDOW(number), 0);
    tell(t, from, is, count);
}

static void say_get(struct told *t, uint32_t from, int64_t target, int64_t count)
{
    SAY(&t->spoken, from, 0, SPOKEN_GET, count, TYPE, target, WINDOW(0), 0);
    if (target != NULL_RANK)
        tell(t, (uint32_t)target, from, count);
}

static void check_accesses(struct told *t)
{
    struct matrix m;
    spoken_end(&t->spoken);
    cr_assert_eq(matrix_of_trace(&m, &t->spoken.reader, &t->spoken.definitions, CALL_EVENT_ACCESSES),
                 REFRAIN_OK);
    expect_cells(t, &m);
    matrix_free(&m);
    cr_assert_eq(matrix_of_trace(&m, &t->spoken.reader, &t->spoken.definitions, CALL_EVENT_SENT), REFRAIN_OK);
    cr_assert_eq(m.cells.n, 0, "accesses are no messages");
    matrix_free(&m);
    spoken_free(&t->spoken);
}

Test(matrix, accesses_go_where_the_data_go)
{
    struct told t = {0};
    spoken_start(&t.spoken, 4);
    for (uint32_t rank = 0; rank < 4; rank++) {
        const int64_t right = (rank + 1) % 4, up = rank < 3 ? (int)rank + 1 : NULL_RANK;
        say_window(&t, rank, WORLD, 0);
        for (int i = 0; i < 500; i++) {
            say_put(&t, rank, right, right, 3 * i + 1, 0);
            say_get(&t, rank, up, i % 7);
            SAY(&t.spoken, rank, 0, SPOKEN_GET_ACCUMULATE, 5, TYPE, 2, TYPE, right, SUM, WINDOW(0), 0);
            tell(&t, rank, right, 5);
            tell(&t, (uint32_t)right, rank, 2);
            SAY(&t.spoken, rank, 0, SPOKEN_FETCH_AND_OP, TYPE, 0, i % 2 ? SUM : NO_OP, WINDOW(0), 0);
            tell(&t, rank, 0, i % 2);
            tell(&t, 0, rank, 1);
        }
        say_put(&t, rank, rank, rank, 0, 0);
        free_window(&t, rank, 0);
    }
    check_accesses(&t);
}

Test(matrix, targets_may_have_no_law)
{
    struct told t = {0};
    uint64_t random = random_seed(5);
    spoken_start(&t.spoken, 8);
    for (uint32_t rank = 0; rank < 8; rank++) {
        say_window(&t, rank, WORLD, 0);
        for (int i = 0; i < 700; i++) {
            const int64_t to = (int64_t)random_below(&random, 9);
            say_put(&t, rank, to == 8 ? NULL_RANK : to, to == 8 ? NULL_RANK : to,
                    (int64_t)random_below(&random, 1000), 0);
            say_get(&t, rank, (i * 3 + i / 8) % 8, i);
        }
    }
    check_accesses(&t);
}

Test(matrix, a_failed_access_moves_nothing)
{
    struct told t = {0};
    spoken_start(&t.spoken, 2);
    SAY(&t.spoken, 0, 0, SPOKEN_WIN_CREATE, SELF, OTHER_ERROR);
    say_window(&t, 0, WORLD, 0);
    for (int i = 0; i < 10; i++) {
        say_put(&t, 0, 1, 1, 1, 0);
        SAY(&t.spoken, 0, 0, SPOKEN_PUT, 7, TYPE, 1, WINDOW(0), OTHER_ERROR);
    }
    check_accesses(&t);
}

/* A window that another thread made. */
Test(matrix, threads_access_for_their_rank)
{
    struct told t = {0};
    spoken_start(&t.spoken, 2);
    say_window(&t, 0, WORLD, 0);
    for (int i = 0; i < 100; i++) {
        SAY(&t.spoken, 0, 1, SPOKEN_PUT, i, TYPE, 1, WINDOW(0), 0);
        tell(&t, 0, 1, i);
    }
    check_accesses(&t);
}

/* On MPI_COMM_SELF, rank 0 is the process itself. */
Test(matrix, a_target_is_a_rank_of_the_windows_group)
{
    struct told t = {0};
    spoken_start(&t.spoken, 3);
    for (uint32_t rank = 0; rank < 3; rank++) {
        say_window(&t, rank, WORLD, 0);
        say_window(&t, rank, SELF, 1);
        for (int i = 0; i < 50; i++) {
            say_put(&t, rank, 0, 0, 1, 0);
            say_put(&t, rank, 0, rank, 2, 1);
        }
    }
    check_accesses(&t);
}

/* One number for windows on two communicators: the run is walked for it. */
Test(matrix, a_window_may_mean_several_groups)
{
    struct told t = {0};
    spoken_start(&t.spoken, 3);
    for (uint32_t rank = 0; rank < 3; rank++) {
        for (int i = 0; i < 20; i++) {
            const bool self = (i + rank) % 2;
            say_window(&t, rank, self ? SELF : WORLD, 0);
            say_put(&t, rank, 0, self ? rank : 0, 1 + i, 0);
            free_window(&t, rank, 0);
        }
    }
    check_accesses(&t);
}

/* So many windows that their numbers are a column. All are accessed, or only one, for whose number
 * another thread's row has another window: that thread made it when the number was free. */
static void check_many_windows(bool one)
{
    struct told t = {0};
    uint64_t random = random_seed(3);
    int64_t number[400];
    spoken_start(&t.spoken, 3);
    for (int i = 0; i < 400; i++) {
        number[i] = (int64_t)random_below(&random, 100000);
        say_window(&t, 1, i % 3 ? WORLD : SELF, number[i]);
        if (!one || i == 397)
            say_put(&t, 1, 0, i % 3 ? 0 : 1, i, number[i]);
    }
    if (one)
        SAY(&t.spoken, 1, 1, SPOKEN_WIN_CREATE, SELF, 0, WINDOW(number[397]));
    check_accesses(&t);
}

Test(matrix, windows_may_be_many)
{
    check_many_windows(false);
    check_many_windows(true);
}

Test(matrix, a_window_of_which_nothing_tells_is_outside)
{
    struct told t = {0};
    struct matrix m;
    spoken_start(&t.spoken, 2);
    for (int i = 0; i < 10; i++) {
        SAY(&t.spoken, 1, 0, SPOKEN_PUT, 2, TYPE, 0, WINDOW(7), 0);
        SAY(&t.spoken, 1, 0, SPOKEN_GET, 1, TYPE, 0, WINDOW(7), 0);
    }
    spoken_end(&t.spoken);
    cr_assert_eq(matrix_of_trace(&m, &t.spoken.reader, &t.spoken.definitions, CALL_EVENT_ACCESSES),
                 REFRAIN_OK);
    cr_assert_eq(m.cells.n, 2);
    const struct matrix_cell *to = &m.cells.items[0], *from = &m.cells.items[1];
    cr_assert(to->from == 1 && to->to == MATRIX_OUTSIDE && to->messages == 10 && to->bytes == 160);
    cr_assert(from->from == MATRIX_OUTSIDE && from->to == 1 && from->messages == 10 && from->bytes == 80);
    matrix_free(&m);
    spoken_free(&t.spoken);
}

/* ---- grids ----------------------------------------------------------------------------------- */

Test(matrix, a_grid_sums_over_blocks)
{
    struct matrix m = {.n_ranks = 10};
    struct matrix_grid g;
    struct bytes names = {0};
    cr_assert_eq(matrix_add(&m, 0, 1, 2, 20), REFRAIN_OK);
    cr_assert_eq(matrix_add(&m, 1, 2, 3, 30), REFRAIN_OK);
    cr_assert_eq(matrix_add(&m, 9, 0, 4, 40), REFRAIN_OK);
    cr_assert_eq(matrix_add(&m, 9, MATRIX_OUTSIDE, 5, 50), REFRAIN_OK);
    cr_assert_eq(matrix_add(&m, MATRIX_OUTSIDE, 9, 6, 60), REFRAIN_OK);
    cr_assert_eq(matrix_grid_create(&g, &m, 4, NULL), REFRAIN_OK);
    cr_assert_eq(g.n, 4);
    cr_assert_eq(g.block, 3);
    cr_assert_eq(matrix_grid_at(&g, 0, 0)->messages, 5);
    cr_assert_eq(matrix_grid_at(&g, 0, 0)->bytes, 50);
    cr_assert_eq(matrix_grid_at(&g, 3, 0)->bytes, 40);
    cr_assert_eq(matrix_grid_at(&g, 3, 4)->bytes, 50);
    cr_assert_eq(matrix_grid_at(&g, 4, 3)->bytes, 60);
    cr_assert_eq(g.all.messages, 20);
    cr_assert(g.to_outside && g.from_outside);
    for (uint32_t i = 0; i < g.n; i++)
        matrix_grid_put_ranks(&g, i, &names);
    bytes_put_u8(&names, '\0');
    cr_assert_str_eq((char *)names.data, "0-23-56-89");
    bytes_free(&names);
    matrix_grid_free(&g);
    matrix_free(&m);
}

/* Blocks consist of ranks that are neighbours in the order. */
Test(matrix, a_grid_in_another_order)
{
    static const uint32_t order[] = {12, 11, 14, 10, 13};
    struct matrix m = {.first_rank = 10, .n_ranks = 5};
    struct matrix_grid g;
    struct bytes names = {0};
    cr_assert_eq(matrix_add(&m, 11, 12, 2, 20), REFRAIN_OK);
    cr_assert_eq(matrix_add(&m, 10, 13, 3, 30), REFRAIN_OK);
    cr_assert_eq(matrix_add(&m, 13, MATRIX_OUTSIDE, 5, 50), REFRAIN_OK);
    cr_assert_eq(matrix_grid_create(&g, &m, 3, order), REFRAIN_OK);
    cr_assert_eq(matrix_grid_at(&g, 0, 0)->bytes, 20);
    cr_assert_eq(matrix_grid_at(&g, 1, 2)->bytes, 30);
    cr_assert_eq(matrix_grid_at(&g, 2, 3)->bytes, 50);
    cr_assert_eq(matrix_grid_rank(&g, 2), 14);
    for (uint32_t i = 0; i < g.n; i++) {
        matrix_grid_put_ranks(&g, i, &names);
        bytes_put_u8(&names, ' ');
    }
    bytes_put_u8(&names, '\0');
    cr_assert_str_eq((char *)names.data, "11-12 10+1 13 ");
    bytes_free(&names);
    matrix_grid_free(&g);
    matrix_free(&m);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void expect_text(enum refrain_status (*put)(const struct matrix *m, const struct matrix_subject *s,
                                                   struct output *out),
                        const struct matrix *m, const char *expected)
{
    const struct matrix_subject subject = {.trace = "app.refrain", .one_sided = true};
    struct output out = {0};
    cr_assert_eq(put(m, &subject, &out), REFRAIN_OK);
    bytes_put_u8(&out.text, '\0');
    cr_assert(strstr((char *)out.text.data, expected), "%s", (char *)out.text.data);
    bytes_free(&out.text);
}

Test(matrix, outside_has_a_line_and_a_column)
{
    struct matrix m = {.n_ranks = 2};
    cr_assert_eq(matrix_add(&m, MATRIX_OUTSIDE, 0, 4, 40), REFRAIN_OK);
    cr_assert_eq(matrix_add(&m, 1, MATRIX_OUTSIDE, 3, 30), REFRAIN_OK);
    cr_assert_eq(matrix_add(&m, 0, 1, 2, 20), REFRAIN_OK);
    matrix_finish(&m);
    expect_text(matrix_put_table, &m,
                "messages  0  1  outside  all\n"
                "0         .  2        .    2\n"
                "1         .  .        3    3\n"
                "outside   4  .        .    4\n"
                "all       4  2        3    9\n");
    expect_text(matrix_put_csv, &m, "\n0,1,2,20\n1,outside,3,30\noutside,0,4,40\n");
    expect_text(
        matrix_put_json, &m,
        "\"communication\":\"one-sided\",\"pairs\":[{\"from\":0,\"to\":1,\"messages\":2,\"bytes\":20},"
        "{\"from\":1,\"to\":null,\"messages\":3,\"bytes\":30},"
        "{\"from\":null,\"to\":0,\"messages\":4,\"bytes\":40}]");
    expect_text(matrix_put_svg, &m,
                "2 ranks, 9 messages, 90 bytes in all, also from and to processes outside");
    matrix_free(&m);
}
