/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "tests/unit/support/model_program.h"

Test(model_lines, messages_of_many_processes_are_runs)
{
    struct program p = {0};
    for (int i = 0; i < 16; i++) {
        if (i % 4 < 3)
            program_say(&p, "%d send %d a", i, i + 1);
        if (i % 4 > 0)
            program_say(&p, "%d recv %d a", i, i - 1);
    }
    program_expect(&p, "2-14:4 -> 3-15:4, 1-13:4 -> 2-14:4, 0-12:4 -> 1-13:4 a\n");
}

Test(model_lines, processes_of_one_line_come_in_any_order)
{
    struct program p = {0};
    for (int i = 0; i < 8; i++) {
        program_say(&p, "%d recv %d a", i, i ^ 1);
        program_say(&p, "%d send %d a", i, i ^ 1);
    }
    program_expect(&p, "0-6:2 recv 1-7:2, 1-7:2 recv 0-6:2 a\n"
                       "0-6:2 send 1-7:2, 1-7:2 send 0-6:2 a\n");
}

Test(model_lines, a_process_that_has_two_keeps_their_order)
{
    struct program p = {0};
    for (int i = 3; i > 0; i--) {
        program_say(&p, "%d send %d a", i, i - 1);
        program_say(&p, "%d recv %d a", i - 1, i);
    }
    program_say(&p, "0 send 3 a");
    program_say(&p, "3 recv 0 a");
    program_expect(&p, "3-1 -> 2-0, 0 -> 3 a\n");
}

Test(model_lines, tags_that_count_with_the_processes_are_a_run)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++) {
        program_say(&p, "%d send 9 tag%d comm1", i, 70 + 2 * i);
        program_say(&p, "9 recv %d tag%d comm1", i, 70 + 2 * i);
    }
    program_expect(&p, "0-4 -> 9 tag70-78:2 comm1\n");
}

Test(model_lines, two_are_no_run)
{
    struct program p = {0};
    for (int i = 0; i < 2; i++) {
        program_say(&p, "%d send 9 tag%d", i, 70 + i);
        program_say(&p, "9 recv %d tag%d", i, 70 + i);
    }
    program_expect(&p, "0 -> 9 tag70\n"
                       "1 -> 9 tag71\n");
}

/* Numbers that depend on an index are equal on one line, or they are on two lines. */
Test(model_lines, numbers_with_indices)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++) {
        for (int r = 0; r < 4; r++)
            program_say(&p, "%d local work%d", r, r < 3 ? i : 2 * i);
        for (int r = 1; r < 4; r++) {
            program_say(&p, "0 send %d tag%d", r, i);
            program_say(&p, "%d recv 0 tag%d", r, i);
        }
    }
    program_expect(&p, "for i0 = 1 to 5   [0-3]\n"
                       "  0-2 local work(-1+i0)\n"
                       "  3 local work(-2+2*i0)\n"
                       "  0 -> 1-3 tag(-1+i0)\n"
                       "done\n");
}
