/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "decoder/util/text.h"
#include "tests/unit/support/model_program.h"

#include <string.h>

/* ---- two processes --------------------------------------------------------------------------- */

Test(model, loops_that_communicate_become_one)
{
    struct program p = {0};
    for (int i = 0; i < 10; i++) {
        program_say(&p, "0 send 1 a");
        program_say(&p, "1 recv 0 a");
        program_say(&p, "1 local work %d", i);
    }
    program_expect(&p, "for i0 = 1 to 10   [0-1]\n"
                       "  0 -> 1 a\n"
                       "  1 local work -1+i0\n"
                       "done\n");
}

Test(model, a_loop_is_split_where_its_partner_changes)
{
    struct program p = {0};
    for (int i = 0; i < 10; i++) {
        program_say(&p, "0 send 1 a");
        if (i == 4)
            program_say(&p, "1 local x");
        program_say(&p, "1 recv 0 a");
    }
    program_expect(&p, "for i0 = 1 to 4   [0-1]\n"
                       "  0 -> 1 a\n"
                       "done\n"
                       "1 local x\n"
                       "for i0 = 1 to 6   [0-1]\n"
                       "  0 -> 1 a\n"
                       "done\n");
}

Test(model, tags_are_channels_of_their_own)
{
    struct program p = {0};
    for (int i = 0; i < 10; i++) {
        program_say(&p, "0 send 1 a");
        program_say(&p, "0 send 1 b");
        program_say(&p, "1 recv 0 b");
        program_say(&p, "1 recv 0 a");
    }
    program_expect(&p, "for i0 = 1 to 10   [0-1]\n"
                       "  0 send 1 a\n"
                       "  0 -> 1 b\n"
                       "  1 recv 0 a\n"
                       "done\n");
}

Test(model, communicators_are_channels_of_their_own)
{
    struct program p = {0};
    for (int i = 0; i < 10; i++) {
        program_say(&p, "0 send 1 tag5");
        program_say(&p, "0 send 1 tag5 comm2");
        program_say(&p, "0 send 1 tag5 dup");
        program_say(&p, "1 recv 0 tag5 dup");
        program_say(&p, "1 recv 0 tag5 comm2");
        program_say(&p, "1 recv 0 tag5");
    }
    program_expect(&p, "for i0 = 1 to 10   [0-1]\n"
                       "  0 send 1 tag5\n"
                       "  0 send 1 tag5 comm2\n"
                       "  0 -> 1 tag5 dup\n"
                       "  1 recv 0 tag5 comm2\n"
                       "  1 recv 0 tag5\n"
                       "done\n");
}

Test(model, a_tag_that_counts_is_one_channel_of_its_communicator)
{
    struct program p = {0};
    for (int i = 0; i < 40; i++) {
        program_say(&p, "0 send 1 tag%d comm1", 5 + i);
        program_say(&p, "0 send 1 tag5 comm2");
        program_say(&p, "1 recv 0 tag5 comm2");
        program_say(&p, "1 recv 0 tag%d comm1", 5 + i);
    }
    program_expect(&p, "for i0 = 1 to 40   [0-1]\n"
                       "  0 send 1 tag(4+i0) comm1\n"
                       "  0 -> 1 tag5 comm2\n"
                       "  1 recv 0 tag(4+i0) comm1\n"
                       "done\n");
}

Test(model, a_tag_that_counts_is_one_channel)
{
    struct program p = {0};
    for (int i = 0; i < 40; i++) {
        program_say(&p, "0 send 1 tag%d", 5 + i);
        program_say(&p, "0 send 1 tag3");
        program_say(&p, "1 recv 0 tag3");
        program_say(&p, "1 recv 0 tag%d", 5 + i);
    }
    program_expect(&p, "for i0 = 1 to 40   [0-1]\n"
                       "  0 send 1 tag(4+i0)\n"
                       "  0 -> 1 tag3\n"
                       "  1 recv 0 tag(4+i0)\n"
                       "done\n");
}

