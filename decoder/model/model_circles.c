/* SPDX-License-Identifier: BSD-3-Clause */
/* Breaks circles of processes that wait for each other (model_schedule.c). */
#include "model_schedule_impl.h"

#include "src/core/base/mix.h"

#include <string.h>

#define DIVISIONS_TRIED 16 /* per circle, because each may examine all loops of a set */

/* The possible actions for a node whose set does not come, best first. The first three cost only
 * one construct more; the others are for posted receives. */
enum remedy { ALONE_EVENT, ALONE_LOOP, DIVIDED_LOOPS, WHOLE_SET, EARLY_EVENT, EARLY_LOOP };

/* Could the node come without its set? Checks only the messages that it receives. */
static bool may_come_alone(const struct schedule *c, const struct node *node)
{
    const struct use *uses = node->uses;
    for (size_t k = 0; k < node->n_uses; k++) {
        const bool sync = c->sets->b->channels->items.items[uses[k].channel].sync;
        if (sync ? c->sets->links->limits[uses[k].position] > uses[k].first
                 : schedule_receives(c, &uses[k]) && !schedule_has_arrived(c, &uses[k]))
            return false;
    }
    return true;
}

/* Does a node receive messages that the other one sends, or do both take part in the same collective
 * operations? */
static bool needs(const struct schedule *c, const struct node *node, const struct node *other)
{
    const struct use *uses = node->uses, *others = other->uses;
    for (size_t k = 0; k < node->n_uses; k++) {
        for (size_t i = 0; i < other->n_uses; i++) {
            const struct use *u = &uses[k], *v = &others[i];
            if (u->channel == v->channel && u->first < v->last && v->first < u->last &&
                c->sets->links->limits[u->position] > u->first &&
                (schedule_receives(c, u) || !schedule_is_message(c, u)))
                return true;
        }
    }
    return false;
}

/* Returns the node that the set waits for, or for whose messages it waits. Without this node the
 * others could come. */
static uint32_t find_obstacle(struct schedule *c, struct node_set *set)
{
    const uint32_t absent = schedule_find_absent(c, set);
    const struct use *missing = absent == NOT_THERE ? schedule_find_missing(c, set) : NULL;
    return missing ? c->sets->first_node[missing->sequence] + missing->at : absent;
}

static void mark(struct schedule *c, uint32_t node)
{
    c->sets->nodes.items[node].leaves = true;
    c->failed = !array_push(&c->leaving, node) || c->failed;
}

/* Marks a node of the set if it needs the node `other`, which is marked. */
static void mark_if_needed(struct schedule *c, uint32_t node, uint32_t other)
{
    const struct node *nodes = c->sets->nodes.items;
    if (!nodes[node].leaves && needs(c, &nodes[node], &nodes[other]))
        mark(c, node);
}

/* Asks all members of a collective operation, once for all nodes that were at the same
 * operations. */
static void mark_members(struct schedule *c, const struct node_set *set, uint32_t number, const struct use *u)
{
    const uint64_t key = mix(mix(u->position, u->first), u->last);
    if (map_get(&c->asked, key) != MAP_NONE)
        return;
    c->failed = !map_set(&c->asked, key, 0) || c->failed;
    for (size_t i = 0; i < set->nodes.n; i++)
        mark_if_needed(c, set->nodes.items[i], number);
}

/* Marks all nodes that directly need a node of the set. */
static void mark_dependants(struct schedule *c, const struct node_set *set, uint32_t number)
{
    const struct node *node = &c->sets->nodes.items[number];
    const struct use *uses = node->uses;
    for (size_t k = 0; k < node->n_uses; k++) {
        const struct use *u = &uses[k];
        const struct channel *channel = &c->sets->b->channels->items.items[u->channel];
        if (c->sets->links->limits[u->position] <= u->first || schedule_receives(c, u))
            continue;
        if (channel->sync) {
            mark_members(c, set, number, u);
            continue;
        }
        const uint32_t other =
            sets_node_of(c->sets, node->set, scope_find_sequence(c->sets->scope, channel->receiver));
        if (other != SETS_NO_NODE)
            mark_if_needed(c, other, number);
    }
}

static void unmark(struct schedule *c)
{
    for (size_t i = 0; i < c->leaving.n; i++)
        c->sets->nodes.items[c->leaving.items[i]].leaves = false;
}

/* Marks the nodes without which the set could come: the obstacle, and all nodes that need it. If
 * `node` is among them, returns false and marks nothing. */
static bool mark_obstacles(struct schedule *c, const struct node_set *set, uint32_t obstacle, uint32_t node)
{
    const struct node *nodes = c->sets->nodes.items;
    c->leaving.n = 0;
    map_clear(&c->asked);
    mark(c, obstacle);
    for (size_t i = 0; i < c->leaving.n && !nodes[node].leaves && !c->failed; i++)
        mark_dependants(c, set, c->leaving.items[i]);
    if (!nodes[node].leaves)
        return true;
    unmark(c);
    return false;
}

/* Could the node's set come without its obstacle? */
static bool may_be_divided(struct schedule *c, struct node_set *set, uint32_t node)
{
    const uint32_t obstacle = find_obstacle(c, set);
    if (obstacle == NOT_THERE || !construct_is_loop(c->sets->nodes.items[obstacle].construct) ||
        !mark_obstacles(c, set, obstacle, node))
        return false;
    unmark(c);
    return true;
}

