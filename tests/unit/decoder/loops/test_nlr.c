/* SPDX-License-Identifier: BSD-3-Clause */
/* Nested loop recognition: each rule's result, and that models expand to what was appended. */
#include <criterion/criterion.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "decoder/loops/nlr.h"
#include "decoder/util/text.h"
#include "tests/unit/support/random.h"

enum { A, B, C };

struct event {
    uint32_t template;
    int64_t numbers[2];
};

struct events {
    ARRAY(struct event) items;
};

static void put(struct events *e, uint32_t template, int64_t x, int64_t y)
{
    cr_assert(array_push(&e->items, ((struct event){template, {x, y}})));
}

static struct nlr *model_of(const struct events *e, size_t window)
{
    struct nlr *m = nlr_create(window);
    cr_assert(m);
    for (size_t i = 0; i < e->items.n; i++)
        cr_assert_eq(nlr_append(m, e->items.items[i].template, e->items.items[i].numbers, 2), REFRAIN_OK);
    cr_assert_eq(nlr_finish(m), REFRAIN_OK);
    return m;
}

static void assert_expansion(const struct nlr *m, const struct events *e, unsigned seed)
{
    struct nlr_path p;
    const struct nlr_node *node;
    size_t i = 0;
    nlr_path_start(&p, m);
    for (; (node = nlr_path_event(&p)); i++) {
        cr_assert_lt(i, e->items.n, "seed %u", seed);
        cr_assert_eq(node->template, e->items.items[i].template, "seed %u, event %zu", seed, i);
        for (uint32_t k = 0; k < 2; k++)
            cr_assert_eq(nlr_path_number(&p, node, k), (uint64_t)e->items.items[i].numbers[k],
                         "seed %u, event %zu", seed, i);
        nlr_path_pass(&p);
    }
    cr_assert_eq(i, e->items.n, "seed %u", seed);
    cr_assert_eq(nlr_length(m), e->items.n, "seed %u", seed);
}

/* "3{a(1,2:1)}": a loop of 3, which contains an event with numbers 1 and 2 + i. Coefficients
 * follow a colon, outermost first; they are left out where all are 0. */
static void put_number(struct bytes *out, const struct nlr *m, const struct nlr_node *node, uint32_t k)
{
    const uint64_t *words = nlr_number(m, node, k);
    bool varies = false;
    text_int(out, (int64_t)words[0]);
    for (uint32_t d = 1; d <= node->depth; d++)
        varies = varies || words[d] != 0;
    for (uint32_t d = 1; varies && d <= node->depth; d++) {
        text_putc(out, ':');
        text_int(out, (int64_t)words[d]);
    }
}

static void put_nodes(struct bytes *out, const struct nlr *m, size_t node, size_t end)
{
    for (const struct nlr_node *n; node < end; node += n->span) {
        n = &m->nodes.items[node];
        if (n->template == NLR_LOOP) {
            put_number(out, m, n, 0);
            text_putc(out, '{');
            put_nodes(out, m, node + 1, node + n->span);
            text_putc(out, '}');
            continue;
        }
        text_putc(out, (char)('a' + n->template));
        text_putc(out, '(');
        put_number(out, m, n, 0);
        text_putc(out, ',');
        put_number(out, m, n, 1);
        text_putc(out, ')');
    }
}

static void put_model(struct bytes *out, const struct nlr *m)
{
    put_nodes(out, m, 0, m->nodes.n);
    text_putc(out, '\0');
    cr_assert(!out->failed);
}

static void assert_model(const struct nlr *m, const char *expected)
{
    struct bytes text = {0};
    put_model(&text, m);
    cr_assert_str_eq((const char *)text.data, expected);
    bytes_free(&text);
}

static void assert_alike(const struct nlr *m, const struct nlr *expected)
{
    struct bytes text = {0};
    put_model(&text, expected);
    assert_model(m, (const char *)text.data);
    bytes_free(&text);
}

