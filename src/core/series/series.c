/* SPDX-License-Identifier: BSD-3-Clause */
#include "series_impl.h"

#include "src/core/base/log.h"
#include "src/core/base/mix.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct series *series_create(void)
{
    struct series *s = calloc(1, sizeof *s);
    if (!s)
        log_error("out of memory: a series");
    return s;
}

struct series *series_single(int64_t value)
{
    struct series *s = series_create();
    if (s && series_append(s, value) != REFRAIN_OK) {
        series_free(s);
        s = NULL;
    }
    return s;
}

void series_clear(struct series *s)
{
    assert(s->shares == 0);
    array_free(&s->nodes);
    array_free(&s->coefs);
    array_free(&s->tops);
    for (size_t i = 0; i < s->packs.n; i++)
        free(s->packs.items[i]);
    array_free(&s->packs);
    s->settled = 0;
    s->length = 0;
}

void series_empty(struct series *s)
{
    assert(s->shares == 0);
    series_cut(s, 0);
    s->settled = 0;
    s->length = 0;
}

void series_free(struct series *s)
{
    if (!s)
        return;
    if (s->shares > 0) {
        s->shares--;
        return;
    }
    series_clear(s);
    free(s);
}

struct series *series_share(struct series *s)
{
    s->shares++;
    return s;
}

bool series_is_shared(const struct series *s)
{
    return s->shares > 0;
}

enum refrain_status series_own(struct series **s)
{
    if ((*s)->shares == 0)
        return REFRAIN_OK;
    struct series *copy = series_copy(*s);
    if (!copy)
        return REFRAIN_ERR_MEMORY;
    series_free(*s);
    *s = copy;
    return REFRAIN_OK;
}

/* Append the packs of `from`, scaled and shifted, to those of s. */
static bool copy_packs(struct series *s, const struct series *from, uint64_t scale, uint64_t shift)
{
    if (!array_reserve(&s->packs, from->packs.n))
        return false;
    for (size_t i = 0; i < from->packs.n; i++) {
        struct pack *p = pack_map(from->packs.items[i], scale, shift);
        if (!p)
            return false;
        s->packs.items[s->packs.n++] = p;
    }
    return true;
}

struct series *series_copy(const struct series *s)
{
    return series_map(s, 1, 0);
}

struct series *series_map(const struct series *s, int64_t scale, int64_t shift)
{
    struct series *copy = series_create();
    if (!copy)
        return NULL;
    if (series_reserve(copy, s->nodes.n, s->coefs.n, s->tops.n) != REFRAIN_OK ||
        !copy_packs(copy, s, (uint64_t)scale, (uint64_t)shift)) {
        series_free(copy);
        return NULL;
    }
    for (size_t k = 0; k < s->nodes.n; k++) {
        struct series_node node = s->nodes.items[k];
        if (series_is_leaf(&node))
            node.n = node.n * (uint64_t)scale + (uint64_t)shift;
        copy->nodes.items[k] = node;
    }
    for (size_t k = 0; k < s->coefs.n; k++)
        copy->coefs.items[k] = s->coefs.items[k] * (uint64_t)scale;
    if (s->tops.n > 0)
        memcpy(copy->tops.items, s->tops.items, s->tops.n * sizeof *s->tops.items);
    copy->nodes.n = s->nodes.n;
    copy->coefs.n = s->coefs.n;
    copy->tops.n = s->tops.n;
    copy->settled = s->settled;
    copy->length = s->length;
    return copy;
}

enum refrain_status series_reserve(struct series *s, size_t nodes, size_t coefs, size_t tops)
{
    if (nodes > UINT32_MAX - s->nodes.n || coefs > UINT32_MAX - s->coefs.n) {
        log_error("a series of more than %u parts", UINT32_MAX);
        return REFRAIN_ERR_MEMORY;
    }
    if (!array_reserve(&s->nodes, nodes) || !array_reserve(&s->coefs, coefs) ||
        !array_reserve(&s->tops, tops))
        return REFRAIN_ERR_MEMORY;
    return REFRAIN_OK;
}