/* `divide`: also test whether the set may be divided, which takes the longest. */
static enum remedy remedy_of(struct schedule *c, uint32_t q, bool divide)
{
    const struct node *node = schedule_node(c, q);
    struct node_set *set = schedule_set(c, node);
    const bool loop = construct_is_loop(node->construct), absent = schedule_find_absent(c, set) != NOT_THERE;
    if (absent && may_come_alone(c, node))
        return loop ? ALONE_LOOP : ALONE_EVENT;
    if (divide && may_be_divided(c, set, c->head[q]))
        return DIVIDED_LOOPS;
    return !absent ? WHOLE_SET : loop ? EARLY_LOOP : EARLY_EVENT;
}

static enum refrain_status apply(struct schedule *c, uint32_t q, enum remedy remedy)
{
    const uint32_t node = c->head[q];
    struct node *in = &c->sets->nodes.items[node];
    enum refrain_status status = REFRAIN_OK;
    if (remedy == DIVIDED_LOOPS) {
        mark_obstacles(c, schedule_set(c, in), find_obstacle(c, schedule_set(c, in)), node);
        return sets_divide(c->sets, in->set);
    }
    if (remedy != WHOLE_SET) {
        in->leaves = true;
        status = sets_divide(c->sets, in->set);
    }
    if (status != REFRAIN_OK)
        return status;
    struct node_set *set = schedule_set(c, in);
    set->early = schedule_find_missing(c, set);
    return schedule_come(c, in->set);
}

static bool is_posted_receive(const struct schedule *c, const struct node *node)
{
    return !construct_is_loop(node->construct) && node->n_uses > 0 && schedule_receives(c, node->uses);
}

/* Marks the posted receives of a circle. All of them come, together with those of other circles. */
static void mark_posted(struct schedule *c, uint32_t first)
{
    uint32_t q = first;
    do {
        c->posted[q] = remedy_of(c, q, false) == EARLY_EVENT && is_posted_receive(c, schedule_node(c, q));
        q = c->waits_for[q];
    } while (q != first);
}

/* Returns the best remedy for a sequence of the circle; among equal ones, that of the smallest
 * sequence number. */
static enum remedy find_remedy(struct schedule *c, uint32_t first, unsigned divisions, uint32_t *chosen)
{
    enum remedy best = EARLY_LOOP;
    uint32_t q = first;
    *chosen = NOT_THERE;
    do {
        const enum remedy remedy = remedy_of(c, q, divisions > 0);
        divisions -= divisions > 0;
        if (*chosen == NOT_THERE || remedy < best || (remedy == best && q < *chosen)) {
            best = remedy;
            *chosen = q;
        }
        q = c->waits_for[q];
    } while (q != first);
    return best;
}

/* Finds the best remedy for the circle that contains sequence `first`, and applies it. Posted
 * receives are only marked. */
static enum refrain_status open_circle(struct schedule *c, uint32_t first)
{
    uint32_t chosen;
    enum remedy best = find_remedy(c, first, 0, &chosen);
    if (best > DIVIDED_LOOPS)
        best = find_remedy(c, first, DIVISIONS_TRIED, &chosen);
    if (c->failed)
        return REFRAIN_ERR_MEMORY;
    if (best != EARLY_EVENT || !is_posted_receive(c, schedule_node(c, chosen)))
        return apply(c, chosen, best);
    mark_posted(c, first);
    return REFRAIN_OK;
}

static void find_waits(struct schedule *c)
{
    const struct channels *channels = c->sets->b->channels;
    for (uint32_t q = 0; q < c->sets->scope->n; q++) {
        const struct node *node = schedule_node(c, q);
        c->waits_for[q] = NOT_THERE;
        if (!node)
            continue;
        const uint32_t absent = schedule_find_absent(c, schedule_set(c, node));
        const struct use *missing =
            absent == NOT_THERE ? schedule_find_missing(c, schedule_set(c, node)) : NULL;
        c->waits_for[q] =
            missing ? scope_find_sequence(c->sets->scope, channels->items.items[missing->channel].sender)
                    : c->sets->nodes.items[absent].sequence;
    }
}

enum refrain_status schedule_open_circles(struct schedule *c)
{
    enum refrain_status status = REFRAIN_OK;
    find_waits(c);
    memset(c->visited, 0, c->sets->scope->n * sizeof *c->visited);
    for (uint32_t start = 0; start < c->sets->scope->n && status == REFRAIN_OK; start++) {
        uint32_t q = start;
        while (c->waits_for[q] != NOT_THERE && c->visited[q] == 0) {
            c->visited[q] = start + 1;
            q = c->waits_for[q];
        }
        if (c->waits_for[q] != NOT_THERE && c->visited[q] == start + 1)
            status = open_circle(c, q);
    }
    for (uint32_t q = 0; q < c->sets->scope->n && status == REFRAIN_OK; q++) {
        if (c->posted[q])
            status = apply(c, q, EARLY_EVENT);
        c->posted[q] = false;
    }
    return status;
}
