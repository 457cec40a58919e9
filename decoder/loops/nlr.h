/* SPDX-License-Identifier: BSD-3-Clause */
/* Nested loop recognition: a sequence of events as nested loops over affine numbers.
 *
 * An event is the number of its template ("send to, with tag") and a few numbers; a model is a sequence
 * of events and loops, in which every number, also the count of a loop, is affine in the indices of the loops
 * around it:
 *
 *     send 1 3  send 1 4  sync 0   send 2 3  send 2 4  send 2 5  sync 0   send 3 3  send 3 4  send 3 5 …
 *
 *     loop 9 { loop 2 + i { send 1 + i, 3 + j }  sync 0 }                      indices count from 0 here
 *
 * Nodes lie in one array in preorder, numbers in another: a number has its value while all indices are 0, and
 * then a coefficient for each loop around it, outermost first. The count of a loop is its only number:
 *
 *     nodes   [loop span=4 depth=0] [loop span=2 depth=1] [send span=1 depth=2] [sync span=1 depth=1]
 *     words    9                     2 1                   1 1 0  3 0 1          0 0
 *
 * A loop whose count is 0 or less for some indices is empty there. A model is executable: nlr_path expands it
 * to exactly the events that were appended. All arithmetic wraps modulo 2^64, so that any numbers will do.
 *
 * Rules and name are those of A. Ketterlin and Ph. Clauss, "Prediction and trace compression of data access
 * addresses through nested loop recognition", CGO 2008; series.h does the same for single numbers, without
 * counts that vary. Three blocks of the same template in affine progression become a loop; a loop followed by its
 * next iteration counts one more (nlr_reduce.c). What a loop at the end goes on with is foreseen, so that
 * events of regular sequences are compared with one event each (nlr_follow.c). */
#ifndef REFRAIN_NLR_H
#define REFRAIN_NLR_H

#include "src/core/base/array.h"
#include "src/core/base/status.h"

#include <stdint.h>

#define NLR_LOOP      UINT32_MAX /* the template of a loop */
#define NLR_DEPTH_MAX 16         /* loops in loops */
#define NLR_WINDOW    512        /* elements of a block, unless one chooses */
#define NLR_LEAST     3          /* a loop of fewer iterations is written out */

struct nlr_node {
    uint32_t template; /* NLR_LOOP, or the caller's number of what the event is */
    uint32_t span;     /* nodes, with all inside; 1 for an event */
    uint32_t depth;    /* loops around */
    uint32_t n;        /* numbers, each of depth + 1 words */
    size_t first;      /* of the words */
};

/* An element outside of all loops. */
struct nlr_top {
    size_t node;
    uint64_t shape; /* hash of all but the numbers' values: of elements that may lie in one progression */
    uint64_t
        sum; /* of an event: a linear sum of its numbers, so that it is in progression where they are; 0 for a loop */
    uint32_t children; /* elements of a loop's body; 0 for an event */
};

/* Where one is in the expansion of a range of nodes: at a node, for some indices of the loops around it. */
struct nlr_path {
    const struct nlr *model;
    size_t at, end; /* at == end: behind the last event */
    uint32_t depth;
    struct nlr_frame {
        size_t loop;
        uint64_t index, count;
    } frames[NLR_DEPTH_MAX];
};

struct nlr {
    ARRAY(struct nlr_node) nodes;
    ARRAY(uint64_t) words;
    ARRAY(struct nlr_top) tops;
    size_t window;
    bool settled;   /* no rule applies that has not been tried */
    bool following; /* part of the next iteration of the loop at the end has come: what is before `next` */
    bool barred;    /* what comes has been followed already, and is put now */
    struct nlr_path next; /* in that loop */
};

/* `window`: the most elements in a block of which loops are made; 0: NLR_WINDOW. NULL when memory is short.
 */
struct nlr *nlr_create(size_t window);
void nlr_free(struct nlr *s);
void nlr_clear(struct nlr *s); /* empty again */

/* After an error of these a model may only be freed. Append one event; amortised O(1) in a regular sequence,
 * otherwise O(window). */
enum refrain_status nlr_append(struct nlr *s, uint32_t template, const int64_t *numbers, uint32_t n);
/* Append a whole finished model, `times` times, without expanding it. */
enum refrain_status nlr_append_model(struct nlr *s, const struct nlr *tail, uint64_t times);
/* Append a loop of `count` >= 2 iterations, of which two finished models that fit are the first and the
 * second. */
enum refrain_status nlr_append_loop(struct nlr *s, const struct nlr *first, const struct nlr *second,
                                    uint64_t count);
/* Nothing is held back any more; before the model is looked at. */
enum refrain_status nlr_finish(struct nlr *s);

/* Two finished models differ in nothing but values of events' numbers: so they may be two iterations. */
bool nlr_fit(const struct nlr *a, const struct nlr *b);
/* Is `c` iteration number k, where a is iteration 0 and b iteration 1? All three fit. */
bool nlr_continues(const struct nlr *a, const struct nlr *b, const struct nlr *c, uint64_t k);

static inline bool nlr_is_loop(const struct nlr_node *node)
{
    return node->template == NLR_LOOP;
}

/* The words of a node's number k. */
static inline const uint64_t *nlr_number(const struct nlr *s, const struct nlr_node *node, uint32_t k)
{
    return s->words.items + node->first + (size_t)k * (node->depth + 1);
}

/* ---- expansion (nlr_path.c) ------------------------------------------------------------------ */

/* Of a whole finished model. */
void nlr_path_start(struct nlr_path *p, const struct nlr *model);
/* The next event, into its loops; NULL at the end. */
const struct nlr_node *nlr_path_event(struct nlr_path *p);
/* A number of the node that the path is at. */
uint64_t nlr_path_number(const struct nlr_path *p, const struct nlr_node *node, uint32_t k);
/* Behind the node that the path is at, and behind what is empty then. */
void nlr_path_pass(struct nlr_path *p);
/* How many events the model expands to; UINT64_MAX if there are that many or more. O(size), unless counts
 * vary: then O(iterations of the loops around those). */
uint64_t nlr_length(const struct nlr *model);

#endif