static void expect(struct events *e, size_t window, const char *expected)
{
    struct nlr *m = model_of(e, window);
    assert_expansion(m, e, 0);
    assert_model(m, expected);
    nlr_free(m);
    array_free(&e->items);
}

/* ---- each rule ------------------------------------------------------------------------------- */

Test(nlr, nothing)
{
    struct events e = {0};
    expect(&e, 0, "");
}

Test(nlr, two_are_no_loop)
{
    struct events e = {0};
    put(&e, A, 1, 1);
    put(&e, A, 1, 1);
    expect(&e, 0, "a(1,1)a(1,1)");
}

Test(nlr, three_in_progression_are_a_loop)
{
    struct events e = {0};
    for (int64_t i = 0; i < 3; i++)
        put(&e, A, 5 - 2 * i, 7);
    expect(&e, 0, "3{a(5:-2,7)}");
}

Test(nlr, a_loop_takes_what_goes_on)
{
    struct events e = {0};
    for (int64_t i = 0; i < 100; i++) {
        put(&e, A, i, 0);
        put(&e, B, 0, 10 * i);
    }
    put(&e, A, 100, 0);
    expect(&e, 0, "100{a(0:1,0)b(0,0:10)}a(100,0)");
}

Test(nlr, numbers_wrap)
{
    struct events e = {0};
    for (uint64_t i = 0; i < 5; i++)
        put(&e, A, (int64_t)((uint64_t)INT64_MAX + i), INT64_MIN);
    expect(&e, 0, "5{a(9223372036854775807:1,-9223372036854775808)}");
}

/* The third inner loop becomes a loop with its third iteration, before it is complete. It is not
 * taken for a loop as long as those before. */
Test(nlr, a_loop_waits_until_it_is_through)
{
    struct events e = {0};
    for (int64_t n = 4; n <= 20; n += 4) {
        for (int64_t j = 0; j < n; j++)
            put(&e, A, j, 0);
    }
    expect(&e, 0, "5{4:4{a(0:0:1,0)}}");
}

/* The first instances are too short for loops; they are found by going backwards, down to the
 * empty one. */
Test(nlr, a_triangle_that_grows)
{
    struct events e = {0};
    for (int64_t i = 0; i < 20; i++) {
        for (int64_t j = 0; j < i; j++)
            put(&e, A, i, j);
        put(&e, B, i, 0);
    }
    expect(&e, 0, "19{b(0:1,0)1:1{a(1:1:0,0:0:1)}}b(19,0)");
}

Test(nlr, a_triangle_that_shrinks)
{
    struct events e = {0};
    for (int64_t i = 20; i > 0; i--) {
        for (int64_t j = 0; j < i; j++)
            put(&e, A, j, i);
        put(&e, B, i, 0);
    }
    expect(&e, 0, "20{20:-1{a(0:0:1,20:-1:0)}b(20:-1,0)}");
}

/* The foreseen part of an iteration that does not end is appended as loops, not as events. */
Test(nlr, an_iteration_that_breaks_off)
{
    struct events e = {0};
    for (int64_t i = 0; i < 5; i++) {
        put(&e, A, i, 0);
        for (int64_t j = 0; j < (i < 4 ? 9 : 5); j++)
            put(&e, B, i, j);
    }
    put(&e, C, 0, 0);
    expect(&e, 0, "4{a(0:1,0)9{b(0:1:0,0:0:1)}}a(4,0)5{b(4,0:1)}c(0,0)");
}

Test(nlr, blocks_are_no_longer_than_the_window)
{
    struct events e = {0};
    for (int64_t i = 0; i < 9; i++)
        put(&e, (uint32_t)(i % 3), 0, 0);
    struct nlr *m = model_of(&e, 2);
    assert_expansion(m, &e, 0);
    cr_assert_eq(m->tops.n, 9);
    nlr_free(m);
    expect(&e, 3, "3{a(0,0)b(0,0)c(0,0)}");
}

