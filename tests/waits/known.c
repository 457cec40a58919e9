/* SPDX-License-Identifier: BSD-3-Clause */
/* A program whose waiting is known: in each case a rank sleeps and others wait. The file of the
 * first argument gets who waited how long, by the clock that all processes of a machine share:
 *
 *     case metric line rank seconds
 *
 * Calls of PMPI_ are not recorded, so they can synchronise the processes. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LATE 0.08 /* in seconds */
enum { RANKS = 4 };

static int rank, number, line, buffer[2 * RANKS], other[2 * RANKS];
static double begin, end;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Makes a rank late. */
static void late(int who, double seconds)
{
    const struct timespec t = {.tv_nsec = (long)(seconds * 1e9)};
    if (rank == who)
        nanosleep(&t, NULL);
}

/* The call that waits, or that others wait for. */
#define CALL(call)                                                                                           \
    do {                                                                                                     \
        line = __LINE__;                                                                                     \
        begin = now();                                                                                       \
        call;                                                                                                \
        end = now();                                                                                         \
    } while (0)
#define WORLD  MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE

/* ---- messages: rank 0 receives or sends ------------------------------------------------------ */

static void send(int who, int tag)
{
    if (rank == who)
        CALL(MPI_Send(buffer, 1, MPI_INT, 0, tag, WORLD));
}

static void late_sender(void)
{
    late(1, LATE);
    send(1, 0);
    if (rank == 0)
        CALL(MPI_Recv(buffer, 1, MPI_INT, 1, 0, WORLD, IGNORE));
}

static void late_sender_wait(void)
{
    MPI_Request request;
    late(1, LATE);
    send(1, 0);
    if (rank == 0) {
        MPI_Irecv(buffer, 1, MPI_INT, 1, 0, WORLD, &request);
        CALL(MPI_Wait(&request, IGNORE));
    }
}