Test(model, a_tag_that_counts_in_other_loops_is_one_channel)
{
    struct program p = {0};
    for (int i = 0; i < 1000; i++) {
        program_say(&p, "0 send 1 tag%d", 5 + i);
        program_say(&p, "1 recv 0 tag%d", 5 + i);
        if (i == 3 || i == 599)
            program_say(&p, "1 local x");
    }
    program_expect(&p, "for i0 = 1 to 4   [0-1]\n"
                       "  0 -> 1 tag(4+i0)\n"
                       "done\n"
                       "1 local x\n"
                       "for i0 = 1 to 596   [0-1]\n"
                       "  0 -> 1 tag(8+i0)\n"
                       "done\n"
                       "1 local x\n"
                       "for i0 = 1 to 400   [0-1]\n"
                       "  0 -> 1 tag(604+i0)\n"
                       "done\n");
}

Test(model, tags_that_count_down_at_one_end_are_many_channels)
{
    struct program p = {0};
    for (int i = 0; i < 1000; i++) {
        program_say(&p, "0 send 1 tag%d", i);
        program_say(&p, "1 recv 0 tag%d", 999 - i);
    }
    program_expect(&p, "0 send 1 tag0-998\n"
                       "0 -> 1 tag999\n"
                       "1 recv 0 tag998-0\n");
}

Test(model, a_tag_that_counts_another_way_is_many)
{
    struct program p = {0};
    for (int i = 0; i < 4; i++) {
        program_say(&p, "0 send 1 tag%d", i);
        program_say(&p, "1 recv 0 tag%d", 3 - i);
    }
    program_expect(&p, "0 send 1 tag0-2\n"
                       "0 -> 1 tag3\n"
                       "1 recv 0 tag2-0\n");
}

Test(model, iterations_are_blocked)
{
    struct program p = {0};
    for (int i = 0; i < 20; i++) {
        program_say(&p, "0 send 1 a");
        program_say(&p, "1 recv 0 a");
        if (i % 2 == 1)
            program_say(&p, "1 local %d", i / 2);
    }
    program_expect(&p, "for i0 = 1 to 10   [0-1]\n"
                       "  0 -> 1, 0 -> 1 a\n"
                       "  1 local -1+i0\n"
                       "done\n");
}

Test(model, iterations_of_two_and_three_meet_after_six)
{
    struct program p = {0};
    for (int i = 0; i < 18; i++) {
        program_say(&p, "0 send 1 a");
        program_say(&p, "1 recv 0 a");
        if (i % 2 == 1)
            program_say(&p, "0 local s");
        if (i % 3 == 2)
            program_say(&p, "1 local r");
    }
    program_expect(&p, "for i0 = 1 to 3   [0-1]\n"
                       "  for i1 = 1 to 3   [0]\n"
                       "    0 send 1, 0 send 1 a\n"
                       "    0 local s\n"
                       "  done\n"
                       "  for i1 = 1 to 2   [1]\n"
                       "    for i2 = 1 to 3   [1]\n"
                       "      1 recv 0 a\n"
                       "    done\n"
                       "    1 local r\n"
                       "  done\n"
                       "done\n");
}

/* The first message of process 0's iterations goes to the event, the others alternate in the
 * loop. */
static void say_shifted(struct program *p, const char *first, const char *second)
{
    for (int i = 0; i < 6; i++) {
        program_say(p, "0 send 1 %s", first);
        program_say(p, "0 local s");
        program_say(p, "0 send 1 %s", second);
    }
    program_say(p, "1 recv 0 %s", first);
    program_say(p, "1 local x");
    for (int i = 0; i < 5; i++) {
        program_say(p, "1 recv 0 %s", second);
        program_say(p, "1 local r");
        program_say(p, "1 recv 0 %s", first);
    }
    program_say(p, "1 recv 0 %s", second);
}

Test(model, a_loop_is_shifted_inside_of_an_iteration)
{
    struct program p = {0};
    say_shifted(&p, "a", "a");
    program_expect(&p, "0 -> 1 a\n"
                       "1 local x\n"
                       "for i0 = 1 to 5   [0-1]\n"
                       "  0 local s\n"
                       "  0 -> 1 a\n"
                       "  1 local r\n"
                       "  0 -> 1 a\n"
                       "done\n"
                       "0 local s\n"
                       "0 -> 1 a\n");
}

