/* SPDX-License-Identifier: BSD-3-Clause */
#include "process_message.h"

#include "processes.h"

#include <string.h>

/* A call begins soon after the last one ended, and is short: as differences, most times take three bytes
 * instead of sixteen. Differences are those of numbers modulo 2^64. */
static void put_times(const struct process_message *m, struct bytes *out)
{
    uint64_t last = 0;
    bytes_put_uint(out, m->n);
    for (size_t i = 0; i < m->n; i++) {
        bytes_put_int(out, (int64_t)(m->times[i].enter - last));
        bytes_put_int(out, (int64_t)(m->times[i].leave - m->times[i].enter));
        last = m->times[i].leave;
    }
}

bool process_message_times(const struct process_message *m, struct timestamp *out)
{
    struct bytes_reader in = m->packed;
    uint64_t last = 0;
    for (size_t i = 0; i < m->n; i++) {
        out[i].enter = last + (uint64_t)bytes_get_int(&in);
        last = out[i].leave = out[i].enter + (uint64_t)bytes_get_int(&in);
    }
    return !in.failed && bytes_left(&in) == 0;
}

static void put_text(struct bytes *out, const char *text)
{
    bytes_put_string(out, text, strlen(text) + 1);
}

static const char *get_text(struct bytes_reader *in)
{
    const size_t n = bytes_get_count(in, 1);
    const char *text = bytes_get(in, n);
    in->failed = in->failed || n == 0 || text[n - 1] != '\0';
    return text;
}

static bool has_lane(enum process_message_kind kind)
{
    return kind == MESSAGE_BEGIN || kind == MESSAGE_ASK || kind == MESSAGE_DROP || kind == MESSAGE_TIMES;
}

void process_message_put(const struct process_message *m, struct bytes *out)
{
    bytes_put_u8(out, (uint8_t)m->kind);
    if (has_lane(m->kind))
        bytes_put_uint(out, m->lane);
    if (m->kind == MESSAGE_BEGIN) {
        bytes_put_uint(out, m->rank);
        bytes_put_uint(out, m->thread);
    }
    if (m->kind == MESSAGE_OPEN) {
        bytes_put_uint(out, m->world);
        bytes_put_uint(out, m->file_bytes);
        put_text(out, m->run);
        put_text(out, m->path);
    }
    if (m->kind == MESSAGE_OPENED || m->kind == MESSAGE_TIMES)
        bytes_put_u8(out, (uint8_t)m->status);
    if (m->kind == MESSAGE_TIMES)
        put_times(m, out);
}

static bool get_u32(struct bytes_reader *in, uint32_t *out)
{
    const uint64_t value = bytes_get_uint(in);
    *out = (uint32_t)value;
    return value <= UINT32_MAX;
}

bool process_message_get(const void *data, size_t n, struct process_message *out)
{
    struct bytes_reader in = bytes_reader_of(data, n);
    struct process_message m = {.kind = (enum process_message_kind)bytes_get_u8(&in)};
    bool fine = m.kind < MESSAGE_KINDS && (!has_lane(m.kind) || get_u32(&in, &m.lane));
    if (m.kind == MESSAGE_BEGIN)
        fine = fine && get_u32(&in, &m.rank) && get_u32(&in, &m.thread);
    if (m.kind == MESSAGE_OPEN) {
        fine = fine && get_u32(&in, &m.world);
        m.file_bytes = bytes_get_uint(&in);
        m.run = get_text(&in);
        m.path = get_text(&in);
    }
    if (m.kind == MESSAGE_OPENED || m.kind == MESSAGE_TIMES)
        m.status = (enum refrain_status)bytes_get_u8(&in);
    if (m.kind == MESSAGE_TIMES) {
        m.n = bytes_get_count(&in, 2);
        m.packed = in;
        fine = fine && m.n <= TIMES_TOGETHER && (m.status != REFRAIN_OK || m.n > 0);
    } else {
        fine = fine && bytes_left(&in) == 0;
    }
    if (!fine || in.failed)
        return false;
    *out = m;
    return true;
}

enum refrain_status process_message_send(const struct messenger *messenger, unsigned to,
                                         const struct process_message *m)
{
    struct bytes bytes = {0};
    enum refrain_status status = REFRAIN_OK;
    process_message_put(m, &bytes);
    if (bytes.failed)
        status = REFRAIN_ERR_MEMORY;
    else if (!messenger->send(to, bytes.data, bytes.n))
        status = processes_failed();
    bytes_free(&bytes);
    return status;
}