static void late_sender_waitall(void)
{
    MPI_Request requests[2];
    late(1, LATE / 2);
    late(2, LATE);
    send(1, 0);
    send(2, 0);
    if (rank == 0) {
        MPI_Irecv(buffer, 1, MPI_INT, 1, 0, WORLD, &requests[0]);
        MPI_Irecv(other, 1, MPI_INT, 2, 0, WORLD, &requests[1]);
        CALL(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    }
}

static void late_sender_sendrecv(void)
{
    late(1, LATE);
    if (rank <= 1)
        CALL(MPI_Sendrecv(buffer, 1, MPI_INT, 1 - rank, 0, other, 1, MPI_INT, 1 - rank, 0, WORLD, IGNORE));
}

/* If the processor was away between two calls, that is no waiting (refrain-waits(1)). */
static int poll(MPI_Request *request)
{
    static double last;
    int flag;
    const double t = now();
    if (last > begin && t > last + 20e-6)
        begin += t - last;
    line = __LINE__ + 1;
    MPI_Test(request, &flag, IGNORE);
    last = now();
    return flag;
}

static int poll_some(MPI_Request *request)
{
    static double last;
    int some, index;
    const double t = now();
    if (last > begin && t > last + 20e-6)
        begin += t - last;
    line = __LINE__ + 1;
    MPI_Testsome(1, request, &some, &index, MPI_STATUSES_IGNORE);
    last = now();
    return some > 0;
}

static void late_sender_test(void)
{
    MPI_Request request;
    late(1, LATE);
    send(1, 0);
    if (rank == 0) {
        MPI_Irecv(buffer, 1, MPI_INT, 1, 0, WORLD, &request);
        CALL(while (!poll(&request)));
    }
}

static void late_sender_testsome(void)
{
    MPI_Request request;
    late(1, LATE);
    send(1, 0);
    if (rank == 0) {
        MPI_Irecv(buffer, 1, MPI_INT, 1, 0, WORLD, &request);
        CALL(while (!poll_some(&request)));
    }
}

/* The message has arrived when it is waited for: the program waited in the probe. */
static void late_sender_probe_irecv(void)
{
    MPI_Request request;
    MPI_Status status;
    late(1, LATE);
    send(1, 0);
    if (rank == 0) {
        CALL(MPI_Probe(MPI_ANY_SOURCE, 0, WORLD, &status));
        MPI_Irecv(buffer, 1, MPI_INT, status.MPI_SOURCE, 0, WORLD, &request);
        MPI_Wait(&request, IGNORE);
    }
}

/* A probe finds one message; then another one is waited for. */
static void late_sender_other_probe(void)
{
    MPI_Status status;
    send(2, 1);
    PMPI_Barrier(WORLD);
    late(1, LATE);
    send(1, 0);
    if (rank == 0) {
        MPI_Probe(2, 1, WORLD, &status);
        CALL(MPI_Recv(buffer, 1, MPI_INT, 1, 0, WORLD, IGNORE));
        PMPI_Recv(buffer, 1, MPI_INT, 2, 1, WORLD, IGNORE);
    }
}

static void late_sender_probe(void)
{
    int count;
    MPI_Status status;
    late(1, LATE);
    send(1, 0);
    if (rank == 0) {
        CALL(MPI_Probe(1, 0, WORLD, &status));
        MPI_Get_count(&status, MPI_INT, &count);
        MPI_Recv(buffer, count, MPI_INT, 1, 0, WORLD, IGNORE);
    }
}

static void late_sender_persistent(void)
{
    MPI_Request request;
    late(1, LATE);
    send(1, 0);
    if (rank == 0) {
        MPI_Recv_init(buffer, 1, MPI_INT, 1, 0, WORLD, &request);
        MPI_Start(&request);
        CALL(MPI_Wait(&request, IGNORE));
        MPI_Request_free(&request);
    }
}

static void other_order(void)
{
    late(1, LATE);
    send(1, 0);
    send(2, 0);
    if (rank == 0) {
        CALL(MPI_Recv(buffer, 1, MPI_INT, 1, 0, WORLD, IGNORE));
        MPI_Recv(buffer, 1, MPI_INT, 2, 0, WORLD, IGNORE);
    }
}

static void same_order(void)
{
    send(1, 1);
    late(1, LATE);
    send(1, 0);
    if (rank == 0) {
        CALL(MPI_Recv(buffer, 1, MPI_INT, 1, 0, WORLD, IGNORE));
        MPI_Recv(buffer, 1, MPI_INT, 1, 1, WORLD, IGNORE);
    }
}

static void receive(void)
{
    late(1, LATE);
    if (rank == 1)
        CALL(MPI_Recv(buffer, 1, MPI_INT, 0, 0, WORLD, IGNORE));
}

static void late_receiver(void)
{
    receive();
    if (rank == 0)
        CALL(MPI_Ssend(buffer, 1, MPI_INT, 1, 0, WORLD));
}

static void late_receiver_wait(void)
{
    MPI_Request request;
    receive();
    if (rank == 0) {
        MPI_Issend(buffer, 1, MPI_INT, 1, 0, WORLD, &request);
        CALL(MPI_Wait(&request, IGNORE));
    }
}

static void late_receiver_test(void)
{
    MPI_Request request;
    receive();
    if (rank == 0) {
        MPI_Issend(buffer, 1, MPI_INT, 1, 0, WORLD, &request);
        CALL(while (!poll(&request)));
    }
}

/* Everything has arrived when it is asked for. */
static void no_waiting(void)
{
    send(1, 0);
    send(2, 0);
    PMPI_Barrier(WORLD);
    for (int from = 1; rank == 0 && from <= 2; from++)
        CALL(MPI_Recv(buffer, 1, MPI_INT, from, 0, WORLD, IGNORE));
}

/* ---- collective operations ------------------------------------------------------------------- */

static void barrier(void)
{
    late(2, LATE);
    CALL(MPI_Barrier(WORLD));
}

static void allreduce(void)
{
    late(1, LATE);
    CALL(MPI_Allreduce(buffer, other, 1, MPI_INT, MPI_SUM, WORLD));
}

/* The completing call waits; the late rank enters the operation later. */
static void ialltoall(void)
{
    MPI_Request request;
    late(1, LATE);
    const double came = now();
    MPI_Ialltoall(buffer, 1, MPI_INT, other, 1, MPI_INT, WORLD, &request);
    CALL(MPI_Wait(&request, IGNORE));
    if (rank == 1)
        begin = came;
}

static void ibarrier_test(void)
{
    MPI_Request request;
    late(1, LATE);
    const double came = now();
    MPI_Ibarrier(WORLD, &request);
    CALL(while (!poll(&request)));
    if (rank == 1)
        begin = came;
}

static void allgatherv_in_place(void)
{
    int counts[] = {1, 1, 1, 1}, places[] = {0, 1, 2, 3};
    late(1, LATE);
    CALL(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, other, counts, places, MPI_INT, WORLD));
}

