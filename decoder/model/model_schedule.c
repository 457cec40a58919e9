/* SPDX-License-Identifier: BSD-3-Clause */
/* Orders the sets as if the processes ran. Each process is at the first of its nodes that has not
 * come yet. A set comes when all its processes are at it and all messages that it receives from
 * others have been sent. So the order agrees with that of each process. Sets that would have to
 * precede each other never all come.
 *
 *     0:  loop { send 1 a }  loop { send 1 b }        0 waits at {a} for 1, and 1 at {b} for 0
 *     1:  loop { recv 0 b }  loop { recv 0 a }
 *
 * If processes wait for each other in a circle, one of their sets must be taken apart: its node
 * comes alone. A node is chosen that may come alone because it receives no unsent message: here
 * process 0's {a}. Then {b} comes, and finally process 1's {a}. If there is no such node, receives
 * come before they can be completed, as posted receives.
 *
 * This is done twice. The first time finds the sets to be taken apart and those that come early;
 * all sets that may come do so at once. The second time this is known, and sets that are alike come
 * together: then equal actions of all processes are one line, even after many circles had to be
 * opened. The model uses the order with fewer lines. */
#include "model_schedule_impl.h"

#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

#define TURNS_FOR_LINE 4 /* limits the effort to find fewer lines: most turns begin one */

/* ---- state ----------------------------------------------------------------------------------- */

