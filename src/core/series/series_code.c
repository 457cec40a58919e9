/* SPDX-License-Identifier: BSD-3-Clause */
/* Encodes a series as bytes, and counts these bytes.
 *
 *     series  varint number of groups | group*
 *     group   varint g; odd:  leaf, (g >> 1) + 1 times
 *                       even: varint number of groups | group*, a loop of (g >> 1) + 2 iterations
 *     leaf    zigzag value at index 0, less that of the leaf before (0 at first)
 *             zigzag coefficient, for each loop around it, outermost first
 *
 * PLAIN_LEAST leaves or more outside of loops are written by bitplane_code.h instead.
 *
 *     1 2 3 -1   5 6 7 -1   9 10 11 -1         01  02 02  02 01  01 02 08 02  01 03 00
 *     loop 3 { loop 3 { 1 + 4i + j }  -1 }      1   3  2   3  1   1  1  4  1   1 -2  0
 *
 * A body has 1 to SERIES_BLOCK_MAX elements; loops nest no deeper than SERIES_DEPTH_MAX; the whole has less
 * than 2^63 values. Two groups of leaves do not stand side by side, so that a series has one code. */
#include "series_impl.h"

#include "bitplane_code.h"
#include "src/core/base/log.h"

#include <stdlib.h>

#define PLAIN_LEAST 64

/* The destination of the bytes. Without `out` they are only counted; with `rough`, approximately. */
struct sink {
    struct bytes *out;
    bool rough; /* irregular values take as many bits as in a pack */
    size_t n;
};

static void put_uint(struct sink *sink, uint64_t v)
{
    for (uint64_t rest = v; rest >= 0x80; rest >>= 7)
        sink->n++;
    sink->n++;
    if (sink->out)
        bytes_put_uint(sink->out, v);
}

static void put_int(struct sink *sink, uint64_t v)
{
    put_uint(sink, v << 1 ^ (v >> 63 ? UINT64_MAX : 0));
}

/* Return the end of the group that begins at a node: one loop, or all leaves and packs that follow each
 * other. */
static uint32_t group_end(const struct series_node *nodes, uint32_t first, uint32_t end)
{
    if (series_is_loop(&nodes[first]))
        return first + nodes[first].span;
    while (first < end && !series_is_loop(&nodes[first]))
        first++;
    return first;
}

/* Count the values of leaves and packs. */
static uint64_t count_values(const struct series *s, uint32_t first, uint32_t end)
{
    uint64_t n = end - first;
    if (s->packs.n == 0)
        return n;
    n = 0;
    for (uint32_t k = first; k < end; k++)
        n += series_node_length(s, k);
    return n;
}

/* Write the values of leaves and packs outside of loops. */
static void put_plain(struct sink *sink, const struct series *s, uint32_t first, uint64_t n, uint64_t *before)
{
    struct series_cursor c;
    struct bytes code = {0};
    int64_t *values = malloc(n * sizeof *values);
    if (!values) {
        log_error("out of memory: writing %llu values", (unsigned long long)n);
        if (sink->out)
            sink->out->failed = true;
        return;
    }
    series_cursor_start(&c, s);
    c.node = first;
    for (uint64_t i = 0; i < n; i++)
        series_cursor_next(&c, &values[i]);
    *before = (uint64_t)values[n - 1];
    bitplane_encode((const uint64_t *)values, n, sink->out ? sink->out : &code);
    sink->n += code.n;
    bytes_free(&code);
    free(values);
}

/* Estimate the bytes of leaves and packs outside of loops. */
static void weigh_plain(struct sink *sink, const struct series *s, uint32_t first, uint32_t end,
                        uint64_t *before)
{
    for (uint32_t k = first; k < end; k++) {
        const struct series_node *node = &s->nodes.items[k];
        if (series_is_pack(node)) {
            sink->n += pack_bytes(s->packs.items[node->n]);
        } else {
            put_int(sink, node->n - *before);
            *before = node->n;
        }
    }
}

/* Write the groups of a body or of the whole series; `before` is the value of the last leaf written. */
static void put_groups(struct sink *sink, const struct series *s, uint32_t first, uint32_t end,
                       uint64_t *before)
{
    const struct series_node *nodes = s->nodes.items;
    uint64_t n = 0;
    for (uint32_t k = first; k < end; k = group_end(nodes, k, end))
        n++;
    put_uint(sink, n);

    for (uint32_t k = first, next; k < end; k = next) {
        next = group_end(nodes, k, end);
        if (series_is_loop(&nodes[k])) {
            put_uint(sink, (nodes[k].n - 2) << 1);
            put_groups(sink, s, k + 1, next, before);
            continue;
        }
        const uint64_t values = count_values(s, k, next);
        put_uint(sink, (values - 1) << 1 | 1);
        if (nodes[k].depth == 0 && sink->rough) {
            weigh_plain(sink, s, k, next, before);
            continue;
        }
        if (nodes[k].depth == 0 && values >= PLAIN_LEAST) {
            put_plain(sink, s, k, values, before);
            continue;
        }
        for (; k < next; k++) {
            put_int(sink, nodes[k].n - *before);
            *before = nodes[k].n;
            for (uint32_t d = 0; d < nodes[k].depth; d++)
                put_int(sink, s->coefs.items[nodes[k].coef + d]);
        }
    }
}

static size_t put_series(const struct series *s, struct sink sink)
{
    uint64_t before = 0;
    put_groups(&sink, s, 0, (uint32_t)s->nodes.n, &before);
    return sink.n;
}

size_t series_cost(const struct series *s)
{
    return put_series(s, (struct sink){0});
}

bool series_costs_at_most(const struct series *s, size_t bytes)
{
    uint64_t packed = 0; /* number of packed values; each takes at least a bit */
    for (size_t i = 0; i < s->packs.n; i++)
        packed += s->packs.items[i]->n;
    return packed / 8 <= bytes && series_cost(s) <= bytes;
}