static void bcast(void)
{
    late(1, LATE);
    CALL(MPI_Bcast(buffer, 1, MPI_INT, 1, WORLD));
}

static void scatter(void)
{
    late(1, LATE);
    CALL(MPI_Scatter(buffer, 1, MPI_INT, other, 1, MPI_INT, 1, WORLD));
}

static void reduce(void)
{
    late(2, LATE);
    CALL(MPI_Reduce(buffer, other, 1, MPI_INT, MPI_SUM, 0, WORLD));
}

static void gather(void)
{
    late(2, LATE);
    CALL(MPI_Gather(buffer, 1, MPI_INT, other, 1, MPI_INT, 0, WORLD));
}

static void scan(void)
{
    late(1, LATE);
    CALL(MPI_Scan(buffer, other, 1, MPI_INT, MPI_SUM, WORLD));
}

/* On a ring, 1 and 3 have the neighbours 0 and 2. */
static void neighbours(void)
{
    static MPI_Comm ring;
    MPI_Cart_create(WORLD, 1, (int[]){number}, (int[]){1}, 0, &ring);
    PMPI_Barrier(WORLD);
    late(1, LATE);
    CALL(MPI_Neighbor_alltoall(buffer, 1, MPI_INT, other, 1, MPI_INT, ring));
    PMPI_Barrier(WORLD);
    MPI_Comm_free(&ring);
}

/* Rank 3 waits for rank 0, which does not depend on rank 1, which enters much later. */
static void ineighbours(void)
{
    static MPI_Comm ring;
    MPI_Request request;
    MPI_Cart_create(WORLD, 1, (int[]){number}, (int[]){1}, 0, &ring);
    PMPI_Barrier(WORLD);
    late(0, LATE / 2);
    late(1, LATE);
    const double came = now();
    MPI_Ineighbor_alltoall(buffer, 1, MPI_INT, other, 1, MPI_INT, ring, &request);
    CALL(MPI_Wait(&request, IGNORE));
    if (rank <= 1)
        begin = came;
    PMPI_Barrier(WORLD);
    MPI_Comm_free(&ring);
}

static MPI_File file;

static void file_open(void)
{
    late(1, LATE);
    CALL(MPI_File_open(WORLD, "known.data", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                       MPI_INFO_NULL, &file));
}

static void file_write(void)
{
    late(2, LATE);
    CALL(MPI_File_write_at_all(file, rank * 4096, buffer, 1, MPI_INT, IGNORE));
}

static void file_close(void)
{
    late(1, LATE);
    CALL(MPI_File_close(&file));
}

static MPI_Win window;

static void win_create(void)
{
    late(1, LATE);
    CALL(MPI_Win_create(buffer, sizeof buffer, sizeof *buffer, MPI_INFO_NULL, WORLD, &window));
}

static void fence(void)
{
    late(2, LATE);
    CALL(MPI_Win_fence(0, window));
}

