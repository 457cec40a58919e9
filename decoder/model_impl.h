/* What the files model_*.c share. The way of a model:
 *
 *     model_input.c        the loop models of processes as systems
 *     model_channels.c     what events communicate over                 model_order.c
 *     model_flows.c        how much of that a construct uses
 *     model_links.c        what meets what, in the processes' sequences
 *     model_regularize.c   loops are cut where their links change       model_cut.c
 *     model_coalesce.c     what belongs together                        model_schedule.c: in which order
 *
 * from links on once for the whole program, and again for the body of each loop that several processes are
 * in. */
#ifndef REFRAIN_MODEL_IMPL_H
#define REFRAIN_MODEL_IMPL_H

#include "model_channels.h"

struct builder {
    struct model *model;
    struct channels channels;
    uint64_t indices[SYSTEM_DEPTH_MAX + 1]; /* scratch */
    struct {
        uint64_t *of_end; /* scratch, by end: how often; 0 between uses */
        size_t n;
    } counts;
};

/* ---- model_input.c --------------------------------------------------------------------------------------
 */

enum refrain_status model_take_processes(struct model *m, const struct loop_groups *groups);

/* ---- model_flows.c --------------------------------------------------------------------------------------
 */

/* Find what a construct uses, if that is not known yet: flows, and whether they are the same in each
 * iteration of a loop. */
enum refrain_status model_find_flows(struct builder *b, struct construct *c);
/* What it uses of an end each time. */
uint64_t construct_flow(const struct construct *c, uint32_t end);

/* ---- sequences of processes -----------------------------------------------------------------------------
 */

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

/* ---- model_links.c --------------------------------------------------------------------------------------
 */

/* A construct uses an end: numbers first … last - 1 of that end's users. */
struct use {
    uint32_t sequence, at; /* the construct's place */
    uint32_t end, channel;
    uint64_t first, last, each;
};

struct links {
    ARRAY(struct use) uses; /* by sequence and place */
    uint64_t *limits;       /* by channel: users that meet at all ends; 0 if there is no telling */
    uint64_t *totals;       /* by end: users */
    ARRAY(struct bound {
        uint32_t channel;
        uint64_t at;
    })
    bounds; /* where a construct ends, at any end of a channel; ascending, without repeats */
};

enum refrain_status links_find(struct builder *b, const struct scope *s, struct links *out);
void links_free(struct links *l);
/* The first place inside of a use where something else ends at another end; its `last` if there is none. */
uint64_t links_next_bound(const struct links *l, const struct use *u);
/* Does something end at this place of the use's channel, or does nothing meet there anyway? */
bool links_has_bound(const struct links *l, const struct use *u, uint64_t at);

/* ---- model_cut.c ----------------------------------------------------------------------------------------
 */

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
/* All constructs of a system; loops of one iteration, and irregular ones unless they are large, as what they
 * consist of. */
enum refrain_status system_unroll(struct builder *b, const struct system *s, struct construct_list *out);
/* The loop with such loops in it, however deep, unrolled. */
enum refrain_status loop_unroll_inside(struct builder *b, const struct construct *loop,
                                       struct construct **out);

/* ---- model_regularize.c ---------------------------------------------------------------------------------
 */

/* Cut loops of the sequences until each user of a loop meets one construct at each other end, as far as that
 * can be had. */
enum refrain_status model_regularize(struct builder *b, struct scope *s);

/* ---- model_coalesce.c, model_schedule.c -----------------------------------------------------------------
 */

/* The sequences of a scope as one system. */
enum refrain_status model_coalesce(struct builder *b, struct scope *s, const struct system **out);
/* Regularize and coalesce. */
enum refrain_status model_build(struct builder *b, struct scope *s, const struct system **out);

#endif