Test(model, a_loop_with_two_tags_is_shifted)
{
    struct program p = {0};
    say_shifted(&p, "a", "b");
    program_expect(&p, "0 -> 1 a\n"
                       "1 local x\n"
                       "for i0 = 1 to 5   [0-1]\n"
                       "  0 local s\n"
                       "  0 -> 1 b\n"
                       "  1 local r\n"
                       "  0 -> 1 a\n"
                       "done\n"
                       "0 local s\n"
                       "0 -> 1 b\n");
}

/* ---- orders that do not go together ---------------------------------------------------------- */

static void say_times(struct program *p, int n, const char *line)
{
    for (int i = 0; i < n; i++)
        program_say(p, "%s", line);
}

Test(model, loops_in_opposite_order_are_not_both_one)
{
    struct program p = {0};
    say_times(&p, 10, "0 send 1 a");
    say_times(&p, 10, "0 send 1 b");
    say_times(&p, 10, "1 recv 0 b");
    say_times(&p, 10, "1 recv 0 a");
    program_expect(&p, "for i0 = 1 to 10   [0]\n"
                       "  0 send 1 a\n"
                       "done\n"
                       "for i0 = 1 to 10   [0-1]\n"
                       "  0 -> 1 b\n"
                       "done\n"
                       "for i0 = 1 to 10   [1]\n"
                       "  1 recv 0 a\n"
                       "done\n");
}

Test(model, both_send_before_they_receive)
{
    struct program p = {0};
    say_times(&p, 10, "0 send 1 a");
    say_times(&p, 10, "0 recv 1 b");
    say_times(&p, 10, "1 send 0 b");
    say_times(&p, 10, "1 recv 0 a");
    program_expect(&p, "for i0 = 1 to 10   [0]\n"
                       "  0 send 1 a\n"
                       "done\n"
                       "for i0 = 1 to 10   [0-1]\n"
                       "  1 -> 0 b\n"
                       "done\n"
                       "for i0 = 1 to 10   [1]\n"
                       "  1 recv 0 a\n"
                       "done\n");
}

Test(model, a_way_over_a_third_process_keeps_loops_apart)
{
    struct program p = {0};
    say_times(&p, 10, "0 send 2 a");
    program_say(&p, "0 send 1 x");
    program_say(&p, "1 recv 0 x");
    program_say(&p, "1 send 2 y");
    program_say(&p, "2 recv 1 y");
    say_times(&p, 10, "2 recv 0 a");
    program_expect(&p, "for i0 = 1 to 10   [0]\n"
                       "  0 send 2 a\n"
                       "done\n"
                       "0 -> 1 x\n"
                       "1 -> 2 y\n"
                       "for i0 = 1 to 10   [2]\n"
                       "  2 recv 0 a\n"
                       "done\n");
}

Test(model, a_set_of_loops_is_divided)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++) {
        program_say(&p, "1 send 0 a");
        program_say(&p, "1 send 2 b");
        program_say(&p, "0 recv 1 a");
    }
    program_say(&p, "0 send 2 x");
    program_say(&p, "2 recv 0 x");
    say_times(&p, 5, "2 recv 1 b");
    program_expect(&p, "for i0 = 1 to 5   [0-1]\n"
                       "  1 -> 0 a\n"
                       "  1 send 2 b\n"
                       "done\n"
                       "0 -> 2 x\n"
                       "for i0 = 1 to 5   [2]\n"
                       "  2 recv 1 b\n"
                       "done\n");
}

/* Process 0's first loop could be joined with process 1's, and its second with process 2's; but
 * these two need each other. */
Test(model, loops_that_send_both_ways_come_first)
{
    struct program p = {0};
    say_times(&p, 3, "0 send 1 a");
    program_say(&p, "0 local x");
    for (int i = 0; i < 3; i++) {
        program_say(&p, "1 send 2 b");
        program_say(&p, "2 recv 1 b");
        program_say(&p, "2 send 1 c");
        program_say(&p, "1 recv 2 c");
        program_say(&p, "1 recv 0 a");
        program_say(&p, "2 recv 0 d");
    }
    say_times(&p, 3, "0 send 2 d");
    program_expect(&p, "for i0 = 1 to 3   [0]\n"
                       "  0 send 1 a\n"
                       "done\n"
                       "0 local x\n"
                       "for i0 = 1 to 3   [0]\n"
                       "  0 send 2 d\n"
                       "done\n"
                       "for i0 = 1 to 3   [1-2]\n"
                       "  1 -> 2 b\n"
                       "  2 -> 1 c\n"
                       "  1 recv 0 a\n"
                       "  2 recv 0 d\n"
                       "done\n");
}