/* Half of the waiting of rank 0 is an early fence: rank 2 still accesses its window. */
static void early_fence(void)
{
    MPI_Win_fence(0, window);
    PMPI_Barrier(WORLD);
    late(2, LATE / 2);
    if (rank == 2)
        MPI_Put(other, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    late(2, LATE / 2);
    CALL(MPI_Win_fence(MPI_MODE_NOSUCCEED, window));
}

/* Rank 0 accesses the window of rank 1. */
static void epoch(double post, double complete)
{
    MPI_Group world, partner;
    MPI_Comm_group(WORLD, &world);
    MPI_Group_incl(world, 1, (int[]){1 - rank}, &partner);
    if (rank == 0 && complete > 0)
        PMPI_Recv(other, 0, MPI_INT, 1, 0, WORLD, IGNORE); /* the window is posted */
    begin = now();
    if (rank == 0) {
        MPI_Win_start(partner, 0, window);
        MPI_Put(buffer, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        late(0, complete);
        begin = complete > 0 ? now() : begin;
        MPI_Win_complete(window);
        end = now();
    } else {
        late(1, post);
        begin = now();
        MPI_Win_post(partner, 0, window);
        if (complete > 0) {
            PMPI_Send(other, 0, MPI_INT, 0, 0, WORLD);
            CALL(MPI_Win_wait(window));
        } else {
            MPI_Win_wait(window);
        }
    }
    MPI_Group_free(&partner);
    MPI_Group_free(&world);
}

/* The library decides where it waits, in the start or at the end: line 0 stands for both. */
static void late_post(void)
{
    if (rank <= 1)
        epoch(LATE, 0);
}

static void late_complete(void)
{
    if (rank <= 1)
        epoch(0, LATE);
}

/* Rank 2 wants the lock that rank 1 has. The library decides where it waits. */
static void lock_competition(void)
{
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Put(other, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_flush(0, window); /* now it has the lock */
        PMPI_Send(other, 0, MPI_INT, 2, 0, WORLD);
        late(1, LATE);
        MPI_Win_unlock(0, window);
        begin = now();
    } else if (rank == 2) {
        PMPI_Recv(other, 0, MPI_INT, 1, 0, WORLD, IGNORE);
        begin = now();
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Put(buffer, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_unlock(0, window);
        end = now();
    }
}

static void win_free(void)
{
    late(0, LATE);
    CALL(MPI_Win_free(&window));
}

/* ---- who waits for whom ---------------------------------------------------------------------- */

enum rule {
    FIRST,    /* rank 0, for rank 1 and, if it took part, rank 2 */
    FIRST_1,  /* rank 0, for rank 1 */
    SECOND,   /* rank 1, for rank 0 */
    THIRD,    /* rank 2, for rank 1 */
    BOTH,     /* ranks 0 and 1, for each other */
    ALL,      /* all, for all */
    FROM_1,   /* all, for rank 1 */
    TO_0,     /* rank 0, for all */
    PREFIX,   /* each, for those with lower ranks */
    ADJACENT, /* each, for those beside it on a ring */
    BEFORE,   /* all, for those that entered before they left */
    NOBODY
};

static bool waits_for(enum rule rule, int who, int whom)
{
    const int distance = (who - whom + RANKS) % RANKS;
    switch (rule) {
    case FIRST:
        return who == 0 && (whom == 1 || whom == 2);
    case FIRST_1:
        return who == 0 && whom == 1;
    case SECOND:
        return who == 1 && whom == 0;
    case THIRD:
        return who == 2 && whom == 1;
    case BOTH:
        return who + whom == 1;
    case ALL:
    case BEFORE:
        return who != whom;
    case FROM_1:
        return who != 1 && whom == 1;
    case TO_0:
        return who == 0 && whom != 0;
    case PREFIX:
        return whom < who;
    case ADJACENT:
        return distance == 1 || distance == RANKS - 1;
    default:
        return false;
    }
}

struct case_ {
    const char *name;
    void (*run)(void);
    enum rule rule;
    const char *metrics[3]; /* that all have the same waiting */
    const char *completion; /* NULL: no such metric */
};
static const struct case_ cases[] = {
    {"late_sender", late_sender, FIRST_1, {"mpi_latesender"}, NULL},
    {"late_sender_wait", late_sender_wait, FIRST_1, {"mpi_latesender"}, NULL},
    {"late_sender_waitall", late_sender_waitall, FIRST, {"mpi_latesender"}, NULL},
    {"late_sender_sendrecv", late_sender_sendrecv, BOTH, {"mpi_latesender"}, NULL},
    {"late_sender_test", late_sender_test, FIRST_1, {"mpi_latesender"}, NULL},
    {"late_sender_probe", late_sender_probe, FIRST_1, {"mpi_latesender"}, NULL},
    {"late_sender_testsome", late_sender_testsome, FIRST_1, {"mpi_latesender"}, NULL},
    {"late_sender_probe_irecv", late_sender_probe_irecv, FIRST_1, {"mpi_latesender"}, NULL},
    {"late_sender_other_probe", late_sender_other_probe, FIRST_1, {"mpi_latesender"}, NULL},
    {"late_sender_persistent", late_sender_persistent, FIRST_1, {"mpi_latesender"}, NULL},
    {"other_order",
     other_order,
     FIRST_1,
     {"mpi_latesender", "mpi_latesender_wo", "mpi_lswo_different"},
     NULL},
    {"same_order", same_order, FIRST_1, {"mpi_latesender", "mpi_latesender_wo", "mpi_lswo_same"}, NULL},
    {"late_receiver", late_receiver, FIRST_1, {"mpi_latereceiver"}, NULL},
    {"late_receiver_wait", late_receiver_wait, FIRST_1, {"mpi_latereceiver"}, NULL},
    {"late_receiver_test", late_receiver_test, FIRST_1, {"mpi_latereceiver"}, NULL},
    {"no_waiting", no_waiting, NOBODY, {NULL}, NULL},
    {"barrier", barrier, ALL, {"mpi_barrier_wait"}, "mpi_barrier_completion"},
    {"allreduce", allreduce, ALL, {"mpi_wait_nxn"}, "mpi_nxn_completion"},
    {"ialltoall", ialltoall, ALL, {"mpi_wait_nxn"}, NULL},
    {"ibarrier_test", ibarrier_test, ALL, {"mpi_barrier_wait"}, NULL},
    {"allgatherv_in_place", allgatherv_in_place, ALL, {"mpi_wait_nxn"}, "mpi_nxn_completion"},
    {"bcast", bcast, FROM_1, {"mpi_latebroadcast"}, NULL},
    {"scatter", scatter, FROM_1, {"mpi_latebroadcast"}, NULL},
    {"reduce", reduce, TO_0, {"mpi_earlyreduce"}, NULL},
    {"gather", gather, TO_0, {"mpi_earlyreduce"}, NULL},
    {"scan", scan, PREFIX, {"mpi_earlyscan"}, NULL},
    {"neighbours", neighbours, ADJACENT, {"mpi_wait_neighbours"}, NULL},
    {"ineighbours", ineighbours, ADJACENT, {"mpi_wait_neighbours"}, NULL},
    {"file_open", file_open, BEFORE, {"mpi_io_wait"}, NULL},
    {"file_write", file_write, BEFORE, {"mpi_io_wait"}, NULL},
    {"file_close", file_close, BEFORE, {"mpi_io_wait"}, NULL},
    {"win_create", win_create, ALL, {"mpi_rma_wait_window_create"}, NULL},
    {"fence", fence, ALL, {"mpi_rma_wait_at_fence"}, NULL},
    {"early_fence", early_fence, ALL, {"mpi_rma_wait_at_fence"}, NULL},
    {"late_post", late_post, FIRST_1, {"mpi_rma_late_post"}, NULL},
    {"late_complete", late_complete, SECOND, {"mpi_rma_early_wait"}, NULL},
    {"lock_competition", lock_competition, THIRD, {"mpi_rma_lock_competition"}, NULL},
    {"win_free", win_free, ALL, {"mpi_rma_wait_window_free"}, NULL},
};

struct times {
    double begin, end;
    int line;
};

static void say(FILE *out, const struct case_ *c, const char *metric, int at, int who, double seconds)
{
    fprintf(out, "%s %s %d %d %.9f\n", c->name, metric, at, who, seconds > 0 ? seconds : 0);
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* The library may pass data on through other ranks: then a rank waits for these, too, after `until`. */
static void say_late_member(FILE *out, const struct case_ *c, const struct times *all, int who, double until)
{
    const struct times *own = &all[who];
    const double from = until > own->begin ? until : own->begin;
    double last = from;
    if (c->rule != FROM_1 && c->rule != TO_0 && c->rule != PREFIX)
        return;
    for (int i = 0; i < number; i++)
        last = all[i].begin <= own->end && all[i].begin > last ? all[i].begin : last;
    if (last > from && own->end - last < (own->end - from) / 4)
        say(out, c, "mpi_latemember", own->line, who, last - from);
}

static void say_rank(FILE *out, const struct case_ *c, const struct times *all, int who)
{
    const struct times *own = &all[who];
    double until = 0, last = 0, first_end = own->end;
    for (int i = 0; i < number; i++) {
        if (waits_for(c->rule, who, i) && all[i].begin > until &&
            (c->rule != BEFORE || all[i].begin <= own->end))
            until = all[i].begin;
        last = all[i].begin > last ? all[i].begin : last;
        first_end = least(first_end, all[i].end);
    }
    const double completion = least(last, own->end) > first_end ? least(last, own->end) : first_end;
    for (int i = 0; i < 3 && c->metrics[i] && until > 0; i++)
        say(out, c, c->metrics[i], own->line, who, least(until, own->end) - own->begin);
    say_late_member(out, c, all, who, until);
    if (c->completion)
        say(out, c, c->completion, own->line, who, own->end - completion);
}

int main(int argc, char **argv)
{
    FILE *out = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &number);
    if (argc < 2 || number != RANKS || (rank == 0 && !(out = fopen(argv[1], "w"))))
        MPI_Abort(WORLD, 2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct times own, all[RANKS];
        begin = end = line = 0;
        PMPI_Barrier(WORLD);
        cases[i].run();
        own = (struct times){begin, end, line};
        PMPI_Gather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, 0, WORLD);
        for (int who = 0; out && who < number; who++)
            say_rank(out, &cases[i], all, who);
    }
    if (out)
        fclose(out);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
