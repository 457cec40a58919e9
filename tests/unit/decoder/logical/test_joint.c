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

/* All pairs, by the bits in which ranks differ. */
Test(joint, pairs_by_bits_are_one_line)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++)
        for (int rank = 0; rank < 16; rank++)
            for (int k = 1; k < 16; k++) {
                program_say(&p, "%d send %d tag%d", rank, rank ^ k, 100 + k);
                program_say(&p, "%d recv %d tag%d", rank, rank ^ k, 100 + k);
            }
    for (int rank = 0; rank < 16; rank++)
        for (int k = 1; k < 14; k += 4) {
            program_say(&p, "%d send %d tag5", rank, rank ^ k);
            program_say(&p, "%d recv %d tag5", rank, rank ^ k);
        }
    joint_expect(&p, 16,
                 "for i0 = 1 to 5\n"
                 "  for i1 = 1 to 15\n"
                 "    rank <-> rank^i1 tag(100+i1), sends first\n"
                 "for i0 = 1 to 4\n"
                 "  rank <-> rank^(-3+4*i0) tag5, sends first\n");
}

/* As in NAS CG, on 8 x 8 ranks: the same lines for any number of stages. */
Test(joint, stages_of_a_butterfly_are_one_line)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++)
        for (int rank = 0; rank < 64; rank++) {
            const int transposed = rank % 8 * 8 + rank / 8;
            for (int stage = 1; stage <= 6; stage++) {
                const int k = stage <= 3 ? 3 - stage : stage - 4;
                program_say(&p, "%d recv %d tag%d", rank, rank ^ 1 << k, k);
                program_say(&p, "%d send %d tag%d", rank, rank ^ 1 << k, k);
            }
            program_say(&p, "%d recv %d tag7", rank, transposed);
            program_say(&p, "%d send %d tag7", rank, transposed);
        }
    joint_expect(&p, 64,
                 "for i0 = 1 to 5\n"
                 "  for i1 = 1 to 3\n"
                 "    rank <-> rank^2^(3-i1) tag(3-i1), receives first\n"
                 "  for i1 = 1 to 3\n"
                 "    rank <-> rank^2^(-1+i1) tag(-1+i1), receives first\n"
                 "  rank -> transposed tag7, receives first\n");
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

/* ---- loops over partners --------------------------------------------------------------------- */

Test(joint, a_master_visits_its_workers)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++)
        for (int k = 1; k < 8; k++) {
            program_say(&p, "0 send %d tag6", k);
            program_say(&p, "%d recv 0 tag6", k);
            program_say(&p, "%d send 0 tag7", k);
            program_say(&p, "0 recv %d tag7", k);
        }
    joint_expect(&p, 8,
                 "for i0 = 1 to 5\n"
                 "  for i1 = 1 to 7\n"
                 "    0 -> i1 tag6\n"
                 "    i1 -> 0 tag7\n");
}

/* What each side does alone is said of who does it; the tag is a function of the worker. */
Test(joint, visits_have_what_both_sides_do_between)
{
    struct program p = {0};
    for (int k = 7; k > 0; k--) {
        program_say(&p, "0 local part");
        program_say(&p, "0 send %d tag%d", k, 100 + 2 * k);
        program_say(&p, "%d recv 0 tag%d", k, 100 + 2 * k);
        program_say(&p, "%d local work", k);
        program_say(&p, "%d send 0 tag7", k);
        program_say(&p, "0 recv %d tag7", k);
    }
    joint_expect(&p, 8,
                 "for i0 = 1 to 7\n"
                 "  local part   if rank == 0\n"
                 "  0 -> 8-i0 tag(116-2*i0)\n"
                 "  local work   if rank == 8-i0\n"
                 "  8-i0 -> 0 tag7\n");
}

/* The tag is the number of the round. */
Test(joint, a_master_sends_to_all_before_it_receives)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++) {
        for (int k = 1; k < 8; k++)
            program_say(&p, "0 send %d tag%d", k, i);
        for (int k = 1; k < 8; k++) {
            program_say(&p, "%d recv 0 tag%d", k, i);
            program_say(&p, "%d send 0 tag7", k);
            program_say(&p, "0 recv %d tag7", k);
        }
    }
    joint_expect(&p, 8,
                 "for i0 = 1 to 5\n"
                 "  for i1 = 1 to 7\n"
                 "    0 -> i1 tag(-1+i0)\n"
                 "  for i1 = 1 to 7\n"
                 "    i1 -> 0 tag7\n");
}

Test(joint, what_a_master_posts_for_all_its_workers_is_an_exchange)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++) {
        for (int k = 1; k < 8; k++)
            program_say(&p, "0 recv %d tag7", k);
        for (int k = 1; k < 8; k++)
            program_say(&p, "0 send %d tag6", k);
        for (int k = 1; k < 8; k++) {
            program_say(&p, "%d recv 0 tag6", k);
            program_say(&p, "%d send 0 tag7", k);
        }
    }
    joint_expect(&p, 8,
                 "for i0 = 1 to 5\n"
                 "  exchange\n"
                 "    for i1 = 1 to 7   if rank == 0\n"
                 "      recv i1 tag7\n"
                 "    for i1 = 1 to 7   if rank == 0\n"
                 "      send i1 tag6\n"
                 "    recv center tag6   if rank > 0\n"
                 "    send center tag7   if rank > 0\n");
}

/* The last worker receives after all others what was sent to it in the middle. */
Test(joint, visits_in_another_order_than_that_of_a_worker_stay_apart)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++)
        for (int k = 1; k < 8; k++) {
            program_say(&p, "0 send %d tag6", k);
            program_say(&p, "0 recv %d tag7", k);
            program_say(&p, "%d %s 0 tag%d", k, k < 7 ? "recv" : "send", k < 7 ? 6 : 7);
            program_say(&p, "%d %s 0 tag%d", k, k < 7 ? "send" : "recv", k < 7 ? 7 : 6);
        }
    struct logical_program l;
    program_model(&p);
    logical_start(&l, &p, 8);
    logical_check(&l, &p);
    logical_end(&l);
    program_end(&p);
}

Test(joint, visits_with_a_message_too_many_stay_apart)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++)
        for (int k = 1; k < 8; k++) {
            program_say(&p, "0 send %d tag6", k);
            program_say(&p, "%d recv 0 tag6", k);
        }
    program_say(&p, "0 send 3 tag6");
    joint_expect(&p, 8,
                 "for i0 = 1 to 5\n"
                 "  for i1 = 1 to 7   if rank == 0\n"
                 "    send i1 tag6\n"
                 "  recv center tag6   if rank > 0\n"
                 "send 3 tag6   if rank == 0\n");
}

/* All ranks post a receive from each other rank, and then send. */
Test(joint, partners_that_move_in_different_loops_are_an_exchange)
{
    struct program p = {0};
    for (int i = 0; i < 5; i++)
        for (int rank = 0; rank < 16; rank++) {
            for (int k = 1; k < 16; k++)
                program_say(&p, "%d recv %d tag5", rank, (rank + 16 - k) % 16);
            for (int k = 1; k < 16; k++)
                program_say(&p, "%d send %d tag5", rank, (rank + k) % 16);
        }
    joint_expect(&p, 16,
                 "for i0 = 1 to 5\n"
                 "  exchange\n"
                 "    for i1 = 1 to 15\n"
                 "      recv (rank-i1)%16 tag5\n"
                 "    for i1 = 1 to 15\n"
                 "      send (rank+i1)%16 tag5\n");
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