Test(nlr, seven_deep)
{
    struct events e = {0};
    int64_t i[7] = {0};
    for (int done = 0; !done;) {
        int64_t sum = 0;
        for (int d = 0; d < 7; d++)
            sum = 10 * sum + i[d];
        put(&e, A, sum, 0);
        /* after each run of the innermost loop, an event that shows how far it goes */
        int d = 6;
        while (d >= 0 && ++i[d] == 3) {
            i[d] = 0;
            put(&e, B, d, 0);
            d--;
        }
        done = d < 0;
    }
    struct nlr *m = model_of(&e, 0);
    assert_expansion(m, &e, 0);
    cr_assert_leq(m->nodes.n, 20, "%zu nodes for %zu events", m->nodes.n, e.items.n);
    nlr_free(m);
    array_free(&e.items);
}

/* ---- whole models ---------------------------------------------------------------------------- */

/* n events a(x + i, 0), then b(0, y). */
static struct nlr *piece(int64_t x, int64_t n, int64_t y)
{
    struct events e = {0};
    for (int64_t i = 0; i < n; i++)
        put(&e, A, x + i, 0);
    put(&e, B, 0, y);
    struct nlr *m = model_of(&e, 0);
    array_free(&e.items);
    return m;
}

Test(nlr, a_model_many_times)
{
    struct nlr *m = nlr_create(0), *once = piece(0, 5, 1);
    cr_assert_eq(nlr_append_model(m, once, UINT64_C(1000000000)), REFRAIN_OK);
    cr_assert_eq(nlr_append_model(m, once, 1), REFRAIN_OK);
    cr_assert_eq(nlr_finish(m), REFRAIN_OK);
    assert_model(m, "1000000001{5{a(0:0:1,0)}b(0,1)}");
    cr_assert_eq(nlr_length(m), UINT64_C(6000000006));
    nlr_free(once);
    nlr_free(m);
}

Test(nlr, a_loop_of_two_models)
{
    struct nlr *m = nlr_create(0), *a = piece(0, 4, 0), *b = piece(10, 4, -1), *c = piece(50, 4, -5);
    cr_assert(nlr_fit(a, b));
    cr_assert(nlr_continues(a, b, c, 5));
    cr_assert_not(nlr_continues(a, b, c, 4));
    cr_assert_eq(nlr_append_loop(m, a, b, 5), REFRAIN_OK);
    cr_assert_eq(nlr_append_model(m, c, 1), REFRAIN_OK);
    cr_assert_eq(nlr_finish(m), REFRAIN_OK);
    assert_model(m, "6{4{a(0:10:1,0)}b(0,0:-1)}");
    nlr_free(c);
    nlr_free(b);
    nlr_free(a);
    nlr_free(m);
}

/* A part of a body, for index i: events first … end - 1 of a(0, i) b(i, 1) c(2, 3 - i) b(0, 0)
 * a(i, 5). */
static void put_part(struct events *e, int first, int end, int64_t i)
{
    const struct event body[] = {{A, {0, i}}, {B, {i, 1}}, {C, {2, 3 - i}}, {B, {0, 0}}, {A, {i, 5}}};
    for (int k = first; k < end; k++)
        put(e, body[k].template, body[k].numbers[0], body[k].numbers[1]);
}

static struct nlr *part(int first, int end, int64_t i)
{
    struct events e = {0};
    put_part(&e, first, end, i);
    struct nlr *m = model_of(&e, 0);
    array_free(&e.items);
    return m;
}

/* Wherever a repetition is cut and joined again from its parts, its loop begins at the same event
 * as if the events came one by one. */
