/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "logical_program.h"

/* ---- order ----------------------------------------------------------------------------------- */

Test(joint, messages_that_wait_for_each_other_are_a_wave)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++)
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 4; x++) {
                const int rank = x + 4 * y;
                if (x > 0)
                    program_say(&p, "%d recv %d tag2", rank, rank - 1);
                if (y > 0)
                    program_say(&p, "%d recv %d tag4", rank, rank - 4);
                if (x < 3)
                    program_say(&p, "%d send %d tag2", rank, rank + 1);
                if (y < 2)
                    program_say(&p, "%d send %d tag4", rank, rank + 4);
            }
    joint_expect(&p, 12,
                 "for i0 = 1 to 5\n"
                 "  for x+y = 0 to 4\n"
                 "    (x, y) -> (x+1, y) tag2   if x < 3\n"
                 "    (x, y) -> (x, y+1) tag4   if y < 2\n");
}

Test(joint, a_token_goes_around_a_ring)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++)
        for (int rank = 0; rank < 6; rank++) {
            if (rank > 0)
                program_say(&p, "%d recv %d tag1", rank, rank - 1);
            program_say(&p, "%d send %d tag1", rank, (rank + 1) % 6);
            if (rank == 0)
                program_say(&p, "0 recv 5 tag1");
        }
    joint_expect(&p, 6,
                 "for i0 = 1 to 5\n"
                 "  0 -> 1 tag1\n"
                 "  for x = 1 to 5\n"
                 "    x -> x+1 tag1   if x > 0\n");
}

/* To all others, in the order of their distance. */
static void say_cyclic(struct program *p, int ranks)
{
    for (int rank = 0; rank < ranks; rank++)
        for (int k = 1; k < ranks; k++) {
            program_say(p, "%d send %d tag5", rank, (rank + k) % ranks);
            program_say(p, "%d recv %d tag5", rank, (rank + ranks - k) % ranks);
        }
}

Test(joint, partners_that_move_meet_in_each_iteration)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++)
        say_cyclic(&p, 16);
    joint_expect(&p, 16,
                 "for i0 = 1 to 5\n"
                 "  for i1 = 1 to 15\n"
                 "    rank -> (rank+i1)%16 tag5, sends first\n");
}

/* With another number of sends somewhere, the tag's messages are not known to be those of one iteration. */
Test(joint, partners_that_move_stay_apart_if_a_message_is_too_many)
{
    struct program p = {0};
    program_say(&p, "0 send 1 tag5");
    for (int rank = 0; rank < 16; rank++)
        program_say(&p, "%d sync sum world", rank);
    say_cyclic(&p, 16);
    joint_expect(&p, 16,
                 "send 1 tag5   if rank == 0\n"
                 "sum world\n"
                 "for i0 = 1 to 15\n"
                 "  send (rank+i0)%16 tag5\n"
                 "  recv (rank-i0)%16 tag5\n");
}

Test(joint, who_sends_first_is_said)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++)
        for (int rank = 0; rank < 6; rank++) {
            program_say(&p, "%d send %d tag1", rank, (rank + 1) % 6);
            program_say(&p, "%d recv %d tag1", rank, (rank + 5) % 6);
            program_say(&p, "%d recv %d tag2", rank, (rank + 1) % 6);
            program_say(&p, "%d send %d tag2", rank, (rank + 5) % 6);
        }
    joint_expect(&p, 6,
                 "for i0 = 1 to 5\n"
                 "  x -> x+1 tag1, sends first\n"
                 "  x -> x-1 tag2, receives first\n");
}

Test(joint, what_is_posted_before_anything_is_sent_is_an_exchange)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++)
        for (int rank = 0; rank < 6; rank++) {
            program_say(&p, "%d recv %d tag1", rank, (rank + 5) % 6);
            program_say(&p, "%d recv %d tag2", rank, (rank + 1) % 6);
            program_say(&p, "%d send %d tag2", rank, (rank + 5) % 6);
            program_say(&p, "%d send %d tag1", rank, (rank + 1) % 6);
            program_say(&p, "%d sync sum world", rank);
        }
    joint_expect(&p, 6,
                 "for i0 = 1 to 5\n"
                 "  exchange\n"
                 "    recv x-1 tag1, x+1 tag2\n"
                 "    send x-1 tag2, x+1 tag1\n"
                 "  sum world\n");
}

