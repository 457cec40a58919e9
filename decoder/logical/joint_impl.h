/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files joint*.c. */
#ifndef REFRAIN_JOINT_IMPL_H
#define REFRAIN_JOINT_IMPL_H

#include "joint.h"

/* A group while it is made: acts of a body, with their steps and nodes. */
struct joint_draft {
    struct joint *joint;
    const struct steps *body;
    const struct mates *mates;
    const uint32_t *step_of; /* by act */
    const uint32_t *node_of; /* by act: index into `nodes` */
    const struct joint_node {
        uint32_t step, receive; /* indices in the body; receive NO_MATE: no messages */
    } * nodes;                  /* of the body */
    const uint32_t *acts;       /* of the group, ascending */
    size_t n_acts;
    uint32_t *members; /* the group's nodes, by number */
    size_t n_members;
};

/* Makes the groups of a body. (joint_nodes.c) */
enum refrain_status joint_arrange(struct joint *j, const struct steps *body, struct joint_body *out);
/* Decides the kind of the group and makes its items. (joint_group.c) */
enum refrain_status joint_make_group(struct joint_draft *d, bool in_circle, struct joint_group *out);
/* Makes one group of all steps of a body. */
enum refrain_status joint_keep_steps(struct joint *j, const struct steps *body, struct joint_group *out);

static inline uint32_t draft_process(const struct joint_draft *d, uint32_t act)
{
    const uint32_t step = d->step_of[act];
    return d->body->items[step]->processes[act - d->mates->first[step]];
}

static inline bool draft_receives(const struct joint_draft *d, uint32_t act)
{
    return d->step_of[act] == d->nodes[d->node_of[act]].receive;
}

#endif
