/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory layout of a series; for the series*.c files only.
 *
 *     1 2 3 -1   5 6 7 -1   9 10 11 -1   20
 *
 *     number   0           1           2           3           4
 *     nodes    [n=3        [n=3        [n=1        [n=-1       [n=20
 *               span=4      span=2      span=1      span=1      span=1
 *               depth=0     depth=1     depth=2     depth=1     depth=0
 *               coef=0]     coef=0]     coef=0]     coef=2]     coef=3]
 *     coefs    4 1 0
 *     tops     0 4
 *
 * A node with span 1 is a leaf: n is its value if all indices are 0, and its `depth` coefficients,
 * outermost first, start at `coef`. A node with span > 1 is a loop: n >= 2 is its count, and span is the
 * number of its nodes, itself included. Every node's `coef` is the number of coefficients before it, so
 * that a range of nodes has a range of coefficients. `tops` are the elements outside of all loops; the
 * reduction rules work at the end of `tops`.
 *
 * Values to which no rule applied are moved to packs (pack.h) some time later. A node with span 0, outside
 * of loops, stands for all values of pack number n. No reduction rule applies to it.
 *
 * All arithmetic on values is done in uint64_t, so it wraps. */
#ifndef REFRAIN_SERIES_IMPL_H
#define REFRAIN_SERIES_IMPL_H

#include "pack.h"
#include "series.h"
#include "src/core/base/array.h"

#define SERIES_WAITING    256  /* elements at the end that are not packed; more than the rules look at */
#define SERIES_PACK_MOST  4096 /* more values make several packs */
#define SERIES_LENGTH_MAX ((uint64_t)INT64_MAX)

struct series_node {
    uint64_t n;
    uint32_t span, depth, coef;
};

struct series {
    ARRAY(struct series_node) nodes;
    ARRAY(uint64_t) coefs;
    ARRAY(uint32_t) tops;
    ARRAY(struct pack *) packs; /* owned; in the order of their nodes */
    size_t settled;             /* elements already searched for values to pack */
    uint64_t length;            /* values; <= SERIES_LENGTH_MAX */
    size_t shares;              /* owners in addition to the first; if > 0, nothing else may change */
};

static inline bool series_is_leaf(const struct series_node *node)
{
    return node->span == 1;
}

static inline bool series_is_loop(const struct series_node *node)
{
    return node->span > 1;
}

static inline bool series_is_pack(const struct series_node *node)
{
    return node->span == 0;
}

/* Number of nodes of an element. */
static inline uint32_t series_extent(const struct series_node *node)
{
    return series_is_pack(node) ? 1 : node->span;
}

/* First node and first coefficient after top-level element t - 1; t may be the number of elements. */
static inline uint32_t series_top_node(const struct series *s, size_t t)
{
    return t < s->tops.n ? s->tops.items[t] : (uint32_t)s->nodes.n;
}

static inline uint32_t series_node_coef(const struct series *s, size_t node)
{
    return node < s->nodes.n ? s->nodes.items[node].coef : (uint32_t)s->coefs.n;
}

/* Free the content of a series, not the struct; for series on the stack. */
void series_clear(struct series *s);

/* Make room for this many more nodes, coefficients and elements; REFRAIN_ERR_MEMORY when memory is short. */
enum refrain_status series_reserve(struct series *s, size_t nodes, size_t coefs, size_t tops);

/* The building blocks of all copying functions. Each appends after the last element, without reducing and
 * without changing `length`. `from` must not be s. */
/* … element t of `from`; a loop without its first `skip` iterations. */
enum refrain_status series_put_element(struct series *s, const struct series *from, size_t t, uint64_t skip);
/* … iteration i of the body of element t of `from`, a loop, as elements of their own. */
enum refrain_status series_put_iteration(struct series *s, const struct series *from, size_t t, uint64_t i);
/* … a value. */
enum refrain_status series_put_value(struct series *s, uint64_t value);
/* … values as a pack. */
enum refrain_status series_put_pack(struct series *s, const uint64_t *values, uint32_t n);
/* Drop the elements from number t on. */
void series_cut(struct series *s, size_t t);

/* Return the number of values that the node stands for in one iteration of its enclosing loops. */
uint64_t series_node_length(const struct series *s, uint32_t node);

/* Call this after appending: pack irregular elements, if there are many. */
enum refrain_status series_settle(struct series *s);

/* Reduce at the end until no rule applies, except possibly rotation. *changed: a rule has applied. */
enum refrain_status series_reduce(struct series *s, bool may_rotate, bool *changed);

/* Can a rotation apply after series_reduce without rotation has found no rule? */
static inline bool series_may_rotate(const struct series *s)
{
    return s->tops.n > 1 && series_is_loop(&s->nodes.items[s->tops.items[s->tops.n - 1]]);
}

#endif
