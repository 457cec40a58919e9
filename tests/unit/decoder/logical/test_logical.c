/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "logical_program.h"

/* ---- directions and conditions --------------------------------------------------------------- */

/* A sweep over a grid of 4 x 3, whose places have ranks in any order. */
static void say_sweep(struct program *p, const int *rank)
{
    for (int i = 0; i < 5; i++)
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 4; x++) {
                const int at = x + 4 * y;
                if (x > 0)
                    program_say(p, "%d recv %d tag2", rank[at], rank[at - 1]);
                if (y > 0)
                    program_say(p, "%d recv %d tag4", rank[at], rank[at - 4]);
                if (x < 3)
                    program_say(p, "%d send %d tag2", rank[at], rank[at + 1]);
                if (y < 2)
                    program_say(p, "%d send %d tag4", rank[at], rank[at + 4]);
            }
}

Test(logical, a_partner_is_a_direction_and_its_lack_a_condition)
{
    static const int in_order[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    struct program p = {0};
    say_sweep(&p, in_order);
    logical_expect(&p, 12,
                   "for i0 = 1 to 5\n"
                   "  recv x-1 tag2   if x > 0\n"
                   "  recv y-1 tag4   if y > 0\n"
                   "  send x+1 tag2   if x < 3\n"
                   "  send y+1 tag4   if y < 2\n");
}

/* Nothing shows which way x goes, but each statement is one of all ranks. */
Test(logical, the_numbers_of_the_ranks_do_not_matter)
{
    static const int shuffled[] = {7, 2, 11, 0, 5, 9, 3, 10, 1, 8, 4, 6};
    struct program p = {0};
    struct logical_program l;
    say_sweep(&p, shuffled);
    program_model(&p);
    logical_start(&l, &p, 12);
    logical_check(&l, &p);
    cr_assert_eq(l.logical.sections.items[0].body.n, 1);
    const struct step *loop = l.logical.sections.items[0].body.items[0];
    cr_assert_eq(loop->kind, STEP_LOOP);
    cr_assert_eq(loop->body.n, 4);
    for (size_t i = 0; i < loop->body.n; i++) {
        const struct step *s = loop->body.items[i];
        cr_assert(s->partner.laws >> DIRECTION_OFFSET & 1);
        cr_assert(s->n_processes == 9 || s->n_processes == 8);
    }
    logical_end(&l);
    program_end(&p);
}

Test(logical, a_ring_has_no_end)
{
    struct program p = {0};
    for (int i = 0; i < 4; i++)
        for (int rank = 0; rank < 5; rank++) {
            program_say(&p, "%d send %d tag%d", rank, (rank + 1) % 5, i);
            program_say(&p, "%d recv %d tag%d", rank, (rank + 4) % 5, i);
            program_say(&p, "%d sync sum world", rank);
        }
    logical_expect(&p, 5,
                   "for i0 = 1 to 4\n"
                   "  send x+1 tag(-1+i0)\n"
                   "  recv x-1 tag(-1+i0)\n"
                   "  sum world\n");
}

Test(logical, trees_have_parents_and_children)
{
    struct program p = {0};
    for (int rank = 7; rank >= 0; rank--) {
        for (int bit = 1; bit < 8 && !(rank & bit); bit *= 2)
            program_say(&p, "%d recv %d up", rank, rank + bit);
        if (rank > 0)
            program_say(&p, "%d send %d up", rank, rank & (rank - 1));
    }
    logical_expect(&p, 8,
                   "recv child0 up   if rank % 2 == 0\n"
                   "recv child1 up   if rank in 0,4\n"
                   "recv child2 up   if rank == 0\n"
                   "send parent up   if rank > 0\n");
}

Test(logical, without_a_topology_partners_are_relative_to_the_rank)
{
    struct program p = {0};
    for (int rank = 0; rank < 11; rank++)
        program_say(&p, "%d send %d a", rank, (rank + 3) % 11);
    for (int rank = 1; rank < 11; rank++)
        program_say(&p, "%d send 0 b", rank);
    for (int rank = 2; rank < 11; rank += 3)
        program_say(&p, "%d send %d c", rank, rank - 2);
    logical_expect(&p, 11,
                   "send (rank+3)%11 a\n"
                   "send 0 b   if rank > 0\n"
                   "send rank-2 c   if rank % 3 == 2\n");
}

/* Several receives are one line, and several sends another; one of each is an exchange. */
Test(logical, calls_of_one_kind_are_one_line)
{
    struct program p = {0};
    for (int rank = 0; rank < 6; rank++) {
        const int right = (rank + 1) % 6, left = (rank + 5) % 6;
        program_say(&p, "%d recv %d tag1 comm2", rank, right);
        program_say(&p, "%d recv %d tag2 comm2", rank, left);
        program_say(&p, "%d send %d tag2 comm2", rank, right);
        program_say(&p, "%d send %d tag1 comm2", rank, left);
        program_say(&p, "%d sync sum comm2", rank);
        program_say(&p, "%d recv %d tag3", rank, rank ^ 1);
        program_say(&p, "%d send %d tag3", rank, rank ^ 1);
    }
    logical_expect(&p, 6,
                   "recv x+1 tag1, x-1 tag2 comm2\n"
                   "send x+1 tag2, x-1 tag1 comm2\n"
                   "sum comm2\n"
                   "exchange x+1 tag3   if x % 2 == 0\n"
                   "exchange x-1 tag3   if x % 2 == 1\n");
}

/* ---- numbers --------------------------------------------------------------------------------- */

Test(logical, numbers_are_formulas_of_the_coordinates)
{
    struct program p = {0};
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 4; x++) {
            const int at = x + 4 * y;
            program_say(&p, "%d send %d tag%d", at, (x + 1) % 4 + 4 * y, 100 + 10 * y + x);
            program_say(&p, "%d send %d tag%d comm%d", at, x + 4 * ((y + 1) % 3), 100 + (x + 3) % 4, x);
            program_say(&p, "%d local %d", at, x == 2 ? 7 : 3);
        }
    logical_expect(&p, 12,
                   "send x+1 tag(100+x+10*y)\n"
                   "send y+1 tag(100+(3+x)%4) comm(x)\n"
                   "local {3 if x != 2, 7 if x == 2}\n");
}

