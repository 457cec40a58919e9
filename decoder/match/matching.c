/* SPDX-License-Identifier: BSD-3-Clause */
#define LOG_DOMAIN LOG_MATCH
#include "matching.h"

#include "decoder/times/timestamps.h"
#include "decoder/util/thread_pool.h"
#include "rounds.h"
#include "src/core/base/log.h"

#include <stdlib.h>

/* A rank's turn ends after TURN operations; LEAST is the first limit of pending operations per
 * rank. */
#define TURN  1024
#define LEAST 64

const char *const matching_reasons[MATCHING_REASONS] = {
    [MATCHING_NEVER_RECEIVED] = "never received",
    [MATCHING_NEVER_SENT] = "never sent",
    [MATCHING_NEVER_COMPLETED] = "never completed",
    [MATCHING_CANCELLED] = "cancelled",
    [MATCHING_UNKNOWN] = "nobody knows which message it took",
    [MATCHING_FAILED] = "the call failed",
    [MATCHING_OUTSIDE] = "the peer is not in this trace",
    [MATCHING_MISSING] = "part of the trace is missing",
};

bool matching_is_fault(enum matching_reason reason)
{
    return reason == MATCHING_NEVER_RECEIVED || reason == MATCHING_NEVER_SENT ||
           reason == MATCHING_NEVER_COMPLETED;
}

/* ---- unmatched operations -------------------------------------------------------------------- */

static bool has_end(const struct matching *m, int64_t rank)
{
    if (rank < 0)
        return true;
    return !endings_has(&m->source.reader->trace) || endings_of(&m->endings, (uint32_t)rank) == ENDING_TOLD;
}

/* Returns the reason why the other end is not there: if a part of the trace is missing, that. */
static enum matching_reason reason_for(const struct matching *m, enum matching_reason reason, uint32_t rank,
                                       int64_t peer)
{
    if (matching_is_fault(reason) && (m->partial || !has_end(m, rank) || !has_end(m, peer)))
        return MATCHING_MISSING;
    return reason;
}

enum refrain_status matching_report(struct matching *m, const struct operation *op,
                                    enum matching_reason reason)
{
    const bool completes = op->kind == OPERATION_COMPLETE;
    const struct matching_unmatched u = {.reason = reason_for(m, reason, op->call.rank, op->peer),
                                         .kind = op->of,
                                         .call = completes ? op->post : op->call,
                                         .function = completes ? op->posted_by : op->function,
                                         .comm = op->comm,
                                         .peer = op->peer,
                                         .tag = op->tag,
                                         .bytes = op->sent};
    return m->sink->unmatched(m->sink->context, &u);
}