void series_cut(struct series *s, size_t t)
{
    assert(t <= s->tops.n && s->shares == 0);
    uint32_t node = series_top_node(s, t);
    for (size_t i = s->tops.n; i-- > t && s->packs.n > 0;) {
        if (series_is_pack(&s->nodes.items[s->tops.items[i]]))
            free(s->packs.items[--s->packs.n]);
    }
    s->coefs.n = series_node_coef(s, node);
    s->nodes.n = node;
    s->tops.n = t;
}

enum refrain_status series_put_value(struct series *s, uint64_t value)
{
    enum refrain_status status = series_reserve(s, 1, 0, 1);
    if (status != REFRAIN_OK)
        return status;
    s->tops.items[s->tops.n++] = (uint32_t)s->nodes.n;
    s->nodes.items[s->nodes.n++] = (struct series_node){.n = value, .span = 1, .coef = (uint32_t)s->coefs.n};
    return REFRAIN_OK;
}

/* Append a pack; s becomes its owner. */
static enum refrain_status put_pack(struct series *s, struct pack *p)
{
    if (!p || series_reserve(s, 1, 0, 1) != REFRAIN_OK || !array_push(&s->packs, p)) {
        free(p);
        return REFRAIN_ERR_MEMORY;
    }
    s->tops.items[s->tops.n++] = (uint32_t)s->nodes.n;
    s->nodes.items[s->nodes.n++] =
        (struct series_node){.n = s->packs.n - 1, .span = 0, .coef = (uint32_t)s->coefs.n};
    return REFRAIN_OK;
}

enum refrain_status series_put_pack(struct series *s, const uint64_t *values, uint32_t n)
{
    assert(n >= 1);
    return put_pack(s, pack_create(values, n));
}

enum refrain_status series_put_element(struct series *s, const struct series *from, size_t t, uint64_t skip)
{
    assert(s != from && t < from->tops.n);
    assert(skip == 0 || (series_is_loop(&from->nodes.items[from->tops.items[t]]) &&
                         skip < from->nodes.items[from->tops.items[t]].n));
    const uint32_t first = series_top_node(from, t), end = series_top_node(from, t + 1);
    const uint32_t coef = series_node_coef(from, first), n_coefs = series_node_coef(from, end) - coef;
    if (series_is_pack(&from->nodes.items[first]))
        return put_pack(s, pack_map(from->packs.items[from->nodes.items[first].n], 1, 0));
    enum refrain_status status = series_reserve(s, end - first, n_coefs, 1);
    if (status != REFRAIN_OK)
        return status;

    s->tops.items[s->tops.n++] = (uint32_t)s->nodes.n;
    const size_t head = s->nodes.n;
    for (uint32_t k = first; k < end; k++) {
        struct series_node node = from->nodes.items[k];
        if (series_is_leaf(&node) && skip > 0)
            node.n += from->coefs.items[node.coef] * skip;
        node.coef += (uint32_t)s->coefs.n - coef;
        s->nodes.items[s->nodes.n++] = node;
    }
    if (skip > 0)
        s->nodes.items[head].n -= skip;
    if (n_coefs > 0)
        memcpy(s->coefs.items + s->coefs.n, from->coefs.items + coef, n_coefs * sizeof *s->coefs.items);
    s->coefs.n += n_coefs;
    return REFRAIN_OK;
}

enum refrain_status series_put_iteration(struct series *s, const struct series *from, size_t t, uint64_t i)
{
    assert(s != from && t < from->tops.n);
    assert(series_is_loop(&from->nodes.items[from->tops.items[t]]) &&
           i < from->nodes.items[from->tops.items[t]].n);
    const uint32_t first = series_top_node(from, t), end = series_top_node(from, t + 1);
    const uint32_t n_coefs = series_node_coef(from, end) - series_node_coef(from, first);
    enum refrain_status status = series_reserve(s, end - first - 1, n_coefs, SERIES_BLOCK_MAX);
    if (status != REFRAIN_OK)
        return status;

