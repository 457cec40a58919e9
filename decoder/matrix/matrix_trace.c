/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrix of a whole run. */
#include "decoder/match/stream/call_stream.h"
#include "matrix.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>

struct counting {
    const struct reader *reader;
    const struct definitions *definitions;
    struct event_templates templates;
    struct call_event_source source;
    struct operation_source operations;
    uint64_t *calls;   /* scratch, by site */
    struct matrix own; /* of the current rank */
};

static enum refrain_status count_lane(struct counting *c, const struct lane_ref *lane)
{
    const struct trace *t = &c->reader->trace;
    uint64_t all;
    enum refrain_status status = call_event_lane(&c->source, lane);
    if (status == REFRAIN_OK)
        status = lane_walk_count(t, lane->shape, lane->ordinal, lane->rank, c->calls, &all);
    for (size_t i = 0; i < lane->shape->entries.n && status == REFRAIN_OK; i++) {
        const struct entry *entry = &lane->shape->entries.items[i];
        if (call_event_may(&c->source, t->sites.items[entry->site].function))
            status = matrix_add_site(&c->own, &c->source, lane, entry, c->calls[entry->site]);
    }
    return status;
}

/* Returns a rank of the run as the matrix stores it. */
static uint32_t rank_of(int64_t peer)
{
    return peer >= 0 ? (uint32_t)peer : MATRIX_OUTSIDE;
}

static enum refrain_status add_send(struct counting *c, uint32_t rank, const struct operation *op)
{
    const struct matrix_label label = {MATRIX_NO_SITE, op->comm, op->tag};
    return c->own.labels ? matrix_add_labelled(&c->own, &label, rank, rank_of(op->peer), 1, op->sent)
                         : matrix_add(&c->own, rank, rank_of(op->peer), 1, op->sent);
}

static enum refrain_status add_operation(struct counting *c, uint32_t rank, const struct operation *op)
{
    const uint32_t actions = c->operations.roles.items[op->function].actions;
    const bool begun = op->done || op->request != OPERATION_NO_REQUEST;
    enum refrain_status status = REFRAIN_OK;
    if (op->peer == OPERATION_NULL || op->failed || !begun)
        return REFRAIN_OK;
    if (c->source.mode != CALL_EVENT_ACCESSES)
        return op->kind == OPERATION_SEND ? add_send(c, rank, op) : REFRAIN_OK;
    if (op->kind == OPERATION_RMA && actions & ROLE_PUT)
        status = matrix_add(&c->own, rank, rank_of(op->peer), 1, op->sent);
    if (op->kind == OPERATION_RMA && actions & ROLE_GET && status == REFRAIN_OK)
        status = matrix_add(&c->own, rank_of(op->peer), rank, 1, op->received);
    return status;
}

/* Walks call by call: then the operation of each request and the communicator of each window are
 * known. */
static enum refrain_status walk_rank(struct counting *c, uint32_t rank)
{
    struct call_stream *stream;
    const struct operation *op;
    enum refrain_status status = call_stream_create(&c->operations, rank, &stream), walked = REFRAIN_OK;
    if (status != REFRAIN_OK)
        return status;
    matrix_clear(&c->own);
    while (status == REFRAIN_OK && call_stream_next_operation(stream, &op, &walked))
        status = add_operation(c, rank, op);
    call_stream_free(stream);
    return status == REFRAIN_OK ? walked : status;
}

static enum refrain_status count_rank(struct counting *c, uint32_t rank, struct matrix *m)
{
    enum refrain_status status = REFRAIN_OK;
    struct lane_ref lane;
    matrix_clear(&c->own);
    for (size_t at = 0; status == REFRAIN_OK && reader_next_lane(c->reader, rank, LANE_THREAD, &at, &lane);)
        status = count_lane(c, &lane);
    if (status == REFRAIN_OK && c->own.unclear > 0)
        status = walk_rank(c, rank);
    return status == REFRAIN_OK ? matrix_add_all(m, &c->own, 1) : status;
}

static enum refrain_status count(struct matrix *m, struct matrix_labels *labels, const struct reader *r,
                                 const struct definitions *d, enum call_event_mode mode)
{
    struct counting c = {.reader = r, .definitions = d, .own = {.labels = labels}};
    *m = (struct matrix){.first_rank = r->trace.first_rank, .n_ranks = r->trace.n_ranks, .labels = labels};
    enum refrain_status status = call_event_source_create(&c.source, r, d, mode, &c.templates);
    if (status != REFRAIN_OK)
        return status;
    if ((status = operation_source_create(&c.operations, r, d)) != REFRAIN_OK)
        goto out;
    if (!(c.calls = calloc(r->trace.sites.n + 1, sizeof *c.calls))) {
        log_error("out of memory: %zu sites", r->trace.sites.n);
        status = REFRAIN_ERR_MEMORY;
    }
    for (uint64_t rank = 0; status == REFRAIN_OK && reader_next_rank(r, &rank); rank++)
        status = count_rank(&c, (uint32_t)rank, m);
    if (status == REFRAIN_OK)
        matrix_finish(m);
    else
        matrix_free(m);
    free(c.calls);
    matrix_free(&c.own);
    operation_source_free(&c.operations);
out:
    call_event_source_free(&c.source);
    event_templates_free(&c.templates);
    return status;
}

enum refrain_status matrix_of_trace(struct matrix *m, const struct reader *r, const struct definitions *d,
                                    enum call_event_mode mode)
{
    assert(mode == CALL_EVENT_SENT || mode == CALL_EVENT_ACCESSES);
    return count(m, NULL, r, d, mode);
}

enum refrain_status matrix_of_trace_labelled(struct matrix *m, struct matrix_labels *labels,
                                             const struct reader *r, const struct definitions *d)
{
    assert(labels->items.n == 0);
    return count(m, labels, r, d, CALL_EVENT_LABELLED);
}