/* Adds the ends that are left in a queue to m->unmatched, which is sorted later. */
static enum refrain_status keep_queue(struct matching *m, const struct message_queue *c, bool sent)
{
    const enum matching_reason reason = sent ? MATCHING_NEVER_RECEIVED : MATCHING_NEVER_SENT;
    const uint32_t peer = sent ? c->name.dest : c->name.source;
    uint32_t at = sent ? c->sends.first : c->receives.first;
    for (; at != MESSAGE_QUEUES_NONE; at = entry_of(m, at)->next) {
        const struct message_end *e = entry_of(m, at);
        const struct matching_unmatched u = {
            .reason = e->may_be_cancelled ? MATCHING_CANCELLED : reason_for(m, reason, e->call.rank, peer),
            .kind = sent ? OPERATION_SEND : OPERATION_RECEIVE,
            .call = e->call,
            .function = e->function,
            .comm = c->name.comm,
            .peer = peer,
            .tag = c->name.tag,
            .bytes = sent ? e->bytes : 0};
        if (!e->reported && !array_push(&m->unmatched, u))
            return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

/* ---- collective operations ------------------------------------------------------------------- */

/* The members of the operation continue. */
static void release(struct matching *m, const struct matching_collective *c)
{
    for (size_t i = 0; i < c->n; i++) {
        const struct call_ref *call = &c->members[i].call;
        struct matching_rank *r = rank_of(m, call->rank);
        struct matching_thread *t = matching_thread(r, call->thread);
        r->n_waiting--;
        t->late_in = t->late_in == call->call + 1 ? 0 : t->late_in;
        matching_thread_changed(r, t);
    }
}

/* Reports all sets of calls that are known to belong together. */
static enum refrain_status tell_collectives(struct matching *m, uint32_t scope, enum collective_wait wait)
{
    struct collective_set set;
    enum refrain_status status;
    while (collective_queues_next(&m->collectives, scope, wait, &set, &status)) {
        struct matching_collective *c = &set.collective;
        release(m, c);
        m->sets++;
        if (set.refused)
            continue;
        c->excused = m->partial;
        for (size_t k = 0; k < m->endings.items.n; k++)
            c->excused = c->excused || m->endings.items.items[k].kind != ENDING_TOLD;
        if ((status = m->sink->collective(m->sink->context, c)) != REFRAIN_OK)
            return status;
    }
    return status;
}

/* Returns how queues wait before the end: an in-order sink does not look for retries. */
static enum collective_wait wait_of(const struct matching *m)
{
    return m->sink->in_order ? COLLECTIVE_NO_RETRY : COLLECTIVE_WAIT;
}

/* No rank continues. Looks again at scopes where calls have come since the last vain look. */
static enum refrain_status look_again(struct matching *m)
{
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t i = 0; i < m->collectives.scopes.n && status == REFRAIN_OK; i++) {
        if (collective_queues_look_again(&m->collectives, i))
            status = tell_collectives(m, i, wait_of(m));
    }
    return status;
}

static enum refrain_status join(struct matching *m, const struct operation *op)
{
    struct matching_rank *r = rank_of(m, op->call.rank);
    struct matching_thread *t = matching_thread(r, op->call.thread);
    uint32_t scope;
    if (!collective_queues_join(&m->collectives, op, m->source.roles.items[op->function].family,
                                r->threads.n > 1, &scope))
        return REFRAIN_ERR_MEMORY;
    r->n_waiting++;
    t->late_in = m->sink->in_order && op->done ? op->call.call + 1 : 0;
    matching_thread_changed(r, t);
    return tell_collectives(m, scope, wait_of(m));
}

/* ---- all ranks ------------------------------------------------------------------------------- */

static bool is_message(const struct operation *op)
{
    return op->kind == OPERATION_SEND || op->kind == OPERATION_RECEIVE || op->kind == OPERATION_PROBE;
}

static enum refrain_status take(struct matching *m, const struct operation *op)
{
    if (m->sink->operation) {
        const enum refrain_status status = m->sink->operation(m->sink->context, op);
        if (status != REFRAIN_OK)
            return status;
    }
    if (op->kind == OPERATION_COMPLETE)
        return matching_complete(m, op);
    if (op->kind == OPERATION_COLLECTIVE)
        return join(m, op);
    if (!is_message(op) || op->peer == OPERATION_NULL)
        return REFRAIN_OK;
    if (op->failed)
        return matching_report(m, op, MATCHING_FAILED);
    if (op->peer == OPERATION_OUTSIDE || op->comm < 0)
        return op->done || op->kind == OPERATION_SEND ? matching_report(m, op, MATCHING_OUTSIDE) : REFRAIN_OK;
    return matching_begin(m, op);
}

static enum refrain_status advance(struct matching *m, struct matching_rank *r, uint64_t most)
{
    const struct operation *op;
    enum refrain_status status = REFRAIN_OK;
    for (unsigned i = 0; i < TURN && r->n_waiting < most && !r->stuck && !r->paused && status == REFRAIN_OK;
         i++) {
        if (call_stream_next_operation(r->stream, &op, &status)) {
            m->taken++;
            status = take(m, op);
        } else if (call_stream_is_over(r->stream)) {
            call_stream_free(r->stream);
            r->stream = NULL;
            break;
        } else {
            r->paused = call_stream_is_paused(r->stream);
            r->stuck = !r->paused;
        }
    }
    return status;
}

/* Gives one turn to each rank that has fewer than `most` waiting operations. */
struct round {
    /* some ranks continued; have too many waiting operations; must not continue; are at a cut */
    bool ran, full, stuck, paused;
};

static enum refrain_status go_round(struct matching *m, uint64_t most, struct round *out)
{
    size_t left = 0;
    *out = (struct round){0};
    for (size_t i = 0; i < m->running.n; i++) {
        struct matching_rank *r = rank_of(m, m->running.items[i]);
        if (r->stuck) {
            out->stuck = true;
        } else if (r->paused) {
            out->paused = true;
        } else if (r->n_waiting >= most) {
            out->full = true;
        } else {
            const enum refrain_status status = advance(m, r, most);
            if (status != REFRAIN_OK)
                return status;
            out->ran = true;
        }
        if (r->stream)
            m->running.items[left++] = m->running.items[i];
    }
    m->running.n = left;
    return REFRAIN_OK;
}

/* No rank has continued. Decides how one of them can. */
static enum refrain_status unblock(struct matching *m, struct rounds *rounds, const struct round *round,
                                   uint64_t *most, uint64_t *tried)
{
    const uint64_t sets = m->sets;
    const enum refrain_status status = look_again(m);
    if (status != REFRAIN_OK || m->sets > sets)
        return status;
    if (round->full)
        *most *= 2;
    else if (round->paused)
        return rounds_arrive(rounds, m, round->stuck);
    else if (round->stuck && *tried == m->taken)
        matching_excuse(m);
    else if (round->stuck) {
        *tried = m->taken;
        matching_go_ahead(m);
    }
    return REFRAIN_OK;
}

/* Runs the ranks in turns; those with fewer than `most` waiting operations come first. */
static enum refrain_status run(struct matching *m)
{
    uint64_t most = LEAST, tried = UINT64_MAX;
    struct rounds rounds = {0};
    enum refrain_status status = rounds_start(&rounds, m);
    while (m->running.n > 0 && status == REFRAIN_OK) {
        struct round round;
        status = go_round(m, most, &round);
        if (status == REFRAIN_OK && !round.ran)
            status = unblock(m, &rounds, &round, &most, &tried);
        else
            most = most > LEAST ? most / 2 : most;
    }
    rounds_end(&rounds, m);
    return status;
}

static enum refrain_status start(struct matching *m)
{
    const struct reader *r = m->source.reader;
    enum refrain_status status = REFRAIN_OK;
    m->first_rank = r->trace.first_rank;
    m->n_ranks = r->trace.n_ranks;
    m->partial = trace_meta(&r->trace, META_UNRECORDED);
    m->ranks = calloc(m->n_ranks + (size_t)1, sizeof *m->ranks);
    message_queues_start(&m->queues);
    m->collectives.ordered = m->source.by_time;
    m->source.epochs = m->sink->operation;
    m->source.listener = (struct call_listener){m->sink->context, m->sink->call};
    m->source.pool = m->sink->pool ? m->sink->pool : thread_pool_create();
    if (!m->source.pool)
        return REFRAIN_ERR_MEMORY;
    if (!m->ranks) {
        log_error("out of memory: %u ranks", m->n_ranks);
        return REFRAIN_ERR_MEMORY;
    }
    for (uint64_t i = 0; status == REFRAIN_OK && reader_next_rank(r, &i); i++) {
        struct matching_rank *rank = rank_of(m, (uint32_t)i);
        status = call_stream_create(&m->source, (uint32_t)i, &rank->stream);
        if (status == REFRAIN_OK && !array_push(&m->running, (uint32_t)i))
            status = REFRAIN_ERR_MEMORY;
        for (size_t k = 0; status == REFRAIN_OK && k < call_stream_lanes(rank->stream); k++) {
            const struct matching_thread t = {.number = call_stream_thread(rank->stream, k)};
            status = array_push(&rank->threads, t) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
        }
    }
    return status == REFRAIN_OK ? endings_read(&m->endings, r) : status;
}

static int by_call(const void *a, const void *b)
{
    const struct matching_unmatched *x = a, *y = b;
    if (x->call.rank != y->call.rank)
        return x->call.rank < y->call.rank ? -1 : 1;
    if (x->call.thread != y->call.thread)
        return x->call.thread < y->call.thread ? -1 : 1;
    if (x->call.call != y->call.call)
        return x->call.call < y->call.call ? -1 : 1;
    return x->kind < y->kind ? -1 : x->kind > y->kind;
}

/* Reports the operations without partners. */
static enum refrain_status end(struct matching *m)
{
    size_t n;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < m->queues.items.n && status == REFRAIN_OK; i++) {
        status = keep_queue(m, &m->queues.items.items[i], true);
        if (status == REFRAIN_OK)
            status = keep_queue(m, &m->queues.items.items[i], false);
    }
    if (status != REFRAIN_OK)
        return status;
    uint32_t *left = collective_queues_left(&m->collectives, &n);
    if (!left)
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++)
        status = tell_collectives(m, left[i], COLLECTIVE_END);
    free(left);
    if (m->unmatched.n > 0)
        qsort(m->unmatched.items, m->unmatched.n, sizeof *m->unmatched.items, by_call);
    for (size_t i = 0; i < m->unmatched.n && status == REFRAIN_OK; i++)
        status = m->sink->unmatched(m->sink->context, &m->unmatched.items[i]);
    return status;
}