    for (uint32_t k = first + 1; k < end; k++) {
        struct series_node node = from->nodes.items[k];
        const uint64_t *coefs = from->coefs.items + node.coef;
        if (node.depth == 1)
            s->tops.items[s->tops.n++] = (uint32_t)s->nodes.n;
        node.depth--;
        node.coef = (uint32_t)s->coefs.n;
        if (series_is_leaf(&node)) {
            node.n += coefs[0] * i;
            for (uint32_t d = 1; d <= node.depth; d++)
                s->coefs.items[s->coefs.n++] = coefs[d];
        }
        s->nodes.items[s->nodes.n++] = node;
    }
    return REFRAIN_OK;
}

size_t series_bytes(const struct series *s)
{
    size_t bytes = sizeof *s + s->nodes.cap * sizeof *s->nodes.items + s->coefs.cap * sizeof *s->coefs.items +
                   s->tops.cap * sizeof *s->tops.items + s->packs.cap * sizeof *s->packs.items;
    for (size_t i = 0; i < s->packs.n; i++)
        bytes += pack_bytes(s->packs.items[i]);
    return bytes;
}

uint64_t series_length(const struct series *s)
{
    return s->length;
}

/* Loops have at least two iterations, so a coefficient other than 0 always changes a value. */
bool series_is_constant(const struct series *s, int64_t *value)
{
    const uint64_t *constant = NULL;
    for (size_t k = 0; k < s->coefs.n; k++) {
        if (s->coefs.items[k] != 0)
            return false;
    }
    for (size_t k = 0; k < s->nodes.n; k++) {
        const struct series_node *node = &s->nodes.items[k];
        const uint64_t *one = &node->n;
        if (series_is_loop(node))
            continue;
        if (series_is_pack(node)) {
            const struct pack *p = s->packs.items[node->n];
            if (p->width > 0)
                return false;
            one = &p->least;
        }
        if (constant && *one != *constant)
            return false;
        constant = one;
    }
    if (!constant)
        return false;
    *value = (int64_t)*constant;
    return true;
}

static bool forms_equal(const struct series *a, const struct series *b)
{
    if (a->nodes.n != b->nodes.n || a->coefs.n != b->coefs.n || a->packs.n != b->packs.n)
        return false;
    for (size_t i = 0; i < a->packs.n; i++) {
        const struct pack *p = a->packs.items[i], *q = b->packs.items[i];
        if (pack_bytes(p) != pack_bytes(q) || memcmp(p, q, pack_bytes(p)) != 0)
            return false;
    }
    for (size_t k = 0; k < a->nodes.n; k++) {
        if (a->nodes.items[k].n != b->nodes.items[k].n || a->nodes.items[k].span != b->nodes.items[k].span)
            return false;
    }
    return a->coefs.n == 0 ||
           memcmp(a->coefs.items, b->coefs.items, a->coefs.n * sizeof *a->coefs.items) == 0;
}

bool series_equal(const struct series *a, const struct series *b)
{
    if (a->length != b->length)
        return false;
    if (forms_equal(a, b))
        return true;
    struct series_cursor at_a, at_b;
    int64_t va, vb;
    series_cursor_start(&at_a, a);
    series_cursor_start(&at_b, b);
    while (series_cursor_next(&at_a, &va) && series_cursor_next(&at_b, &vb)) {
        if (va != vb)
            return false;
    }
    return true;
}

/* Packs are hashed like the leaves that they replace, because the number of values in a pack is chance. */
uint64_t series_hash(const struct series *s)
{
    uint64_t hash = mix(0, s->length);
    for (size_t k = 0; k < s->nodes.n; k++) {
        const struct series_node *node = &s->nodes.items[k];
        const struct pack *p = series_is_pack(node) ? s->packs.items[node->n] : NULL;
        for (uint32_t i = 0; p && i < p->n; i++)
            hash = mix(mix(hash, 1), pack_at(p, i));
        if (!p)
            hash = mix(mix(hash, node->span), node->n);
    }
    for (size_t k = 0; k < s->coefs.n; k++)
        hash = mix(hash, s->coefs.items[k]);
    return hash;
}
