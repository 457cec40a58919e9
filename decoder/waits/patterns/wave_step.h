/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of waves that run through the grid of the processes from a corner.
 *
 * In a step of a wave, a process receives from the upstream sides, computes, and sends to the downstream
 * sides. Both show where the wave comes from; at the border, where the receives or the sends are missing, the
 * others are enough:
 *
 *     wave from the corner x-, y-      o > o > o         process    receives from    sends to     from
 *                                      v   v   v         top left                    x+, y+       x-, y-
 *                                      o > o > o         top        x-               x+, y+       x-, y-
 *                                                        last       x-, y-                        x-, y-
 *
 * A step has at most one message from each side and then one to each side. The next step begins with a
 * receive after a send, or with a second message to a side. A second message from a side, or one back to it,
 * begins another step at the last corner; elsewhere, the messages before it are none of the wave's. If a
 * process receives from both sides of a dimension in one step, or sends to both, that is
 * no wave. A process at a corner cannot know this alone, but the processes that send to it can. So the origin
 * of a wave also contains the sides from which it came to them.
 *
 * An exchange with the neighbours, one dimension after the other, has such steps, too: it receives from x+, then
 * sends to y+. Three properties of waves exclude it. A process exchanges messages with all its neighbours in a
 * step; so do the processes that send to it. And messages do not cross: a neighbour that sends back has received
 * all that was sent to it. If all processes are corners (2 x 2), some exchanges still look like waves.
 *
 * If a wave comes from another corner than the previous one, or is the first one after other
 * communication, the pipeline is empty. Waiting for the first message from each side is then the cost of
 * filling the pipeline, not of imbalance. */
#ifndef REFRAIN_WAVE_STEP_H
#define REFRAIN_WAVE_STEP_H

#include "decoder/waits/search/wait_search.h"

enum {
    WAVE_SIDES = 2 * WAIT_GRID_DIMS,
    WAVE_RUNS = 32, /* a sender may be ahead by this many changes of direction */
    WAVE_RECEIVED = 8,
    WAVE_REFILLS = 8
};

/* These stand in place of a wave's number. */
enum { WAVE_NONE, WAVE_UNKNOWN };

/* Sets of sides have a bit for each side. */
struct wave_step {
    uint64_t begin;      /* first call that may belong to the step */
    uint64_t first_send; /* first call that sends */
    uint64_t last;       /* last call so far */
    uint32_t from, to;
    bool is_part;        /* when the first send began, it could be part of a wave */
    uint32_t n, n_waits; /* received messages; those that were waited for */
    struct wave_message {
        uint32_t lane; /* of the sender */
        uint64_t call; /* that sent it */
        uint64_t by;   /* call that received it */
        unsigned side;
        bool crosses; /* a message in the other direction */
    } messages[WAVE_SIDES];
    struct wait_event waits[WAVE_SIDES];
};

/* Messages from a side. */
struct wave_received {
    uint64_t n;
    uint64_t calls
        [WAVE_RECEIVED]; /* the last calls that received one; that of message k is number k % WAVE_RECEIVED */
};

struct wave_lane {
    struct wave_step step;
    bool is_placed;            /* `neighbours` is known */
    uint32_t neighbours;       /* sides with a neighbour, in dimensions with a border; 0: it has no place */
    uint64_t sent[WAVE_SIDES]; /* number of messages to each side */
    struct wave_received received[WAVE_SIDES];
    uint32_t last;   /* number of the last wave; WAVE_NONE if there was none */
    uint32_t filled; /* sides from which this wave has brought a message */
    /* The origins of sends, each from its first call on. The newest is number n_runs - 1, modulo
     * WAVE_RUNS. */
    struct wave_run {
        uint64_t first;
        uint32_t origin;
        bool passes, is_part; /* is_part: of a wave */
    } runs[WAVE_RUNS];
    uint32_t n_runs;
    /* The last steps that were refills, for waiting that is reported later. */
    struct wave_refill {
        uint64_t begin, end;
        uint32_t which, sides;
    } refills[WAVE_REFILLS];
    uint32_t n_refills;
};

/* Returns the sides from which the wave comes, as far as the step shows them. */
uint32_t wave_step_origin(const struct wave_step *step);
/* Does the step receive something and send something on? */
bool wave_step_passes(const struct wave_step *step);
/* Returns the run of steps that contains this send; zeros if it is not known any more. */
struct wave_run wave_lane_run_at(const struct wave_lane *l, uint64_t call);
/* Returns the number of a wave from these sides: the number of dimensions with a border, and a bit for each,
 * set if the wave comes from its higher end. Returns WAVE_NONE if the wave comes from both ends of a dimension,
 * and WAVE_UNKNOWN if for a dimension with a border `origin` has no side. */
uint32_t wave_number(const struct wait_grid *g, uint32_t origin);
/* Is it the number of a wave? */
bool wave_is_known(uint32_t which);
/* Finds the neighbours of the lane's rank. */
void wave_lane_place(struct wave_lane *l, const struct wait_grid *g, uint32_t rank);
/* Has the step received from all neighbours in the direction of the wave's origin, and, if it `ended`, sent to all
 * others? If it has not ended, the direction may be unknown in some dimensions. */
bool wave_step_is_whole(const struct wave_lane *l, const struct wave_step *step, bool ended);
/* Returns how many messages were received before this call; too many if that is not known any more. */
uint64_t wave_received_before(const struct wave_received *r, uint64_t call);
/* Keeps the origin of the step's sends; `is_part`: of a wave. */
void wave_lane_note_sends(struct wave_lane *l, bool is_part);

#endif
