/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files joint*.c. */
#ifndef REFRAIN_JOINT_IMPL_H
#define REFRAIN_JOINT_IMPL_H

#include "joint.h"

/* A group while it is made: acts of a body, with their units (body_acts.h) and nodes. */
struct joint_draft {
    struct joint *joint;
    const struct mates *mates;
    const struct step *const *units; /* the step of each unit */
    const uint32_t *node_of;         /* by act: index into `nodes` */
    const struct joint_node {
        uint32_t step, receive; /* units; receive NO_MATE: no messages */
    } * nodes;                  /* of the body */
    const uint32_t *acts;       /* of the group, ascending */
    size_t n_acts;
    uint32_t *members; /* the group's nodes, by number */
    size_t n_members;
    bool *
        closed; /* by step of the body: a loop that must not open, so that the body has to be arranged again */
};

/* Makes the groups of a body. (joint_nodes.c) */
enum refrain_status joint_arrange(struct joint *j, const struct steps *body, struct joint_body *out);
/* Decides the kind of the group and makes its items. (joint_group.c) */
enum refrain_status joint_make_group(struct joint_draft *d, bool in_circle, struct joint_group *out);
/* Makes one group of all steps of a body. */
enum refrain_status joint_keep_steps(struct joint *j, const struct steps *body, struct joint_group *out);
/* Finds whether the group is a loop over partners (JOINT_VISITS). If so, the members are put in the order of its
 * items, and the loop is set. (joint_visits.c) */
enum refrain_status joint_find_visits(struct joint_draft *d, const struct step **loop, bool *found);

static inline const struct body_acts *draft_acts(const struct joint_draft *d)
{
    return &d->mates->acts;
}

static inline uint32_t draft_process(const struct joint_draft *d, uint32_t act)
{
    return body_acts_at(draft_acts(d), act).process;
}

static inline bool draft_receives(const struct joint_draft *d, uint32_t act)
{
    return body_acts_at(draft_acts(d), act).unit == d->nodes[d->node_of[act]].receive;
}

/* Is the act in an open loop? */
static inline bool draft_is_open(const struct joint_draft *d, uint32_t act)
{
    return draft_acts(d)->open[draft_acts(d)->step_of[act]];
}

#endif
