/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files nlr*.c: making and comparing pieces of a model. */
#ifndef REFRAIN_NLR_IMPL_H
#define REFRAIN_NLR_IMPL_H

#include <assert.h>

#include "nlr.h"

static inline size_t nlr_end_of(const struct nlr *s, size_t node)
{
    assert(node < s->nodes.n);
    return node + s->nodes.items[node].span;
}

/* Returns the index of the node's first word. The words of a range of nodes are a range, too. */
static inline size_t nlr_words_before(const struct nlr *s, size_t node)
{
    return node < s->nodes.n ? s->nodes.items[node].first : s->words.n;
}

/* Returns the first node of top-level element t; the number of nodes if t is the number of elements. */
static inline size_t nlr_top_node(const struct nlr *s, size_t t)
{
    return t < s->tops.n ? s->tops.items[t].node : s->nodes.n;
}

/* Returns the count of a loop that is in no other loop. */
static inline uint64_t *nlr_count(struct nlr *s, size_t loop)
{
    assert(nlr_is_loop(&s->nodes.items[loop]) && s->nodes.items[loop].depth == 0);
    return &s->words.items[s->nodes.items[loop].first];
}

/* Is the last element a loop? */
static inline bool nlr_ends_in_loop(const struct nlr *s)
{
    return s->tops.n > 0 && nlr_is_loop(&s->nodes.items[s->tops.items[s->tops.n - 1].node]);
}

static inline bool nlr_same_kind(const struct nlr_node *a, const struct nlr_node *b)
{
    return a->template == b->template && a->span == b->span && a->n == b->n;
}

static inline bool nlr_words_equal(const uint64_t *a, const uint64_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (a[i] != b[i])
            return false;
    }
    return true;
}

/* A node of a model, as the start of a piece: the node with all inside it, or the nodes from it on. */
struct nlr_piece {
    const struct nlr *model;
    size_t node;
};

/* ---- building, without looking for loops (nlr_build.c) --------------------------------------- */

/* Drop the elements from number t on. */
void nlr_cut(struct nlr *s, size_t t);
/* Append an event, or a copy of a top-level element of `from`. `from` may be s. */
enum refrain_status nlr_put_event(struct nlr *s, uint32_t template, const int64_t *numbers, uint32_t n);
enum refrain_status nlr_put_element(struct nlr *s, const struct nlr *from, size_t node);
/* Appends the body of a top-level loop, at index i, as top-level elements. `from` is not s. */
enum refrain_status nlr_put_body(struct nlr *s, const struct nlr *from, size_t loop, uint64_t i);
/* Append a top-level element, or a loop's body as above. Loops of fewer than NLR_LEAST iterations are written
 * out. `from` is not s. */
enum refrain_status nlr_put_written_out(struct nlr *s, const struct nlr *from, size_t node);
enum refrain_status nlr_put_iteration(struct nlr *s, const struct nlr *from, size_t loop, uint64_t i);
/* Appends a top-level loop without its first `i` iterations. */
enum refrain_status nlr_put_rest(struct nlr *s, const struct nlr *from, size_t loop, uint64_t i);
/* Appends a loop whose iterations 0 and 1 are the `w` nodes of the two pieces. The pieces are not in s. */
enum refrain_status nlr_put_loop(struct nlr *s, struct nlr_piece a, struct nlr_piece b, size_t w,
                                 uint64_t count);

/* ---- reducing (nlr_reduce.c) ----------------------------------------------------------------- */

/* Try the rules at the end until none applies. *changed says whether one did. */
enum refrain_status nlr_reduce(struct nlr *s, bool *changed);
/* Tries the two rules of appending once. Afterwards the last element is a loop, or nothing has changed. */
enum refrain_status nlr_reduce_once(struct nlr *s, bool *changed);
/* Are both pieces top-level loops, and does b continue a? */
bool nlr_goes_on(struct nlr_piece a, struct nlr_piece b);

/* ---- following (nlr_follow.c) ---------------------------------------------------------------- */

/* If the event is the next one of the loop at the end, takes it and returns true. */
bool nlr_follow_event(struct nlr *s, uint32_t template, const int64_t *numbers, uint32_t n);
/* The same for the iterations of a loop of `from`. Returns how many iterations are taken; 0 for none. */
uint64_t nlr_follow_loop(struct nlr *s, const struct nlr *from, size_t loop);
/* The same for all elements of a loop's first iteration. */
bool nlr_follow_iteration(struct nlr *s, const struct nlr *from, size_t loop);
/* Call this when the prediction fails: appends, after the loop, the part of its next iteration that has
 * come. */
enum refrain_status nlr_unfollow(struct nlr *s);

/* Appends an element of `from` as nlr_append does. `from` is not s. */
enum refrain_status nlr_append_element(struct nlr *s, const struct nlr *from, size_t node);

/* Settles the path after a step: leaves loops that are finished and skips empty loops, but enters no loop. */
void nlr_path_settle(struct nlr_path *p);

#endif