Test(model, one_iteration_ahead)
{
    struct program p = {0};
    program_say(&p, "0 send 1 c");
    program_say(&p, "0 local start");
    for (int i = 0; i < 1000; i++) {
        program_say(&p, "0 send 1 d");
        program_say(&p, "0 local w");
        program_say(&p, "0 send 1 c");
        program_say(&p, "1 recv 0 d");
        program_say(&p, "1 recv 0 c");
        program_say(&p, "1 local v");
    }
    program_say(&p, "1 recv 0 c");
    program_expect(&p, "0 send 1 c\n"
                       "0 local start\n"
                       "for i0 = 1 to 1000   [0-1]\n"
                       "  0 -> 1 d\n"
                       "  0 local w\n"
                       "  1 recv 0 c\n"
                       "  0 send 1 c\n"
                       "  1 local v\n"
                       "done\n"
                       "1 recv 0 c\n");
}

/* A process that takes no part in all of an iteration begins its loop at another place of the
 * iteration. What is cut off is the part of the first iteration that the processes made, not one
 * iteration after the other. */
Test(model, loops_that_begin_elsewhere)
{
    struct program p = {0};
    for (int i = 0; i <= 50; i++) {
        for (int q = 0; q < 3; q++) {
            program_say(&p, "%d send %d a", q, (q + 1) % 3);
            program_say(&p, "%d recv %d a", q, (q + 2) % 3);
        }
        if (i > 0)
            program_say(&p, "0 send 2 b");
        if (i > 0)
            program_say(&p, "2 recv 0 b");
        for (int q = 0; q < 3 && i < 50; q++)
            program_say(&p, "%d sync S world", q);
    }
    program_expect(&p, "0 send 1 a\n"
                       "2 -> 0, 1 -> 2 a\n"
                       "1 recv 0 a\n"
                       "for i0 = 1 to 49   [0-2]\n"
                       "  sync S world   [0-2]\n"
                       "  0 send 1 a\n"
                       "  2 -> 0, 1 -> 2 a\n"
                       "  1 recv 0 a\n"
                       "  0 -> 2 b\n"
                       "done\n"
                       "sync S world   [0-2]\n"
                       "0 send 1 a\n"
                       "2 -> 0, 1 -> 2 a\n"
                       "1 recv 0 a\n"
                       "0 -> 2 b\n");
}

/* Exchanges whose receives are all posted first, in an iteration that some processes begin with
 * the second exchange. */
Test(model, loops_of_exchanges_that_begin_elsewhere)
{
    struct program p = {0};
    for (int q = 0; q < 4; q++)
        program_say(&p, "%d sync S world", q);
    for (int i = 0; i < 30; i++) {
        for (int k = 0; k < 2; k++) {
            for (int q = 0; q < 4; q++) {
                if (i == 0 && k == 0 && q >= 2)
                    program_say(&p, "%d local begin", q);
                for (int other = q & 1; other < 4; other += 2) {
                    if (other != q)
                        program_say(&p, "%d recv %d %c", q, other, 'a' + k);
                }
                for (int other = q & 1; other < 4; other += 2) {
                    if (other != q)
                        program_say(&p, "%d send %d %c", q, other, 'a' + k);
                }
                if (i == 0 && k == 0 && q >= 2)
                    program_say(&p, "%d local through", q);
            }
        }
        for (int q = 0; q < 4; q++)
            program_say(&p, "%d sync T world", q);
    }
    program_expect(&p, "sync S world   [0-3]\n"
                       "2, 3 local begin\n"
                       "0 recv 2, 1 recv 3, 2 recv 0, 3 recv 1 a\n"
                       "0 send 2, 1 send 3, 2 send 0, 3 send 1 a\n"
                       "2, 3 local through\n"
                       "for i0 = 1 to 29   [0-3]\n"
                       "  0 recv 2, 1 recv 3, 2 recv 0, 3 recv 1 b\n"
                       "  0 send 2, 1 send 3, 2 send 0, 3 send 1 b\n"
                       "  sync T world   [0-3]\n"
                       "  0 recv 2, 1 recv 3, 2 recv 0, 3 recv 1 a\n"
                       "  0 send 2, 1 send 3, 2 send 0, 3 send 1 a\n"
                       "done\n"
                       "0 recv 2, 1 recv 3, 2 recv 0, 3 recv 1 b\n"
                       "0 send 2, 1 send 3, 2 send 0, 3 send 1 b\n"
                       "sync T world   [0-3]\n");
}