static void stop(struct matching *m)
{
    for (uint32_t i = 0; m->ranks && i < m->n_ranks; i++) {
        call_stream_free(m->ranks[i].stream);
        array_free(&m->ranks[i].threads);
        array_free(&m->ranks[i].open);
        array_free(&m->ranks[i].wildcards);
        array_free(&m->ranks[i].held);
    }
    free(m->ranks);
    array_free(&m->running);
    message_queues_stop(&m->queues);
    collective_queues_free(&m->collectives);
    endings_free(&m->endings);
    array_free(&m->unmatched);
    if (!m->sink->pool)
        thread_pool_free(m->source.pool);
    operation_source_free(&m->source);
}

/* Does any rank have several threads? */
static bool has_threads(const struct reader *r)
{
    struct lane_ref lane;
    for (uint64_t i = 0; reader_next_rank(r, &i); i++) {
        size_t n = 0;
        for (size_t at = 0; n < 2 && reader_next_lane(r, (uint32_t)i, LANE_THREAD, &at, &lane);)
            n++;
        if (n > 1)
            return true;
    }
    return false;
}

/* Chooses the times of calls: those that the sink wants; otherwise times that order the calls of
 * several threads. */
static enum refrain_status find_times(struct matching *m, struct timestamps_source *own)
{
    const struct reader *r = m->source.reader;
    enum refrain_status status = REFRAIN_OK;
    m->source.timestamps = m->sink->timestamps;
    if (!m->source.timestamps && has_threads(r) && lane_times_exist(r)) {
        status = timestamps_source_create(own, r, false);
        m->source.timestamps = own;
    }
    m->source.by_time = m->source.timestamps;
    return status;
}

enum refrain_status matching_run(const struct reader *r, const struct definitions *d,
                                 const struct matching_sink *sink)
{
    struct matching m = {.sink = sink};
    struct timestamps_source own = {0};
    enum refrain_status status = operation_source_create(&m.source, r, d);
    if (status == REFRAIN_OK)
        status = find_times(&m, &own);
    if (status == REFRAIN_OK)
        status = start(&m);
    if (status == REFRAIN_OK)
        status = run(&m);
    if (status == REFRAIN_OK)
        status = end(&m);
    if (status == REFRAIN_OK && sink->hints)
        sink->hints->known = true;
    log_debug("%llu operations, %zu queues of messages", (unsigned long long)m.taken,
              (size_t)m.queues.items.n);
    stop(&m);
    timestamps_source_free(&own);
    return status;
}
