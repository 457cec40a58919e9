/* SPDX-License-Identifier: BSD-3-Clause */
/* What a thread of a random program says of itself: a file of records, one a line, in the order of its calls. Shares nothing with
 * Refrain. A record has all columns, whatever it is about; what it does not need is -1, or "-".
 *
 *     KIND    CALL  DONE  PEER  TAG  GROUP  BYTES  FROM  FUNCTION
 *     send    18    -1    1     3    c5a1   128    -1    MPI_Send      call 18 sends 128 bytes to process 1 of the run
 *     post    13    -1    -1    3    c5a1   -1     -1    MPI_Irecv     call 13 posts a receive, from anybody
 *     got     13    19    0     3    c5a1   128    18    -             19 completes it, with what call 18 of process 0 sent
 *     sync    20    -1    -1    -1   c5a1   -1     -1    MPI_Barrier   a collective operation on a communicator or window
 *     make    20    -1    -1    -1   c5a1   -1     77    MPI_Bcast_init a persistent one, which is called 77 (here in decimals)
 *     start   20    -1    -1    -1   4d     -1     -1    MPI_Start     it is started
 *     name    21    0     -1    -1   c5a1   -1     -1    MPI_Comm_dup  call 21 of thread 0 makes this communicator or window
 *     access  22    -1    0     1    -      128    -1    MPI_Put       128 bytes go from process 0 to process 1
 *     window  22    -1    1     -1   9f02   -1     -1    MPI_Put       an access or epoch of a window, at process 1; -1: at none;
 *                                                                  of a group, a record for each process
 *     local   23    -1    -1    -1   -      -1     -1    MPI_Cancel
 *     none    24    -1    -1    -1   -      -1     -1    MPI_Start     a request for a message to nobody is started
 *     calls   7     -1    -1    -1   -      896    0     MPI_Send      called 7 times, 896 bytes sent and 0 received
 *
 * Calls are counted as in a trace: by thread, from 0. A group is named by a number that all its members know.
 * A message says itself which call sent it. One that cannot has a tag of LOG_UNIQUE or more, which is that of no other message
 * between the two at that time, and FROM is -1. */
#ifndef TESTS_RANDOM_LOG_H
#define TESTS_RANDOM_LOG_H

#include <stdint.h>
#include <stdio.h>

enum { LOG_FUNCTIONS = 256, LOG_NOTHING = -1, LOG_UNIQUE = 1000 };

struct log {
    FILE *file;
    int thread;
    long calls; /* number of the next one */
    struct log_function {
        const char *name;
        long calls;
        long long sent, received;
    } functions[LOG_FUNCTIONS], *last; /* that of the last call */
};

/* One call: CALL(log, MPI_Barrier, comm) */
#define CALL(log, function, ...) (log_call((log), #function), function(__VA_ARGS__))

/* PREFIX.RANK.THREAD, of a log that is zero at first. Calls may have been counted before. Exits if it cannot be written. */
void log_open(struct log *l, const char *prefix, int rank, int thread);
/* With the records of all functions. */
void log_close(struct log *l);

void log_call(struct log *l, const char *function);

/* Of the last call. Bytes are what refrain-stat(1) counts at a call. */
void log_volume(struct log *l, long long sent, long long received);
void log_send(struct log *l, int to, int tag, uint64_t comm, long long bytes);
/* Of `from` and `tag`, LOG_NOTHING is any. */
void log_post(struct log *l, int from, int tag, uint64_t comm);
void log_got(struct log *l, long posted, int from, int tag, uint64_t comm, long long bytes, long sent);
void log_sync(struct log *l, uint64_t group);
void log_name(struct log *l, uint64_t group);
void log_make(struct log *l, uint64_t group, uint64_t request);
void log_start(struct log *l, uint64_t request);
void log_access(struct log *l, int from, int to, long long bytes);
/* `target`: a process of the run, or LOG_NOTHING. */
void log_window(struct log *l, int target, uint64_t window);
void log_local(struct log *l);
void log_none(struct log *l);

/* A group that another thread has made. */
void log_name_of(struct log *l, long call, int thread, uint64_t group);

#endif
