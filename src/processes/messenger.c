/* SPDX-License-Identifier: BSD-3-Clause */
#include "src/core/base/messenger.h"

#include <limits.h>
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define TAG 1

struct sent {
    struct sent *next;
    MPI_Request request;
    char data[];
};

static MPI_Comm comm;
static struct sent *first, **last = &first; /* messages on their way; the place behind them */
static char reason[MPI_MAX_ERROR_STRING + 1];

static bool is_fine(int result)
{
    int n = 0;
    if (result == MPI_SUCCESS)
        return true;
    if (MPI_Error_string(result, reason, &n) != MPI_SUCCESS)
        strcpy(reason, "unknown error of the MPI library");
    return false;
}

static bool no_memory(void)
{
    strcpy(reason, "out of memory: a message");
    return false;
}

/* Frees what has been sent. Messages arrive in their order, so the first one that is still on its way is where
 * this ends; with `wait`, it is waited for. */
static bool clear_sent(bool wait)
{
    bool fine = true;
    for (int done = 1; first && done && fine;) {
        struct sent *s = first;
        fine = is_fine(wait ? MPI_Wait(&s->request, MPI_STATUS_IGNORE)
                            : MPI_Test(&s->request, &done, MPI_STATUS_IGNORE));
        if (fine && done) {
            first = s->next;
            last = first ? last : &first;
            free(s);
        }
    }
    return fine;
}

static bool messenger_send(unsigned to, const void *data, size_t n)
{
    struct sent *s = n <= INT_MAX ? malloc(sizeof *s + n) : NULL;
    if (!s)
        return no_memory();
    memcpy(s->data, data, n);
    if (!is_fine(MPI_Isend(s->data, (int)n, MPI_BYTE, (int)to, TAG, comm, &s->request))) {
        free(s);
        return false;
    }
    s->next = NULL;
    *last = s;
    last = &s->next;
    return clear_sent(false);
}

static bool messenger_receive(struct messenger_mail *mail)
{
    MPI_Status status;
    int there = 0, n = 0;
    *mail = (struct messenger_mail){0};
    if (!clear_sent(false) || !is_fine(MPI_Iprobe(MPI_ANY_SOURCE, TAG, comm, &there, &status)))
        return false;
    if (!there)
        return true;
    if (!is_fine(MPI_Get_count(&status, MPI_BYTE, &n)))
        return false;
    void *data = malloc((size_t)n + 1);
    if (!data)
        return no_memory();
    if (!is_fine(MPI_Recv(data, n, MPI_BYTE, status.MPI_SOURCE, TAG, comm, MPI_STATUS_IGNORE))) {
        free(data);
        return false;
    }
    *mail = (struct messenger_mail){(unsigned)status.MPI_SOURCE, data, (size_t)n};
    return true;
}

static bool messenger_end(void)
{
    return clear_sent(true) && is_fine(MPI_Comm_free(&comm)) && is_fine(MPI_Finalize());
}

static void messenger_give_up(int status)
{
    MPI_Abort(comm, status);
}

static const char *messenger_error(void)
{
    return reason;
}

__attribute__((visibility("default"))) bool refrain_messenger_start(struct messenger *out);

bool refrain_messenger_start(struct messenger *out)
{
    int level, number, n;
    *out = (struct messenger){.send = messenger_send,
                              .receive = messenger_receive,
                              .end = messenger_end,
                              .give_up = messenger_give_up,
                              .error = messenger_error};
    if (!is_fine(MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level)) ||
        !is_fine(MPI_Comm_dup(MPI_COMM_WORLD, &comm)) ||
        !is_fine(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN)) ||
        !is_fine(MPI_Comm_rank(comm, &number)) || !is_fine(MPI_Comm_size(comm, &n)))
        return false;
    if (level < MPI_THREAD_SERIALIZED) {
        strcpy(reason, "the MPI library does not allow threads");
        return false;
    }
    out->number = (unsigned)number;
    out->n = (unsigned)n;
    return true;
}
