/* SPDX-License-Identifier: BSD-3-Clause */
#include "waves.h"

#include <assert.h>

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
    uint32_t origin = wave_step_origin(step);
    bool is_passed = wave_step_passes(step), crosses = false, whole = wave_step_is_whole(l, step, true);
    for (uint32_t i = 0; i < step->n; i++) {
        const struct wave_message *m = &step->messages[i];
        const struct wave_lane *sender = wait_search_state(s, self, m->lane);
        if (!sender)
            return REFRAIN_ERR_MEMORY;
        const struct wave_run run = wave_lane_run_at(sender, m->call);
        origin |= run.origin;
        is_passed = is_passed || run.passes;
        crosses = crosses || m->crosses;
        whole = whole && run.is_part;
    }
    *which = (is_passed || !step->from) && !crosses ? wave_number(s->grid, origin) : WAVE_NONE;
    if (*which != WAVE_NONE && !whole)
        *which = WAVE_UNKNOWN;
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
    if (which != l->last && which != WAVE_UNKNOWN) {
        l->filled = 0;
        l->last = which;
    }
    const uint32_t sides = wave_is_known(which) ? step->from & ~l->filled : 0;
    l->filled |= sides;
    for (uint32_t i = 0; i < step->n_waits && status == REFRAIN_OK; i++)
        status = charge(s, self, &step->waits[i], which, sides);
    if (sides)
        l->refills[l->n_refills++ % WAVE_REFILLS] = (struct wave_refill){step->begin, call, which, sides};
    wave_lane_note_sends(l, wave_is_known(which));
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
    l->last = WAVE_NONE;
}

/* Another message from a side, or one back to it, begins another step if the wave may end with this one, as at the
 * last corner; otherwise the earlier message from that side was none of the wave's. */
static enum refrain_status end_or_drop(struct wait_search *s, uint32_t self, struct wave_lane *l,
                                       const struct wait_event *e, unsigned side)
{
    uint32_t which;
    const enum refrain_status status = find_wave(s, self, l, &which);
    if (status == REFRAIN_OK && wave_is_known(which))
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
    received->calls[received->n++ % WAVE_RECEIVED] = e->call.call;
    const bool crosses = wave_received_before(&sender->received[back], e->cause.call) < l->sent[side];
    l->step.from |= UINT32_C(1) << side;
    l->step.last = e->call.call;
    l->step.messages[l->step.n++] = (struct wave_message){lane, e->cause.call, e->call.call, side, crosses};
    return status;
}

/* Could the step be part of a wave, now that it sends? */
static enum refrain_status find_part(struct wait_search *s, uint32_t self, struct wave_lane *l)
{
    struct wave_step *step = &l->step;
    step->is_part = wave_step_is_whole(l, step, false);
    for (uint32_t i = 0; step->is_part && i < step->n; i++) {
        const struct wave_message *m = &step->messages[i];
        const struct wave_lane *sender = wait_search_state(s, self, m->lane);
        if (!sender)
            return REFRAIN_ERR_MEMORY;
        step->is_part = !m->crosses && wave_lane_run_at(sender, m->call).is_part;
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
        if (step->n_waits < WAVE_SIDES)
            step->waits[step->n_waits++] = *e;
        return REFRAIN_OK;
    }
    for (uint32_t i = 0; i < WAVE_REFILLS && i < l->n_refills; i++) {
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
    l->last = WAVE_NONE;
    return status;
}

enum refrain_status waves_take(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    if (!s->grid || (e->kind == EVENT_MEMBER && e->operation->members < s->grid->n_ranks))
        return REFRAIN_OK;
    struct wave_lane *l = wait_search_state(s, self, wait_search_lane(s, &e->call));
    if (!l)
        return REFRAIN_ERR_MEMORY;
    if (!l->is_placed)
        wave_lane_place(l, s->grid, e->call.rank);
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
