/* SPDX-License-Identifier: BSD-3-Clause */
#include "chrome_messages.h"

#include "decoder/match/stream/call_stream.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <assert.h>
#include <inttypes.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Messages of one communicator, source, destination and tag are received in the order in which they were
 * sent, by receives in the order in which they were posted (MPI 5.0, section 3.5). So each end can
 * number them without knowledge of the other end. An identity consists of communicator, source,
 * destination, tag and number:
 *
 *     rank 1  sends to 0 with tag 5      "1.1.0.5.0"  "1.1.0.5.1"
 *     rank 0  receives from 1            "1.1.0.5.0"  "1.1.0.5.1"
 *
 * A receive with MPI_ANY_SOURCE or MPI_ANY_TAG is numbered when it completes. If another one for the same
 * messages is open at the same time, or one was cancelled, arrows may be exchanged. */
struct end {
    struct map numbers; /* hash of communicator, partner and tag -> messages so far */
};

struct messages {
    struct chrome *chrome;
    uint32_t rank;
    struct end sends, receives;
    ARRAY(uint32_t) posted; /* by request number: the number of the message + 1; 0: not known yet */
};

static enum refrain_status next_number(struct end *e, const struct operation *op, uint32_t *number)
{
    const int64_t words[] = {op->comm, op->peer, op->tag};
    const uint64_t key = XXH3_64bits(words, sizeof words);
    const uint32_t so_far = map_get(&e->numbers, key);
    *number = so_far == MAP_NONE ? 0 : so_far;
    return map_set(&e->numbers, key, *number + 1) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* ---- events ---------------------------------------------------------------------------------- */

static bool is_wanted(const struct messages *m, const struct operation *op)
{
    return op->comm >= 0 && op->peer >= 0 && ranges_has(m->chrome->ranks, (uint64_t)op->peer);
}

/* Writes one end of an arrow into the operation's call; `phase` is "s" at the beginning of the
 * arrow, "f" at its end. */
static void put_flow(struct messages *m, const struct operation *op, const char *phase, uint32_t number)
{
    const struct timestamp *timestamp = &op->call.timestamp;
    const bool sends = phase[0] == 's';
    struct bytes *out = &m->chrome->out->text;
    if (timestamp->enter < m->chrome->from || timestamp->leave > m->chrome->to)
        return;
    chrome_separate(m->chrome);
    text_printf(out,
                "{\"ph\":\"%s\",%s\"pid\":%" PRIu32 ",\"tid\":%" PRIu32
                ",\"name\":\"message\",\"cat\":\"message\"",
                phase, sends ? "" : "\"bp\":\"e\",", m->rank, op->call.thread);
    text_printf(out,
                ",\"id\":\"%" PRId64 ".%" PRId64 ".%" PRId64 ".%" PRId64 ".%" PRIu32 "\",\"ts\":", op->comm,
                sends ? m->rank : op->peer, sends ? op->peer : m->rank, op->tag, number);
    /* A viewer counts the end time of a call as outside of it, so one nanosecond less is
     * written. */
    chrome_put_microseconds(out, sends || timestamp->leave == timestamp->enter ? timestamp->enter
                                                                               : timestamp->leave - 1);
    text_printf(out, ",\"args\":{\"bytes\":%" PRIu64 "}}", sends ? op->sent : op->received);
}

static uint32_t *posted_of(struct messages *m, const struct operation *op)
{
    while (m->posted.n <= op->request) {
        if (!array_push(&m->posted, 0))
            return NULL;
    }
    return &m->posted.items[op->request];
}

static enum refrain_status put_send(struct messages *m, const struct operation *op)
{
    uint32_t number;
    const enum refrain_status status = next_number(&m->sends, op, &number);
    if (status == REFRAIN_OK && is_wanted(m, op))
        put_flow(m, op, "s", number);
    return status;
}

static enum refrain_status put_receive(struct messages *m, const struct operation *op)
{
    uint32_t number;
    enum refrain_status status;
    if (!op->done && op->request == OPERATION_NO_REQUEST)
        return REFRAIN_OK; /* the call did not return */
    if (!op->done) {
        const bool exact = op->peer >= 0 && op->tag != OPERATION_ANY_TAG;
        uint32_t *posted = posted_of(m, op);
        if (!posted)
            return REFRAIN_ERR_MEMORY;
        *posted = 0;
        if (exact && (status = next_number(&m->receives, op, &number)) != REFRAIN_OK)
            return status;
        *posted = exact ? number + 1 : 0;
        return REFRAIN_OK;
    }
    status = next_number(&m->receives, op, &number);
    if (status == REFRAIN_OK && is_wanted(m, op))
        put_flow(m, op, "f", number);
    return status;
}

static enum refrain_status put_completion(struct messages *m, const struct operation *op)
{
    uint32_t number;
    enum refrain_status status = REFRAIN_OK;
    if (op->of != OPERATION_RECEIVE || op->outcome != OPERATION_DONE)
        return REFRAIN_OK;
    const uint32_t *posted = posted_of(m, op);
    if (!posted)
        return REFRAIN_ERR_MEMORY;
    if (*posted > 0)
        number = *posted - 1;
    else
        status = next_number(&m->receives, op, &number);
    if (status == REFRAIN_OK && is_wanted(m, op))
        put_flow(m, op, "f", number);
    return status;
}

static enum refrain_status put_operation(struct messages *m, const struct operation *op)
{
    if (op->failed)
        return REFRAIN_OK;
    switch (op->kind) {
    case OPERATION_SEND:
        return put_send(m, op);
    case OPERATION_RECEIVE:
        return put_receive(m, op);
    case OPERATION_COMPLETE:
        return put_completion(m, op);
    default:
        return REFRAIN_OK;
    }
}

/* ---- the rank -------------------------------------------------------------------------------- */

static enum refrain_status put_all(struct messages *m)
{
    struct call_stream *stream;
    const struct operation *op;
    enum refrain_status status = call_stream_create(m->chrome->source, m->rank, &stream);
    if (status != REFRAIN_OK)
        return status;
    while (status == REFRAIN_OK && !m->chrome->out->closed &&
           call_stream_next_operation(stream, &op, &status)) {
        status = put_operation(m, op);
        if (status == REFRAIN_OK)
            status = output_drain(m->chrome->out);
    }
    call_stream_free(stream);
    return status;
}

enum refrain_status chrome_put_messages(struct chrome *c, uint32_t rank)
{
    assert(c->source);
    struct messages m = {.chrome = c, .rank = rank};
    const enum refrain_status status = put_all(&m);
    array_free(&m.posted);
    map_free(&m.sends.numbers);
    map_free(&m.receives.numbers);
    return status;
}
