/* SPDX-License-Identifier: BSD-3-Clause */
#include "round_notes.h"

#include "decoder/call/call_fields.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>

/* A step is the index of a note, and its kind. */
enum { CALL, OPERATION, MESSAGE, SENT, COLLECTIVE, KIND_BITS = 3 };

enum refrain_status round_notes_start(struct round_notes *n, const struct matching_sink *to,
                                      uint32_t first_rank, uint32_t n_ranks, const uint64_t *begin,
                                      const uint64_t *period)
{
    *n = (struct round_notes){.to = to,
                              .first_rank = first_rank,
                              .n_ranks = n_ranks,
                              .lanes = calloc(n_ranks + (size_t)1, sizeof *n->lanes)};
    bool ok = n->lanes;
    for (uint32_t i = 0; i < n_ranks && ok; i++) {
        struct round_lane *l = &n->lanes[i];
        *l = (struct round_lane){begin[i], period[i], calloc(period[i] + 1, sizeof *l->calls), NULL};
        n->n_calls += period[i];
        ok = l->calls;
    }
    if (ok)
        return REFRAIN_OK;
    log_error("out of memory: notes of a round of %u ranks", n_ranks);
    round_notes_free(n);
    return REFRAIN_ERR_MEMORY;
}

void round_notes_free(struct round_notes *n)
{
    for (uint32_t i = 0; n->lanes && i < n->n_ranks; i++)
        free(n->lanes[i].calls);
    free(n->lanes);
    array_free(&n->steps);
    array_free(&n->calls);
    array_free(&n->operations);
    array_free(&n->messages);
    array_free(&n->sent);
    array_free(&n->collectives);
    array_free(&n->members);
    array_free(&n->moves);
    array_free(&n->numbers);
    *n = (struct round_notes){0};
}

/* ---- noting ------------------------------------------------------------------------------------ */

static bool add_step(struct round_notes *n, unsigned kind, size_t index)
{
    return array_push(&n->steps, (uint32_t)(index << KIND_BITS | kind));
}

static enum refrain_status note_call(void *context, const struct call *call,
                                     const struct timestamp *timestamp, const struct call_fields *fields)
{
    struct round_notes *n = context;
    const uint32_t lane = call->rank - n->first_rank;
    struct round_lane *l = &n->lanes[lane];
    const uint64_t position = call->index - l->begin;
    if (position >= l->period || !fields->lasting) {
        n->unfit = true;
    } else {
        l->calls[position] = (struct round_call){*call, fields};
        if (!array_push(&n->calls, ((struct round_position){lane, (uint32_t)position})) ||
            !add_step(n, CALL, n->calls.n - 1))
            return REFRAIN_ERR_MEMORY;
    }
    return n->to->call ? n->to->call(n->to->context, call, timestamp, fields) : REFRAIN_OK;
}

/* What makes or uses an object is not told again: the next round makes another one. */
static bool is_fit(const struct operation *op)
{
    switch (op->of) {
    case OPERATION_SEND:
    case OPERATION_RECEIVE:
    case OPERATION_PROBE:
        return op->partitioned == 0 && op->kind != OPERATION_TEST;
    case OPERATION_COLLECTIVE:
        return !op->makes && op->scope.object == 0 && !op->refused && op->kind != OPERATION_TEST;
    default:
        return false;
    }
}

static enum refrain_status note_operation(void *context, const struct operation *op)
{
    struct round_notes *n = context;
    n->unfit = n->unfit || !is_fit(op);
    if (!array_push(&n->operations, *op) || !add_step(n, OPERATION, n->operations.n - 1))
        return REFRAIN_ERR_MEMORY;
    return n->to->operation ? n->to->operation(n->to->context, op) : REFRAIN_OK;
}

static enum refrain_status note_message(void *context, const struct matching_message *m)
{
    struct round_notes *n = context;
    if (!array_push(&n->messages, *m) || !add_step(n, MESSAGE, n->messages.n - 1))
        return REFRAIN_ERR_MEMORY;
    return n->to->message(n->to->context, m);
}

static enum refrain_status note_sent(void *context, const struct matching_sent *s)
{
    struct round_notes *n = context;
    if (!array_push(&n->sent, *s) || !add_step(n, SENT, n->sent.n - 1))
        return REFRAIN_ERR_MEMORY;
    return n->to->sent(n->to->context, s);
}

static enum refrain_status note_collective(void *context, const struct matching_collective *c)
{
    struct round_notes *n = context;
    n->unfit = n->unfit || !c->agree || c->until;
    for (size_t i = 0; i < c->n; i++) {
        if (!array_push(&n->members, c->members[i]))
            return REFRAIN_ERR_MEMORY;
    }
    if (!array_push(&n->collectives, *c) || !add_step(n, COLLECTIVE, n->collectives.n - 1))
        return REFRAIN_ERR_MEMORY;
    return n->to->collective(n->to->context, c);
}

static enum refrain_status note_unmatched(void *context, const struct matching_unmatched *u)
{
    struct round_notes *n = context;
    n->unfit = true;
    return n->to->unmatched(n->to->context, u);
}

