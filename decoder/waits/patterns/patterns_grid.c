/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting that depends on the grid of the processes: waves that run through it from a corner.
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
#include "decoder/waits/search/wait_search.h"

#include <assert.h>

#define PAPER                                                                                                \
    "Bhatia, Song, Wolf, Dongarra, Mohr, Moore: Automatic experimental analysis of communication patterns "  \
    "in virtual topologies (2005)"

enum {
    SIDES = 2 * WAIT_GRID_DIMS,
    RUNS = 32, /* a sender may be ahead by this many changes of direction */
    RECEIVED = 8,
    REFILLS = 8
};

/* These stand in place of a wave's number. */
enum { NO_WAVE, UNKNOWN };

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
    } messages[SIDES];
    struct wait_event waits[SIDES];
};

/* Messages from a side. */
struct wave_received {
    uint64_t n;
    uint64_t calls[RECEIVED]; /* the last calls that received one; that of message k is number k % RECEIVED */
};

struct wave_lane {
    struct wave_step step;
    bool is_placed;       /* `neighbours` is known */
    uint32_t neighbours;  /* sides with a neighbour, in dimensions with a border; 0: it has no place */
    uint64_t sent[SIDES]; /* number of messages to each side */
    struct wave_received received[SIDES];
    uint32_t last;   /* number of the last wave; NO_WAVE if there was none */
    uint32_t filled; /* sides from which this wave has brought a message */
    /* The origins of sends, each from its first call on. The newest is number n_runs - 1, modulo
     * RUNS. */
    struct wave_run {
        uint64_t first;
        uint32_t origin;
        bool passes, is_part; /* is_part: of a wave */
    } runs[RUNS];
    uint32_t n_runs;
    /* The last steps that were refills, for waiting that is reported later. */
    struct wave_refill {
        uint64_t begin, end;
        uint32_t which, sides;
    } refills[REFILLS];
    uint32_t n_refills;
};

static uint32_t lower(uint32_t sides)
{
    return sides & UINT32_C(0x55555555);
}

static uint32_t opposite(uint32_t sides)
{
    return lower(sides) << 1 | lower(sides >> 1);
}

static uint32_t origin_of(const struct wave_step *step)
{
    return step->from | opposite(step->to);
}

/* Does the step receive something and send something on? */
static bool passes(const struct wave_step *step)
{
    return step->from && step->to;
}

static struct wave_run run_of(const struct wave_step *step, bool is_part)
{
    return (struct wave_run){step->first_send, origin_of(step), passes(step), is_part};
}

/* Returns the run of steps that contains this send; zeros if it is not known any more. */
static struct wave_run run_at(const struct wave_lane *l, uint64_t call)
{
    if (l->step.to && call >= l->step.first_send)
        return run_of(&l->step, l->step.is_part);
    for (uint32_t i = l->n_runs; i-- > 0 && i + RUNS >= l->n_runs;) {
        if (l->runs[i % RUNS].first <= call)
            return l->runs[i % RUNS];
    }
    return (struct wave_run){0};
}

static bool has_border(const struct wait_grid *g, unsigned d)
{
    return g->sizes[d] >= 2 && !(g->periodic >> d & 1);
}

/* Returns the number of a wave from these sides: the number of dimensions with a border, and a bit for each,
 * set if the wave comes from its higher end. Returns NO_WAVE if the wave comes from both ends of a dimension,
 * and UNKNOWN if for a dimension with a border `origin` has no side. */
static uint32_t wave_number(const struct wait_grid *g, uint32_t origin)
{
    uint32_t n = 0, corner = 0;
    bool unknown = false;
    for (unsigned d = 0; d < g->n_dims; d++) {
        const uint32_t sides = origin >> (2 * d) & 3;
        if (!has_border(g, d))
            continue;
        if (sides == 3)
            return NO_WAVE;
        unknown = unknown || sides == 0;
        corner |= (uint32_t)(sides == 2) << n++;
    }
    return n == 0 ? NO_WAVE : unknown ? UNKNOWN : METRIC_WAVE(n, corner);
}

