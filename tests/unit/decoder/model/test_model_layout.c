/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "decoder/model/model_layout.h"
#include "tests/unit/support/model_program.h"

/* A loop of two processes. */
static void say_pair(struct program *p, int a, int b)
{
    for (int i = 0; i < 3; i++) {
        program_say(p, "%d send %d t", a, b);
        program_say(p, "%d recv %d t", b, a);
    }
}

/* In each column a row has one process; the rows of a loop are adjacent, and the loop is to the
 * right of what comes before it on its processes. */
static void check_places(const struct model_layout *p, const struct system *s, size_t *at, uint64_t *next)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct construct *c = s->items[i];
        const struct model_layout_span *place = &p->items.items[(*at)++];
        uint32_t low = UINT32_MAX, high = 0;
        if (!construct_is_loop(c)) {
            for (uint32_t k = 0; k < c->n_acts; k++) {
                cr_assert_geq(place->column, next[c->acts[k].process]);
                next[c->acts[k].process] = place->column + 1;
            }
            continue;
        }
        for (size_t k = 0; k < c->n_processes; k++) {
            const uint32_t row = model_layout_row(p, c->processes[k], place->column);
            cr_assert_geq(place->column, next[c->processes[k]]);
            next[c->processes[k]] = place->column + 1;
            low = row < low ? row : low;
            high = row > high ? row : high;
        }
        cr_assert_eq(high - low + 1, c->n_processes);
        check_places(p, c->body, at, next);
        for (size_t k = 0; k < c->n_processes; k++) {
            cr_assert_leq(next[c->processes[k]], place->end);
            next[c->processes[k]] = place->end + 1;
        }
    }
}

static void check_rows(const struct model_layout *p)
{
    const size_t n = p->m->processes.n;
    for (uint64_t column = 0; column <= p->columns; column++) {
        uint64_t seen = 0;
        for (uint32_t i = 0; i < n; i++)
            seen |= UINT64_C(1) << model_layout_row(p, i, column);
        cr_assert_eq(seen, (UINT64_C(1) << n) - 1, "column %d", (int)column);
    }
}

static void find_places(struct program *p, struct model_layout *layout)
{
    uint64_t next[64] = {0};
    size_t at = 0;
    program_model(p);
    cr_assert_eq(model_layout_find(layout, &p->model), REFRAIN_OK);
    check_places(layout, p->model.all, &at, next);
    cr_assert_eq(at, layout->items.n);
    check_rows(layout);
}

static void end(struct program *p, struct model_layout *layout)
{
    model_layout_free(layout);
    program_end(p);
}

Test(model_layout, neighbours_stay_where_they_are)
{
    struct program p = {0};
    struct model_layout layout;
    say_pair(&p, 0, 1);
    say_pair(&p, 2, 3);
    find_places(&p, &layout);
    for (uint32_t i = 0; i < 4; i++)
        cr_assert_eq(layout.lines[i].moves.n, 0);
    end(&p, &layout);
}

Test(model_layout, lines_move_for_the_loops_of_a_time_and_back)
{
    struct program p = {0};
    struct model_layout layout;
    say_pair(&p, 0, 1);
    say_pair(&p, 2, 3);
    say_pair(&p, 0, 2);
    say_pair(&p, 1, 3);
    say_pair(&p, 0, 1);
    say_pair(&p, 2, 3);
    find_places(&p, &layout);
    const uint32_t moves[] = {0, 2, 2, 0};
    for (uint32_t i = 0; i < 4; i++)
        cr_assert_eq(layout.lines[i].moves.n, moves[i]);
    const uint64_t first = layout.lines[1].moves.items[0].column,
                   second = layout.lines[1].moves.items[1].column;
    const uint32_t between[] = {0, 2, 1, 3};
    for (uint32_t i = 0; i < 4; i++) {
        cr_assert_eq(model_layout_row(&layout, i, first - 1), i);
        cr_assert_eq(model_layout_row(&layout, i, first), between[i]);
        cr_assert_eq(model_layout_row(&layout, i, second - 1), between[i]);
        cr_assert_eq(model_layout_row(&layout, i, second), i);
    }
    end(&p, &layout);
}

Test(model_layout, lines_move_inside_of_a_loop)
{
    struct program p = {0};
    struct model_layout layout;
    for (int i = 0; i < 5; i++) {
        for (int a = 0; a < 3; a++)
            say_pair(&p, a, a + 3);
        for (int r = 0; r < 6; r++)
            program_say(&p, "%d sync norm world", r);
    }
    find_places(&p, &layout);
    cr_assert_gt(layout.lines[3].moves.n, 0);
    end(&p, &layout);
}

Test(model_layout, nothing_is_no_column)
{
    struct program p = {0};
    struct model_layout layout;
    find_places(&p, &layout);
    cr_assert_eq(layout.columns, 0);
    end(&p, &layout);
}
