/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls inside calls. The last rank enters each MPI_Allreduce, whose operator asks for a size, 20
 * ms after rank 0; copying an attribute duplicates another communicator, whose attribute's
 * function asks for a rank; an error handler and a generalized request ask for the number of
 * ranks. */
#include <mpi.h>
#include <unistd.h>

static int inner_key, outer_key;
static MPI_Comm inner;

static void add(void *in, void *out, int *n, MPI_Datatype *type)
{
    int size;
    MPI_Type_size(*type, &size);
    for (int i = 0; i < *n; i++)
        ((int *)out)[i] += ((int *)in)[i];
}

static int copy_inner(MPI_Comm comm, int key, void *extra, void *value, void *to, int *flag)
{
    int rank;
    (void)key, (void)extra, (void)value, (void)to;
    MPI_Comm_rank(comm, &rank);
    return *flag = 0;
}

static int copy_outer(MPI_Comm comm, int key, void *extra, void *value, void *to, int *flag)
{
    MPI_Comm copy;
    (void)comm, (void)key, (void)extra, (void)value, (void)to;
    MPI_Comm_dup(inner, &copy);
    MPI_Comm_free(&copy);
    return *flag = 0;
}

static void handle(MPI_Comm *comm, int *code, ...)
{
    int size;
    (void)code;
    MPI_Comm_size(*comm, &size);
}

static int query(void *extra, MPI_Status *status)
{
    int size;
    MPI_Comm_size(inner, &size);
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, 0);
    (void)extra;
    return status->MPI_SOURCE = MPI_UNDEFINED, status->MPI_TAG = MPI_UNDEFINED, MPI_SUCCESS;
}
static int nothing(void *extra)
{
    return (void)extra, MPI_SUCCESS;
}
static int cancel(void *extra, int complete)
{
    return (void)extra, (void)complete, MPI_SUCCESS;
}

/* The last rank is late, whenever rank 0 enters. */
static void await_first(int rank, int size)
{
    if (rank == 0)
        MPI_Send(NULL, 0, MPI_BYTE, size - 1, 1, MPI_COMM_WORLD);
    if (rank != size - 1)
        return;
    MPI_Recv(NULL, 0, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    usleep(20000);
}

int main(int argc, char **argv)
{
    int rank, size, x = 1, sum;
    MPI_Op op;
    MPI_Errhandler handler;
    MPI_Request request;
    MPI_Comm copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &inner);
    MPI_Op_create(add, 1, &op);
    MPI_Comm_create_keyval(copy_inner, MPI_COMM_NULL_DELETE_FN, &inner_key, NULL);
    MPI_Comm_create_keyval(copy_outer, MPI_COMM_NULL_DELETE_FN, &outer_key, NULL);
    MPI_Comm_set_attr(inner, inner_key, &x);
    MPI_Comm_set_attr(MPI_COMM_WORLD, outer_key, &x);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(inner, handler);
    for (int i = 0; i < 3; i++) {
        await_first(rank, size);
        MPI_Allreduce(&x, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        MPI_Send(&x, 1, MPI_INT, size, 0, inner);
        MPI_Grequest_start(query, nothing, cancel, NULL, &request);
        MPI_Grequest_complete(request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&x, 1, MPI_INT, (rank + 1) % size, 0, &sum, 1, MPI_INT, (rank + size - 1) % size, 0,
                     copy, MPI_STATUS_IGNORE);
        MPI_Comm_free(&copy);
    }
    MPI_Finalize();
}