static bool is_wave(uint32_t which)
{
    return which != NO_WAVE && which != UNKNOWN;
}

static void find_neighbours(struct wave_lane *l, const struct wait_grid *g, uint32_t rank)
{
    const uint32_t *place = wait_grid_place(g, rank);
    l->is_placed = true;
    for (unsigned d = 0; place && d < g->n_dims; d++) {
        if (has_border(g, d))
            l->neighbours |= (uint32_t)(place[d] > 0) << (2 * d) | (uint32_t)(place[d] + 1 < g->sizes[d])
                                                                       << (2 * d + 1);
    }
}

/* Has the step received from all neighbours in the direction of the wave's origin, and, if it `ended`, sent to all
 * others? If it has not ended, the direction may be unknown in some dimensions. */
static bool is_whole(const struct wave_lane *l, const struct wave_step *step, bool ended)
{
    /* A bit for each dimension with a border; and for those of them in which the direction is known. */
    const uint32_t origin = origin_of(step), borders = lower(l->neighbours | l->neighbours >> 1),
                   known = (origin ^ origin >> 1) & borders;
    if (l->neighbours == 0 || (l->neighbours & origin & ~step->from))
        return false;
    return !ended || (known == borders && !(l->neighbours & ~origin & ~step->to));
}

/* Returns how many messages were received before this call; too many if that is not known any more. */
static uint64_t received_before(const struct wave_received *r, uint64_t call)
{
    uint64_t n = r->n;
    while (n > 0 && n + RECEIVED > r->n && r->calls[(n - 1) % RECEIVED] >= call)
        n--;
    return n;
}

static void note_sends(struct wave_lane *l, bool is_part)
{
    const struct wave_run run = run_of(&l->step, is_part), *last = &l->runs[(l->n_runs + RUNS - 1) % RUNS];
    const bool same = l->n_runs > 0 && last->origin == run.origin && last->passes == run.passes &&
                      last->is_part == run.is_part;
    if (l->step.to && !same)
        l->runs[l->n_runs++ % RUNS] = run;
}

/* Adds waiting for a message if it came from one of the sides. */
static enum refrain_status charge(struct wait_search *s, uint32_t self, const struct wait_event *e,
                                  uint32_t which, uint32_t sides)
{
    const unsigned side = wait_grid_side(s->grid, e->call.rank, e->cause.rank);
    struct wait_event late = *e;
    late.which = which;
    return side != WAIT_GRID_NO_SIDE && (sides >> side & 1) ? wait_search_wait(s, self, &late) : REFRAIN_OK;
}

/* Finds the wave of a lane's step from its own sides and the steps of its senders. A message that no process passes
 * on is not a wave. */
static enum refrain_status find_wave(struct wait_search *s, uint32_t self, const struct wave_lane *l,
                                     uint32_t *which)
{
    const struct wave_step *step = &l->step;
    uint32_t origin = origin_of(step);
    bool is_passed = passes(step), crosses = false, whole = is_whole(l, step, true);
    for (uint32_t i = 0; i < step->n; i++) {
        const struct wave_message *m = &step->messages[i];
        const struct wave_lane *sender = wait_search_state(s, self, m->lane);
        if (!sender)
            return REFRAIN_ERR_MEMORY;
        const struct wave_run run = run_at(sender, m->call);
        origin |= run.origin;
        is_passed = is_passed || run.passes;
        crosses = crosses || m->crosses;
        whole = whole && run.is_part;
    }
    *which = (is_passed || !step->from) && !crosses ? wave_number(s->grid, origin) : NO_WAVE;
    if (*which != NO_WAVE && !whole)
        *which = UNKNOWN;
    return REFRAIN_OK;
}

