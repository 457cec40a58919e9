/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds which send of a program meets which receive.
 *
 *     rank 0          rank 1                      steps of a body         mates
 *     send 1 tag5     recv 0 tag5                 0  send x+1 tag5        0 of rank 0 and 1 of rank 1
 *                                                 1  recv x-1 tag5
 *
 * A channel takes messages of one tag on one communicator from one rank to another, first in first out. A
 * send and a receive meet if, in their body, the number of the channel's sends before the send equals the
 * number of its receives before the receive. This must hold for all sends and receives of the channel in
 * every body, and the loops around them must have equal iteration counts on both ranks. If the order of a
 * channel is unknown, nothing on it meets. This holds for ranks that receive from any source or cancel, for a
 * side of a channel that several threads of a rank use, and for partitioned messages of several requests
 * ("partitioned?"). */
#ifndef REFRAIN_MEETINGS_H
#define REFRAIN_MEETINGS_H

#include "body_acts.h"

/* The role of a form in messages. */
struct message_form {
    enum { FORM_IS_NO_MESSAGE, FORM_SENDS, FORM_RECEIVES } kind;
    uint32_t tail; /* equal for a send and a receive that may meet */
};

struct meetings {
    const struct logical *logical;
    struct message_form *forms;
    struct text_table tails;
    bool *apart;        /* by first process of a rank: the order of its messages is unknown */
    struct map of_rank; /* rank -> its first process */
    struct map owners;  /* side of a channel -> process */
    /* Pairs of sending and receiving rank between which a message has numbers that change with an index. */
    struct map varying;
    struct map broken; /* channels on which nothing meets */
};

/* The program must outlive the meetings. */
enum refrain_status meetings_create(struct meetings *m, const struct logical *l);
void meetings_free(struct meetings *m); /* also of a zeroed struct */

#define NO_MATE UINT32_MAX

/* What the acts of a body meet. */
struct mates {
    struct body_acts acts;
    uint32_t *of; /* by act: the act that it meets; NO_MATE: none, or unknown */
};

/* All messages of open loops have mates. `closed`, by step: loops that do not open; more of them may be closed
 * here. */
enum refrain_status meetings_find(const struct meetings *m, const struct steps *body, bool *closed,
                                  struct mates *out);
void mates_free(struct mates *m); /* also of a zeroed struct */

#endif