Test(nlr, a_loop_begins_where_what_repeats_begins)
{
    enum { BODY = 5, TIMES = 20 };
    for (int cut = 0; cut < BODY; cut++) {
        for (int end = 0; end <= BODY; end++) {
            struct events e = {0};
            struct nlr *m = nlr_create(0), *before = part(cut, BODY, -1), *first = part(0, BODY, 0),
                       *second = part(0, BODY, 1), *behind = part(0, end, TIMES);
            put(&e, C, 9, 9);
            put_part(&e, cut, BODY, -1);
            for (int64_t i = 0; i < TIMES; i++)
                put_part(&e, 0, BODY, i);
            put_part(&e, 0, end, TIMES);
            cr_assert_eq(nlr_append(m, C, e.items.items[0].numbers, 2), REFRAIN_OK);
            cr_assert_eq(nlr_append_model(m, before, 1), REFRAIN_OK);
            cr_assert_eq(nlr_append_loop(m, first, second, TIMES), REFRAIN_OK);
            cr_assert_eq(nlr_append_model(m, behind, 1), REFRAIN_OK);
            cr_assert_eq(nlr_finish(m), REFRAIN_OK);
            assert_expansion(m, &e, (unsigned)(cut * 10 + end));
            struct nlr *streamed = model_of(&e, 0);
            assert_alike(m, streamed);
            cr_assert_eq(m->tops.items[1].node, 1);
            cr_assert_eq(m->nodes.items[1].template, NLR_LOOP);
            nlr_free(streamed);
            nlr_free(behind);
            nlr_free(second);
            nlr_free(first);
            nlr_free(before);
            nlr_free(m);
            array_free(&e.items);
        }
    }
}

/* The last loop of the body continues after the outer loop ends. */
Test(nlr, a_loop_takes_the_beginning_of_a_loop)
{
    struct nlr *m = nlr_create(0), *once = piece(0, 0, 1), *five = nlr_create(0), *ten = nlr_create(0),
               *b = piece(0, 0, 7);
    cr_assert_eq(nlr_append_model(five, b, 5), REFRAIN_OK);
    cr_assert_eq(nlr_append_model(ten, b, 10), REFRAIN_OK);
    cr_assert_eq(nlr_finish(five), REFRAIN_OK);
    cr_assert_eq(nlr_finish(ten), REFRAIN_OK);
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(nlr_append_model(m, once, 1), REFRAIN_OK);
        cr_assert_eq(nlr_append_model(m, i < 3 ? five : ten, 1), REFRAIN_OK);
    }
    cr_assert_eq(nlr_finish(m), REFRAIN_OK);
    assert_model(m, "4{b(0,1)5{b(0,7)}}5{b(0,7)}");
    nlr_free(b);
    nlr_free(ten);
    nlr_free(five);
    nlr_free(once);
    nlr_free(m);
}

/* Append the events of a text, whose letters are templates and whose numbers are 0, as a model of
 * its own, so many times. */
static void append_text(struct nlr *m, struct events *all, const char *text, int times)
{
    struct events e = {0};
    for (const char *c = text; *c; c++)
        put(&e, (uint32_t)(*c - 'a'), 0, 0);
    for (int i = 0; i < times; i++) {
        for (const char *c = text; *c; c++)
            put(all, (uint32_t)(*c - 'a'), 0, 0);
    }
    struct nlr *once = model_of(&e, 0);
    cr_assert_eq(nlr_append_model(m, once, (uint64_t)times), REFRAIN_OK);
    nlr_free(once);
    array_free(&e.items);
}

static void finish_text(struct nlr *m, struct events *all, const char *expected)
{
    cr_assert_eq(nlr_finish(m), REFRAIN_OK);
    assert_expansion(m, all, 0);
    if (expected)
        assert_model(m, expected);
    nlr_free(m);
    array_free(&all->items);
}

/* A rotated loop may end with instances of its inner loop that are empty. They are not loops after
 * it, so events that come there are no iterations of them. */
Test(nlr, a_loop_rotated_with_empty_loops)
{
    struct events all = {0};
    struct nlr *m = nlr_create(0);
    append_text(m, &all, "b", 6);
    append_text(m, &all, "abbbbbabbbbabbbabbabaaaa", 1);
    append_text(m, &all, "b", 1);
    append_text(m, &all, "b", 1);
    finish_text(m, &all, "9{6:-1{b(0,0)}a(0,0)}b(0,0)b(0,0)");
}

