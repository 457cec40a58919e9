/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside sets_schedule: model_schedule.c puts sets in order, turn by turn; model_circles.c breaks circular
 * waits. */
#ifndef REFRAIN_MODEL_SCHEDULE_IMPL_H
#define REFRAIN_MODEL_SCHEDULE_IMPL_H

#include "model_ready.h"

#define NOT_THERE UINT32_MAX

struct schedule {
    struct sets *sets;
    uint32_t *head;      /* by sequence: its first node that has not come */
    uint64_t *sent;      /* by place of a channel: users of the sending end that have come */
    uint32_t *waits_for; /* by sequence: the sequence it waits for; NOT_THERE if it is finished */
    uint32_t *visited;   /* by sequence: the round of the search for circles that visited it */
    uint32_t under_way;  /* sequences that are not finished */
    struct ready_set ready;
    struct ready_list turn; /* scratch */
    bool decided;           /* the second time */
    struct ready_list come; /* sets that have come, in order */
    /* Circles: */
    bool *posted;            /* by sequence: it has reached a receive that comes early */
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

/* Returns the first node of the set that its sequence has not reached; NOT_THERE if there is none. A sequence
 * stays at its node while the set waits, so each sequence is checked only once. */
uint32_t schedule_find_absent(const struct schedule *c, struct node_set *set);
/* Have all messages that this use receives been sent? */
bool schedule_has_arrived(const struct schedule *c, const struct use *u);
/* Returns a use of the set that receives messages which are not sent yet; NULL if there is none. The set
 * remembers this use. */
const struct use *schedule_find_missing(struct schedule *c, struct node_set *set);
/* Makes this set the next in the order and advances its processes. */
enum refrain_status schedule_come(struct schedule *c, uint32_t number);

/* ---- model_circles.c ------------------------------------------------------------------------- */

/* Call this when no set may come: each process waits for another one that waits. Breaks all circles. */
enum refrain_status schedule_open_circles(struct schedule *c);

#endif
