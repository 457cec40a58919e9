#include "series_impl.h"

#include "log.h"
#include "mix.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* How many iterations of one loop are unrolled at a seam. Three make a loop of their own, which the rest then
 * joins. */
#define PEEL_MAX 4

/* A loop of fewer iterations is written out: the rules look for three instances that stand side by side. */
#define COUNT_MIN 3

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
    array_free(&s->nodes);
    array_free(&s->coefs);
    array_free(&s->tops);
    for (size_t i = 0; i < s->packs.n; i++)
        free(s->packs.items[i]);
    array_free(&s->packs);
    s->settled = 0;
    s->length = 0;
}

void series_free(struct series *s)
{
    if (!s)
        return;
    series_clear(s);
    free(s);
}

/* The packs of `from`, scaled and shifted, behind those of s. */
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

/* Takes the pack over. */
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
    return put_pack(s, pack_create(values, n));
}

enum refrain_status series_put_element(struct series *s, const struct series *from, size_t t, uint64_t skip)
{
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

static enum refrain_status count_values(struct series *s, uint64_t more)
{
    if (more > SERIES_LENGTH_MAX - s->length) {
        log_error("a series of more than 2^63 values");
        return REFRAIN_ERR_USAGE;
    }
    s->length += more;
    return REFRAIN_OK;
}

enum refrain_status series_append(struct series *s, int64_t value)
{
    bool changed;
    enum refrain_status status = count_values(s, 1);
    if (status == REFRAIN_OK)
        status = series_put_value(s, (uint64_t)value);
    if (status == REFRAIN_OK)
        status = series_reduce(s, true, &changed);
    return status == REFRAIN_OK ? series_settle(s) : status;
}

static enum refrain_status push(struct series *s, const struct series *from, size_t t, unsigned peels,
                                bool *changed);

/* All elements of a series, one after the other. *changed tells whether any melted with what was before it.
 */
static enum refrain_status push_all(struct series *s, const struct series *from, unsigned peels,
                                    bool *changed)
{
    enum refrain_status status = REFRAIN_OK;
    *changed = false;
    for (size_t t = 0; t < from->tops.n && status == REFRAIN_OK; t++) {
        bool melted;
        status = push(s, from, t, peels, &melted);
        *changed |= melted;
    }
    return status;
}

/* Iterations first … end - 1 of element t of `from`, a loop, as if their values had been appended. */
static enum refrain_status push_iterations(struct series *s, const struct series *from, size_t t,
                                           uint64_t first, uint64_t end, unsigned peels, bool *changed)
{
    struct series part = {0};
    enum refrain_status status = REFRAIN_OK;
    *changed = false;
    for (uint64_t i = first; i < end && status == REFRAIN_OK; i++) {
        bool melted;
        series_cut(&part, 0);
        status = series_put_iteration(&part, from, t, i);
        if (status == REFRAIN_OK)
            status = push_all(s, &part, peels, &melted);
        *changed |= status == REFRAIN_OK && melted;
    }
    series_clear(&part);
    return status;
}

/* The loop did not fit behind s as it is. Where its first iterations alone do, as in
 *
 *     loop 4 { -1 }   loop 9 { -1 + i }      ->      loop 5 { -1 }   loop 8 { 0 + i }
 *
 * these go first and then the rest, as if all values had been appended. A third would make a loop with the
 * other two in any case. */
static enum refrain_status peel(struct series *s, const struct series *from, size_t t, unsigned peels,
                                bool *changed)
{
    const uint64_t count = from->nodes.items[from->tops.items[t]].n;
    const size_t n_tops = s->tops.n;
    uint64_t done = 0;
    bool melted;

    enum refrain_status status = REFRAIN_OK;
    *changed = false;
    while (status == REFRAIN_OK && !*changed && done < 2) {
        status = push_iterations(s, from, t, done, done + 1, peels / 2, changed);
        done++;
    }
    if (status != REFRAIN_OK)
        return status;
    if (!*changed) {
        series_cut(s, n_tops);
        return series_put_element(s, from, t, 0);
    }
    if (count - done < COUNT_MIN)
        return push_iterations(s, from, t, done, count, peels / 2, &melted);

    struct series rest = {0};
    status = series_put_element(&rest, from, t, done);
    if (status == REFRAIN_OK)
        status = push(s, &rest, 0, peels - 1, &melted);
    series_clear(&rest);
    return status;
}

/* Put element t of `from` behind s and reduce. *changed tells whether it melted with what was there. */
static enum refrain_status push(struct series *s, const struct series *from, size_t t, unsigned peels,
                                bool *changed)
{
    const bool loop = series_is_loop(&from->nodes.items[from->tops.items[t]]);
    const size_t n_tops = s->tops.n;
    bool rotated = false;

    enum refrain_status status = series_put_element(s, from, t, 0);
    if (status == REFRAIN_OK)
        status = series_reduce(s, false, changed);
    if (status == REFRAIN_OK && !*changed && loop && peels > 0 && n_tops > 0) {
        series_cut(s, n_tops);
        status = peel(s, from, t, peels, changed);
    }
    if (status == REFRAIN_OK)
        status = series_reduce(s, true, &rotated);
    *changed |= rotated;
    return status;
}

enum refrain_status series_concat(struct series *s, const struct series *tail)
{
    assert(s != tail);
    bool changed;
    enum refrain_status status = count_values(s, tail->length);
    if (status == REFRAIN_OK)
        status = push_all(s, tail, PEEL_MAX, &changed);
    return status == REFRAIN_OK ? series_settle(s) : status;
}

enum refrain_status series_append_run(struct series *s, int64_t first, int64_t step, uint64_t count)
{
    if (count < COUNT_MIN) {
        enum refrain_status status = REFRAIN_OK;
        for (uint64_t i = 0; i < count && status == REFRAIN_OK; i++)
            status = series_append(s, (int64_t)((uint64_t)first + (uint64_t)step * i));
        return status;
    }
    struct series_node nodes[] = {{.n = count, .span = 2}, {.n = (uint64_t)first, .span = 1, .depth = 1}};
    uint64_t coefs[] = {(uint64_t)step};
    uint32_t tops[] = {0};
    const struct series run = {
        .nodes = {nodes, 2, 2}, .coefs = {coefs, 1, 1}, .tops = {tops, 1, 1}, .length = count};
    return series_concat(s, &run);
}

struct series *series_sum(const struct series *a, const struct series *b, int64_t scale)
{
    assert(a->length == b->length);
    struct series *sum = series_create();
    if (!sum)
        return NULL;
    struct series_cursor at_a, at_b;
    series_cursor_start(&at_a, a);
    series_cursor_start(&at_b, b);
    for (;;) {
        int64_t va, vb, step_a, step_b;
        const uint64_t run_a = series_cursor_run(&at_a, &va, &step_a);
        const uint64_t run_b = series_cursor_run(&at_b, &vb, &step_b);
        const uint64_t n = run_a < run_b ? run_a : run_b;
        if (n == 0)
            return sum;
        const uint64_t first = (uint64_t)va + (uint64_t)scale * (uint64_t)vb;
        const uint64_t step = (uint64_t)step_a + (uint64_t)scale * (uint64_t)step_b;
        if (series_append_run(sum, (int64_t)first, (int64_t)step, n) != REFRAIN_OK) {
            series_free(sum);
            return NULL;
        }
        series_cursor_skip(&at_a, n);
        series_cursor_skip(&at_b, n);
    }
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

/* Loops have two iterations at least, so that a coefficient other than 0 shows in the values. */
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

/* Packs count as the leaves that they stand for: how many lie in one is chance. */
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
