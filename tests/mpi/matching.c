/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that contain the number of the call that sent them, so the program knows what `refrain
 * messages` must print: tests/mpi/matching.sh compares.
 *
 *     matching PREFIX
 *     matching
 *
 * The process with rank R writes PREFIX.R, with a line for each message that it received and for
 * each of its collective calls:
 *
 *     message  S:17 -> R:31, R:35  comm=comm0  tag=5  bytes=16
 *     collective  MPI_Bcast  comm=comm0  number=2  R:40
 *
 * Without a prefix it only posts a receive that never completes.
 *
 * Calls are counted as in a trace: by thread, from 0, only those of MPI_. The program shares
 * nothing with Refrain. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The content of a message: the call that sends it. */
struct payload {
    long thread, call;
};
enum { BYTES = sizeof(struct payload), LONGS = 2 };

/* A receive, from its posting on. */
struct taken {
    struct payload from;
    long posted;
    const char *comm;
};

enum { ROUNDS = 5, OFTEN = 4, PLACES = 16 };

static int rank, size, right, left;
static FILE *file;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the file */
static _Thread_local long calls, thread;

/* C(call) makes an MPI call. NOW is its number while its arguments are made. */
#define C(call) ((call), calls++)
#define NOW     calls

static const char *where(long of_thread, long call)
{
    static _Thread_local char texts[8][64];
    static _Thread_local unsigned next;
    char *text = texts[next++ % 8];
    if (of_thread > 0)
        snprintf(text, sizeof texts[0], ".%ld:%ld", of_thread, call);
    else
        snprintf(text, sizeof texts[0], ":%ld", call);
    return text;
}

/* Reports a received message, from `source` in MPI_COMM_WORLD. */
static void got(const struct payload *p, int source, long post_thread, long posted, long completed,
                const char *comm, int tag)
{
    pthread_mutex_lock(&lock);
    fprintf(file, "message  %d%s -> %d%s", source, where(p->thread, p->call), rank,
            where(post_thread, posted));
    if (post_thread != thread || posted != completed)
        fprintf(file, ", %d%s", rank, where(thread, completed));
    fprintf(file, "  comm=%s  tag=%d  bytes=%d\n", comm, tag, BYTES);
    pthread_mutex_unlock(&lock);
}

/* Reports that the next call is number `number` of the collective operations on the
 * communicator. */
static void together(const char *function, const char *comm, int number)
{
    pthread_mutex_lock(&lock);
    fprintf(file, "collective  %s  comm=%s  number=%d  %d%s\n", function, comm, number, rank,
            where(thread, NOW));
    pthread_mutex_unlock(&lock);
}

static struct payload now(void)
{
    return (struct payload){thread, NOW};
}

#define WORLD "MPI_COMM_WORLD"

static int world_number; /* of the next collective operation on MPI_COMM_WORLD, … */
static int world_made;   /* … and of the next window or persistent request that it will create */

static void barrier(void)
{
    together("MPI_Barrier", WORLD, world_number++);
    C(MPI_Barrier(MPI_COMM_WORLD));
}