const struct matching_sink *round_notes_sink(struct round_notes *n)
{
    n->sink = *n->to;
    n->sink.context = n;
    n->sink.call = note_call;
    n->sink.operation = note_operation;
    n->sink.message = note_message;
    n->sink.collective = note_collective;
    n->sink.unmatched = note_unmatched;
    if (n->to->sent)
        n->sink.sent = note_sent;
    return &n->sink;
}

/* ---- what moves -------------------------------------------------------------------------------- */

static bool add_move(struct round_notes *n, struct call_ref *ref)
{
    const uint32_t lane = ref->rank - n->first_rank;
    const uint64_t position = ref->call - n->lanes[lane].begin;
    n->unfit = n->unfit || ref->call < n->lanes[lane].begin || position >= n->lanes[lane].period;
    return array_push(&n->moves, ((struct round_move){ref, {lane, (uint32_t)position}}));
}

static bool add_operation(struct round_notes *n, struct operation *op)
{
    return add_move(n, &op->call) && (op->kind == op->of || add_move(n, &op->post));
}

static bool add_moves(struct round_notes *n)
{
    bool ok = true;
    for (size_t i = 0; i < n->operations.n && ok; i++)
        ok = add_operation(n, &n->operations.items[i]);
    for (size_t i = 0; i < n->messages.n && ok; i++) {
        struct matching_message *m = &n->messages.items[i];
        ok = add_move(n, &m->send) && add_move(n, &m->receive) && add_move(n, &m->completed);
    }
    for (size_t i = 0; i < n->sent.n && ok; i++)
        ok = add_move(n, &n->sent.items[i].completed) && add_move(n, &n->sent.items[i].receive);
    for (size_t i = 0; i < n->members.n && ok; i++)
        ok = add_move(n, &n->members.items[i].call);
    return ok;
}

static bool add_number(struct round_notes *n, uint64_t *number, uint64_t step)
{
    return array_push(&n->numbers, ((struct round_number){number, step}));
}

enum refrain_status round_notes_end(struct round_notes *n, round_step step, const void *context)
{
    const struct matching_member *members = n->members.items;
    bool ok = true;
    n->unfit = n->unfit || n->calls.n != n->n_calls || n->steps.n >= UINT32_MAX >> KIND_BITS;
    for (size_t i = 0; i < n->operations.n && ok && !n->unfit; i++) {
        struct operation *op = &n->operations.items[i];
        if (op->of == OPERATION_COLLECTIVE)
            ok = add_number(n, &op->number, step(context, op->call.rank, &op->scope));
    }
    for (size_t i = 0; i < n->collectives.n && ok && !n->unfit; i++) {
        struct matching_collective *c = &n->collectives.items[i];
        c->members = members;
        members += c->n;
        ok = add_number(n, &c->number, step(context, c->members[0].call.rank, &c->scope));
    }
    if (ok && !n->unfit)
        ok = add_moves(n);
    return ok ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* ---- telling ----------------------------------------------------------------------------------- */

static void move_on(struct round_notes *n)
{
    for (size_t i = 0; i < n->moves.n; i++) {
        const struct round_move *m = &n->moves.items[i];
        const struct round_lane *l = &n->lanes[m->to.lane];
        m->ref->call += l->period;
        m->ref->timestamp = l->times[m->to.position];
    }
    for (uint32_t i = 0; i < n->n_ranks; i++)
        n->lanes[i].begin += n->lanes[i].period;
    for (size_t i = 0; i < n->numbers.n; i++)
        *n->numbers.items[i].number += n->numbers.items[i].step;
}

static enum refrain_status tell_call(const struct round_notes *n, size_t index)
{
    const struct round_lane *l = &n->lanes[n->calls.items[index].lane];
    const uint32_t position = n->calls.items[index].position;
    struct call call = l->calls[position].call;
    call.index = l->begin + position;
    return n->to->call(n->to->context, &call, &l->times[position], l->calls[position].fields);
}

enum refrain_status round_notes_tell(struct round_notes *n)
{
    const struct matching_sink *to = n->to;
    enum refrain_status status = REFRAIN_OK;
    assert(!n->unfit);
    move_on(n);
    for (size_t i = 0; i < n->steps.n && status == REFRAIN_OK; i++) {
        const size_t index = n->steps.items[i] >> KIND_BITS;
        switch (n->steps.items[i] & ((1u << KIND_BITS) - 1)) {
        case CALL:
            status = to->call ? tell_call(n, index) : REFRAIN_OK;
            break;
        case OPERATION:
            status = to->operation ? to->operation(to->context, &n->operations.items[index]) : REFRAIN_OK;
            break;
        case MESSAGE:
            status = to->message(to->context, &n->messages.items[index]);
            break;
        case SENT:
            status = to->sent(to->context, &n->sent.items[index]);
            break;
        default:
            status = to->collective(to->context, &n->collectives.items[index]);
        }
    }
    return status;
}