size_t series_weight(const struct series *s)
{
    return put_series(s, (struct sink){.rough = true});
}

void series_encode(const struct series *s, struct bytes *out)
{
    put_series(s, (struct sink){.out = out});
}

/* The state of decoding: the cause if it failed, and the value to which the next difference is added. */
struct source {
    struct bytes_reader *in;
    const char *cause;
    uint64_t before;
};

static enum refrain_status damaged(struct source *from, const char *cause)
{
    from->cause = cause;
    return REFRAIN_ERR_FORMAT;
}

/* Many values are packed, except for the last ones, as if they had been appended. */
static enum refrain_status get_plain(struct source *from, struct series *s, uint64_t n)
{
    if (!bitplane_fits(from->in, n))
        return damaged(from, "more values than bytes");
    uint64_t *values = malloc(n * sizeof *values);
    if (!values) {
        log_error("out of memory: %llu values of a series", (unsigned long long)n);
        return REFRAIN_ERR_MEMORY;
    }
    enum refrain_status status = bitplane_decode(from->in, values, n);
    if (status != REFRAIN_OK)
        status = damaged(from, "plain values are no code");
    for (uint64_t i = 0; i < n && status == REFRAIN_OK;) {
        const uint64_t left = n - i, most = left > SERIES_PACK_MOST ? SERIES_PACK_MOST : left;
        const bool packed = left > 2 * SERIES_WAITING;
        status = packed ? series_put_pack(s, values + i, (uint32_t)most) : series_put_value(s, values[i]);
        i += packed ? most : 1;
    }
    from->before = values[n - 1];
    free(values);
    return status;
}

static enum refrain_status get_leaves(struct source *from, struct series *s, uint64_t n, uint32_t depth)
{
    if (n > bytes_left(from->in) / (1 + depth))
        return damaged(from, "more values than bytes");
    enum refrain_status status = series_reserve(s, n, n * depth, depth == 0 ? n : 0);
    if (status != REFRAIN_OK)
        return status;
    for (uint64_t i = 0; i < n; i++) {
        if (depth == 0)
            s->tops.items[s->tops.n++] = (uint32_t)s->nodes.n;
        from->before += (uint64_t)bytes_get_int(from->in);
        s->nodes.items[s->nodes.n++] =
            (struct series_node){.n = from->before, .span = 1, .depth = depth, .coef = (uint32_t)s->coefs.n};
        for (uint32_t d = 0; d < depth; d++)
            s->coefs.items[s->coefs.n++] = (uint64_t)bytes_get_int(from->in);
    }
    return from->in->failed ? damaged(from, "bytes are missing") : REFRAIN_OK;
}

static enum refrain_status get_groups(struct source *from, struct series *s, uint32_t depth,
                                      uint64_t *length);

static enum refrain_status get_loop(struct source *from, struct series *s, uint64_t count, uint32_t depth,
                                    uint64_t *length)
{
    if (depth == SERIES_DEPTH_MAX)
        return damaged(from, "loops are nested too deeply");
    enum refrain_status status = series_reserve(s, 1, 0, 1);
    if (status != REFRAIN_OK)
        return status;
    const size_t head = s->nodes.n++;
    s->nodes.items[head] = (struct series_node){.n = count, .depth = depth, .coef = (uint32_t)s->coefs.n};
    if (depth == 0)
        s->tops.items[s->tops.n++] = (uint32_t)head;

    uint64_t body;
    status = get_groups(from, s, depth + 1, &body);
    if (status != REFRAIN_OK)
        return status;
    if (body == 0)
        return damaged(from, "a loop is empty");
    if (count > SERIES_LENGTH_MAX / body)
        return damaged(from, "more than 2^63 values");
    s->nodes.items[head].span = (uint32_t)(s->nodes.n - head);
    *length = body * count;
    return REFRAIN_OK;
}

static enum refrain_status get_groups(struct source *from, struct series *s, uint32_t depth, uint64_t *length)
{
    uint64_t n = bytes_get_uint(from->in), elements = 0, total = 0;
    bool after_leaves = false;
    for (uint64_t i = 0; i < n && !from->in->failed; i++) {
        const uint64_t g = bytes_get_uint(from->in);
        const bool leaves = g & 1;
        if (leaves && after_leaves)
            return damaged(from, "a group of values is cut in two");
        after_leaves = leaves;

        uint64_t more = leaves ? (g >> 1) + 1 : 0;
        elements += leaves ? more : 1;
        if (depth > 0 && elements > SERIES_BLOCK_MAX)
            return damaged(from, "the body of a loop is too long");
        enum refrain_status status = !leaves ? get_loop(from, s, (g >> 1) + 2, depth, &more)
                                     : depth == 0 && more >= PLAIN_LEAST ? get_plain(from, s, more)
                                                                         : get_leaves(from, s, more, depth);
        if (status != REFRAIN_OK)
            return status;
        if (more > SERIES_LENGTH_MAX - total)
            return damaged(from, "more than 2^63 values");
        total += more;
    }
    if (from->in->failed)
        return damaged(from, "bytes are missing");
    *length = total;
    return REFRAIN_OK;
}

enum refrain_status series_decode(struct bytes_reader *in, struct series **out)
{
    struct source from = {.in = in};
    struct series *s = series_create();
    if (!s)
        return REFRAIN_ERR_MEMORY;
    enum refrain_status status = get_groups(&from, s, 0, &s->length);
    if (status != REFRAIN_OK) {
        if (from.cause)
            log_error("damaged data: in a series, %s", from.cause);
        series_free(s);
        return status;
    }
    *out = s;
    return REFRAIN_OK;
}
