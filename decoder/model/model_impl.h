/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files model_*.c. The steps to a model:
 *
 *     model_input.c        the loop models of processes as systems
 *     model_channels.c     what events communicate over                 model_order.c
 *     model_flows.c        how much of that a construct uses
 *     model_links.c        what meets what, in the processes' sequences
 *     model_regularize.c   loops are cut where their links change       model_cut.c
 *     model_coalesce.c     what belongs together                        model_schedule.c: in which order,
 *                                                                       model_ready.c: … side by side,
 *                                                                       model_circles.c: … in spite of circles
 *
 * The steps from links on run once for the whole program, and again for the body of each loop that several
 * processes share. */
#ifndef REFRAIN_MODEL_IMPL_H
#define REFRAIN_MODEL_IMPL_H

#include "decoder/util/thread_pool.h"
#include "model_channels.h"

/* State of one thread that makes the model. */
struct builder {
    struct model *model;
    struct channels *channels;              /* shared; settled before several threads run */
    struct thread_pool *pool;               /* shared */
    struct builder *all;                    /* by thread */
    unsigned thread;                        /* this one */
    struct arena arena;                     /* its contents move to the model at the end */
    uint64_t indices[SYSTEM_DEPTH_MAX + 1]; /* scratch */
    struct bytes key;                       /* scratch */
    struct {
        uint64_t *of_end; /* scratch, by end: number of uses; 0 between calls */
        size_t n;
    } counts;
};

/* ---- model_input.c --------------------------------------------------------------------------- */

/* Makes the models of the processes, with all threads. */
enum refrain_status model_take_processes(struct builder *builders, const struct loop_groups *groups);

/* ---- model_flows.c --------------------------------------------------------------------------- */

/* Finds the flows of a construct, and whether they are the same in each iteration of a loop. Does nothing if
 * they are known. */
enum refrain_status model_find_flows(struct builder *b, struct construct *c);
/* Make room for the end in b->counts. */
enum refrain_status counts_reserve(struct builder *b, uint32_t end);
/* Returns how often the construct uses the end each time it runs. */
uint64_t construct_flow(const struct construct *c, uint32_t end);

/* ---- sequences of processes (model_scope.c) -------------------------------------------------- */

/* The constructs of one process, while the system of several processes is being made. */
struct sequence {
    uint32_t process;
    ARRAY(struct sequence_item {
        struct construct *construct;
        uint32_t origin; /* the loop, of the first sequence, that this construct was cut from */
    })
    items;
};

/* Processes whose sequences become one system, and the channels that have all their ends in this system. On
 * such a channel, user i of one end meets user i of all other ends. */
struct scope {
    struct sequence *sequences;
    size_t n;
    uint32_t depth; /* loops around */
    bool all;       /* every channel; otherwise these, ascending: */
    ARRAY(uint32_t) channels;
};

void scope_free(struct scope *s);
/* Replaces loops of one iteration and irregular loops by their contents (system_unroll). Uses the thread pool
 * if channels are settled. All origins are 0 afterwards. */
enum refrain_status scope_unroll(struct builder *b, struct scope *s);
/* Appends constructs that have been cut from an origin. */
enum refrain_status sequence_put(struct sequence *to, const struct construct_list *from, uint32_t origin);
/* Returns the index of a process's sequence. The process is in the scope; sequences are sorted by process. */
uint32_t scope_find_sequence(const struct scope *s, uint32_t process);

/* A set of sequences, without repeats. */
struct sequence_set {
    bool *has; /* by sequence */
    ARRAY(uint32_t) list;
};

enum refrain_status sequence_set_create(struct sequence_set *s, size_t sequences);
void sequence_set_free(struct sequence_set *s);
void sequence_set_clear(struct sequence_set *s);
bool sequence_set_add(struct sequence_set *s, uint32_t q); /* false when memory is short */

/* ---- model_links.c --------------------------------------------------------------------------- */

