/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting that depends on the grid of the processes: the refills of pipelines. */
#include "waves.h"

#define PAPER                                                                                                \
    "Bhatia, Song, Wolf, Dongarra, Mohr, Moore: Automatic experimental analysis of communication patterns "  \
    "in virtual topologies (2005)"

static enum refrain_status take_corner(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    return e->which == s->metrics->items[self]->which ? wait_search_wait(s, self, e) : REFRAIN_OK;
}

#define CORNER(name_, title, sides, dims, corner)                                                            \
    {                                                                                                        \
        .uniq_name = "mpi_refill_" name_, .name = "pipeline refill from the " title, .parent = "mpi_refill", \
        .part = true, .blamed = "the sender",                                                                \
        .text = "The part of pipeline refills in which the wave comes from " sides ".", .source = PAPER,     \
        .events = EVENTS(EVENT_REFILL), .take = take_corner, .which = METRIC_WAVE(dims, corner)              \
    }

const struct metric patterns_grid[] = {
    {.uniq_name = "mpi_refill",
     .name = "pipeline refill",
     .parent = "mpi_latesender",
     .part = true,
     .blamed = "the sender",
     .text = "A wave runs through the grid of processes from a corner: each process receives from the "
             "upstream sides, computes, and sends to the downstream sides. If a wave comes from another "
             "corner than the previous wave, or is the first one after other communication, processes wait "
             "until it reaches them. This is the waiting for the first message of such a wave from each "
             "side. A message that no process passes on is not a wave. The more messages each process "
             "receives in one wave, the smaller is the share of this waiting. The corner that the wave "
             "reaches last waits most.",
     .drawing = "x-  ---[ compute ][Send][ compute ][Send]-------\n"
                "                    \\_________            \\\n"
                "x+  ---[ Recv         ][ compute ][Recv   ]-----\n"
                "       |<-- refill -->|\n",
     .source = PAPER,
     .events = EVENTS(EVENT_SENDING) | EVENTS(EVENT_MESSAGE) | EVENTS(EVENT_LATE_SENDER) |
               EVENTS(EVENT_MEMBER) | EVENTS(EVENT_END),
     .take = waves_take,
     .publishes = EVENT_REFILL,
     .lane_state = sizeof(struct wave_lane)},
    CORNER("w", "west", "the lower end of x, in a line of processes", 1, 0),
    CORNER("e", "east", "the higher end of x, in a line of processes", 1, 1),
    CORNER("nw", "north-west", "the lower end of x and the lower end of y, in a plane", 2, 0),
    CORNER("ne", "north-east", "the higher end of x and the lower end of y, in a plane", 2, 1),
    CORNER("sw", "south-west", "the lower end of x and the higher end of y, in a plane", 2, 2),
    CORNER("se", "south-east", "the higher end of x and the higher end of y, in a plane", 2, 3),
    CORNER("nwl", "north-west, lower z", "the lower ends of x, y and z", 3, 0),
    CORNER("nel", "north-east, lower z", "the higher end of x, the lower ends of y and z", 3, 1),
    CORNER("swl", "south-west, lower z", "the lower end of x, the higher of y, the lower of z", 3, 2),
    CORNER("sel", "south-east, lower z", "the higher ends of x and y, the lower end of z", 3, 3),
    CORNER("nwh", "north-west, higher z", "the lower ends of x and y, the higher end of z", 3, 4),
    CORNER("neh", "north-east, higher z", "the higher end of x, the lower of y, the higher of z", 3, 5),
    CORNER("swh", "south-west, higher z", "the lower end of x, the higher ends of y and z", 3, 6),
    CORNER("seh", "south-east, higher z", "the higher ends of x, y and z", 3, 7),
    {0},
};