/* The inner loop is in two parts as long as the outer loop begins inside it. */
Test(nlr, a_loop_rotated_is_reduced)
{
    struct events all = {0};
    struct nlr *m = nlr_create(0);
    append_text(m, &all, "abc", 1);
    append_text(m, &all, "bcbcabc", 8);
    append_text(m, &all, "bcbc", 1);
    finish_text(m, &all, "9{a(0,0)3{b(0,0)c(0,0)}}");
}

Test(nlr, loops_rotated_one_after_the_other_are_joined)
{
    struct events all = {0};
    struct nlr *m = nlr_create(0);
    append_text(m, &all, "c", 1);
    append_text(m, &all, "abc", 5);
    append_text(m, &all, "abc", 6);
    append_text(m, &all, "a", 1);
    append_text(m, &all, "abc", 1);
    finish_text(m, &all, "11{c(0,0)a(0,0)b(0,0)}c(0,0)a(0,0)a(0,0)b(0,0)c(0,0)");
}

/* An iteration ends with the events that the next loop begins with, although they are not a loop
 * in it. */
Test(nlr, a_loop_takes_the_first_iteration_of_a_loop)
{
    struct events all = {0};
    struct nlr *m = nlr_create(0);
    append_text(m, &all, "abc", 4);
    append_text(m, &all, "a", 1);
    append_text(m, &all, "bc", 4);
    finish_text(m, &all, "5{a(0,0)b(0,0)c(0,0)}3{b(0,0)c(0,0)}");
}

/* The loop's second inner loop is empty by now, so the loop could take the long loop after it one
 * iteration at a time. It must not. */
Test(nlr, a_loop_that_takes_a_loop_for_ever)
{
    enum { TIMES = 1000000 };
    const int64_t none[2] = {0, 0};
    struct events triangle = {0};
    struct nlr *m = nlr_create(0), *b = nlr_create(0);
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 5; j++)
            put(&triangle, B, 0, 0);
        for (int j = 0; j < 5 - i; j++)
            put(&triangle, A, 0, 0);
    }
    for (size_t i = 0; i < triangle.items.n; i++)
        cr_assert_eq(nlr_append(m, triangle.items.items[i].template, triangle.items.items[i].numbers, 2),
                     REFRAIN_OK);
    cr_assert_eq(nlr_append(b, B, none, 2), REFRAIN_OK);
    cr_assert_eq(nlr_append_model(m, b, TIMES), REFRAIN_OK);
    cr_assert_eq(nlr_finish(m), REFRAIN_OK);
    cr_assert_eq(nlr_length(m), triangle.items.n + TIMES);
    assert_model(m, "11{5{b(0,0)}5:-1{a(0,0)}}999990{b(0,0)}");
    nlr_free(b);
    nlr_free(m);
    array_free(&triangle.items);
}

/* Different counts give different numbers of events, so these are not iterations of one loop
 * here. */
Test(nlr, models_that_do_not_fit)
{
    struct nlr *a = piece(0, 4, 0), *b = piece(0, 5, 0), *c = piece(0, 1, 0);
    cr_assert_not(nlr_fit(a, b));
    cr_assert_not(nlr_fit(a, c));
    nlr_free(c);
    nlr_free(b);
    nlr_free(a);
}

Test(nlr, a_loop_over_two_alike_is_twice_as_long)
{
    struct events two = {0};
    for (int64_t i = 0; i < 2; i++) {
        put(&two, A, i, 0);
        put(&two, B, 3, i);
    }
    struct nlr *m = nlr_create(0), *a = model_of(&two, 0);
    for (size_t i = 0; i < two.items.n; i++)
        two.items.items[i].numbers[i % 2] += 2;
    struct nlr *b = model_of(&two, 0);
    cr_assert_eq(nlr_append_loop(m, a, b, 50), REFRAIN_OK);
    cr_assert_eq(nlr_finish(m), REFRAIN_OK);
    assert_model(m, "100{a(0:1,0)b(3,0:1)}");
    nlr_free(b);
    nlr_free(a);
    nlr_free(m);
    array_free(&two.items);
}