/* A construct uses an end of a channel of the scope: numbers first … last - 1 of that end's users. */
struct use {
    uint32_t sequence, at; /* the construct's place */
    uint32_t end, channel;
    uint32_t position; /* of the channel among the scope's channels, in the same order */
    uint64_t first, last, each;
};

struct links {
    struct use_list {
        struct use *items;
        size_t n, cap;
    } * of_sequence; /* by sequence: uses, by place in it */
    size_t n_sequences, n_uses;
    bool *open;       /* by place: users can be numbered */
    uint64_t *limits; /* by place: users that meet at all ends; 0 if unknown */
    uint64_t *sent;   /* by place, for channels of messages: users of the sending end */
    struct bound_list {
        uint64_t *items;
        size_t n, cap;
    } * bounds; /* by place: where a construct ends, at any end; ascending */
    size_t n_channels;
};

enum refrain_status links_find(struct builder *b, const struct scope *s, struct links *out);
/* Renumbers the uses of the sequences that have been cut. Adds these sequences, and those that have new
 * bounds, to `touched`. Sets *valid to false if so much has changed that all links must be found again. */
enum refrain_status links_update(struct builder *b, const struct scope *s, const struct sequence_set *cut,
                                 struct links *l, struct sequence_set *touched, bool *valid);
void links_free(struct links *l);
/* Returns the first place inside a use where another construct ends at another end, or the use's `last`. */
uint64_t links_next_bound(const struct links *l, const struct use *u);
/* Counts the iterations, up to `most`, inside of which or after which another construct ends; not the last. */
uint64_t links_count_cuts(const struct links *l, const struct use *u, uint64_t most);
/* Does a construct end at this place of the use's channel, or is the channel without meetings there? */
bool links_has_bound(const struct links *l, const struct use *u, uint64_t at);

/* ---- model_cut.c ----------------------------------------------------------------------------- */

/* A place in a body, one level per loop. The last level is the place before construct `at`, or in loop `at`
 * after `times` iterations. A further level continues inside the next iteration of that loop. */
struct cut {
    uint32_t n;
    struct cut_level {
        size_t at;
        uint64_t times;
    } levels[SYSTEM_DEPTH_MAX];
};

/* Finds the cut after user number m > 0 of an end. *found is false if that place is in an irregular loop. */
enum refrain_status cut_find(struct builder *b, const struct system *body, uint32_t end, uint64_t m,
                             struct cut *out, bool *found);
/* Counts the users of an end before a cut. All flows up to the cut must be known. */
uint64_t cut_count(const struct system *body, const struct cut *cut, uint32_t end);
bool cut_is_before(const struct cut *a, const struct cut *b);
/* a b  a b  a b  ->  a  b a  b a  b, The cut is after the first part of the body. */
enum refrain_status loop_shift(struct arena *a, const struct construct *loop, const struct cut *cut,
                               struct construct_list *out);
/* Returns the number of constructs: this one and all inside. */
uint64_t construct_size(const struct construct *c);
/* Lists all constructs of a system. Loops of one iteration, and irregular loops unless they are large, are
 * replaced by their contents. */
enum refrain_status system_unroll(struct builder *b, const struct system *s, struct construct_list *out);
/* Copies the loop with such loops inside it, at any depth, unrolled. */
enum refrain_status loop_unroll_inside(struct builder *b, const struct construct *loop,
                                       struct construct **out);

/* ---- model_regularize.c ---------------------------------------------------------------------- */

/* Cuts loops of the sequences until, where possible, all users of a loop meet one construct at each other
 * end. *links are the links of the resulting sequences; the caller frees them, also after an error. */
enum refrain_status model_regularize(struct builder *b, struct scope *s, struct links *links);

/* ---- model_coalesce.c, model_schedule.c ------------------------------------------------------ */

/* Makes one system of the sequences of a scope. `links` are their links, which may be freed here. */
enum refrain_status model_coalesce(struct builder *b, struct scope *s, struct links *links,
                                   const struct system **out);
/* Calls model_regularize, then model_coalesce. */
enum refrain_status model_build(struct builder *b, struct scope *s, const struct system **out);

#endif