/* ---- many processes -------------------------------------------------------------------------- */

Test(model, a_wavefront)
{
    struct program p = {0};
    for (int t = 0; t < 7; t++) {
        for (int k = 0; k < 5; k++) {
            program_say(&p, "0 send 1 t");
            program_say(&p, "0 send 2 t");
            program_say(&p, "1 recv 0 t");
            program_say(&p, "1 send 3 t");
            program_say(&p, "2 recv 0 t");
            program_say(&p, "2 send 3 t");
            program_say(&p, "3 recv 1 t");
            program_say(&p, "3 recv 2 t");
        }
        for (int r = 0; r < 4; r++)
            program_say(&p, "%d sync norm world", r);
    }
    program_expect(&p, "for i0 = 1 to 7   [0-3]\n"
                       "  for i1 = 1 to 5   [0-3]\n"
                       "    0 -> 1, 0 -> 2, 1 -> 3, 2 -> 3 t\n"
                       "  done\n"
                       "  sync norm world   [0-3]\n"
                       "done\n");
}

Test(model, groups_that_communicate_among_themselves_have_loops_of_their_own)
{
    struct program p = {0};
    for (int i = 0; i < 20; i++) {
        for (int r = 0; r < 4; r += 2) {
            program_say(&p, "%d send %d t", r, r + 1);
            program_say(&p, "%d recv %d t", r + 1, r);
            program_say(&p, "%d send %d t", r + 1, r);
            program_say(&p, "%d recv %d t", r, r + 1);
        }
    }
    for (int r = 0; r < 4; r++)
        program_say(&p, "%d sync barrier world", r);
    program_expect(&p, "for i0 = 1 to 20   [0-1]\n"
                       "  0 -> 1, 1 -> 0 t\n"
                       "done\n"
                       "for i0 = 1 to 20   [2-3]\n"
                       "  2 -> 3, 3 -> 2 t\n"
                       "done\n"
                       "sync barrier world   [0-3]\n");
}

Test(model, a_ring)
{
    struct program p = {0};
    for (int i = 0; i < 50; i++) {
        program_say(&p, "0 send 1 t");
        for (int r = 1; r < 4; r++) {
            program_say(&p, "%d recv %d t", r, r - 1);
            program_say(&p, "%d send %d t", r, (r + 1) % 4);
        }
        program_say(&p, "0 recv 3 t");
    }
    program_expect(&p, "for i0 = 1 to 50   [0-3]\n"
                       "  0-2 -> 1-3, 3 -> 0 t\n"
                       "done\n");
}

Test(model, receives_that_are_posted_stand_where_they_are)
{
    struct program p = {0};
    for (int i = 0; i < 50; i++) {
        for (int r = 0; r < 4; r++) {
            program_say(&p, "%d recv %d t", r, (r + 3) % 4);
            program_say(&p, "%d send %d t", r, (r + 1) % 4);
        }
    }
    program_expect(&p, "for i0 = 1 to 50   [0-3]\n"
                       "  0 recv 3, 1-3 recv 0-2 t\n"
                       "  0-2 send 1-3, 3 send 0 t\n"
                       "done\n");
}

Test(model, collective_operations_hold_loops_together)
{
    struct program p = {0};
    for (int i = 0; i < 30; i++) {
        for (int r = 0; r < 3; r++) {
            program_say(&p, "%d local work", r);
            program_say(&p, "%d sync sum world", r);
        }
    }
    program_expect(&p, "for i0 = 1 to 30   [0-2]\n"
                       "  0-2 local work\n"
                       "  sync sum world   [0-2]\n"
                       "done\n");
}

