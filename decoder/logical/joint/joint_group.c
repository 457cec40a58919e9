/* SPDX-License-Identifier: BSD-3-Clause */
/* Orders the steps of a circle: as a wave over the processes if a wave has the order of all of
 * them; otherwise as steps. */
#include "joint_impl.h"

#include "decoder/logical/meetings/moving.h"
#include "src/core/base/bisect.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

#define WAVE_NODES_MOST 64

/* ---- items ----------------------------------------------------------------------------------- */

/* Restricts a step to some processes, given by their places in it. Returns NULL if memory is
 * short. */
static const struct step *restrict_step(struct arena *a, const struct step *s, const uint32_t *places,
                                        uint32_t n)
{
    if (n == s->n_processes)
        return s;
    struct step *out = arena_array(a, 1, sizeof *out);
    uint32_t *processes = arena_array(a, n, sizeof *processes);
    if (!out || !processes)
        return NULL;
    *out = *s;
    for (uint32_t i = 0; i < n; i++)
        processes[i] = s->processes[places[i]];
    out->processes = processes;
    out->n_processes = n;
    out->numbers = arena_array(a, s->n + 1, sizeof *out->numbers);
    for (uint32_t k = 0; out->numbers && k < s->n; k++) {
        const uint32_t cells = s->numbers[k].cells;
        uint64_t *values = arena_array(a, (size_t)n * cells, sizeof *values);
        if (!values)
            return NULL;
        for (uint32_t i = 0; i < n; i++)
            memcpy(values + (size_t)i * cells, s->numbers[k].values + (size_t)places[i] * cells,
                   cells * sizeof *values);
        out->numbers[k] = s->numbers[k];
        out->numbers[k].values = values;
    }
    return out->numbers ? out : NULL;
}

/* Restricts the step of a unit to the group's acts of a node (NO_MATE: of any node). */
static const struct step *take_step(const struct joint_draft *d, uint32_t unit, uint32_t node)
{
    const struct step *s = d->units[unit], *out = NULL;
    const struct body_acts *all = draft_acts(d);
    const size_t step = BISECT(i, all->body->n, all->units[i] <= unit) - 1;
    uint32_t *places = malloc(((size_t)s->n_processes + 1) * sizeof *places), n = 0;
    for (size_t i = BISECT(k, d->n_acts, d->acts[k] < all->first[step]);
         places && i < d->n_acts && d->acts[i] < all->first[step + 1]; i++) {
        const struct body_act a = body_acts_at(all, d->acts[i]);
        if (a.unit == unit && a.iteration == 0 && (node == NO_MATE || d->node_of[d->acts[i]] == node))
            places[n++] = a.place;
    }
    if (places)
        out = restrict_step(&d->joint->arena, s, places, n);
    else
        log_error("out of memory: a step of %u processes", s->n_processes);
    free(places);
    return out;
}

static bool take_item(const struct joint_draft *d, uint32_t node, struct joint_item *out)
{
    const struct joint_node *n = &d->nodes[node];
    *out = (struct joint_item){.of = d->units[n->step]};
    out->step = take_step(d, n->step, node);
    if (n->receive == NO_MATE || !out->step)
        return out->step;
    out->receive_of = d->units[n->receive];
    return (out->receive = take_step(d, n->receive, node)) != NULL;
}

