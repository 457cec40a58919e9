/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages whose partners move with an index, as in a cyclic transpose:
 *
 *     for i1 = 1 to 15               for i1 = 1 to 15
 *       send (rank+i1)%16 tag5         rank -> (rank+i1)%16 tag5, sends first
 *       recv (rank-i1)%16 tag5
 *
 * In each iteration every rank receives from the rank that sends to it, if all ranks have both steps and the
 * distances are opposite, or the bits equal (rank^i1). Other messages may meet steps around the loop, as those of a master that loops over
 * its workers: such a loop is open (body_acts.h). */
#ifndef REFRAIN_MOVING_H
#define REFRAIN_MOVING_H

#include "meetings.h"

/* Loops that would have more acts do not open. */
#define MOVING_ACTS_MOST ((uint64_t)1 << 20)

/* Does the partner of an event move with an index? */
bool moving_is(const struct step *s);
/* Finds the other step of the body that step `at` meets in each iteration. There must be no more messages with
 * such a tag in the body. False: there is none, or nothing says so. */
bool moving_mate(const struct meetings *m, const struct steps *body, size_t at, size_t *mate);
/* May the messages of a loop meet steps around it? All of them move with its index. */
bool moving_opens(const struct meetings *m, const struct step *loop);

#endif
