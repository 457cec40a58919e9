/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files nlr*.c share: making and comparing pieces of a model. */
#ifndef REFRAIN_NLR_IMPL_H
#define REFRAIN_NLR_IMPL_H

#include "nlr.h"

static inline size_t nlr_end_of(const struct nlr *s, size_t node)
{
    return node + s->nodes.items[node].span;
}

/* The words of the nodes from one on: the words of a range of nodes are a range. */
static inline size_t nlr_words_before(const struct nlr *s, size_t node)
{
    return node < s->nodes.n ? s->nodes.items[node].first : s->words.n;
}

/* First node behind top-level element t - 1; t may be the number of elements. */
static inline size_t nlr_top_node(const struct nlr *s, size_t t)
{
    return t < s->tops.n ? s->tops.items[t].node : s->nodes.n;
}

/* The count of a loop that is in no other. */
static inline uint64_t *nlr_count(struct nlr *s, size_t loop)
{
    return &s->words.items[s->nodes.items[loop].first];
}

/* Is there a loop at the end? */
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

/* A node of a model, and what is inside or behind it. */
struct nlr_piece {
    const struct nlr *model;
    size_t node;
};

/* ---- building, without looking for loops (nlr_build.c) --------------------------------------- */

/* Drop the elements from number t on. */
void nlr_cut(struct nlr *s, size_t t);
/* Put behind the last element: an event; a loop outside of all others. `from` may be s. */
enum refrain_status nlr_put_event(struct nlr *s, uint32_t template, const int64_t *numbers, uint32_t n);
enum refrain_status nlr_put_element(struct nlr *s, const struct nlr *from, size_t node);
/* … the body of such a loop for index i, as elements of their own; `from` is not s. */
enum refrain_status nlr_put_body(struct nlr *s, const struct nlr *from, size_t loop, uint64_t i);
/* … an element outside of loops, and a body as above, where loops of less than NLR_LEAST iterations are
 * written out. `from` is not s. */
enum refrain_status nlr_put_written_out(struct nlr *s, const struct nlr *from, size_t node);
enum refrain_status nlr_put_iteration(struct nlr *s, const struct nlr *from, size_t loop, uint64_t i);
/* … a loop that is in no other, without its first `i` iterations. */
enum refrain_status nlr_put_rest(struct nlr *s, const struct nlr *from, size_t loop, uint64_t i);
/* … a loop, of which the `w` nodes of two pieces are iterations 0 and 1. The pieces are not in s. */
enum refrain_status nlr_put_loop(struct nlr *s, struct nlr_piece a, struct nlr_piece b, size_t w,
                                 uint64_t count);

/* ---- reducing (nlr_reduce.c) ----------------------------------------------------------------- */

/* Try the rules at the end until none applies. *changed tells whether one did. */
enum refrain_status nlr_reduce(struct nlr *s, bool *changed);
/* The two rules of appending, once: at the end there is a loop then, or nothing has changed. */
enum refrain_status nlr_reduce_once(struct nlr *s, bool *changed);
/* Is b, a loop outside of others, what loop a goes on with? */
bool nlr_goes_on(struct nlr_piece a, struct nlr_piece b);

/* ---- following (nlr_follow.c) ---------------------------------------------------------------- */

/* Is it what the loop at the end goes on with? Then it is taken. */
bool nlr_follow_event(struct nlr *s, uint32_t template, const int64_t *numbers, uint32_t n);
/* … is a loop, or its first iterations? How many are taken; 0 if it is not. */
uint64_t nlr_follow_loop(struct nlr *s, const struct nlr *from, size_t loop);
/* … is what a loop's first iteration consists of? */
bool nlr_follow_iteration(struct nlr *s, const struct nlr *from, size_t loop);
/* The loop at the end goes on in another way: what has come of its iteration is put behind it. */
enum refrain_status nlr_unfollow(struct nlr *s);

/* Append an element of `from`, which is not s, as nlr_append does. */
enum refrain_status nlr_append_element(struct nlr *s, const struct nlr *from, size_t node);

/* Behind what has just been done in the path: into no loop, but out of those that are through, and over empty
 * ones. */
void nlr_path_settle(struct nlr_path *p);

#endif
