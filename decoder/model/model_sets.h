/* SPDX-License-Identifier: BSD-3-Clause */
/* Which constructs of a scope's sequences become one: the events of a message or of a collective operation,
 * and loops that communicate. They are nodes,
 *
 *     sequence 0   send 1 a   for 10 { send 1 a }   send 1 b          nodes  0  1  2
 *     sequence 1   recv 0 a   for 20 { recv 0 a }   recv 0 b                 3  4  5
 *
 *     sets   {0 3}   {2 5}           1 and 4 do not meet user by user: 10 against 20
 *
 * and those that may become one are partners. A set has at most one node of each sequence. */
#ifndef REFRAIN_MODEL_SETS_H
#define REFRAIN_MODEL_SETS_H

#include "model_impl.h"

struct node {
    struct construct *construct;
    uint32_t sequence, at;
    uint32_t set;
    const struct use *uses; /* in the links */
    size_t n_uses;
    size_t position; /* in the system that is made */
    bool leaves;     /* its set, when that is divided */
};

struct node_set {
    ARRAY(uint32_t) nodes; /* by sequence */
    uint64_t times;        /* of loops: of the loop that they become */
    /* While the set is waiting (model_schedule.c): */
    size_t present;            /* the first nodes whose processes have come to them */
    const struct use *missing; /* what it cannot receive yet, … */
    uint64_t until;            /* … before so many messages have been sent over the channel */
    bool found;                /* it may come, and it is known */
    bool early;                /* it comes before all that it receives has been sent */
};

struct sets {
    struct builder *b;
    struct scope *scope;
    const struct links *links;
    ARRAY(struct node) nodes;
    uint32_t *first_node; /* by sequence; one more at the end */
    ARRAY(struct node_set) items;
    struct map of_sequence; /* of large sets: (set, sequence) -> its node there */
    bool dividing;          /* what nodes of one set are to be instead is being found out */
    ARRAY(struct node_pair {
        uint32_t a;
        uint32_t b;
    })
    partners; /* loops */
};

enum refrain_status sets_find(struct builder *b, struct scope *scope, const struct links *links,
                              struct sets *out);
/* Frees all but the nodes. */
void sets_forget(struct sets *s);
void sets_free(struct sets *s);

#define SETS_NO_NODE MAP_NONE

/* The node of a sequence that is in the set; SETS_NO_NODE if none is. */
uint32_t sets_node_of(const struct sets *s, uint32_t set, uint32_t sequence);
/* The nodes of a set that are marked leave it. Events of it are single then; loops stay together on either
 * side if they are partners. */
enum refrain_status sets_divide(struct sets *s, uint32_t set);

/* Put the sets in an order that is that of all sequences, each by `emit`. Where there is no such order some
 * are taken apart. (model_schedule.c) */
enum refrain_status sets_schedule(struct sets *s, enum refrain_status (*emit)(void *context, uint32_t set),
                                  void *context);

#endif