/* Ends the step before this call. */
static enum refrain_status close_step(struct wait_search *s, uint32_t self, struct wave_lane *l,
                                      uint64_t call)
{
    struct wave_step *step = &l->step;
    uint32_t which;
    enum refrain_status status = find_wave(s, self, l, &which);
    if (status != REFRAIN_OK)
        return status;
    if (which != l->last && which != UNKNOWN) {
        l->filled = 0;
        l->last = which;
    }
    const uint32_t sides = is_wave(which) ? step->from & ~l->filled : 0;
    l->filled |= sides;
    for (uint32_t i = 0; i < step->n_waits && status == REFRAIN_OK; i++)
        status = charge(s, self, &step->waits[i], which, sides);
    if (sides)
        l->refills[l->n_refills++ % REFILLS] = (struct wave_refill){step->begin, call, which, sides};
    note_sends(l, is_wave(which));
    /* A probe may come before the call that begins the next step. */
    step->begin = step->last + 1 < call ? step->last + 1 : call;
    step->from = step->to = step->n = step->n_waits = 0;
    step->is_part = false;
    return status;
}

/* Removes the messages up to the one from this side. They are other communication: no wave goes on to a side from
 * which it came. */
static void drop_messages(struct wave_lane *l, unsigned side)
{
    struct wave_step *step = &l->step;
    uint32_t dropped = 0, n_waits = 0;
    while (dropped < step->n && step->messages[dropped].side != side)
        dropped++;
    assert(dropped < step->n);
    step->begin = step->messages[dropped++].by + 1;
    step->from = 0;
    for (uint32_t i = dropped; i < step->n; i++) {
        step->from |= UINT32_C(1) << step->messages[i].side;
        step->messages[i - dropped] = step->messages[i];
    }
    step->n -= dropped;
    for (uint32_t i = 0; i < step->n_waits; i++) {
        if (step->waits[i].call.call >= step->begin)
            step->waits[n_waits++] = step->waits[i];
    }
    step->n_waits = n_waits;
    l->last = NO_WAVE;
}

/* Another message from a side, or one back to it, begins another step if the wave may end with this one, as at the
 * last corner; otherwise the earlier message from that side was none of the wave's. */
static enum refrain_status end_or_drop(struct wait_search *s, uint32_t self, struct wave_lane *l,
                                       const struct wait_event *e, unsigned side)
{
    uint32_t which;
    const enum refrain_status status = find_wave(s, self, l, &which);
    if (status == REFRAIN_OK && is_wave(which))
        return close_step(s, self, l, e->call.call);
    if (status == REFRAIN_OK)
        drop_messages(l, side);
    return status;
}

static bool is_empty(const struct wave_step *step)
{
    return !step->from && !step->to;
}

static enum refrain_status take_receive(struct wait_search *s, uint32_t self, struct wave_lane *l,
                                        const struct wait_event *e)
{
    const unsigned side = wait_grid_side(s->grid, e->call.rank, e->cause.rank);
    enum refrain_status status = REFRAIN_OK;
    if (side == WAIT_GRID_NO_SIDE)
        return REFRAIN_OK;
    if (l->step.to)
        status = close_step(s, self, l, e->call.call);
    else if (l->step.from >> side & 1)
        status = end_or_drop(s, self, l, e, side);
    if (status != REFRAIN_OK)
        return status;
    const uint32_t lane = wait_search_lane(s, &e->cause);
    const struct wave_lane *sender = wait_search_state(s, self, lane);
    if (!sender)
        return REFRAIN_ERR_MEMORY;
    const unsigned back = wait_grid_side(s->grid, e->cause.rank, e->call.rank);
    struct wave_received *received = &l->received[side];
    received->calls[received->n++ % RECEIVED] = e->call.call;
    const bool crosses = received_before(&sender->received[back], e->cause.call) < l->sent[side];
    l->step.from |= UINT32_C(1) << side;
    l->step.last = e->call.call;
    l->step.messages[l->step.n++] = (struct wave_message){lane, e->cause.call, e->call.call, side, crosses};
    return status;
}