Test(joint, neighbours_that_are_left_out_have_a_condition)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++)
        for (int rank = 0; rank < 6; rank++) {
            if (rank > 0)
                program_say(&p, "%d recv %d tag1", rank, rank - 1);
            if (rank < 5)
                program_say(&p, "%d recv %d tag2", rank, rank + 1);
            if (rank > 1 && rank < 5)
                program_say(&p, "%d recv %d tag3", rank, rank - 1);
            if (rank > 0)
                program_say(&p, "%d send %d tag2", rank, rank - 1);
            if (rank < 5)
                program_say(&p, "%d send %d tag1", rank, rank + 1);
            if (rank > 0 && rank < 4)
                program_say(&p, "%d send %d tag3", rank, rank + 1);
        }
    joint_expect(&p, 6,
                 "for i0 = 1 to 5\n"
                 "  exchange\n"
                 "    recv x-1 tag1, x+1 tag2   where there is one\n"
                 "    recv x-1 tag3   if 2 <= x <= 4\n"
                 "    send x-1 tag2, x+1 tag1   where there is one\n"
                 "    send x+1 tag3   if 1 <= x <= 3\n");
}

Test(joint, messages_that_no_rank_is_in_twice_are_lines)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++)
        for (int rank = 0; rank < 6; rank++) {
            const char *first = rank % 2 == 0 ? "send" : "recv", *second = rank % 2 == 0 ? "recv" : "send";
            program_say(&p, "%d %s %d tag1", rank, first, (rank + (rank % 2 == 0 ? 1 : 5)) % 6);
            program_say(&p, "%d %s %d tag1", rank, second, (rank + (rank % 2 == 0 ? 5 : 1)) % 6);
        }
    joint_expect(&p, 6,
                 "for i0 = 1 to 5\n"
                 "  x -> x+1 tag1   if x % 2 == 0\n"
                 "  x -> x+1 tag1   if x % 2 == 1\n");
}

Test(joint, one_that_sends_to_itself_is_in_no_circle)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++) {
        program_say(&p, "0 send 0 tag1");
        program_say(&p, "0 recv 0 tag1");
    }
    joint_expect(&p, 1,
                 "for i0 = 1 to 5\n"
                 "  0 -> 0 tag1\n");
}

/* ---- steps that are joined ------------------------------------------------------------------- */

/* Rank 1 receives after the loop what rank 0 sent in the loop. */
Test(joint, what_is_in_different_loops_stays_apart)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++) {
        program_say(&p, "0 send 1 tag1");
        for (int rank = 0; rank < 2; rank++)
            program_say(&p, "%d sync sum world", rank);
    }
    for (int i = 0; i < 5; i++)
        program_say(&p, "1 recv 0 tag1");
    joint_expect(&p, 2,
                 "for i0 = 1 to 5\n"
                 "  send x+1 tag1   if x == 0\n"
                 "  sum world\n"
                 "for i0 = 1 to 5   if x == 1\n"
                 "  recv x-1 tag1\n");
}

Test(joint, who_receives_from_anybody_meets_nobody)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++) {
        program_say(&p, "0 recv any tag1");
        program_say(&p, "0 recv 1 tag2");
        program_say(&p, "1 send 0 tag1");
        program_say(&p, "1 send 0 tag2");
        program_say(&p, "1 send 2 tag3");
        program_say(&p, "2 recv 1 tag3");
    }
    joint_expect(&p, 3,
                 "for i0 = 1 to 5\n"
                 "  send x-1 tag1, x-1 tag2   if x == 1\n"
                 "  1 -> 2 tag3\n"
                 "  recv any tag1   if x == 0\n"
                 "  recv x+1 tag2   if x == 0\n");
}

/* Sends of tags 1 and 2 are received in the other order: one send of each tag comes before each
 * receive. */
Test(joint, each_tag_is_a_channel)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++) {
        program_say(&p, "0 send 1 tag1");
        program_say(&p, "0 send 1 tag2");
        program_say(&p, "1 recv 0 tag2");
        program_say(&p, "1 recv 0 tag1");
    }
    joint_expect(&p, 2,
                 "for i0 = 1 to 5\n"
                 "  exchange\n"
                 "    send x+1 tag1, x+1 tag2   where there is one\n"
                 "    recv x-1 tag2, x-1 tag1   where there is one\n");
}

Test(joint, tags_that_change_meet_in_their_order)
{
    struct program p = {0};
    for (int i = 0; i < 7; i++) {
        program_say(&p, "0 send 1 tag%d", i);
        program_say(&p, "1 recv 0 tag%d", i);
    }
    joint_expect(&p, 2,
                 "for i0 = 1 to 7\n"
                 "  0 -> 1 tag(-1+i0)\n");
}
