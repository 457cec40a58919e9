/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints all bytes, as numbers, of statuses that the program filled with a pattern before a call.
 * They must be the same with and without the tracer. Calls every procedure with a status, where it
 * sets it and where it does not: statuses.sh finds one that is missing.
 *
 *     statuses PATTERN FILE        on two processes; the byte that fills them, and a file to write and
 *                                  read */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N      3
#define BUFFER 4

static int pattern;
static MPI_Status statuses[N], *const status = statuses;
/* With the header of large_header.sh, calls are those of the large-count procedures. */
#ifdef LARGE_NAMES
typedef MPI_Count elements_t;
#else
typedef int elements_t;
#endif
static elements_t elements;
static MPI_Count elements_x;
static int value[BUFFER], flag, which, count, indices[N];
static MPI_Request requests[N];
static MPI_Message message;

static void fill(void)
{
    memset(statuses, pattern, sizeof statuses);
}

static void show(const char *what)
{
    printf("%s flag=%d elements=%lld,%lld:", what, flag, (long long)elements, (long long)elements_x);
    for (size_t i = 0; i < sizeof statuses; i++)
        printf("%s%02x", i % sizeof *statuses ? "" : " ", ((const unsigned char *)statuses)[i]);
    putchar('\n');
    fflush(stdout);
    flag = -1;
}

/* The name of the procedure that is called, MPI_Recv_c if that is what MPI_Recv means here. */
#define NAME(procedure) #procedure
/* Makes the call and shows the statuses, of which it reads one. */
#define LOOK(procedure, ...) (procedure(__VA_ARGS__), show(NAME(procedure)))
/* Fills the statuses before. */
#define TRY(procedure, ...) (fill(), LOOK(procedure, __VA_ARGS__))

/* Process 1 sends the messages that process 0 requests. */
#define LAST 1000
static void send(int tag)
{
    MPI_Send(NULL, 0, MPI_INT, 1, tag, MPI_COMM_WORLD);
}

static void serve(void)
{
    MPI_Status order;
    for (;;) {
        MPI_Recv(NULL, 0, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &order);
        if (order.MPI_TAG == LAST)
            return;
        MPI_Send(value, 1, MPI_INT, 0, order.MPI_TAG, MPI_COMM_WORLD);
    }
}