static enum refrain_status create(struct schedule *c)
{
    const struct sets *s = c->sets;
    const size_t n = s->scope->n;
    c->head = calloc(n + 1, sizeof *c->head);
    c->waits_for = calloc(n + 1, sizeof *c->waits_for);
    c->visited = calloc(n + 1, sizeof *c->visited);
    c->posted = calloc(n + 1, sizeof *c->posted);
    c->sent = calloc(s->links->n_channels + 1, sizeof *c->sent);
    if (!c->head || !c->waits_for || !c->visited || !c->posted || !c->sent) {
        log_error("out of memory: the order of %zu constructs", s->nodes.n);
        return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

static void destroy(struct schedule *c)
{
    free(c->head);
    free(c->waits_for);
    free(c->visited);
    free(c->posted);
    ready_set_free(&c->ready);
    array_free(&c->turn);
    array_free(&c->leaving);
    map_free(&c->asked);
    free(c->sent);
}

uint32_t schedule_find_absent(const struct schedule *c, struct node_set *set)
{
    for (; set->present < set->nodes.n; set->present++) {
        const uint32_t node = set->nodes.items[set->present];
        if (c->head[c->sets->nodes.items[node].sequence] != node)
            return node;
    }
    return NOT_THERE;
}

/* Returns how many messages must have been sent before the use has all of its messages. Messages
 * that are never sent do not count. */
static uint64_t messages_needed(const struct schedule *c, const struct use *u)
{
    const uint64_t all = c->sets->links->sent[u->position];
    return u->last < all ? u->last : all;
}

bool schedule_has_arrived(const struct schedule *c, const struct use *u)
{
    return c->sent[u->position] >= messages_needed(c, u);
}

static void add_sent(struct schedule *c, const struct node_set *set, bool take_back)
{
    for (size_t i = 0; i < set->nodes.n; i++) {
        const struct node *node = &c->sets->nodes.items[set->nodes.items[i]];
        const struct use *uses = node->uses;
        for (size_t k = 0; k < node->n_uses; k++) {
            const uint64_t n = uses[k].last - uses[k].first;
            if (schedule_is_message(c, &uses[k]) && !schedule_receives(c, &uses[k]))
                c->sent[uses[k].position] += take_back ? -n : n;
        }
    }
}

const struct use *schedule_find_missing(struct schedule *c, struct node_set *set)
{
    const struct use *missing = NULL;
    uint64_t short_of = 0;
    if (set->missing && c->sent[set->missing->position] < set->until)
        return set->missing;
    add_sent(c, set, false);
    for (size_t i = 0; i < set->nodes.n && !missing; i++) {
        const struct node *node = &c->sets->nodes.items[set->nodes.items[i]];
        const struct use *uses = node->uses;
        for (size_t k = 0; k < node->n_uses && !missing; k++) {
            if (schedule_receives(c, &uses[k]) && !schedule_has_arrived(c, &uses[k]))
                missing = &uses[k];
        }
    }
    if (missing)
        short_of = messages_needed(c, missing) - c->sent[missing->position];
    add_sent(c, set, true);
    set->missing = missing;
    set->until = missing ? c->sent[missing->position] + short_of : 0;
    return missing;
}

/* ---- coming ---------------------------------------------------------------------------------- */

enum refrain_status schedule_come(struct schedule *c, uint32_t number)
{
    struct node_set *set = &c->sets->items.items[number];
    add_sent(c, set, false);
    for (size_t i = 0; i < set->nodes.n; i++) {
        const uint32_t q = c->sets->nodes.items[set->nodes.items[i]].sequence;
        c->head[q]++;
        c->under_way -= !schedule_node(c, q);
    }
    return array_push(&c->come, ready_of(c->sets, number)) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* After a change, lets the set of a sequence's node come if nothing is missing any more. */
static enum refrain_status look(struct schedule *c, uint32_t q)
{
    const struct node *node = schedule_node(c, q);
    struct node_set *set = node ? schedule_set(c, node) : NULL;
    if (!set || set->found || schedule_find_absent(c, set) != NOT_THERE)
        return REFRAIN_OK;
    if (!(c->decided && set->early) && schedule_find_missing(c, set))
        return REFRAIN_OK;
    set->found = true;
    return ready_set_put(&c->ready, ready_of(c->sets, node->set)) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* Examines all sets that may have waited for a set that has come: those of its processes' next
 * nodes, and those of the receivers of its messages. */
static enum refrain_status look_behind(struct schedule *c, uint32_t number)
{
    const struct node_set *set = &c->sets->items.items[number];
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < set->nodes.n && status == REFRAIN_OK; i++) {
        const struct node *node = &c->sets->nodes.items[set->nodes.items[i]];
        const struct use *uses = node->uses;
        status = look(c, node->sequence);
        for (size_t k = 0; k < node->n_uses && status == REFRAIN_OK; k++) {
            if (schedule_is_message(c, &uses[k]) && !schedule_receives(c, &uses[k]))
                status =
                    look(c, scope_find_sequence(c->sets->scope,
                                                c->sets->b->channels->items.items[uses[k].channel].receiver));
        }
    }
    return status;
}

static enum refrain_status look_at_all(struct schedule *c)
{
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t q = 0; q < c->sets->scope->n && status == REFRAIN_OK; q++)
        status = look(c, q);
    return status;
}

/* Lets sets come that may come; none of them prevents another one. In the second pass only the
 * largest group of equal ones. */
static enum refrain_status turn(struct schedule *c, bool *any)
{
    enum refrain_status status = REFRAIN_OK;
    c->turn.n = 0;
    if (!(c->decided ? ready_set_next_batch : ready_set_next)(&c->ready, &c->turn))
        return REFRAIN_ERR_MEMORY;
    *any = c->turn.n > 0;
    for (size_t i = 0; i < c->turn.n && status == REFRAIN_OK; i++)
        status = schedule_come(c, c->turn.items[i].set);
    for (size_t i = 0; i < c->turn.n && status == REFRAIN_OK; i++)
        status = look_behind(c, c->turn.items[i].set);
    return status;
}

/* Resets the state. */
static void start(struct schedule *c)
{
    const struct sets *s = c->sets;
    memcpy(c->head, s->first_node, s->scope->n * sizeof *c->head);
    memset(c->sent, 0, s->links->n_channels * sizeof *c->sent);
    for (size_t i = 0; i < s->items.n; i++) {
        s->items.items[i].present = 0;
        s->items.items[i].missing = NULL;
        s->items.items[i].found = false;
    }
    c->under_way = 0;
    for (uint32_t q = 0; q < s->scope->n; q++)
        c->under_way += schedule_node(c, q) != NULL;
}

/* Lets all sets come, or those that come within this many turns. */
static enum refrain_status come_all(struct schedule *c, size_t turns)
{
    bool any = true;
    start(c);
    enum refrain_status status = look_at_all(c);
    for (size_t i = 0; i < turns && c->under_way > 0 && status == REFRAIN_OK; i++) {
        status = turn(c, &any);
        if (!any && c->decided)
            break;
        if (status == REFRAIN_OK && !any && (status = schedule_open_circles(c)) == REFRAIN_OK)
            status = look_at_all(c);
    }
    return status;
}

enum refrain_status sets_schedule(struct sets *s, enum refrain_status (*emit)(void *context, uint32_t set),
                                  void *context)
{
    struct schedule c = {.sets = s};
    struct ready_list first = {0};
    enum refrain_status status = create(&c);
    if (status == REFRAIN_OK)
        status = come_all(&c, SIZE_MAX);
    first = c.come;
    c.come = (struct ready_list){0};
    c.decided = true;
    const size_t lines = ready_lines(first.items, first.n);
    if (status == REFRAIN_OK)
        status = come_all(&c, TURNS_FOR_LINE * lines);
    const bool better = c.come.n == first.n && ready_lines(c.come.items, c.come.n) < lines;
    const struct ready_list *best = better ? &c.come : &first;
    for (size_t i = 0; i < best->n && status == REFRAIN_OK; i++)
        status = emit(context, best->items[i].set);
    array_free(&first);
    array_free(&c.come);
    destroy(&c);
    return status;
}