/* Makes a group of the nodes, in the order of the draft's members. */
static enum refrain_status take_nodes(const struct joint_draft *d, struct joint_group *out)
{
    out->n = d->n_members;
    out->items = arena_array(&d->joint->arena, out->n, sizeof *out->items);
    bool ok = out->items;
    for (size_t i = 0; i < out->n && ok; i++)
        ok = take_item(d, d->members[i], &out->items[i]);
    return ok ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* Makes a group of the steps of the body that have acts in it. A group has all acts of an open loop. */
static enum refrain_status take_steps(const struct joint_draft *d, struct joint_group *out)
{
    const struct body_acts *all = draft_acts(d);
    out->items = arena_array(&d->joint->arena, 2 * d->n_members + 1, sizeof *out->items);
    for (size_t i = 0; out->items && i < d->n_acts; i++) {
        const uint32_t step = all->step_of[d->acts[i]];
        if (i > 0 && step == all->step_of[d->acts[i - 1]])
            continue;
        struct joint_item *item = &out->items[out->n++];
        item->step = item->of = all->body->items[step];
        if (!all->open[step] && !(item->step = take_step(d, all->units[step], NO_MATE)))
            return REFRAIN_ERR_MEMORY;
    }
    return out->items ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

enum refrain_status joint_keep_steps(struct joint *j, const struct steps *body, struct joint_group *out)
{
    *out = (struct joint_group){.kind = JOINT_STEPS, .n = body->n};
    out->items = arena_array(&j->arena, body->n + 1, sizeof *out->items);
    for (size_t i = 0; out->items && i < body->n; i++)
        out->items[i] = (struct joint_item){.step = body->items[i], .of = body->items[i]};
    return out->items ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* ---- waves ----------------------------------------------------------------------------------- */

/* The last turn of a process. */
struct last_turn {
    bool any;
    int64_t place;
    uint32_t turn;
};

struct wave_search {
    const struct joint_draft *draft;
    struct last_turn *last; /* by process */
    uint32_t *order;        /* by node: its place among the items */
    uint32_t *ranks;        /* by act of the group: the rank whose place in the wave it has */
};

/* Returns the rank whose place counts: for a message, the sender's. */
static uint32_t rank_of(const struct joint_draft *d, uint32_t act)
{
    const uint32_t who = draft_receives(d, act) ? d->mates->of[act] : act;
    return logical_rank(d->joint->logical, draft_process(d, who));
}

/* Does the order of the wave agree with the order of each process? */
static bool fits(struct wave_search *s, struct wave *w)
{
    const struct joint_draft *d = s->draft;
    for (size_t i = 0; i < d->n_acts; i++)
        s->last[draft_process(d, d->acts[i])].any = false;
    for (size_t i = 0; i < d->n_acts; i++) {
        const uint32_t act = d->acts[i];
        struct last_turn *last = &s->last[draft_process(d, act)];
        const int64_t place = wave_place(w, d->joint->logical->compass, s->ranks[i]);
        const uint32_t turn = 2 * s->order[d->node_of[act]] + draft_receives(d, act);
        if (last->any && (place < last->place || (place == last->place && turn <= last->turn)))
            return false;
        *last = (struct last_turn){true, place, turn};
        w->first = i == 0 || place < w->first ? place : w->first;
        w->last = i == 0 || place > w->last ? place : w->last;
    }
    return true;
}

/* Orders the nodes by their steps, or messages by their receiving steps. */
static void put_members(struct wave_search *s, struct joint_draft *d, bool by_receive)
{
    const struct joint_node *nodes = d->nodes;
    for (size_t i = 1; i < d->n_members; i++)
        for (size_t k = i; k > 0; k--) {
            const struct joint_node *a = &nodes[d->members[k - 1]], *b = &nodes[d->members[k]];
            const uint32_t x = by_receive && a->receive != NO_MATE ? a->receive : a->step;
            const uint32_t y = by_receive && b->receive != NO_MATE ? b->receive : b->step;
            const uint32_t swapped = d->members[k];
            if (x <= y)
                break;
            d->members[k] = d->members[k - 1];
            d->members[k - 1] = swapped;
        }
    for (size_t i = 0; i < d->n_members; i++)
        s->order[d->members[i]] = (uint32_t)i;
}

static bool try_waves(struct wave_search *s, struct joint_draft *d, struct wave *out)
{
    for (int by_receive = 0; by_receive < 2; by_receive++) {
        put_members(s, d, by_receive);
        for (unsigned number = 0; wave_take(d->joint->logical->compass, number, out); number++)
            if (fits(s, out))
                return true;
    }
    return false;
}

/* Searches a wave. If *found, the members are in the order of the wave's items. */
static enum refrain_status find_wave(struct joint_draft *d, struct wave *out, bool *found)
{
    const size_t n_processes = d->joint->logical->model->processes.n;
    struct wave_search s = {.draft = d};
    uint32_t last_node = 0;
    *found = false;
    if (d->n_members > WAVE_NODES_MOST)
        return REFRAIN_OK;
    for (size_t i = 0; i < d->n_members; i++) {
        const struct step *s = d->units[d->nodes[d->members[i]].step];
        if (s->kind != STEP_EVENT || moving_is(s))
            return REFRAIN_OK;
        last_node = d->members[i] > last_node ? d->members[i] : last_node;
    }
    s.last = calloc(n_processes + 1, sizeof *s.last);
    s.order = calloc((size_t)last_node + 1, sizeof *s.order);
    s.ranks = malloc((d->n_acts + 1) * sizeof *s.ranks);
    const bool ok = s.last && s.order && s.ranks;
    for (size_t i = 0; ok && i < d->n_acts; i++)
        s.ranks[i] = rank_of(d, d->acts[i]);
    if (ok)
        *found = try_waves(&s, d, out);
    else
        log_error("out of memory: the order of %zu processes", n_processes);
    free(s.last);
    free(s.order);
    free(s.ranks);
    return ok ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* ---- kinds ----------------------------------------------------------------------------------- */

/* Are all nodes messages, and does every process send before it receives, or every process receive
 * before it sends? */
static bool one_side_first(const struct joint_draft *d, bool receives_first)
{
    const size_t n_processes = d->joint->logical->model->processes.n;
    bool *second = calloc(n_processes + 1, sizeof *second), same = second != NULL;
    for (size_t i = 0; i < d->n_acts && same; i++) {
        const uint32_t p = draft_process(d, d->acts[i]);
        const bool first = draft_receives(d, d->acts[i]) == receives_first;
        same = d->nodes[d->node_of[d->acts[i]]].receive != NO_MATE && !(first && second[p]);
        second[p] = second[p] || !first;
    }
    free(second);
    return same;
}

static bool all_messages(const struct joint_draft *d)
{
    bool all = true;
    for (size_t i = 0; i < d->n_members; i++)
        all = all && d->nodes[d->members[i]].receive != NO_MATE;
    return all;
}

/* Of the nodes of a circle without open loops. */
static enum refrain_status make_circle(struct joint_draft *d, struct joint_group *out)
{
    const bool sends_first = one_side_first(d, false), one = d->n_members == 1;
    bool wave = false;
    const enum refrain_status status = sends_first ? REFRAIN_OK : find_wave(d, &out->wave, &wave);
    if (status != REFRAIN_OK)
        return status;
    out->kind = wave                             ? JOINT_WAVE
                : one && sends_first             ? JOINT_SENDS_FIRST
                : one && one_side_first(d, true) ? JOINT_RECEIVES_FIRST
                : all_messages(d)                ? JOINT_EXCHANGE
                                                 : JOINT_STEPS;
    return out->kind == JOINT_EXCHANGE || out->kind == JOINT_STEPS ? take_steps(d, out) : take_nodes(d, out);
}

/* Of nodes with open loops: each one in turn with its partners, or all of them at once. If neither fits, the
 * loops are closed. */
static enum refrain_status make_visits(struct joint_draft *d, struct joint_group *out)
{
    bool visits;
    const enum refrain_status status = joint_find_visits(d, &out->loop, &visits);
    if (status != REFRAIN_OK)
        return status;
    out->kind = visits ? JOINT_VISITS : all_messages(d) ? JOINT_EXCHANGE : JOINT_STEPS;
    for (size_t i = 0; out->kind == JOINT_STEPS && i < d->n_acts; i++)
        d->closed[draft_acts(d)->step_of[d->acts[i]]] |= draft_is_open(d, d->acts[i]);
    return visits ? take_nodes(d, out) : take_steps(d, out);
}

enum refrain_status joint_make_group(struct joint_draft *d, bool in_circle, struct joint_group *out)
{
    bool open = false;
    *out = (struct joint_group){.kind = JOINT_LINE};
    for (size_t i = 0; i < d->n_acts && !open; i++)
        open = draft_is_open(d, d->acts[i]);
    return open ? make_visits(d, out) : in_circle ? make_circle(d, out) : take_nodes(d, out);
}