/* Could the step be part of a wave, now that it sends? */
static enum refrain_status find_part(struct wait_search *s, uint32_t self, struct wave_lane *l)
{
    struct wave_step *step = &l->step;
    step->is_part = is_whole(l, step, false);
    for (uint32_t i = 0; step->is_part && i < step->n; i++) {
        const struct wave_message *m = &step->messages[i];
        const struct wave_lane *sender = wait_search_state(s, self, m->lane);
        if (!sender)
            return REFRAIN_ERR_MEMORY;
        step->is_part = !m->crosses && run_at(sender, m->call).is_part;
    }
    return REFRAIN_OK;
}

/* A second send to a side begins another step. */
static enum refrain_status take_send(struct wait_search *s, uint32_t self, struct wave_lane *l,
                                     const struct wait_event *e)
{
    const int64_t peer = e->operation->peer;
    const unsigned side =
        peer >= 0 ? wait_grid_side(s->grid, e->call.rank, (uint32_t)peer) : WAIT_GRID_NO_SIDE;
    enum refrain_status status = REFRAIN_OK;
    bool is_first = false; /* of the step as it is now */
    if (side == WAIT_GRID_NO_SIDE)
        return REFRAIN_OK;
    if (l->step.to >> side & 1) {
        status = close_step(s, self, l, e->call.call);
    } else if (l->step.from >> side & 1 && l->step.to) {
        drop_messages(l, side);
        is_first = true;
    } else if (l->step.from >> side & 1) {
        status = end_or_drop(s, self, l, e, side);
    }
    if (!l->step.to) {
        l->step.first_send = e->call.call;
        is_first = true;
    }
    l->sent[side]++;
    l->step.to |= UINT32_C(1) << side;
    l->step.last = e->call.call;
    return status == REFRAIN_OK && is_first ? find_part(s, self, l) : status;
}

/* This event comes after the message's own event, usually in the same step. */
static enum refrain_status take_wait(struct wait_search *s, uint32_t self, struct wave_lane *l,
                                     const struct wait_event *e)
{
    struct wave_step *step = &l->step;
    if (e->call.call >= step->begin) {
        if (step->n_waits < SIDES)
            step->waits[step->n_waits++] = *e;
        return REFRAIN_OK;
    }
    for (uint32_t i = 0; i < REFILLS && i < l->n_refills; i++) {
        const struct wave_refill *r = &l->refills[i];
        if (e->call.call >= r->begin && e->call.call < r->end)
            return charge(s, self, e, r->which, r->sides);
    }
    return REFRAIN_OK;
}

/* All processes have entered the operation, so no wave is under way. */
static enum refrain_status take_meeting(struct wait_search *s, uint32_t self, struct wave_lane *l,
                                        const struct wait_event *e)
{
    const enum refrain_status status = is_empty(&l->step) ? REFRAIN_OK : close_step(s, self, l, e->call.call);
    l->last = NO_WAVE;
    return status;
}

static enum refrain_status take_step(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    if (!s->grid || (e->kind == EVENT_MEMBER && e->operation->members < s->grid->n_ranks))
        return REFRAIN_OK;
    struct wave_lane *l = wait_search_state(s, self, wait_search_lane(s, &e->call));
    if (!l)
        return REFRAIN_ERR_MEMORY;
    if (!l->is_placed)
        find_neighbours(l, s->grid, e->call.rank);
    switch (e->kind) {
    case EVENT_MESSAGE:
        return take_receive(s, self, l, e);
    case EVENT_SENDING:
        return take_send(s, self, l, e);
    case EVENT_LATE_SENDER:
        return take_wait(s, self, l, e);
    case EVENT_MEMBER:
        return take_meeting(s, self, l, e);
    default: /* EVENT_END */
        return close_step(s, self, l, UINT64_MAX);
    }
}

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
     .take = take_step,
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
