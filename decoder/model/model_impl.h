/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files model_*.c share. The way of a model:
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
 * from links on once for the whole program, and again for the body of each loop that several processes are
 * in. */
#ifndef REFRAIN_MODEL_IMPL_H
#define REFRAIN_MODEL_IMPL_H

#include "decoder/util/thread_pool.h"
#include "model_channels.h"

/* A thread that makes the model. */
struct builder {
    struct model *model;
    struct channels *channels;              /* shared; settled as soon as there are several threads */
    struct thread_pool *pool;               /* shared */
    struct builder *all;                    /* by thread */
    unsigned thread;                        /* this one */
    struct arena arena;                     /* goes to the model in the end */
    uint64_t indices[SYSTEM_DEPTH_MAX + 1]; /* scratch */
    struct bytes key;                       /* scratch */
    struct {
        uint64_t *of_end; /* scratch, by end: how often; 0 between uses */
        size_t n;
    } counts;
};

/* ---- model_input.c --------------------------------------------------------------------------- */

/* By all threads. */
enum refrain_status model_take_processes(struct builder *builders, const struct loop_groups *groups);

/* ---- model_flows.c --------------------------------------------------------------------------- */

/* Find what a construct uses, if that is not known yet: flows, and whether they are the same in each
 * iteration of a loop. */
enum refrain_status model_find_flows(struct builder *b, struct construct *c);
/* Make room for the end in b->counts. */
enum refrain_status counts_reserve(struct builder *b, uint32_t end);
/* What it uses of an end each time. */
uint64_t construct_flow(const struct construct *c, uint32_t end);

/* ---- sequences of processes (model_scope.c) -------------------------------------------------- */

/* What one process does, while a system is being made of several. */
struct sequence {
    uint32_t process;
    ARRAY(struct sequence_item {
        struct construct *construct;
        uint32_t origin; /* the loop of the first sequence that it has been cut from */
    })
    items;
};

/* Processes whose sequences are to become one system, and which channels lie in it with all ends, so that
 * user i of one end meets user i of all others. */
struct scope {
    struct sequence *sequences;
    size_t n;
    uint32_t depth; /* loops around */
    bool all;       /* every channel; otherwise these, ascending: */
    ARRAY(uint32_t) channels;
};

void scope_free(struct scope *s);
/* Loops of one iteration and irregular ones as what they consist of (system_unroll); with the pool, if
 * channels are settled. Everything is of origin 0 then. */
enum refrain_status scope_unroll(struct builder *b, struct scope *s);
/* Constructs that have been cut from an origin, at the end. */
enum refrain_status sequence_put(struct sequence *to, const struct construct_list *from, uint32_t origin);
/* The sequence of a process that is in the scope: sequences are by process. */
uint32_t scope_find_sequence(const struct scope *s, uint32_t process);

/* Sequences, each once. */
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
    uint32_t position; /* of the channel among the scope's; in the same order */
    uint64_t first, last, each;
};

struct links {
    struct use_list {
        struct use *items;
        size_t n, cap;
    } * of_sequence; /* by sequence: uses, by place in it */
    size_t n_sequences, n_uses;
    bool *open;       /* by place: users can be numbered */
    uint64_t *limits; /* by place: users that meet at all ends; 0 if there is no telling */
    uint64_t *sent;   /* by place, of a channel of messages: users of the sending end */
    struct bound_list {
        uint64_t *items;
        size_t n, cap;
    } * bounds; /* by place: where a construct ends, at any end; ascending */
    size_t n_channels;
};

enum refrain_status links_find(struct builder *b, const struct scope *s, struct links *out);
/* Some sequences have been cut: their uses are numbered anew. Those where there are new bounds now, and the
 * cut ones, are added to `touched`. *valid is false if so much has changed that links have to be found from
 * the beginning. */
enum refrain_status links_update(struct builder *b, const struct scope *s, const struct sequence_set *cut,
                                 struct links *l, struct sequence_set *touched, bool *valid);
void links_free(struct links *l);
/* The first place inside of a use where something else ends at another end; its `last` if there is none. */
uint64_t links_next_bound(const struct links *l, const struct use *u);
/* Does something end at this place of the use's channel, or does nothing meet there anyway? */
bool links_has_bound(const struct links *l, const struct use *u, uint64_t at);

/* ---- model_cut.c ----------------------------------------------------------------------------- */

/* A place in a body: before construct `at`, or in it, a loop, behind `times` iterations; then it goes on in
 * the next one, if the path does. */
struct cut {
    uint32_t n;
    struct cut_level {
        size_t at;
        uint64_t times;
    } levels[SYSTEM_DEPTH_MAX];
};

/* Behind user number m > 0 of an end. *found is false if that lies in an irregular loop. */
enum refrain_status cut_find(struct builder *b, const struct system *body, uint32_t end, uint64_t m,
                             struct cut *out, bool *found);
/* Users of an end that lie before a cut, all flows up to there being known. */
uint64_t cut_count(const struct system *body, const struct cut *cut, uint32_t end);
bool cut_is_before(const struct cut *a, const struct cut *b);
/* a b  a b  a b  ->  a  b a  b a  b, where the cut is behind the first part of the body. */
enum refrain_status loop_shift(struct arena *a, const struct construct *loop, const struct cut *cut,
                               struct construct_list *out);
/* Constructs: itself, and all inside. */
uint64_t construct_size(const struct construct *c);
/* All constructs of a system; loops of one iteration, and irregular ones unless they are large, as what they
 * consist of. */
enum refrain_status system_unroll(struct builder *b, const struct system *s, struct construct_list *out);
/* The loop with such loops in it, however deep, unrolled. */
enum refrain_status loop_unroll_inside(struct builder *b, const struct construct *loop,
                                       struct construct **out);

/* ---- model_regularize.c ---------------------------------------------------------------------- */

/* Cut loops of the sequences until each user of a loop meets one construct at each other end, as far as that
 * can be had. *links are those of the sequences then, to be freed in any case. */
enum refrain_status model_regularize(struct builder *b, struct scope *s, struct links *links);

/* ---- model_coalesce.c, model_schedule.c ------------------------------------------------------ */

/* The sequences of a scope, which have these links, as one system. */
enum refrain_status model_coalesce(struct builder *b, struct scope *s, const struct links *links,
                                   const struct system **out);
/* Regularize and coalesce. */
enum refrain_status model_build(struct builder *b, struct scope *s, const struct system **out);

#endif