/* ---- at random ------------------------------------------------------------------------------- */

/* A program of nested loops, expanded into events as it is made: each body is made again from the
 * same seed. */
enum { MOST_EVENTS = 3000, MOST_DEPTH = 4 };

struct program {
    struct events *events;
    int64_t index[MOST_DEPTH];
};

/* A number that is affine in the indices of the loops around it. */
static int64_t affine(const struct program *p, uint64_t *state, unsigned depth, uint32_t constant)
{
    int64_t v = random_below(state, constant);
    for (unsigned d = 0; d < depth; d++) {
        const int64_t coef = random_below(state, 3) == 0 ? (int64_t)random_below(state, 5) - 2 : 0;
        v += coef * p->index[d];
    }
    return v;
}

static void run(struct program *p, uint64_t seed, unsigned depth)
{
    uint64_t state = seed;
    for (uint32_t n = 1 + random_below(&state, 4); n > 0 && p->events->items.n < MOST_EVENTS; n--) {
        const bool is_loop = depth < MOST_DEPTH && random_below(&state, 3) == 0;
        const uint32_t template = random_below(&state, 3);
        const int64_t x = affine(p, &state, depth, 9), y = affine(p, &state, depth, 12);
        const uint64_t body = state;
        random_below(&state, 2);
        if (!is_loop)
            put(p->events, template, x, y);
        for (int64_t i = 0; is_loop && i < y; i++) {
            p->index[depth] = i;
            run(p, body ^ UINT64_C(0x9e3779b97f4a7c15), depth + 1);
        }
    }
}

Test(nlr, programs_at_random)
{
    size_t events = 0, nodes = 0;
    for (unsigned seed = 0; seed < 3000; seed++) {
        struct events e = {0};
        struct program p = {.events = &e};
        uint64_t state = random_seed(seed);
        run(&p, state, 0);
        struct nlr *m = model_of(&e, seed % 3 == 0 ? 1 + seed % 7 : 0);
        assert_expansion(m, &e, seed);
        events += e.items.n;
        nodes += m->nodes.n;
        nlr_free(m);
        array_free(&e.items);
    }
    cr_assert_lt(nodes * 5, events, "%zu nodes for %zu events", nodes, events);
}

Test(nlr, noise)
{
    for (unsigned seed = 0; seed < 500; seed++) {
        struct events e = {0};
        uint64_t state = random_seed(seed);
        for (uint32_t n = random_below(&state, 400); n > 0; n--)
            put(&e, random_below(&state, 2), random_below(&state, 3), random_below(&state, 2));
        struct nlr *m = model_of(&e, 0);
        assert_expansion(m, &e, seed);
        nlr_free(m);
        array_free(&e.items);
    }
}

/* Models joined from parts, some of them many times, expand to the events of the parts. */
Test(nlr, models_of_models)
{
    for (unsigned seed = 0; seed < 500; seed++) {
        struct events e = {0};
        uint64_t state = random_seed(seed);
        struct nlr *m = nlr_create(0);
        for (uint32_t parts = 1 + random_below(&state, 6); parts > 0; parts--) {
            struct events part = {0};
            struct program p = {.events = &part};
            run(&p, random_seed(random_below(&state, 5)), 0);
            const uint32_t times = part.items.n < 100 ? random_below(&state, 5) : 1;
            struct nlr *once = model_of(&part, 0);
            cr_assert_eq(nlr_append_model(m, once, times), REFRAIN_OK);
            for (uint32_t i = 0; i < times; i++) {
                for (size_t k = 0; k < part.items.n; k++)
                    cr_assert(array_push(&e.items, part.items.items[k]));
            }
            nlr_free(once);
            array_free(&part.items);
        }
        cr_assert_eq(nlr_finish(m), REFRAIN_OK);
        assert_expansion(m, &e, seed);
        nlr_free(m);
        array_free(&e.items);
    }
}
