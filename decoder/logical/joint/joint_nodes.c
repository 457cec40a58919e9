/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the order of a body. A node is a unit (body_acts.h), or the sends of one unit with the matching
 * receives of another one. An edge leads from an act of a process to its next act. */
#include "joint_impl.h"

#include "components.h"
#include "src/core/base/log.h"
#include "src/core/base/mix.h"

#include <stdlib.h>
#include <string.h>

/* Bodies with more steps remain unchanged. */
#define STEPS_MOST 2048
/* After this many attempts no loop of the body opens. */
#define ATTEMPTS 4

struct nodes {
    struct joint_draft draft;
    ARRAY(struct joint_node) all;
    const struct step **units;
    uint32_t *node_of; /* by act */
    uint32_t n_acts;
    struct map of_pair; /* (step, receive) -> node */
    struct component_edges edges;
    struct map edge_known; /* (from, to) */
    bool *circles;         /* by node: a process executes it twice */
    uint32_t *component;   /* by node */
    uint32_t n_components;
};

static void free_nodes(struct nodes *n)
{
    array_free(&n->all);
    free(n->units);
    free(n->node_of);
    map_free(&n->of_pair);
    free(n->edges.items);
    map_free(&n->edge_known);
    free(n->circles);
    free(n->component);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static bool receives(const struct joint *j, const struct step *s)
{
    return s->kind == STEP_EVENT && j->meetings.forms[s->form].kind == FORM_RECEIVES;
}

static bool find_node(struct nodes *n, uint32_t act)
{
    const struct body_act a = body_acts_at(draft_acts(&n->draft), act);
    const uint32_t mate = n->draft.mates->of[act];
    struct joint_node node = {a.unit, NO_MATE};
    if (mate != NO_MATE) {
        const uint32_t other = body_acts_at(draft_acts(&n->draft), mate).unit;
        node = receives(n->draft.joint, a.step) ? (struct joint_node){other, a.unit}
                                                : (struct joint_node){a.unit, other};
    }
    const uint64_t key = (uint64_t)node.step << 32 | node.receive;
    const uint32_t known = map_get(&n->of_pair, key);
    n->node_of[act] = known == MAP_NONE ? (uint32_t)n->all.n : known;
    return known != MAP_NONE ||
           (array_push(&n->all, node) && map_set(&n->of_pair, key, (uint32_t)n->all.n - 1));
}

/* Lists the steps of all units. */
static void list_units(struct nodes *n)
{
    const struct body_acts *acts = draft_acts(&n->draft);
    for (size_t i = 0; i < acts->body->n; i++) {
        const struct step *s = acts->body->items[i];
        for (uint32_t unit = acts->units[i]; unit < acts->units[i + 1]; unit++)
            n->units[unit] = acts->open[i] ? s->body.items[unit - acts->units[i]] : s;
    }
}

static enum refrain_status find_nodes(struct nodes *n)
{
    const struct body_acts *acts = draft_acts(&n->draft);
    bool ok = true;
    n->n_acts = acts->n;
    n->units = malloc(((size_t)acts->units[acts->body->n] + 1) * sizeof *n->units);
    n->node_of = malloc(((size_t)n->n_acts + 1) * sizeof *n->node_of);
    if (!n->units || !n->node_of) {
        log_error("out of memory: %u turns of processes", n->n_acts);
        return REFRAIN_ERR_MEMORY;
    }
    list_units(n);
    for (uint32_t act = 0; act < n->n_acts && ok; act++)
        ok = find_node(n, act);
    n->draft.units = n->units;
    n->draft.node_of = n->node_of;
    n->draft.nodes = n->all.items;
    return ok ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* ---- edges ----------------------------------------------------------------------------------- */

static bool add_edge(struct nodes *n, uint32_t act, uint32_t next)
{
    const uint32_t from = n->node_of[act], to = n->node_of[next];
    const uint64_t key = (uint64_t)from << 32 | to;
    if (from == to) {
        const bool to_itself = n->draft.mates->of[act] == next && !draft_receives(&n->draft, act);
        n->circles[from] = n->circles[from] || !to_itself;
        return true;
    }
    if (map_get(&n->edge_known, key) != MAP_NONE)
        return true;
    return map_set(&n->edge_known, key, 0) && array_push(&n->edges, ((struct component_edge){from, to}));
}

/* All acts of an open loop are in one component: an edge leads from the last act of each of its processes to the
 * first one of the next process. */
static bool add_loops(struct nodes *n)
{
    const struct body_acts *acts = draft_acts(&n->draft);
    bool ok = true;
    for (size_t i = 0; i < acts->body->n; i++) {
        const uint32_t all = acts->body->items[i]->n_processes, last = acts->first[i + 1] - all;
        for (uint32_t k = 0; acts->open[i] && k < all && ok; k++)
            ok = add_edge(n, last + k, acts->first[i] + (k + 1) % all);
    }
    return ok;
}

static enum refrain_status find_edges(struct nodes *n)
{
    const size_t n_processes = n->draft.joint->logical->model->processes.n;
    uint32_t *next = malloc((n_processes + 1) * sizeof *next); /* by process */
    n->circles = calloc(n->all.n + 1, sizeof *n->circles);
    bool ok = next && n->circles;
    if (!ok)
        log_error("out of memory: the order of %zu processes", n_processes);
    for (size_t p = 0; ok && p < n_processes; p++)
        next[p] = NO_MATE;
    for (uint32_t act = n->n_acts; ok && act-- > 0;) {
        const uint32_t p = draft_process(&n->draft, act);
        ok = next[p] == NO_MATE || add_edge(n, act, next[p]);
        next[p] = act;
    }
    ok = ok && add_loops(n);
    free(next);
    return ok ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* Returns the acts of all components, component by component; NULL if memory is short. */
static uint32_t *sort_acts(const struct nodes *n, uint32_t *first)
{
    uint32_t *acts = malloc(((size_t)n->n_acts + 1) * sizeof *acts);
    for (uint32_t act = 0; act < n->n_acts; act++)
        first[n->component[n->node_of[act]] + 1]++;
    for (uint32_t c = 0; c < n->n_components; c++)
        first[c + 1] += first[c];
    for (uint32_t act = n->n_acts; acts && act-- > 0;)
        acts[--first[n->component[n->node_of[act]] + 1]] = act;
    /* The end of each component's acts has moved down to its beginning. */
    for (uint32_t c = 0; c < n->n_components; c++)
        first[c] = first[c + 1];
    first[n->n_components] = n->n_acts;
    return acts;
}

static enum refrain_status make_groups(struct nodes *n, struct joint_body *out)
{
    struct joint_draft *d = &n->draft;
    uint32_t *first = calloc((size_t)n->n_components + 2, sizeof *first);
    uint32_t *acts = first ? sort_acts(n, first) : NULL;
    uint32_t *members = malloc((n->all.n + 1) * sizeof *members);
    out->groups = arena_array(&d->joint->arena, n->n_components + 1, sizeof *out->groups);
    out->n = n->n_components;
    enum refrain_status status = acts && members && out->groups ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    for (uint32_t c = 0; c < n->n_components && status == REFRAIN_OK; c++) {
        bool circle = false;
        d->acts = acts + first[c];
        d->n_acts = first[c + 1] - first[c];
        d->members = members;
        d->n_members = 0;
        for (uint32_t node = 0; node < n->all.n; node++) {
            if (n->component[node] != c)
                continue;
            members[d->n_members++] = node;
            circle = circle || n->circles[node];
        }
        status = joint_make_group(d, circle || d->n_members > 1, &out->groups[c]);
    }
    free(first);
    free(acts);
    free(members);
    return status;
}

static size_t count_closed(const bool *closed, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += closed[i];
    return count;
}

/* Arranges the body with these loops closed. *again: groups have closed more of them, so it must be arranged
 * again. */
static enum refrain_status arrange(struct joint *j, const struct steps *body, bool *closed,
                                   struct joint_body *out, bool *again)
{
    struct mates mates = {0};
    struct nodes n = {.draft = {.joint = j, .mates = &mates, .closed = closed}};
    enum refrain_status status = meetings_find(&j->meetings, body, closed, &mates);
    const size_t before = count_closed(closed, body->n);
    if (status == REFRAIN_OK)
        status = find_nodes(&n);
    if (status == REFRAIN_OK)
        status = find_edges(&n);
    if (status == REFRAIN_OK)
        status = components_find((uint32_t)n.all.n, &n.edges, &n.component, &n.n_components);
    if (status == REFRAIN_OK)
        status = make_groups(&n, out);
    *again = count_closed(closed, body->n) > before;
    free_nodes(&n);
    mates_free(&mates);
    return status;
}

enum refrain_status joint_arrange(struct joint *j, const struct steps *body, struct joint_body *out)
{
    if (body->n > STEPS_MOST) {
        out->groups = arena_array(&j->arena, 1, sizeof *out->groups);
        out->n = 1;
        return out->groups ? joint_keep_steps(j, body, out->groups) : REFRAIN_ERR_MEMORY;
    }
    bool *closed = calloc(body->n + 1, sizeof *closed), again = true;
    enum refrain_status status = closed ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    if (!closed)
        log_error("out of memory: %zu steps", body->n);
    for (int attempt = 0; again && status == REFRAIN_OK; attempt++) {
        if (attempt == ATTEMPTS)
            memset(closed, true, body->n * sizeof *closed);
        status = arrange(j, body, closed, out, &again);
    }
    free(closed);
    return status;
}