/* All modes of sending; a receive whose sender is only in the status. */
static void blocking(void)
{
    static int (*const send[])(const void *, int, MPI_Datatype, int, int, MPI_Comm) = {MPI_Send, MPI_Bsend,
                                                                                       MPI_Send};
    static char space[8192];
    struct payload out, in;
    MPI_Status status;
    C(MPI_Buffer_attach(space, sizeof space));
    for (int i = 0; i < 3; i++) {
        out = now();
        C(send[i](&out, LONGS, MPI_LONG, right, i, MPI_COMM_WORLD));
        C(MPI_Recv(&in, LONGS, MPI_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
        got(&in, status.MPI_SOURCE, 0, NOW - 1, NOW - 1, WORLD, status.MPI_TAG);
    }
    void *address;
    int n;
    C(MPI_Buffer_detach(&address, &n));
    barrier();
}

/* One rank receives from all others with MPI_ANY_SOURCE; two messages of each sender with one tag
 * come in their order. */
static void wildcards(void)
{
    struct payload out, in;
    MPI_Status status;
    for (int i = 0; i < 2 && rank > 0; i++) {
        out = now();
        C(MPI_Ssend(&out, LONGS, MPI_LONG, 0, 7, MPI_COMM_WORLD));
    }
    for (int i = 0; i < 2 * (size - 1) && rank == 0; i++) {
        C(MPI_Recv(&in, LONGS, MPI_LONG, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status));
        got(&in, status.MPI_SOURCE, 0, NOW - 1, NOW - 1, WORLD, 7);
    }
    barrier();
}

/* Many requests at the same time, completed by `some`, `any` and `all` in various orders. */
static void in_any_order(void)
{
    struct payload out[PLACES], in[PLACES];
    MPI_Request sends[PLACES], receives[PLACES];
    MPI_Status statuses[PLACES];
    int indices[PLACES], n, flag;
    long posted[PLACES];
    for (int way = 0; way < 6; way++) {
        for (int i = 0; i < PLACES; i++) {
            posted[i] = NOW;
            C(MPI_Irecv(&in[i], LONGS, MPI_LONG, i % 3 == 0 ? MPI_ANY_SOURCE : left,
                        i % 3 == 1 ? MPI_ANY_TAG : 20 + way, MPI_COMM_WORLD, &receives[i]));
        }
        for (int i = 0; i < PLACES; i++) {
            out[i] = now();
            C(MPI_Isend(&out[i], LONGS, MPI_LONG, right, 20 + way, MPI_COMM_WORLD, &sends[i]));
        }
        for (int left_over = PLACES; left_over > 0; left_over -= n) {
            n = 1;
            switch (way) {
            case 0:
                C(MPI_Waitany(PLACES, receives, indices, statuses));
                break;
            case 1:
                C(MPI_Waitsome(PLACES, receives, &n, indices, statuses));
                break;
            case 2:
                C(MPI_Testsome(PLACES, receives, &n, indices, statuses));
                break;
            case 3:
                C(MPI_Testany(PLACES, receives, indices, &flag, statuses));
                n = flag;
                break;
            case 4: /* from the last to the first */
                indices[0] = left_over - 1;
                C(MPI_Wait(&receives[indices[0]], statuses));
                break;
            default:
                C(MPI_Testall(PLACES, receives, &flag, statuses));
                n = flag ? PLACES : 0;
                for (int i = 0; i < n; i++)
                    indices[i] = i;
            }
            for (int i = 0; i < n; i++)
                got(&in[indices[i]], statuses[i].MPI_SOURCE, 0, posted[indices[i]], NOW - 1, WORLD,
                    statuses[i].MPI_TAG);
        }
        C(MPI_Waitall(PLACES, sends, MPI_STATUSES_IGNORE));
        barrier();
    }
}

/* A receive from any source that was posted first gets the first message, however late it is
 * completed. */
static void late_wildcard(void)
{
    struct payload out[2], first, second;
    MPI_Request receives[2], sends[2];
    MPI_Status status;
    long posted[2];
    posted[0] = NOW;
    C(MPI_Irecv(&first, LONGS, MPI_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &receives[0]));
    posted[1] = NOW;
    C(MPI_Irecv(&second, LONGS, MPI_LONG, left, 31, MPI_COMM_WORLD, &receives[1]));
    for (int i = 0; i < 2; i++) {
        out[i] = now();
        C(MPI_Isend(&out[i], LONGS, MPI_LONG, right, 31, MPI_COMM_WORLD, &sends[i]));
    }
    C(MPI_Wait(&receives[1], &status));
    got(&second, left, 0, posted[1], NOW - 1, WORLD, 31);
    C(MPI_Waitall(2, sends, MPI_STATUSES_IGNORE));
    C(MPI_Wait(&receives[0], &status));
    got(&first, left, 0, posted[0], NOW - 1, WORLD, status.MPI_TAG);
    barrier();
}

static void persistent(void)
{
    struct payload out[2], in[2];
    MPI_Request requests[4];
    MPI_Status statuses[4];
    for (int i = 0; i < 2; i++) {
        C(MPI_Recv_init(&in[i], LONGS, MPI_LONG, i ? MPI_ANY_SOURCE : left, 40, MPI_COMM_WORLD,
                        &requests[i]));
        if (i)
            C(MPI_Ssend_init(&out[i], LONGS, MPI_LONG, right, 40, MPI_COMM_WORLD, &requests[2 + i]));
        else
            C(MPI_Send_init(&out[i], LONGS, MPI_LONG, right, 40, MPI_COMM_WORLD, &requests[2 + i]));
    }
    for (int round = 0; round < ROUNDS; round++) {
        long posted[2];
        out[0] = out[1] = now();
        posted[0] = posted[1] = NOW;
        if (round % 2) {
            C(MPI_Startall(4, requests));
        } else {
            for (int i = 0; i < 4; i++) {
                if (i < 2)
                    posted[i] = NOW;
                else
                    out[i - 2] = now();
                C(MPI_Start(&requests[i]));
            }
        }
        C(MPI_Waitall(4, requests, statuses));
        for (int i = 0; i < 2; i++)
            got(&in[i], left, 0, posted[i], NOW - 1, WORLD, 40);
    }
    for (int i = 0; i < 4; i++)
        C(MPI_Request_free(&requests[i]));
    barrier();
}

/* A message has its place from the probe on, and its receive takes that place. */
static void probed(void)
{
    struct payload out[2], in[2], later;
    MPI_Request requests[3];
    MPI_Message message[2];
    MPI_Status status;
    long posted;
    int flag;
    for (int i = 0; i < 2; i++) {
        out[i] = now();
        C(MPI_Isend(&out[i], LONGS, MPI_LONG, right, 50, MPI_COMM_WORLD, &requests[i]));
    }
    C(MPI_Mprobe(MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, &message[0], &status));
    C(MPI_Recv(&later, LONGS, MPI_LONG, left, 50, MPI_COMM_WORLD, &status));
    got(&later, left, 0, NOW - 1, NOW - 1, WORLD, 50);
    C(MPI_Mrecv(&in[0], LONGS, MPI_LONG, &message[0], &status));
    got(&in[0], left, 0, NOW - 1, NOW - 1, WORLD, 50);
    C(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    barrier();
    for (int i = 0; i < 2; i++) {
        out[i] = now();
        C(MPI_Isend(&out[i], LONGS, MPI_LONG, right, 51, MPI_COMM_WORLD, &requests[i]));
    }
    for (int i = 0; i < 2; i++) {
        do
            C(MPI_Improbe(left, 51, MPI_COMM_WORLD, &flag, &message[i], &status));
        while (!flag);
    }
    C(MPI_Mrecv(&in[1], LONGS, MPI_LONG, &message[1], &status));
    got(&in[1], left, 0, NOW - 1, NOW - 1, WORLD, 51);
    posted = NOW;
    C(MPI_Imrecv(&in[0], LONGS, MPI_LONG, &message[0], &requests[2]));
    C(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
    got(&in[0], left, 0, posted, NOW - 1, WORLD, 51);
    barrier();
}

static void both_ways(void)
{
    struct payload out, in;
    for (int i = 0; i < ROUNDS; i++) {
        out = now();
        C(MPI_Sendrecv(&out, LONGS, MPI_LONG, right, 60, &in, LONGS, MPI_LONG, MPI_ANY_SOURCE, 60,
                       MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        got(&in, left, 0, NOW - 1, NOW - 1, WORLD, 60);
        in = now();
        C(MPI_Sendrecv_replace(&in, LONGS, MPI_LONG, right, 61, left, 61, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        got(&in, left, 0, NOW - 1, NOW - 1, WORLD, 61);
        C(MPI_Sendrecv(&out, LONGS, MPI_LONG, MPI_PROC_NULL, 60, &in, LONGS, MPI_LONG, MPI_PROC_NULL, 60,
                       MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    barrier();
}

/* Cancelled receives take no message; those after them do. */
static void cancelled(void)
{
    struct payload out, in[3];
    MPI_Request requests[3];
    MPI_Status status;
    long posted;
    C(MPI_Irecv(&in[0], LONGS, MPI_LONG, left, 70, MPI_COMM_WORLD, &requests[0]));
    C(MPI_Irecv(&in[1], LONGS, MPI_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]));
    posted = NOW;
    C(MPI_Irecv(&in[2], LONGS, MPI_LONG, left, 70, MPI_COMM_WORLD, &requests[2]));
    for (int i = 0; i < 2; i++)
        C(MPI_Cancel(&requests[i]));
    barrier();
    out = now();
    C(MPI_Send(&out, LONGS, MPI_LONG, right, 70, MPI_COMM_WORLD));
    C(MPI_Wait(&requests[2], &status));
    got(&in[2], left, 0, posted, NOW - 1, WORLD, 70);
    C(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    barrier();
}

/* A receive with wildcards whose buffer is too short takes its message; the next one takes the next. */
static void truncated(void)
{
    struct payload out, in, sent;
    MPI_Request requests[2];
    int index, flag;
    C(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    for (int way = 0; way < 6; way++) {
        out = now();
        C(MPI_Sendrecv(&out, LONGS, MPI_LONG, right, 74, &in, LONGS, MPI_LONG, left, 74, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE));
        got(&in, left, 0, NOW - 1, NOW - 1, WORLD, 74);
        sent = (struct payload){in.thread, in.call + 1}; /* the next call of that process */
        C(MPI_Isend(&out, LONGS, MPI_LONG, right, 75, MPI_COMM_WORLD, &requests[0]));
        const long posted = NOW;
        if (way == 0) {
            C(MPI_Recv(&in, 1, MPI_LONG, MPI_ANY_SOURCE, 75, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        } else if (way == 1) {
            C(MPI_Sendrecv(NULL, 0, MPI_LONG, MPI_PROC_NULL, 0, &in, 1, MPI_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG,
                           MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        } else {
            C(MPI_Irecv(&in, 1, MPI_LONG, left, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]));
            if (way == 2)
                C(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
            else if (way == 3)
                C(MPI_Waitany(1, &requests[1], &index, MPI_STATUS_IGNORE));
            else
                do
                    C(way == 4 ? MPI_Test(&requests[1], &flag, MPI_STATUS_IGNORE)
                               : MPI_Testany(1, &requests[1], &index, &flag, MPI_STATUS_IGNORE));
                while (!flag);
        }
        got(&sent, left, 0, posted, NOW - 1, WORLD, 75);
        C(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
        out = now();
        C(MPI_Sendrecv(&out, LONGS, MPI_LONG, right, 75, &in, LONGS, MPI_LONG, left, 75, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE));
        got(&in, left, 0, NOW - 1, NOW - 1, WORLD, 75);
    }
    C(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    barrier();
}

/* The status is read before the request is completed. */
static void peeked(void)
{
    struct payload out, in;
    MPI_Request requests[2];
    MPI_Status status;
    long posted = NOW;
    int flag;
    C(MPI_Irecv(&in, LONGS, MPI_LONG, left, 80, MPI_COMM_WORLD, &requests[0]));
    out = now();
    C(MPI_Isend(&out, LONGS, MPI_LONG, right, 80, MPI_COMM_WORLD, &requests[1]));
    do
        C(MPI_Request_get_status(requests[0], &flag, &status));
    while (!flag);
    got(&in, left, 0, posted, NOW - 1, WORLD, 80);
    C(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    barrier();
}

/* Ranks are those of the communicator; in an intercommunicator, those of the other side.
 * Communicators are numbered in the order of rank 0: the even ranks, the bridge, all, copies of
 * the even ones; then rank 1's. With MPI_THREAD_MULTIPLE each copy has its own number, unless it
 * has a single member. */
static void communicators(void)
{
    const int side = rank % 2, sides[] = {(size + 1) / 2, size / 2};
    const int first_copy = side ? 3 + (sides[0] > 1 ? OFTEN : 1) + 1 : 3;
    char half_name[16], copy_name[16];
    struct payload out, in;
    MPI_Comm half, bridge, merged, copy;
    MPI_Status status;
    int number = 0;
    snprintf(half_name, sizeof half_name, "comm%d", side ? first_copy - 1 : 0);
    together("MPI_Comm_split", WORLD, world_number++);
    C(MPI_Comm_split(MPI_COMM_WORLD, side, -rank, &half));
    const int n = sides[side], at = n - 1 - rank / 2; /* the last rank is the first */
    out = now();
    C(MPI_Sendrecv(&out, LONGS, MPI_LONG, (at + 1) % n, 90, &in, LONGS, MPI_LONG, (at + n - 1) % n, 90, half,
                   &status));
    got(&in, 2 * (n - 1 - status.MPI_SOURCE) + side, 0, NOW - 1, NOW - 1, half_name, 90);
    together("MPI_Intercomm_create", half_name, number++);
    C(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, side ? 2 * (sides[0] - 1) : 2 * (sides[1] - 1) + 1, 5,
                           &bridge));
    /* Each process sends to each one on the other side. */
    for (int i = 0; i < sides[!side]; i++) {
        MPI_Request request;
        static struct payload kept[PLACES];
        kept[i] = now();
        C(MPI_Isend(&kept[i], LONGS, MPI_LONG, i, 91, bridge, &request));
        C(MPI_Request_free(&request));
    }
    for (int i = 0; i < sides[!side]; i++) {
        C(MPI_Recv(&in, LONGS, MPI_LONG, MPI_ANY_SOURCE, 91, bridge, &status));
        got(&in, 2 * (sides[!side] - 1 - status.MPI_SOURCE) + !side, 0, NOW - 1, NOW - 1, "comm1", 91);
    }
    int bridged = 0;
    together("MPI_Barrier", "comm1", bridged++);
    C(MPI_Barrier(bridge));
    together("MPI_Intercomm_merge", "comm1", bridged++);
    C(MPI_Intercomm_merge(bridge, !side, &merged)); /* the odd ones first */
    const int others = side ? 0 : sides[1], me = others + at;
    out = now();
    C(MPI_Sendrecv(&out, LONGS, MPI_LONG, (me + 1) % size, 92, &in, LONGS, MPI_LONG, (me + size - 1) % size,
                   92, merged, &status));
    const int from = status.MPI_SOURCE;
    got(&in, from < sides[1] ? 2 * (sides[1] - 1 - from) + 1 : 2 * (sides[0] - 1 - (from - sides[1])), 0,
        NOW - 1, NOW - 1, "comm2", 92);
    for (int i = 0; i < OFTEN; i++) {
        snprintf(copy_name, sizeof copy_name, "comm%d", first_copy + (n > 1 ? i : 0));
        together("MPI_Comm_dup", half_name, number++);
        C(MPI_Comm_dup(half, &copy));
        out = now();
        C(MPI_Sendrecv(&out, LONGS, MPI_LONG, (at + 1) % n, 93, &in, LONGS, MPI_LONG, (at + n - 1) % n, 93,
                       copy, &status));
        got(&in, 2 * (n - 1 - status.MPI_SOURCE) + side, 0, NOW - 1, NOW - 1, copy_name, 93);
        together("MPI_Comm_free", copy_name, n > 1 ? 0 : i);
        C(MPI_Comm_free(&copy));
    }
    together("MPI_Comm_free", "comm2", 0);
    C(MPI_Comm_free(&merged));
    together("MPI_Comm_free", "comm1", bridged++);
    C(MPI_Comm_free(&bridge));
    together("MPI_Comm_free", half_name, number++);
    C(MPI_Comm_free(&half));
    barrier();
}

/* Blocking and non-blocking operations have one common order; they may be completed in another. */
static void collectives(void)
{
    MPI_Request requests[3];
    int x = rank, y = 0, z = 0;
    for (int i = 0; i < ROUNDS; i++) {
        together("MPI_Ibcast", WORLD, world_number++);
        C(MPI_Ibcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]));
        together("MPI_Allreduce", WORLD, world_number++);
        C(MPI_Allreduce(&y, &z, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        together("MPI_Ibarrier", WORLD, world_number++);
        C(MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]));
        C(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
        C(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
        together("MPI_Barrier", "MPI_COMM_SELF", i);
        C(MPI_Barrier(MPI_COMM_SELF));
    }
}

#if MPI_VERSION >= 4
/* Partitioned requests are paired in the order of their creation; each of their messages has all
 * partitions. */
static void partitioned(void)
{
    struct payload out[2], in[2];
    MPI_Request sends[2], receives[2];
    long posted[2];
    for (int i = 0; i < 2; i++) {
        C(MPI_Psend_init(&out[i], LONGS, 1, MPI_LONG, right, 100, MPI_COMM_WORLD, MPI_INFO_NULL, &sends[i]));
        C(MPI_Precv_init(&in[i], 1, LONGS, MPI_LONG, left, 100, MPI_COMM_WORLD, MPI_INFO_NULL, &receives[i]));
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < 2; k++) {
            const int i = round % 2 ? 1 - k : k;
            out[i] = now();
            C(MPI_Start(&sends[i]));
            for (int p = 0; p < LONGS; p++)
                C(MPI_Pready(p, sends[i]));
            posted[k] = NOW;
            C(MPI_Start(&receives[k]));
        }
        C(MPI_Waitall(2, sends, MPI_STATUSES_IGNORE));
        C(MPI_Waitall(2, receives, MPI_STATUSES_IGNORE));
        for (int i = 0; i < 2; i++)
            got(&in[i], left, 0, posted[i], NOW - 1, WORLD, 100);
    }
    for (int i = 0; i < 2; i++) {
        C(MPI_Request_free(&sends[i]));
        C(MPI_Request_free(&receives[i]));
    }
    barrier();
}

/* No wildcards: MPICH 4.0 does not set the status. */
static void both_ways_at_once(void)
{
    struct payload out, in, changed;
    MPI_Request requests[2];
    for (int i = 0; i < ROUNDS; i++) {
        const long posted = NOW;
        out = now();
        C(MPI_Isendrecv(&out, LONGS, MPI_LONG, right, 110, &in, LONGS, MPI_LONG, left, 110, MPI_COMM_WORLD,
                        &requests[0]));
        changed = now();
        C(MPI_Isendrecv_replace(&changed, LONGS, MPI_LONG, right, 111, left, 111, MPI_COMM_WORLD,
                                &requests[1]));
        C(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        got(&in, left, 0, posted, NOW - 1, WORLD, 110);
        got(&changed, left, 0, posted + 1, NOW - 1, WORLD, 111);
    }
    barrier();
}

/* Starts of persistent operations are counted separately. */
static void persistent_collectives(void)
{
    MPI_Request requests[2];
    int x = 0;
    together("MPI_Barrier_init", WORLD, world_number);
    C(MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
    together("MPI_Bcast_init", WORLD, world_number + 1);
    C(MPI_Bcast_init(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
    for (int i = 0; i < ROUNDS; i++) {
        for (int k = 0; k < 2; k++) {
            char of[32];
            snprintf(of, sizeof of, WORLD "  made=%d", world_made + k);
            together("MPI_Start", of, i);
            C(MPI_Start(&requests[k]));
            C(MPI_Wait(&requests[k], MPI_STATUS_IGNORE));
        }
    }
    world_number += 2;
    world_made += 2;
    for (int k = 0; k < 2; k++)
        C(MPI_Request_free(&requests[k]));
    barrier();
}
#endif

/* Windows and files have their own order. */
static void windows(void)
{
    static long memory;
    MPI_Win win;
    char of[32];
    if (size == 1)
        return; /* Open MPI 4.1 makes no window on one process */
    snprintf(of, sizeof of, WORLD "  made=%d", world_made++);
    together("MPI_Win_create", WORLD, world_number++);
    C(MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    for (int i = 0; i < 3; i++) {
        together("MPI_Win_fence", of, i);
        C(MPI_Win_fence(0, win));
    }
    together("MPI_Win_free", of, 3);
    C(MPI_Win_free(&win));
    barrier();
}

/* ---- threads --------------------------------------------------------------------------------- */

static pthread_barrier_t step;
static MPI_Request handed;
static struct payload handed_in;
static long handed_posted;

/* Messages of each thread with its own tag; then a request that the other thread completes, and
 * one with the same number that it does not. */
static void both_threads(void)
{
    struct payload out, in;
    for (int i = 0; i < ROUNDS; i++) {
        out = now();
        C(MPI_Sendrecv(&out, LONGS, MPI_LONG, right, 120 + (int)thread, &in, LONGS, MPI_LONG, left,
                       120 + (int)thread, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        got(&in, left, thread, NOW - 1, NOW - 1, WORLD, 120 + (int)thread);
    }
    for (int i = 0; i < 2 * ROUNDS; i++) {
        pthread_barrier_wait(&step);
        if (thread == 0) {
            handed_posted = NOW;
            C(MPI_Irecv(&handed_in, LONGS, MPI_LONG, left, 130, MPI_COMM_WORLD, &handed));
            out = now();
            C(MPI_Send(&out, LONGS, MPI_LONG, right, 130, MPI_COMM_WORLD));
        }
        pthread_barrier_wait(&step);
        if (thread == i % 2) {
            C(MPI_Wait(&handed, MPI_STATUS_IGNORE));
            got(&handed_in, left, 0, handed_posted, NOW - 1, WORLD, 130);
        }
    }
}

static void *second_thread(void *unused)
{
    thread = 1;
    both_threads();
    return unused;
}

static void threads(void)
{
    pthread_t other;
    pthread_barrier_init(&step, NULL, 2);
    pthread_create(&other, NULL, second_thread, NULL);
    both_threads();
    pthread_join(other, NULL);
    pthread_barrier_destroy(&step);
}

static int leave_one(void)
{
    static int never;
    MPI_Request request;
    MPI_Irecv(&never, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request);
    return MPI_Finalize();
}

int main(int argc, char **argv)
{
    char name[4096];
    int provided;
    C(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    C(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    C(MPI_Comm_size(MPI_COMM_WORLD, &size));
    if (argc < 2)
        return leave_one();
    snprintf(name, sizeof name, "%s.%d", argv[1], rank);
    file = fopen(name, "w");
    if (!file || provided < MPI_THREAD_MULTIPLE)
        return 1;
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    if (size > 1) /* a process need not be able to send to itself in this way */
        blocking();
    wildcards();
    in_any_order();
    late_wildcard();
    persistent();
    probed();
    both_ways();
    cancelled();
    truncated();
    peeked();
    if (size > 1)
        communicators();
    collectives();
    windows();
#if MPI_VERSION >= 4
    partitioned();
    both_ways_at_once();
    persistent_collectives();
#endif
    threads();
    C(MPI_Finalize());
    return fclose(file) != 0;
}
