/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds loops over partners:
 *
 *     for i1 = 1 to 7   if rank == 0          for i1 = 1 to 7
 *       send i1 tag6                            0 -> i1 tag6
 *       recv i1 tag7                            local work   if rank == i1
 *     recv 0 tag6   if rank > 0                 i1 -> 0 tag7
 *     local work    if rank > 0
 *     send 0 tag7   if rank > 0
 *
 * Each partner does its steps in the iteration in which the loop comes to it, between the steps of the loop that
 * it meets. For each process this must be its own order. */
#include "joint_impl.h"

#include "src/core/base/log.h"

#include <stdlib.h>

/* Of a process: its last act, as the order of visits has it. */
struct visited {
    bool any;
    uint64_t iteration;
    uint32_t turn;   /* twice the order of the node; one more for a receive */
    uint32_t inside; /* the unit of the loop that it met last */
};

struct visit_search {
    struct joint_draft *draft;
    uint32_t loop;           /* place of the loop in the body */
    const struct step *step; /* … and the loop */
    struct visited *last;    /* by process */
    struct visit_member {
        uint64_t key; /* members are sorted by it: unit of the loop, whether after it, unit */
        uint32_t node;
        uint32_t acts;
    } * members;
    uint32_t *order; /* by node: its place among the members */
};

static bool is_inside(const struct visit_search *s, uint32_t unit)
{
    const uint32_t first = draft_acts(s->draft)->units[s->loop];
    return unit != NO_MATE && unit - first < s->step->body.n;
}

/* Returns the unit of the loop that is in a node; NO_MATE: there is none. */
static uint32_t inside_of(const struct visit_search *s, const struct joint_node *n)
{
    return is_inside(s, n->step) ? n->step : is_inside(s, n->receive) ? n->receive : NO_MATE;
}

/* Is there a single loop that opens, and has each of its steps one node, with nobody of the loop at the other
 * end? Loops of partners would have the name of its index. */
static bool is_simple(struct visit_search *s)
{
    const struct joint_draft *d = s->draft;
    uint32_t loops = 0, inside = 0;
    for (size_t i = 0; i < d->n_acts && loops < 2; i++) {
        const uint32_t step = draft_acts(d)->step_of[d->acts[i]];
        if (!draft_acts(d)->open[step] || (loops > 0 && step == s->loop))
            continue;
        s->loop = step;
        loops++;
    }
    s->step = draft_acts(d)->body->items[s->loop];
    bool simple = loops == 1;
    for (size_t i = 0; i < d->n_members && simple; i++) {
        const struct joint_node *n = &d->nodes[d->members[i]];
        const bool one = inside_of(s, n) != NO_MATE;
        simple =
            one ? !(is_inside(s, n->step) && is_inside(s, n->receive))
                : n->receive == NO_MATE && s->step->n_processes == 1 && d->units[n->step]->kind != STEP_LOOP;
        inside += one;
    }
    return simple && inside == s->step->body.n;
}

