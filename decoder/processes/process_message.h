/* SPDX-License-Identifier: BSD-3-Clause */
/* What process 0 and its helpers send each other.
 *
 *     process 0                      helper
 *     OPEN file                ──>
 *                              <──   OPENED status
 *     BEGIN lane, ASK, ASK     ──>
 *                              <──   TIMES of lane, of up to TIMES_TOGETHER calls
 *     ASK lane                 ──>                                              … one TIMES for each ASK
 *     DROP lane                ──>
 *     CLOSE                    ──>
 *                              <──   CLOSED, after which nothing is under way
 *     STOP                     ──>
 *
 * Process 0 asks ahead for TIMES_AHEAD messages of each lane, no more, so what is in flight is bounded. */
#ifndef REFRAIN_PROCESS_MESSAGE_H
#define REFRAIN_PROCESS_MESSAGE_H

#include "src/core/base/bytes.h"
#include "src/core/base/messenger.h"
#include "src/core/base/status.h"
#include "src/core/base/timestamp.h"

#define TIMES_TOGETHER 1024
#define TIMES_AHEAD    2

enum process_message_kind {
    MESSAGE_OPEN,
    MESSAGE_BEGIN,
    MESSAGE_ASK,
    MESSAGE_DROP,
    MESSAGE_CLOSE,
    MESSAGE_STOP,
    MESSAGE_OPENED,
    MESSAGE_TIMES,
    MESSAGE_CLOSED,
    MESSAGE_KINDS
};

struct process_message {
    enum process_message_kind kind;
    uint32_t lane;          /* BEGIN, ASK, DROP, TIMES: a number that process 0 gives it, for this helper */
    uint32_t rank, thread;  /* BEGIN: which lane that is */
    uint32_t world;         /* OPEN: the world of … */
    uint64_t file_bytes;    /* … the file, which has so many bytes, … */
    const char *run, *path; /* … the number of its run (""; if it has none), and its path */
    enum refrain_status status; /* OPENED, TIMES */
    const struct timestamp *times;
    size_t n;                   /* TIMES: of so many calls; 0 if the status is not REFRAIN_OK */
    struct bytes_reader packed; /* of a TIMES that was received: process_message_times */
};

/* Appends the message; a failed allocation is in out->failed. */
void process_message_put(const struct process_message *m, struct bytes *out);
/* Reads a message, whose texts point into the data. False if it is none. */
bool process_message_get(const void *data, size_t n, struct process_message *out);
/* The m->n times of a TIMES that was received. False if it is damaged. */
bool process_message_times(const struct process_message *m, struct timestamp *out);
/* Sends the message; errors are logged. */
enum refrain_status process_message_send(const struct messenger *messenger, unsigned to,
                                         const struct process_message *m);

#endif
