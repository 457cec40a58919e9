/* SPDX-License-Identifier: BSD-3-Clause */
/* The acts of a body: each of its steps, done by one process.
 *
 *     steps of a body                       acts
 *     for i1 = 1 to 3   if rank == 0        an open loop: rank 0 sends and receives in each iteration
 *       send i1 tag6
 *       recv i1 tag7
 *     recv 0 tag6   if rank > 0             rank 1, rank 2, rank 3
 *     send 0 tag7   if rank > 0             rank 1, rank 2, rank 3
 *
 * The partners of an open loop move with its index, so each iteration may meet other steps around the loop.
 * The steps that acts do are units: the steps of the body, and of open loops the steps inside. Units and acts
 * are numbered in the order of the steps; those of an open loop by iteration, step inside, and process. */
#ifndef REFRAIN_BODY_ACTS_H
#define REFRAIN_BODY_ACTS_H

#include "decoder/logical/logical.h"

struct body_acts {
    const struct steps *body;
    bool *open;        /* by step */
    uint32_t *first;   /* by step, and one more: its first act */
    uint32_t *units;   /* by step, and one more: its first unit */
    uint32_t *step_of; /* by act */
    uint32_t n;        /* acts */
};

struct body_act {
    const struct step *step; /* what is done: the unit's step */
    uint32_t process, place; /* by whom; its place among the step's processes */
    uint32_t unit;
    uint64_t iteration; /* of the open loop; 0: of none */
};

/* The body must outlive the acts. `open`: by step; copied. */
enum refrain_status body_acts_create(struct body_acts *a, const struct steps *body, const bool *open);
void body_acts_free(struct body_acts *a);                                /* also of a zeroed struct */
struct body_act body_acts_open(const struct body_acts *a, uint32_t act); /* of an act in an open loop */

static inline struct body_act body_acts_at(const struct body_acts *a, uint32_t act)
{
    const uint32_t i = a->step_of[act], place = act - a->first[i];
    const struct step *s = a->body->items[i];
    return a->open[i] ? body_acts_open(a, act)
                      : (struct body_act){s, s->processes[place], place, a->units[i], 0};
}

/* How many acts an open loop has, which may be too many to count. */
static inline uint64_t body_acts_inside(const struct step *loop)
{
    const uint64_t each = loop->body.n * loop->n_processes, count = loop->count.values[0];
    return each > 0 && count > UINT32_MAX / each ? UINT32_MAX : count * each;
}

/* Return a number and the partner of an act while the indices of the loops around the body are 0. */
uint64_t body_act_number(const struct body_act *a, const struct number *n);
uint32_t body_act_partner(const struct logical *l, const struct body_act *a);

#endif
