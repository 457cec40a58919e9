/* SPDX-License-Identifier: BSD-3-Clause */
/* What events communicate over. A channel takes messages from one rank to another, with one tag on one
 * communicator, first in first out; or it is that of a collective operation on a group. It has ends, on which
 * its users are numbered:
 *
 *     channel                    ends
 *     0 -> 1 tag5                sender process 0, receiver process 1
 *     0 -> 1 tag5 comm2          the same two, another channel
 *     sync MPI_Barrier world     processes 0, 1, 2, 3
 *
 * User number i of one end meets user number i of all other ends. If two threads of a rank share a side of a channel,
 * nothing says which of them meets whom. */
#ifndef REFRAIN_MODEL_CHANNELS_H
#define REFRAIN_MODEL_CHANNELS_H

#include "model.h"

#define CHANNEL_NO_END MAP_NONE

/* The part that an event has in communication. */
enum channel_part { CHANNEL_NOTHING, CHANNEL_SEND, CHANNEL_RECEIVE, CHANNEL_SYNC };

/* What a template says about an event's part in communication, and which of the event's numbers select the
 * channel. */
struct channel_template {
    enum channel_part part;
    bool any;       /* receives from anybody, or with any tag */
    bool cancels;   /* MPI_Cancel: the event does not say which message it cancels */
    uint32_t peer;  /* which of the event's numbers is the partner's rank */
    uint32_t first; /* the first of the event's further numbers that select the channel */
    uint32_t topic; /* the text after the partner: tag and communicator, or operation and group */
};

struct channel {
    bool sync;
    bool unclear;      /* nothing says which user meets which */
    uint32_t from, to; /* ranks, unless it is a collective operation's */
    uint32_t sender;   /* the process of the sending end, if there is one, */
    uint32_t receiver; /* and of the receiving end */
    uint32_t n_ends;
    bool has_sender, has_receiver;
};

struct channel_end {
    uint32_t channel, process;
    bool receives;
};

struct channels {
    const struct model *model;
    struct channel_template *templates; /* by template */
    struct event_templates topics;      /* texts, each kept once */
    struct event_templates keys;        /* of channels: number of a key -> channel */
    struct event_templates end_keys;    /* of ends: number of a key -> end */
    ARRAY(struct channel) items;
    ARRAY(struct channel_end) ends;
    struct map of_rank; /* rank -> its process that communicates; the first of several */
    bool *any;          /* by first process of a rank: a process of the rank has wildcards, or cancels */
    bool *cancels;      /* by first process of a rank: a process of the rank cancels */
    struct map synced;  /* (channel of a collective operation, rank) -> the process that has an end */
    bool settled;       /* no channels will be added: several threads may look for channels at once */
};

/* Finds the channels of the model's processes. */
enum refrain_status channels_create(struct channels *c, const struct model *m);
void channels_free(struct channels *c);

/* Finds the end that an event uses, for the indices of the loops around. *end is CHANNEL_NO_END if the event
 * uses no end, or if the end would be new and channels are settled. `key` is scratch. */
enum refrain_status channels_end(struct channels *c, const struct act *act, uint32_t depth,
                                 const uint64_t *indices, struct bytes *key, uint32_t *end);
/* Does the end that an event uses depend on the index of loop number `level`? */
bool channels_varies(const struct channels *c, const struct act *act, uint32_t depth, uint32_t level);
/* Does the event use an end of a channel? */
bool channels_uses(const struct channels *c, const struct act *act);

/* A line is all messages of one pair of ranks, or all operations, of one topic, whatever their numbers: its
 * key, instead of what was there. The event uses a channel. */
void channels_put_line(const struct channels *c, const struct act *act, uint32_t depth,
                       const uint64_t *indices, struct bytes *key);
/* … and the numbers after it. */
void channels_put_numbers(const struct channels *c, const struct act *act, uint32_t depth,
                          const uint64_t *indices, struct bytes *key);
/* Find topics whose numbers depend on indices, but come in the same order at all ends of each line. Their
 * events are marked as going over the line, which is one channel then. (model_order.c) */
enum refrain_status channels_find_order(struct channels *c);

#endif