Test(model, partners_that_depend_on_an_index_are_unrolled)
{
    struct program p = {0};
    for (int i = 0; i < 20; i++) {
        for (int r = 1; r < 5; r++)
            program_say(&p, "0 send %d job", r);
        for (int r = 1; r < 5; r++) {
            program_say(&p, "%d recv 0 job", r);
            program_say(&p, "%d send 0 done", r);
        }
        for (int r = 1; r < 5; r++)
            program_say(&p, "0 recv %d done", r);
    }
    program_expect(&p, "for i0 = 1 to 20   [0-4]\n"
                       "  0 -> 1-4 job\n"
                       "  1-4 -> 0 done\n"
                       "done\n");
}

Test(model, messages_from_anybody_stay_apart)
{
    struct program p = {0};
    say_times(&p, 10, "0 recv any a");
    say_times(&p, 3, "0 send 1 x");
    say_times(&p, 10, "1 send 0 a");
    say_times(&p, 3, "1 recv 0 x");
    program_expect(&p, "for i0 = 1 to 10   [0]\n"
                       "  0 recv any a\n"
                       "done\n"
                       "for i0 = 1 to 10   [1]\n"
                       "  1 send 0 a\n"
                       "done\n"
                       "for i0 = 1 to 3   [0-1]\n"
                       "  0 -> 1 x\n"
                       "done\n");
}

Test(model, messages_with_any_tag_stay_apart)
{
    struct program p = {0};
    program_say(&p, "0 send 1 tag5");
    program_say(&p, "0 send 1 tag5");
    program_say(&p, "1 recv 0 tagany");
    program_say(&p, "1 recv 0 tag5");
    program_expect(&p, "0 send 1, 0 send 1 tag5\n"
                       "1 recv 0 tagany\n"
                       "1 recv 0 tag5\n");
}

Test(model, any_tag_on_a_communicator_is_any_tag)
{
    struct program p = {0};
    program_say(&p, "0 send 1 tag5 comm1");
    program_say(&p, "1 recv 0 tagany comm1");
    program_say(&p, "1 recv any tag5 comm1");
    program_expect(&p, "0 send 1 tag5 comm1\n"
                       "1 recv 0 tagany comm1\n"
                       "1 recv any tag5 comm1\n");
}

Test(model, what_each_process_numbers_for_itself_is_no_group)
{
    struct program p = {0};
    for (int r = 0; r < 2; r++) {
        program_say(&p, "%d sync fence win0", r);
        program_say(&p, "%d sync fence MPI_COMM_SELF", r);
        program_say(&p, "%d sync fence comm?1", r);
        program_say(&p, "%d sync fence comm0@1", r);
        program_say(&p, "%d sync fence comm0", r);
    }
    program_expect(&p, "0, 1 sync fence win0\n"
                       "0, 1 sync fence MPI_COMM_SELF\n"
                       "0, 1 sync fence comm?1\n"
                       "0, 1 sync fence comm0@1\n"
                       "sync fence comm0   [0-1]\n");
}

Test(model, messages_that_are_not_received)
{
    struct program p = {0};
    say_times(&p, 10, "0 send 1 a");
    say_times(&p, 7, "1 recv 0 a");
    program_expect(&p, "for i0 = 1 to 7   [0-1]\n"
                       "  0 -> 1 a\n"
                       "done\n"
                       "for i0 = 1 to 3   [0]\n"
                       "  0 send 1 a\n"
                       "done\n");
}

Test(model, nobody)
{
    struct program p = {0};
    program_say(&p, "# no event");
    program_model(&p);
    cr_assert_eq(p.model.processes.n, 0);
    cr_assert_eq(p.model.all->n, 0);
    program_end(&p);
}

/* ---- links ----------------------------------------------------------------------------------- */

