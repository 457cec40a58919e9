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
 * counts that vary. Three blocks of the same template in affine progression become a loop; a loop followed by
 * its next iteration counts one more (nlr_reduce.c). The next event of the loop at the end is predicted, so
 * that each event of a regular sequence needs only one comparison (nlr_follow.c). */
#ifndef REFRAIN_NLR_H
#define REFRAIN_NLR_H

#include "src/core/base/array.h"
#include "src/core/base/status.h"

#include <assert.h>
#include <stdint.h>

#define NLR_LOOP      UINT32_MAX /* the template of a loop */
#define NLR_DEPTH_MAX 16         /* most loops inside each other */
#define NLR_WINDOW    512        /* default for the most elements of a block */
#define NLR_LEAST     3          /* a loop of fewer iterations is written out */

struct nlr_node {
    uint32_t template; /* NLR_LOOP, or the caller's number for the kind of event */
    uint32_t span;     /* nodes, with all inside; 1 for an event */
    uint32_t depth;    /* loops around */
    uint32_t n;        /* numbers, each of depth + 1 words */
    size_t first;      /* of the words */
};

/* An element outside of all loops. */
struct nlr_top {
    size_t node;
    uint64_t shape; /* hash of all except the numbers' values; elements with equal hashes may be in one
                       progression */
    uint64_t
        sum; /* of an event: a linear combination of its numbers, which is in progression if they are; 0 for a
                loop */
    uint32_t children; /* elements of a loop's body; 0 for an event */
};

/* A position in the expansion of a range of nodes: a node, and the indices of the loops around it. */
struct nlr_path {
    const struct nlr *model;
    size_t at, end; /* at == end: after the last event */
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
    bool settled;         /* all rules have been tried since the last change */
    bool following;       /* a part of the last loop's next iteration has come: the part before `next` */
    bool barred;          /* do not follow the input: the prediction has just failed */
    struct nlr_path next; /* predicted position in the last loop */
};

/* `window`: most elements of a block that may become a loop; 0: NLR_WINDOW. Returns NULL if memory is short.
 */
struct nlr *nlr_create(size_t window);
void nlr_free(struct nlr *s);
void nlr_clear(struct nlr *s); /* empty again */

/* Appends one event; amortised O(1) in a regular sequence, otherwise O(window). After an error of this or the
 * next three functions the model may only be freed. */
enum refrain_status nlr_append(struct nlr *s, uint32_t template, const int64_t *numbers, uint32_t n);
/* Appends a whole finished model `times` times, without expanding it. */
enum refrain_status nlr_append_model(struct nlr *s, const struct nlr *tail, uint64_t times);
/* Appends a loop of `count` >= 2 iterations. Two finished models that fit are its first and second
 * iteration. */
enum refrain_status nlr_append_loop(struct nlr *s, const struct nlr *first, const struct nlr *second,
                                    uint64_t count);
/* Appends all events that are held back. Call it before reading the model. */
enum refrain_status nlr_finish(struct nlr *s);

/* Do two finished models differ only in the values of events' numbers? Then they may be two iterations of a
 * loop. */
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
    assert(k < node->n);
    return s->words.items + node->first + (size_t)k * (node->depth + 1);
}

/* ---- expansion (nlr_path.c) ------------------------------------------------------------------ */

/* Starts a path at the first node of a finished model. */
void nlr_path_start(struct nlr_path *p, const struct nlr *model);
/* Enters loops down to the next event and returns it; NULL at the end. */
const struct nlr_node *nlr_path_event(struct nlr_path *p);
/* Returns the value of number k of the node that the path is at. */
uint64_t nlr_path_number(const struct nlr_path *p, const struct nlr_node *node, uint32_t k);
/* Moves the path after its node, and after empty loops that follow. */
void nlr_path_pass(struct nlr_path *p);
/* Returns the number of events that the model expands to; UINT64_MAX if there are that many or more. Takes
 * O(size); if counts vary, O(iterations of the loops around them). */
uint64_t nlr_length(const struct nlr *model);

#endif
