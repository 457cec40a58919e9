/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between the processes that one launcher has started. The command is not linked with an MPI library:
 * for each of them a plug-in, refrain-processes.so (src/processes), has these functions, and the command loads
 * the one that fits (decoder/processes).
 *
 * One thread at a time may call them. A function that returns false has failed, and `error` says why. */
#ifndef REFRAIN_MESSENGER_H
#define REFRAIN_MESSENGER_H

#include <stdbool.h>
#include <stddef.h>

struct messenger_mail {
    unsigned from;
    void *data; /* of malloc; owned by who takes it. NULL: there is no message */
    size_t n;
};

struct messenger {
    unsigned number, n; /* of this process, from 0; of all processes */
    /* Sends a message. The data are copied, and the receiver is not waited for. */
    bool (*send)(unsigned to, const void *data, size_t n);
    /* Takes a message, if one is there. Those of one process come in the order in which it sent them. */
    bool (*receive)(struct messenger_mail *mail);
    /* Waits until all processes call it. Every message must have been received. */
    bool (*end)(void);
    /* Ends all processes, also this one, with this exit status. */
    void (*give_up)(int status);
    const char *(*error)(void);
};

/* Starts the MPI library; false: it refused. All processes call it once. */
typedef bool (*messenger_starter)(struct messenger *out);

#define MESSENGER_FILE  "refrain-processes.so"
#define MESSENGER_START "refrain_messenger_start"

#endif
