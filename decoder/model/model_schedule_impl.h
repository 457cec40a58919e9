/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside sets_schedule: model_schedule.c lets sets come in turns, model_circles.c opens circles. */
#ifndef REFRAIN_MODEL_SCHEDULE_IMPL_H
#define REFRAIN_MODEL_SCHEDULE_IMPL_H

#include "model_ready.h"

#define NOT_THERE UINT32_MAX

struct schedule {
    struct sets *sets;
    uint32_t *head;      /* by sequence: its first node that has not come */
    uint64_t *sent;      /* by place of a channel: users of the sending end that have come */
    uint32_t *waits_for; /* by sequence: another one; NOT_THERE if it is through */
    uint32_t *visited;   /* by sequence: when circles are looked for, the round */
    uint32_t under_way;  /* sequences that are not through */
    struct ready_set ready;
    struct ready_list turn; /* scratch */
    bool decided;           /* the second time */
    struct ready_list come; /* what has come, in its order */
    /* Circles: */
    bool *posted;            /* by sequence: it has come to a receive that comes early */
    ARRAY(uint32_t) leaving; /* nodes that are marked */
    struct map asked;        /* collective operations whose members have been asked what they need */
    bool failed;             /* memory was short */
};

static inline struct node *schedule_node(const struct schedule *c, uint32_t q)
{
    return c->head[q] < c->sets->first_node[q + 1] ? &c->sets->nodes.items[c->head[q]] : NULL;
}

static inline struct node_set *schedule_set(const struct schedule *c, const struct node *node)
{
    return &c->sets->items.items[node->set];
}

static inline bool schedule_is_message(const struct schedule *c, const struct use *u)
{
    return c->sets->links->limits[u->position] > 0 && !c->sets->b->channels->items.items[u->channel].sync;
}

static inline bool schedule_receives(const struct schedule *c, const struct use *u)
{
    return schedule_is_message(c, u) && c->sets->b->channels->ends.items[u->end].receives;
}

/* The first node of the set that its sequence has not come to; NOT_THERE if there is none. Sequences that
 * have come to a node stay there as long as the set waits, so they are asked once. */
uint32_t schedule_find_absent(const struct schedule *c, struct node_set *set);
/* Has all been sent that this receives? */
bool schedule_has_arrived(const struct schedule *c, const struct use *u);
/* What of a set cannot be received before it comes, since it has not been sent; NULL if there is nothing. The
 * set remembers what it waits for. */
const struct use *schedule_find_missing(struct schedule *c, struct node_set *set);
/* The set is the next; its processes go on. */
enum refrain_status schedule_come(struct schedule *c, uint32_t number);

/* ---- model_circles.c ------------------------------------------------------------------------- */

/* Nothing may come: each process waits for one that waits, too. All circles are opened. */
enum refrain_status schedule_open_circles(struct schedule *c);

#endif
