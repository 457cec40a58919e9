/* SPDX-License-Identifier: BSD-3-Clause */
#include "site_stream.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "src/core/base/log.h"
#include "src/core/base/placement.h"

/* A stream smaller than this is not searched while it grows. */
#define LIMIT_LEAST 64

/* Longer streams are not searched, because each trial walks the whole stream. */
#define SEARCH_MAX (UINT64_C(1) << 22)

/* Approximate bytes of a symbol in the file; and how many symbols make rows count as irregular. */
#define SYMBOL_COST     1.5
#define IRREGULAR_LEAST 512
#define ORDER_COST      16 /* bytes that an order may cost more than a grammar if `varies` */

struct site_stream site_stream_empty(void)
{
    return (struct site_stream){.filler = SITE_STREAM_NONE, .limit = LIMIT_LEAST};
}

void site_stream_free(struct site_stream *s)
{
    grammar_free(s->grammar);
    series_free(s->order);
    series_free(s->fills);
    *s = site_stream_empty();
}

size_t site_stream_bytes(const struct site_stream *s)
{
    return (s->grammar ? grammar_bytes(s->grammar) : 0) + (s->order ? series_bytes(s->order) : 0) +
           (s->fills ? series_bytes(s->fills) : 0);
}

HOT static enum refrain_status append(struct site_stream *s, uint32_t row, uint64_t count)
{
    if (row == s->filler) {
        s->filled += count;
        return REFRAIN_OK;
    }
    enum refrain_status status = REFRAIN_OK;
    if (!s->order && !s->grammar && !(s->grammar = grammar_create()))
        return REFRAIN_ERR_MEMORY;
    if (s->fills) {
        status = series_append(s->fills, (int64_t)s->filled);
        s->filled = 0;
        if (status == REFRAIN_OK)
            status = series_append_run(s->fills, 0, 0, count - 1);
    }
    if (status != REFRAIN_OK)
        return status;
    return s->order ? series_append_run(s->order, row, 0, count) : grammar_append(s->grammar, row, count);
}

/* ---- other forms ----------------------------------------------------------------------------- */

/* Append the rows of the grammar to `to`, an empty stream of another form. */
static enum refrain_status convert(const struct rules *rows, struct site_stream *to)
{
    struct stream_walk walk;
    uint32_t row;
    uint64_t count;
    enum refrain_status status = stream_walk_start(&walk, rows, 0);
    while (status == REFRAIN_OK && stream_walk_next(&walk, &row, &count))
        status = append(to, row, count);
    stream_walk_stop(&walk);
    return status;
}

static double symbols_cost(const struct rules *r)
{
    return SYMBOL_COST * r->first[r->n_rules];
}

/* The row whose exponents vary most becomes the filler, if that makes the stream smaller. */
static enum refrain_status find_filler(struct site_stream *s, const struct rules *rows)
{
    struct site_stream trial = site_stream_empty();
    struct rules *rest = NULL;
    bool found;
    enum refrain_status status = rules_find_varying(rows, 0, &trial.filler, &found);
    if (status != REFRAIN_OK || !found)
        return status;
    trial.fills = series_create();
    if (!trial.fills) {
        status = REFRAIN_ERR_MEMORY;
        goto out;
    }
    status = convert(rows, &trial);
    if (status != REFRAIN_OK || !trial.grammar)
        goto out;
    status = grammar_rules(trial.grammar, &rest);
    if (status == REFRAIN_OK && symbols_cost(rest) + (double)series_cost(trial.fills) < symbols_cost(rows)) {
        grammar_free(s->grammar);
        *s = trial;
        trial = site_stream_empty();
    }
out:
    rules_free(rest);
    site_stream_free(&trial);
    return status;
}

/* Compute the bytes of the rows if each row were coded by its frequency (the entropy). */
static enum refrain_status entropy(const struct rules *rows, double *bytes)
{
    const uint32_t n = rules_alphabet(rows);
    const double length = (double)rules_length(rows);
    uint64_t *counts = calloc(n + (size_t)1, sizeof *counts);
    if (!counts) {
        log_error("out of memory: counting %u rows", n);
        return REFRAIN_ERR_MEMORY;
    }
    enum refrain_status status = rules_count(rows, counts, n);
    *bytes = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (counts[i] > 0)
            *bytes += (double)counts[i] * log2(length / (double)counts[i]) / 8;
    }
    free(counts);
    return status;
}

static enum refrain_status find_order(struct site_stream *s, const struct rules *rows, bool varies)
{
    struct site_stream trial = site_stream_empty();
    double bytes = 0;
    enum refrain_status status = REFRAIN_OK;
    const bool many = rows->first[rows->n_rules] >= IRREGULAR_LEAST;
    if (many)
        status = entropy(rows, &bytes);
    const bool irregular = many && bytes < symbols_cost(rows);
    if (status != REFRAIN_OK || !(irregular || varies))
        return status;
    trial.order = series_create();
    status = trial.order ? convert(rows, &trial) : REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_OK &&
        (irregular || (double)series_cost(trial.order) <= symbols_cost(rows) + ORDER_COST)) {
        grammar_free(s->grammar);
        s->grammar = NULL;
        s->order = trial.order;
        trial.order = NULL;
    }
    site_stream_free(&trial);
    return status;
}

enum refrain_status site_stream_settle(struct site_stream *s, bool varies)
{
    struct rules *rows = NULL;
    if (!s->grammar)
        return REFRAIN_OK;
    enum refrain_status status = grammar_rules(s->grammar, &rows);
    const bool search = status == REFRAIN_OK && rules_length(rows) <= SEARCH_MAX;
    if (search && !s->fills) {
        status = find_filler(s, rows);
        if (status == REFRAIN_OK && s->fills) {
            rules_free(rows);
            rows = NULL;
            status = grammar_rules(s->grammar, &rows);
        }
    }
    if (search && status == REFRAIN_OK)
        status = find_order(s, rows, varies);
    rules_free(rows);
    if (s->grammar)
        s->limit = 2 * grammar_size(s->grammar) > LIMIT_LEAST ? 2 * grammar_size(s->grammar) : LIMIT_LEAST;
    return status;
}

HOT enum refrain_status site_stream_append(struct site_stream *s, uint32_t row, uint64_t count)
{
    assert(count >= 1);
    enum refrain_status status = append(s, row, count);
    return status == REFRAIN_OK && s->grammar && grammar_size(s->grammar) > s->limit
               ? site_stream_settle(s, false)
               : status;
}

enum refrain_status site_stream_walk(const struct site_stream *s, uint64_t calls, struct rules **rules,
                                     struct stream_walk *walk)
{
    struct rules *rows = NULL;
    enum refrain_status status = s->grammar ? grammar_rules(s->grammar, &rows) : REFRAIN_OK;
    if (status == REFRAIN_OK)
        status = stream_walk_start(walk, rows, calls);
    if (status != REFRAIN_OK) {
        rules_free(rows);
        return status;
    }
    if (s->order)
        stream_walk_order(walk, s->order);
    if (s->fills)
        stream_walk_fill(walk, s->filler, s->fills);
    *rules = rows;
    return REFRAIN_OK;
}
