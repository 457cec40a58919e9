/* SPDX-License-Identifier: BSD-3-Clause */
#include "matching_text.h"

#include "decoder/util/json.h"
#include "decoder/util/text.h"

#include <inttypes.h>

static const char *const kinds[] = {
    [OPERATION_SEND] = "send",           [OPERATION_RECEIVE] = "receive",
    [OPERATION_PROBE] = "probe",         [OPERATION_COLLECTIVE] = "collective",
    [OPERATION_RMA] = "access",          [OPERATION_FILE] = "file",
    [OPERATION_GENERALIZED] = "request",
};

static const char *function_name(const struct matching_text *t, uint32_t function)
{
    return t->functions->functions.items[function].name;
}

void matching_put_comm(const struct matching_text *t, int64_t comm, struct bytes *out)
{
    const char *name = comm & 1 ? functable_constant(t->functions, "COMMUNICATOR", comm >> 1) : "comm";
    text_put(out, name ? name : "unknown");
    if (!(comm & 1))
        text_int(out, comm >> 1);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void put_lane(struct bytes *out, const struct call_ref *c)
{
    text_uint(out, c->rank);
    if (c->thread > 0) {
        text_putc(out, '.');
        text_uint(out, c->thread);
    }
}

/* Writes "3:17" or "3.1:17". */
static void put_call(struct bytes *out, const struct call_ref *c)
{
    put_lane(out, c);
    text_putc(out, ':');
    text_uint(out, c->call);
}

static void put_field(struct bytes *out, const char *name, int64_t value)
{
    text_put(out, name);
    text_int(out, value);
}

static void put_tag(struct bytes *out, int64_t tag)
{
    if (tag == OPERATION_ANY_TAG)
        text_put(out, "  tag=MPI_ANY_TAG");
    else
        put_field(out, "  tag=", tag);
}

static void put_peer(struct bytes *out, int64_t peer)
{
    static const char *const names[] = {"MPI_ANY_SOURCE", "MPI_PROC_NULL", "outside"};
    text_put(out, "  peer=");
    if (peer < 0)
        text_put(out, names[-1 - peer]);
    else
        text_int(out, peer);
}

static void put_message_line(const struct matching_text *t, const struct matching_message *m,
                             struct bytes *out)
{
    text_put(out, "message  ");
    put_call(out, &m->send);
    text_put(out, " -> ");
    put_call(out, &m->receive);
    if (!m->is_completed) {
        text_put(out, ", ?");
    } else if (m->completed.thread != m->receive.thread || m->completed.call != m->receive.call) {
        text_put(out, ", ");
        put_call(out, &m->completed);
    }
    text_put(out, "  comm=");
    matching_put_comm(t, m->comm, out);
    put_tag(out, m->tag);
    put_field(out, "  bytes=", (int64_t)m->bytes);
    if (m->has_received && m->received != m->bytes)
        put_field(out, "  received=", (int64_t)m->received);
    text_putc(out, '\n');
}

static void put_collective_line(const struct matching_text *t, const struct matching_collective *c,
                                struct bytes *out)
{
    text_put(out, "collective  ");
    text_put(out, function_name(t, c->function));
    text_put(out, "  comm=");
    matching_put_comm(t, c->scope.comm, out);
    if (c->scope.object == SCOPE_BIRTH)
        text_put(out, "  made=self");
    else if (c->scope.object > 0)
        put_field(out, "  made=", (int64_t)c->scope.object - 1);
    put_field(out, "  number=", (int64_t)c->number);
    text_putc(out, ' ');
    for (size_t i = 0; i < c->n; i++) {
        text_putc(out, ' ');
        put_call(out, &c->members[i].call);
    }
    if (c->agree && c->n < c->expected)
        text_printf(out, "  %zu of %" PRIu32, c->n, c->expected);
    if (!c->agree)
        text_put(out, "  functions differ");
    if (c->until) {
        text_put(out, " until ");
        put_call(out, c->until);
    }
    text_putc(out, '\n');
}

static void put_unmatched_line(const struct matching_text *t, const struct matching_unmatched *u,
                               struct bytes *out)
{
    text_put(out, "unmatched  ");
    put_call(out, &u->call);
    text_put(out, "  ");
    text_put(out, function_name(t, u->function));
    text_put(out, "  ");
    text_put(out, kinds[u->kind]);
    if (u->kind <= OPERATION_PROBE) {
        text_put(out, "  comm=");
        matching_put_comm(t, u->comm, out);
        put_peer(out, u->peer);
        put_tag(out, u->tag);
    }
    if (u->kind == OPERATION_SEND)
        put_field(out, "  bytes=", (int64_t)u->bytes);
    text_put(out, "  ");
    text_put(out, matching_reasons[u->reason]);
    text_putc(out, '\n');
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_json_call(struct json *j, const char *key, const struct call_ref *c)
{
    json_object(j, key);
    json_uint(j, "rank", c->rank);
    json_uint(j, "thread", c->thread);
    json_uint(j, "call", c->call);
    json_end(j);
}

static void put_json_comm(const struct matching_text *t, struct json *j, int64_t comm)
{
    struct bytes name = {0};
    matching_put_comm(t, comm, &name);
    if (name.failed)
        j->out->failed = true;
    else
        json_string_n(j, "comm", (const char *)name.data, name.n);
    bytes_free(&name);
}

static void put_json_message(const struct matching_text *t, const struct matching_message *m, struct json *j)
{
    json_string(j, "kind", "message");
    json_string(j, "send_function", function_name(t, m->send_function));
    put_json_call(j, "send", &m->send);
    json_string(j, "receive_function", function_name(t, m->receive_function));
    put_json_call(j, "receive", &m->receive);
    if (m->is_completed)
        put_json_call(j, "completed", &m->completed);
    put_json_comm(t, j, m->comm);
    json_int(j, "tag", m->tag);
    json_uint(j, "bytes", m->bytes);
    if (m->has_received)
        json_uint(j, "received", m->received);
}

static void put_json_collective(const struct matching_text *t, const struct matching_collective *c,
                                struct json *j)
{
    json_string(j, "kind", "collective");
    json_string(j, "function", function_name(t, c->function));
    put_json_comm(t, j, c->scope.comm);
    if (c->scope.object == SCOPE_BIRTH)
        json_string(j, "made", "self");
    else if (c->scope.object > 0)
        json_uint(j, "made", c->scope.object - 1);
    json_uint(j, "number", c->number);
    json_uint(j, "expected", c->expected);
    json_bool(j, "agree", c->agree);
    if (c->until)
        put_json_call(j, "until", c->until);
    json_array(j, "members");
    for (size_t i = 0; i < c->n; i++)
        put_json_call(j, NULL, &c->members[i].call);
    json_end(j);
}

static void put_json_unmatched(const struct matching_text *t, const struct matching_unmatched *u,
                               struct json *j)
{
    json_string(j, "kind", "unmatched");
    json_string(j, "reason", matching_reasons[u->reason]);
    json_bool(j, "fault", matching_is_fault(u->reason));
    json_string(j, "what", kinds[u->kind]);
    json_string(j, "function", function_name(t, u->function));
    put_json_call(j, "call", &u->call);
    if (u->kind > OPERATION_PROBE)
        return;
    put_json_comm(t, j, u->comm);
    if (u->peer >= 0)
        json_int(j, "peer", u->peer);
    if (u->tag != OPERATION_ANY_TAG)
        json_int(j, "tag", u->tag);
    if (u->kind == OPERATION_SEND)
        json_uint(j, "bytes", u->bytes);
}

static struct json open_json(struct bytes *out)
{
    struct json j = json_of(out);
    json_object(&j, NULL);
    return j;
}

static void close_json(struct json *j)
{
    json_end(j);
    text_putc(j->out, '\n');
}

/* ---- text and JSON --------------------------------------------------------------------------- */

#define PUT(what, argument)                                                                                  \
    do {                                                                                                     \
        if (!t->as_json) {                                                                                   \
            put_##what##_line(t, argument, out);                                                             \
        } else {                                                                                             \
            struct json j = open_json(out);                                                                  \
            put_json_##what(t, argument, &j);                                                                \
            close_json(&j);                                                                                  \
        }                                                                                                    \
    } while (0)

void matching_put_message(const struct matching_text *t, const struct matching_message *m, struct bytes *out)
{
    PUT(message, m);
}

void matching_put_collective(const struct matching_text *t, const struct matching_collective *c,
                             struct bytes *out)
{
    PUT(collective, c);
}

void matching_put_unmatched(const struct matching_text *t, const struct matching_unmatched *u,
                            struct bytes *out)
{
    PUT(unmatched, u);
}
