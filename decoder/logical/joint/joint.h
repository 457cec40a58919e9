/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of a program with sends and receives that meet as messages, in an order that is that of every
 * process:
 *
 *     steps of a body              groups
 *     recv x-1 tag2   if x > 0     for x = 0 to 2                a wave: the messages from x = 0 come first
 *     send x+1 tag2   if x < 3       x -> x+1 tag2   if x < 3
 *     send x+1 tag7                x -> x+1 tag7, sends first    each process sends, then it receives
 *     recv x-1 tag7
 *     for i1 = 1 to 7 …            for i1 = 1 to 7               visits: each iteration of rank 0 meets the steps
 *       send i1 tag6                 0 -> i1 tag6                of another rank
 *     recv 0 tag6   if x > 0
 *     recv x-1 tag8, x+1 tag9      exchange                      all these messages meet here, but no order of
 *     send x+1 tag8, x-1 tag9        recv x-1 tag8, x+1 tag9     all processes has each at one place
 *                                    send x+1 tag8, x-1 tag9
 *
 * Messages and other steps are the nodes of a graph. An edge means that some process does the first node
 * before the second. The nodes of a cycle are one group, and the order of groups follows the edges. For one
 * process, the groups always give that process's sequence of events (joint_steps). */
#ifndef REFRAIN_JOINT_H
#define REFRAIN_JOINT_H

#include "wave.h"

#include "decoder/logical/meetings/meetings.h"

/* A step, or messages, of some of the processes of a step of the program. In visits, steps may be from inside
 * of the loop. */
struct joint_item {
    const struct step *step, *of;            /* of messages: the sends; of which step of the program */
    const struct step *receive, *receive_of; /* NULL: no messages */
};

struct joint_group {
    enum {
        JOINT_LINE,           /* one item */
        JOINT_SENDS_FIRST,    /* one message, each process sends before it receives */
        JOINT_RECEIVES_FIRST, /* … receives before it sends */
        JOINT_WAVE,           /* all items for each place of the wave */
        JOINT_VISITS,         /* all items for each iteration of a loop, with that iteration's partner */
        JOINT_EXCHANGE,       /* steps that meet each other */
        JOINT_STEPS           /* other steps */
    } kind;
    struct joint_item *items;
    size_t n;
    struct wave wave;        /* of JOINT_WAVE */
    const struct step *loop; /* of JOINT_VISITS */
};

/* Of visits: is the step inside of the loop? */
static inline bool joint_is_inside(const struct joint_group *g, const struct step *s)
{
    return s && s->depth > g->loop->depth;
}

struct joint_body {
    struct joint_group *groups;
    size_t n;
};

struct joint {
    const struct logical *logical;
    struct meetings meetings;
    struct arena arena;
    struct map of_body; /* steps -> its place in bodies */
    ARRAY(struct joint_body) bodies;
};

/* The program must outlive the joint. */
enum refrain_status joint_create(struct joint *j, const struct logical *l);
void joint_free(struct joint *j); /* also of a zeroed struct */
/* Returns the groups of a body of the program; NULL if memory is short. */
const struct joint_body *joint_of(struct joint *j, const struct steps *body);
/* Lists the steps of a process in the order of the groups. The list is in the joint's memory. */
enum refrain_status joint_steps(struct joint *j, const struct joint_body *b, uint32_t process,
                                struct steps *out);

#endif