static void probes(void)
{
    TRY(MPI_Iprobe, 1, 1, MPI_COMM_WORLD, &flag, status);
    TRY(MPI_Improbe, 1, 1, MPI_COMM_WORLD, &flag, &message, status);
    TRY(MPI_Iprobe, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &flag, status);
    TRY(MPI_Probe, MPI_PROC_NULL, 1, MPI_COMM_WORLD, status);
    TRY(MPI_Mprobe, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &message, status);
    TRY(MPI_Mrecv, value, 1, MPI_INT, &message, status);
    send(2);
    TRY(MPI_Probe, 1, 2, MPI_COMM_WORLD, status);
    LOOK(MPI_Get_count, status, MPI_INT, &elements);
    TRY(MPI_Iprobe, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &flag, status);
    TRY(MPI_Mprobe, 1, 2, MPI_COMM_WORLD, &message, status);
    TRY(MPI_Mrecv, value, 1, MPI_INT, &message, status);
    send(3);
    MPI_Probe(1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    TRY(MPI_Improbe, 1, 3, MPI_COMM_WORLD, &flag, &message, status);
    MPI_Mrecv(value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
}

static void messages(void)
{
    send(1);
    TRY(MPI_Recv, value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, status);
    LOOK(MPI_Get_elements, status, MPI_INT, &elements);
    LOOK(MPI_Get_elements_x, status, MPI_INT, &elements_x);
    LOOK(MPI_Test_cancelled, status, &flag);
    TRY(MPI_Recv, value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, status);
    TRY(MPI_Sendrecv, value, 1, MPI_INT, 0, 1, value + 1, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, status);
    TRY(MPI_Sendrecv_replace, value, 1, MPI_INT, 0, 1, 0, 1, MPI_COMM_WORLD, status);
}

static void receive(int first, int n)
{
    for (int i = first; i < first + n; i++)
        MPI_Irecv(value + i, 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
}

/* Waits until a request is complete; it remains complete. */
static void await(int i)
{
    for (flag = 0; !flag;)
        MPI_Request_get_status(requests[i], &flag, MPI_STATUS_IGNORE);
}

static void one_completion(void)
{
    receive(0, 1);
    TRY(MPI_Test, requests, &flag, status);
    TRY(MPI_Request_get_status, requests[0], &flag, status);
    TRY(MPI_Testany, 1, requests, &which, &flag, status);
    send(0);
    TRY(MPI_Wait, requests, status);
    TRY(MPI_Wait, requests, status); /* null */
    TRY(MPI_Test, requests, &flag, status);
    TRY(MPI_Waitany, 1, requests, &which, status);
    TRY(MPI_Testany, 1, requests, &which, &flag, status);
    receive(0, 2);
    send(1);
    TRY(MPI_Waitany, 2, requests, &which, status);
    send(0);
    await(0);
    TRY(MPI_Request_get_status, requests[0], &flag, status);
    TRY(MPI_Testany, 2, requests, &which, &flag, status);
}

/* Requests that other procedures than MPI_Irecv begin. */
static void other_requests(void)
{
    send(0);
    MPI_Mprobe(1, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(value, 1, MPI_INT, &message, requests);
    TRY(MPI_Wait, requests, status);
    MPI_Recv_init(value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, requests);
    TRY(MPI_Wait, requests, status); /* inactive */
    MPI_Start(requests);
    TRY(MPI_Test, requests, &flag, status);
    send(0);
    TRY(MPI_Wait, requests, status);
    MPI_Request_free(requests);
    MPI_Isend(value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, requests);
    MPI_Irecv(value + 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, requests + 1);
    TRY(MPI_Waitall, 2, requests, statuses);
    MPI_Ibarrier(MPI_COMM_SELF, requests);
    TRY(MPI_Wait, requests, status);
#if MPI_VERSION >= 4
    MPI_Isendrecv(value, 1, MPI_INT, 0, 0, value + 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, requests);
    TRY(MPI_Wait, requests, status);
    MPI_Isendrecv_replace(value, 1, MPI_INT, 0, 0, 0, 0, MPI_COMM_WORLD, requests);
    TRY(MPI_Wait, requests, status);
#endif
}

/* The status of a generalized request, when the program is asked to set it. */
static MPI_Status queried;

/* Open MPI takes an error in it for that of the request. */
static int query(void *state, MPI_Status *asked)
{
    (void)state;
    queried = *asked;
    memset(asked, ~pattern, sizeof *asked);
    MPI_Status_set_elements(asked, MPI_INT, 3);
    MPI_Status_set_cancelled(asked, 0);
    asked->MPI_SOURCE = 1;
    asked->MPI_TAG = 2;
    asked->MPI_ERROR = MPI_SUCCESS;
    return MPI_SUCCESS;
}

static int forget(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

static void show_queried(void)
{
    fill();
    *status = queried;
    show("MPI_Grequest_query_function");
}

static void generalized(void)
{
    MPI_Grequest_start(query, forget, cancel, NULL, requests);
    TRY(MPI_Test, requests, &flag, status);
    MPI_Grequest_complete(requests[0]);
    TRY(MPI_Request_get_status, requests[0], &flag, status);
    show_queried();
    TRY(MPI_Wait, requests, status);
    show_queried();
    MPI_Grequest_start(query, forget, cancel, NULL, requests);
    MPI_Irecv(value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, requests + 1);
    MPI_Grequest_complete(requests[0]);
    TRY(MPI_Waitall, 2, requests, statuses);
    show_queried();
}

static void several_completions(void)
{
    receive(0, N);
    TRY(MPI_Testall, N, requests, &flag, statuses);
    TRY(MPI_Testsome, N, requests, &count, indices, statuses);
    send(1);
    TRY(MPI_Waitsome, N, requests, &count, indices, statuses);
    send(0);
    send(2);
    TRY(MPI_Waitall, N, requests, statuses);
    TRY(MPI_Waitsome, N, requests, &count, indices, statuses);
    receive(0, N);
    for (int i = 0; i < N; i++)
        send(i);
    for (int i = 0; i < N; i++)
        await(i);
    TRY(MPI_Testall, N, requests, &flag, statuses);
}

static void accesses(const char *name)
{
    MPI_File file;
    if (MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                      MPI_INFO_NULL, &file))
        MPI_Abort(MPI_COMM_WORLD, 1);
    TRY(MPI_File_write, file, value, BUFFER, MPI_INT, status);
    TRY(MPI_File_write_all, file, value, BUFFER, MPI_INT, status);
    TRY(MPI_File_write_at, file, 0, value, BUFFER, MPI_INT, status);
    TRY(MPI_File_write_at_all, file, 0, value, BUFFER, MPI_INT, status);
    TRY(MPI_File_write_shared, file, value, BUFFER, MPI_INT, status);
    TRY(MPI_File_write_ordered, file, value, BUFFER, MPI_INT, status);
    MPI_File_write_all_begin(file, value, BUFFER, MPI_INT);
    TRY(MPI_File_write_all_end, file, value, status);
    MPI_File_write_at_all_begin(file, 0, value, BUFFER, MPI_INT);
    TRY(MPI_File_write_at_all_end, file, value, status);
    MPI_File_write_ordered_begin(file, value, BUFFER, MPI_INT);
    TRY(MPI_File_write_ordered_end, file, value, status);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    TRY(MPI_File_read, file, value, BUFFER, MPI_INT, status);
    MPI_Get_count(status, MPI_INT, &elements);
    TRY(MPI_File_read_all, file, value, 1, MPI_INT, status);
    TRY(MPI_File_read_at, file, 0, value, BUFFER, MPI_INT, status);
    TRY(MPI_File_read_at_all, file, 0, value, BUFFER, MPI_INT, status);
    TRY(MPI_File_read_shared, file, value, BUFFER, MPI_INT, status);
    TRY(MPI_File_read_ordered, file, value, 1, MPI_INT, status);
    MPI_File_read_all_begin(file, value, 1, MPI_INT);
    TRY(MPI_File_read_all_end, file, value, status);
    MPI_File_read_at_all_begin(file, 0, value, BUFFER, MPI_INT);
    TRY(MPI_File_read_at_all_end, file, value, status);
    MPI_File_read_ordered_begin(file, value, 1, MPI_INT);
    TRY(MPI_File_read_ordered_end, file, value, status);
    MPI_File_close(&file);
}

/* Converts the first status, whose bytes are other ones than those of the pattern, into one of
 * another type, which is shown as the second. */
#define CONVERT(procedure, from, to)                                                                         \
    (fill(), memset(status, ~pattern, sizeof *status), memcpy(&from, status, sizeof from),                   \
     memset(&to, pattern, sizeof to), procedure((void *)&from, (void *)&to),                                 \
     memcpy(&statuses[1], &to, sizeof to), show(#procedure))

static void conversions(void)
{
    MPI_Fint fortran[sizeof(MPI_Status) / sizeof(MPI_Fint)];
    MPI_Status c;
    CONVERT(MPI_Status_c2f, c, fortran);
    CONVERT(MPI_Status_f2c, fortran, c);
    /* MPICH has these in its Fortran library. */
#if MPI_VERSION >= 4 && defined WITH_FORTRAN
    MPI_F08_status f08;
    CONVERT(MPI_Status_c2f08, c, f08);
    CONVERT(MPI_Status_f082c, f08, c);
#endif
}

static void settings(void)
{
    TRY(MPI_Status_set_cancelled, status, 0);
    TRY(MPI_Status_set_cancelled, status, 1);
    LOOK(MPI_Test_cancelled, status, &flag);
    TRY(MPI_Status_set_elements, status, MPI_INT, 3);
    LOOK(MPI_Get_elements, status, MPI_INT, &elements);
    TRY(MPI_Status_set_elements_x, status, MPI_INT, (MPI_Count)1 << 32);
    LOOK(MPI_Get_elements_x, status, MPI_INT, &elements_x);
}

int main(int argc, char **argv)
{
    int rank;
    if (argc != 3)
        return 2;
    pattern = (int)strtol(argv[1], NULL, 0);
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        probes();
        messages();
        one_completion();
        other_requests();
        generalized();
        several_completions();
        accesses(argv[2]);
        conversions();
        settings();
        send(LAST);
    } else {
        serve();
    }
    MPI_Finalize();
    return 0;
}