Test(model, links_tell_flows)
{
    struct program p = {0};
    for (int i = 0; i < 15; i++) {
        program_say(&p, "0 send 1 a");
        program_say(&p, "1 recv 0 a");
        if (i % 3 == 2)
            program_say(&p, "0 local s");
        if (i % 5 == 4)
            program_say(&p, "1 local r");
    }
    program_model(&p);
    program_check(&p);
    cr_assert_eq(p.model.all->n, 2, "5 and 3 iterations have nothing in common");
    cr_assert_eq(p.model.all->n_links, 1);
    const struct system_link *l = &p.model.all->links[0];
    cr_assert(l->from == 0 && l->to == 1 && l->n == 15 && l->sent_each == 3 && l->received_each == 5);
    program_end(&p);
}

/* If two threads of a rank use a channel, it is not known which of them meets whom; on channels of one thread it
 * is. */
Test(model, threads_that_share_a_channel_stay_apart)
{
    for (int variant = 0; variant < 3; variant++) {
        const int threads = variant == 0 ? 1 : 2;
        struct program p = {0};
        struct event_draft draft = {0};
        struct loop_groups groups = {.templates = &p.templates};
        for (int i = 0; i < 2 + threads; i++) {
            const bool sends = i == 0 || i == 3;
            struct nlr *own = nlr_create(0);
            uint32_t template;
            event_draft_clear(&draft);
            event_draft_rank(&draft, i == 1);
            text_put(&draft.text, i == 2 ? " local" : sends ? " send " : " recv ");
            if (i != 2)
                event_draft_rank(&draft, sends);
            text_put(&draft.text, i == 3 && variant == 2 ? " tag2" : i == 2 ? "" : " tag1");
            cr_assert_eq(
                event_templates_intern(&p.templates, (char *)draft.text.data, draft.text.n, &template),
                REFRAIN_OK);
            cr_assert_eq(nlr_append(own, template, draft.numbers.items, (uint32_t)draft.numbers.n),
                         REFRAIN_OK);
            cr_assert_eq(nlr_finish(own), REFRAIN_OK);
            cr_assert_eq(loop_groups_add(&groups, i == 1, i < 2 ? 0 : (uint32_t)i - 1, own), REFRAIN_OK);
        }
        cr_assert_eq(model_create(&p.model, &groups), REFRAIN_OK);
        cr_assert_eq(p.model.processes.n, 2 + threads);
        cr_assert_eq(p.model.all->n, ((const size_t[]){2, 4, 3})[variant],
                     "the message is one construct or not");
        event_draft_free(&draft);
        loop_groups_free(&groups);
        program_end(&p);
    }
}

/* It is not known which receive is cancelled, and to which of several requests a partitioned message
 * belongs; and a number that each process assigns by itself is not one communicator. */
Test(model, messages_of_no_channel_stay_apart)
{
    static const char *const said[][2] = {{"5", "1 local MPI_Cancel"},    {"5", "0 local MPI_Cancel"},
                                          {"partitioned?5", "0 local x"}, {"5 comm?1", "0 local x"},
                                          {"5 comm0@1", "0 local x"},     {"5 comm1", "0 local x"}};
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        struct program p = {0};
        struct output out = {0};
        const bool together = i == sizeof said / sizeof said[0] - 1;
        program_say(&p, "%s", said[i][1]);
        program_say(&p, "0 send 1 %s", said[i][0]);
        program_say(&p, "1 recv 0 %s", said[i][0]);
        program_model(&p);
        program_check(&p);
        cr_assert_eq(model_put_text(&p.model, &out), REFRAIN_OK);
        bytes_put_u8(&out.text, '\0');
        cr_assert_eq(strstr((char *)out.text.data, "->") != NULL, together, "%s: %s", said[i][0],
                     (char *)out.text.data);
        bytes_free(&out.text);
        program_end(&p);
    }
}

Test(model, links_between_loops_that_stay_apart)
{
    struct program p = {0};
    say_times(&p, 10, "0 send 1 a");
    say_times(&p, 10, "0 send 1 b");
    say_times(&p, 10, "1 recv 0 b");
    say_times(&p, 10, "1 recv 0 a");
    program_model(&p);
    cr_assert_eq(p.model.all->n_links, 1);
    const struct system_link *l = &p.model.all->links[0];
    cr_assert(l->from == 0 && l->to == 2 && l->first == 0 && l->n == 10);
    cr_assert(l->sent_each == 1 && l->received_each == 1 && l->sent_before == 0 && l->received_before == 0);
    program_end(&p);
}