static int by_key(const void *a, const void *b)
{
    const struct visit_member *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* Puts the steps of partners between those of the loop. Returns false if one comes before all of them. */
static bool put_members(struct visit_search *s)
{
    struct joint_draft *d = s->draft;
    bool ok = true;
    for (size_t i = 0; i < d->n_members; i++) {
        const uint32_t inside = inside_of(s, &d->nodes[d->members[i]]);
        s->order[d->members[i]] = (uint32_t)i;
        s->members[i] = (struct visit_member){(uint64_t)inside << 33, d->members[i], 0};
    }
    for (size_t i = 0; i < d->n_acts && ok; i++) {
        const struct body_act a = body_acts_at(draft_acts(d), d->acts[i]);
        struct visit_member *m = &s->members[s->order[d->node_of[d->acts[i]]]];
        struct visited *last = &s->last[a.process];
        const uint32_t inside = inside_of(s, &d->nodes[m->node]);
        ok = inside != NO_MATE || last->any;
        if (inside != NO_MATE)
            *last = (struct visited){.any = true, .inside = inside};
        else if (m->acts == 0)
            m->key = (uint64_t)last->inside << 33 | UINT64_C(1) << 32 | a.unit;
        m->acts++;
    }
    qsort(s->members, d->n_members, sizeof *s->members, by_key);
    for (size_t i = 0; i < d->n_members; i++) {
        d->members[i] = s->members[i].node;
        s->order[d->members[i]] = (uint32_t)i;
    }
    return ok;
}

/* Finds the iteration that an act belongs to. */
static bool find_iteration(const struct visit_search *s, uint32_t number, const struct body_act *a,
                           uint64_t *out)
{
    const struct joint_draft *d = s->draft;
    const struct visited *last = &s->last[a->process];
    const uint32_t mate = d->mates->of[number];
    if (is_inside(s, a->unit)) {
        *out = a->iteration;
        return true;
    }
    if (step_has(s->step, a->process))
        return false;
    *out = mate != NO_MATE ? body_acts_at(draft_acts(d), mate).iteration : last->iteration;
    return mate != NO_MATE || last->any;
}

/* Is the process of the act the partner in this iteration of the first message of the loop? */
static bool is_partner(const struct visit_search *s, const struct body_act *a, uint64_t iteration)
{
    const struct joint_draft *d = s->draft;
    uint64_t indices[SYSTEM_DEPTH_MAX + 1] = {0};
    indices[s->step->depth] = iteration;
    for (size_t i = 0; i < d->n_members; i++) {
        const struct joint_node *n = &d->nodes[d->members[i]];
        if (n->receive == NO_MATE)
            continue;
        const struct step *inside = d->units[inside_of(s, n)];
        return step_partner(d->joint->logical, inside, inside->processes[0], indices) ==
               logical_rank(d->joint->logical, a->process);
    }
    return false;
}

/* Does the order of the visits agree with the order of each process? Steps that meet nobody must be those of
 * every partner. */
static bool fits(struct visit_search *s)
{
    const struct joint_draft *d = s->draft;
    bool fit = true;
    for (size_t i = 0; i < d->n_members && fit; i++)
        fit = inside_of(s, &d->nodes[s->members[i].node]) != NO_MATE ||
              s->members[i].acts == s->step->count.values[0];
    for (size_t i = 0; i < d->n_acts; i++)
        s->last[draft_process(d, d->acts[i])].any = false;
    for (size_t i = 0; i < d->n_acts && fit; i++) {
        const struct body_act a = body_acts_at(draft_acts(d), d->acts[i]);
        const struct joint_node *node = &d->nodes[d->node_of[d->acts[i]]];
        struct visited *last = &s->last[a.process], now = {.any = true};
        now.turn = 2 * s->order[d->node_of[d->acts[i]]] + (a.unit == node->receive);
        fit = find_iteration(s, d->acts[i], &a, &now.iteration) &&
              (inside_of(s, node) != NO_MATE || is_partner(s, &a, now.iteration)) &&
              (!last->any || now.iteration > last->iteration ||
               (now.iteration == last->iteration && now.turn > last->turn));
        *last = now;
    }
    return fit;
}

enum refrain_status joint_find_visits(struct joint_draft *d, const struct step **loop, bool *found)
{
    const size_t n_processes = d->joint->logical->model->processes.n;
    struct visit_search s = {.draft = d};
    uint32_t last_node = 0;
    *found = false;
    if (!is_simple(&s))
        return REFRAIN_OK;
    for (size_t i = 0; i < d->n_members; i++)
        last_node = d->members[i] > last_node ? d->members[i] : last_node;
    s.last = calloc(n_processes + 1, sizeof *s.last);
    s.order = calloc((size_t)last_node + 1, sizeof *s.order);
    s.members = calloc(d->n_members + 1, sizeof *s.members);
    const bool ok = s.last && s.order && s.members;
    if (ok)
        *found = put_members(&s) && fits(&s);
    else
        log_error("out of memory: the order of %zu processes", n_processes);
    if (*found)
        *loop = s.step;
    free(s.last);
    free(s.order);
    free(s.members);
    return ok ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}
