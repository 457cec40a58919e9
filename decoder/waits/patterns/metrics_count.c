/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts: operations, messages, bytes. */
#include "decoder/waits/search/wait_search.h"

#define SCOUT "Scalasca (scout)"

/* ---- messages -------------------------------------------------------------------------------- */

static enum refrain_status count_send(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    return wait_search_count(s, self, &e->cause, 1);
}

static enum refrain_status count_receive(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    return wait_search_count(s, self, &e->call, 1);
}

static enum refrain_status count_sent(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    return wait_search_count(s, self, &e->cause, e->message->bytes);
}

static enum refrain_status count_received(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    const struct matching_message *m = e->message;
    return wait_search_count(s, self, &e->call, m->has_received ? m->received : m->bytes);
}

/* ---- other operations ------------------------------------------------------------------------ */

static bool moves(const struct wait_event *e)
{
    return e->operation->sent > 0 || e->operation->received > 0;
}

static enum refrain_status count_collective(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    return wait_search_count(s, self, &e->call, moves(e));
}

static enum refrain_status count_synchronization(struct wait_search *s, uint32_t self,
                                                 const struct wait_event *e)
{
    return wait_search_count(s, self, &e->call, !moves(e));
}

static enum refrain_status count_out(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    return wait_search_count(s, self, &e->call, e->operation->sent);
}

static enum refrain_status count_in(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    return wait_search_count(s, self, &e->call, e->operation->received);
}

static enum refrain_status count_each(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    return wait_search_count(s, self, &e->call, 1);
}

#define SUM(name_, title, above, unit_, text_)                                                               \
    {                                                                                                        \
        .uniq_name = name_, .name = title, .parent = above, .unit = METRIC_##unit_, .text = text_,           \
        .source = SCOUT                                                                                      \
    }
#define COUNT(name_, title, above, unit_, event, take_, text_)                                               \
    {                                                                                                        \
        .uniq_name = name_, .name = title, .parent = above, .unit = METRIC_##unit_, .text = text_,           \
        .source = SCOUT, .events = EVENTS(EVENT_##event), .take = take_                                      \
    }

const struct metric metrics_count[] = {
    SUM("visits", "calls and threads", NULL, OCCURRENCES,
        "MPI calls, and the program itself once for each thread."),
    SUM("syncs", "synchronizations", NULL, OCCURRENCES, "Operations that move no data."),
    COUNT("syncs_coll", "collective synchronizations", "syncs", OCCURRENCES, MEMBER, count_synchronization,
          "Collective operations in which the process moves no data, one for each process."),
    SUM("comms", "communications", NULL, OCCURRENCES, "Operations that move data."),
    SUM("comms_p2p", "point-to-point communications", "comms", OCCURRENCES,
        "Messages, counted at both ends."),
    COUNT("comms_send", "sends", "comms_p2p", OCCURRENCES, MESSAGE, count_send,
          "Messages that are received, counted at the sender."),
    COUNT("comms_recv", "receives", "comms_p2p", OCCURRENCES, MESSAGE, count_receive,
          "Messages, counted at the receiver."),
    COUNT("comms_coll", "collective communications", "comms", OCCURRENCES, MEMBER, count_collective,
          "Collective operations in which the process moves data, one for each process."),
    COUNT("comms_rma", "one-sided communications", "comms", OCCURRENCES, ACCESS, count_each,
          "Accesses to windows."),
    COUNT("file_ops", "file operations", NULL, OCCURRENCES, TRANSFER, count_each,
          "Reads, writes, and moves of a file pointer."),
    SUM("bytes", "bytes sent and received", NULL, BYTES,
        "Bytes moved between processes, counted at each end."),
    SUM("bytes_p2p", "bytes of messages", "bytes", BYTES, "Bytes in messages, counted at both ends."),
    COUNT("bytes_sent", "bytes sent", "bytes_p2p", BYTES, MESSAGE, count_sent,
          "Bytes in messages that are received, counted at the sender."),
    COUNT("bytes_rcvd", "bytes received", "bytes_p2p", BYTES, MESSAGE, count_received,
          "Bytes in messages, counted at the receiver."),
    SUM("bytes_coll", "bytes of collective operations", "bytes", BYTES,
        "Bytes that collective operations move."),
    COUNT("bytes_cout", "bytes out", "bytes_coll", BYTES, MEMBER, count_out,
          "Bytes that a process sends in a collective operation."),
    COUNT("bytes_cin", "bytes in", "bytes_coll", BYTES, MEMBER, count_in,
          "Bytes that a process receives in a collective operation."),
    SUM("bytes_rma", "bytes of one-sided communication", "bytes", BYTES,
        "Bytes that accesses to windows move."),
    COUNT("bytes_put", "bytes put", "bytes_rma", BYTES, ACCESS, count_out,
          "Bytes written to windows of other processes."),
    COUNT("bytes_get", "bytes got", "bytes_rma", BYTES, ACCESS, count_in,
          "Bytes read from windows of other processes."),
    SUM("file_bytes", "bytes of files", NULL, BYTES, "Bytes read and written."),
    COUNT("file_bytes_written", "bytes written", "file_bytes", BYTES, TRANSFER, count_out,
          "Bytes written to files."),
    COUNT("file_bytes_read", "bytes read", "file_bytes", BYTES, TRANSFER, count_in, "Bytes read from files."),
    {0},
};