/* The tags of each rank are not affine, but they are affine modulo the size of the grid. */
Test(logical, steps_become_a_loop_where_their_numbers_have_a_formula)
{
    struct program p = {0};
    for (int stage = 0; stage < 3; stage++)
        for (int rank = 0; rank < 16; rank++) {
            const int x = rank % 4, y = rank / 4;
            program_say(&p, "%d send %d tag%d", rank, (x + 1) % 4 + 4 * y,
                        3000 + (x + stage) % 4 + 4 * ((y + 3 * stage) % 4));
            program_say(&p, "%d send %d t", rank, x + 4 * ((y + 1) % 4));
        }
    logical_expect(&p, 16,
                   "for i0 = 1 to 3\n"
                   "  send x+1 tag(3000+(3+x+i0)%4+4*((1+y-i0)%4))\n"
                   "  send y+1 t\n");
}

/* ---- procedures ------------------------------------------------------------------------------ */

static void say_halo(struct program *p)
{
    for (int rank = 0; rank < 4; rank++) {
        program_say(p, "%d send %d a", rank, (rank + 1) % 4);
        program_say(p, "%d sync sum world", rank);
        program_say(p, "%d recv %d a", rank, (rank + 3) % 4);
    }
}

Test(logical, what_comes_in_several_places_is_a_procedure)
{
    struct program p = {0};
    say_halo(&p);
    for (int rank = 0; rank < 4; rank++)
        program_say(&p, "%d sync begin world", rank);
    for (int i = 0; i < 6; i++) {
        say_halo(&p);
        program_say(&p, "2 local work");
    }
    say_halo(&p);
    logical_expect(&p, 4,
                   "part1\n"
                   "begin world\n"
                   "for i0 = 1 to 6\n"
                   "  part1\n"
                   "  local work   if x == 2\n"
                   "part1\n"
                   "\n"
                   "part1:\n"
                   "  send x+1 a\n"
                   "  sum world\n"
                   "  recv x-1 a\n");
}

Test(logical, nothing_at_all)
{
    struct program p = {0};
    program_say(&p, "0 local alone");
    logical_expect(&p, 1, "local alone\n");
}
