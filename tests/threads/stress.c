/* SPDX-License-Identifier: BSD-3-Clause */
/* Many threads that call MPI as fast as possible, in all ways in which threads meet in the tracer:
 * requests that another thread completes, handles whose values the library reuses, callbacks,
 * checkpoints in between, threads that begin and end.
 *
 *     stress THREADS ROUNDS [ENDING]
 *
 * With an ENDING, the rounds continue until the last thread ends the program: by "exit", by a
 * "signal" to itself, or by one that it sends to "another".
 *
 * The threads synchronise only through this program, so a checker sees the order of everything that
 * is ordered. Ends with 1 if a message is not what was sent. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 16, BATCH = 4 };

/* Requests on their way from the thread that made them to the one that waits for them. */
struct batch {
    MPI_Request requests[2 * BATCH];
    int in[BATCH], out[BATCH];
};

static struct {
    pthread_mutex_t lock;
    struct batch *batch;
} places[PLACES];

static int n_threads, n_rounds, rank, size;
static pthread_t *threads;
static MPI_Comm world;
static int keyval;
static atomic_bool wrong;
static const char *ending = "";

static void fail(const char *what)
{
    fprintf(stderr, "rank %d: %s\n", rank, what);
    atomic_store(&wrong, true);
}

/* Each rank sends to itself, so that threads cannot wait for each other in a circle. */
static struct batch *begin_batch(int tag)
{
    struct batch *b = calloc(1, sizeof *b);
    if (!b)
        abort();
    for (int i = 0; i < BATCH; i++) {
        b->out[i] = 100 * tag + i;
        MPI_Irecv(&b->in[i], 1, MPI_INT, rank, tag, world, &b->requests[i]);
        MPI_Isend(&b->out[i], 1, MPI_INT, rank, tag, world, &b->requests[BATCH + i]);
    }
    return b;
}

static void end_batch(struct batch *b)
{
    MPI_Waitall(2 * BATCH, b->requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < BATCH; i++) {
        if (b->in[i] != b->out[i])
            fail("a message has another content");
    }
    free(b);
}

/* Puts a batch into a place, and completes the previous one. */
static void exchange(int place, struct batch *mine)
{
    pthread_mutex_lock(&places[place].lock);
    struct batch *theirs = places[place].batch;
    places[place].batch = mine;
    pthread_mutex_unlock(&places[place].lock);
    if (theirs)
        end_batch(theirs);
}

/* The library calls it when a communicator with the attribute is freed. */
static int forget(MPI_Comm comm, int key, void *value, void *extra)
{
    int inter;
    (void)key, (void)extra;
    MPI_Comm_test_inter(comm, &inter);
    if (inter || *(const int *)value != 1)
        fail("an attribute has another value");
    return MPI_SUCCESS;
}

static void make_and_free(MPI_Comm comm)
{
    MPI_Comm copy;
    MPI_Datatype type;
    MPI_Info info;
    MPI_Group group;
    MPI_Request request;
    int n, flag;
    MPI_Type_contiguous(4, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_size(type, &n);
    MPI_Type_free(&type);
    if (n != 4 * (int)sizeof(int))
        fail("a datatype has another size");
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Info_free(&info);
    MPI_Comm_dup(comm, &copy);
    MPI_Comm_group(copy, &group);
    MPI_Group_size(group, &n);
    MPI_Group_free(&group);
    MPI_Comm_set_attr(copy, keyval, &n);
    MPI_Comm_free(&copy);
    MPI_Recv_init(&n, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &request);
    MPI_Start(&request);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    if (!flag)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

static void *short_life(void *comm)
{
    int n;
    MPI_Comm_size(*(MPI_Comm *)comm, &n);
    return NULL;
}

static void end_the_program(void)
{
    if (strcmp(ending, "exit") == 0)
        exit(3);
    if (strcmp(ending, "signal") == 0)
        raise(SIGTERM);
    pthread_kill(threads[0], SIGTERM);
}

static void *work(void *argument)
{
    const int number = *(const int *)argument;
    unsigned random = (unsigned)number + 1;
    MPI_Comm own;
    MPI_Comm_dup(MPI_COMM_SELF, &own);
    for (int i = 0; i < n_rounds || *ending; i++) {
        random = random * 1103515245 + 12345;
        exchange((int)(random >> 16) % PLACES, begin_batch(number * 1000 + i % 1000));
        if (i % 8 == 0)
            make_and_free(own);
        if (i % 32 == 0) {
            pthread_t thread;
            if (pthread_create(&thread, NULL, short_life, &own) != 0)
                abort();
            pthread_join(thread, NULL);
        }
        if (*ending && number == n_threads - 1 && i == n_rounds / 2)
            end_the_program();
    }
    MPI_Comm_free(&own);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (argc < 3 || provided != MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 2);
    n_threads = atoi(argv[1]);
    n_rounds = atoi(argv[2]);
    if (argc > 3)
        ending = argv[3];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &keyval, NULL);
    for (int i = 0; i < PLACES; i++)
        pthread_mutex_init(&places[i].lock, NULL);
    threads = calloc((size_t)n_threads, sizeof *threads);
    int *numbers = calloc((size_t)n_threads, sizeof *numbers);
    if (!threads || !numbers)
        abort();
    for (int i = 0; i < n_threads; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, work, &numbers[i]) != 0)
            abort();
    }
    for (int i = 0; i < n_threads; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < PLACES; i++)
        exchange(i, NULL);
    free(threads);
    free(numbers);
    MPI_Comm_free_keyval(&keyval);
    MPI_Comm_free(&world);
    MPI_Finalize();
    return atomic_load(&wrong);
}
