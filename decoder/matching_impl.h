/* Inside matching.h: matching.c goes through all ranks, matching_end.c has the ends of messages as they come,
 * matching_channel.c puts them together. */
#ifndef REFRAIN_MATCHING_IMPL_H
#define REFRAIN_MATCHING_IMPL_H

#include "channels.h"
#include "endings.h"
#include "instances.h"

struct open_request {
    uint32_t send, receive;                 /* entries; CHANNELS_NONE: none */
    uint32_t send_channel, receive_channel; /* of a receive with wildcards CHANNELS_NONE */
};

/* A receive of which nobody knows yet what it takes. */
struct wildcard {
    uint32_t entry;
    int64_t comm, peer, tag;
};

struct matching_rank {
    struct operations *operations;    /* NULL: it has no calls, or they have all been taken */
    bool single;                      /* one thread */
    uint64_t n_waiting;               /* ends of messages and calls of collective operations */
    uint64_t order;                   /* receives so far */
    uint64_t n_late, n_excused;       /* completed receives that it waits for; of which in vain */
    size_t late_in;                   /* n + 1: the collective operation that it waits for; 0: none */
    ARRAY(struct open_request) open;  /* by number of the request */
    ARRAY(struct wildcard) wildcards; /* as they were posted */
    ARRAY(uint32_t) held;             /* channels to this rank that one of them stops */
};

struct matching {
    struct operation_source source;
    const struct matching_sink *sink;
    uint32_t first_rank, n_ranks;
    struct matching_rank *ranks;
    ARRAY(uint32_t) running; /* those with operations, ascending */
    struct channels channels;
    struct instances instances;
    struct endings endings;
    bool partial;                               /* recording was off for some calls */
    ARRAY(struct matching_unmatched) unmatched; /* at the end */
};

static inline struct matching_rank *rank_of(struct matching *m, uint32_t rank)
{
    return &m->ranks[rank - m->first_rank];
}

static inline struct channel_entry *entry_of(struct matching *m, uint32_t entry)
{
    return &m->channels.entries.items[entry];
}

/* The rank has the end of a message that it does not go on without, in_order. */
static inline void matching_wait(struct matching *m, struct matching_rank *r, uint32_t entry)
{
    if (m->sink->in_order && entry_of(m, entry)->ready && entry_of(m, entry)->is_completed) {
        entry_of(m, entry)->late = true;
        r->n_late++;
    }
}

/* An end of a message of this rank has left its queue. */
static inline void matching_forget(struct matching *m, struct matching_rank *r, uint32_t entry)
{
    r->n_late -= entry_of(m, entry)->late;
    r->n_excused = r->n_excused < r->n_late ? r->n_excused : r->n_late;
    r->n_waiting--;
    channels_remove_entry(&m->channels, entry);
}

/* Tell the sink of an operation without another end. */
enum refrain_status matching_report(struct matching *m, const struct operation *op,
                                    enum matching_reason reason);

/* A send, a receive or a matched probe by a rank of the run, from or to one, and what completes it. */
enum refrain_status matching_begin(struct matching *m, const struct operation *op);
enum refrain_status matching_complete(struct matching *m, const struct operation *op);

/* Whatever can be matched in a channel. One that a wildcard stops is remembered. */
enum refrain_status matching_channel(struct matching *m, uint32_t channel);
/* A wildcard of this rank is gone: what waited for it may go on. */
enum refrain_status matching_held(struct matching *m, struct matching_rank *r);

#endif
