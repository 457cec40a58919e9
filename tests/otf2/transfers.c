/* SPDX-License-Identifier: BSD-3-Clause */
/* Files: moved pointers, split operations, requests, short reads, deletion; and messages and
 * generalized requests, whose bytes must be kept apart.
 *
 *     transfers FILE
 *
 * The process also prints `received N`: the bytes of messages that its requests received. */
#include "tell.h"

#include <mpi.h>

enum { N = 4, BYTES = N * sizeof(int) };

static int rank, size, data[2 * N];
static long received;

static void operation(int issued)
{
    TELL(IO_OPERATION_BEGIN, 1);
    TELL(IO_OPERATION_ISSUED, issued);
    TELL(IO_OPERATION_COMPLETE, 1);
}

static void pointers(MPI_File file)
{
    MPI_File_seek(file, rank * BYTES, MPI_SEEK_SET);
    MPI_File_write(file, data, N, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_seek(file, -(int)BYTES, MPI_SEEK_CUR);
    MPI_File_read(file, data, N, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_write_ordered(file, data, N, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek(file, 0, MPI_SEEK_END);
    MPI_File_read(file, data, N, MPI_INT, MPI_STATUS_IGNORE); /* nothing to read */
    TELL(IO_SEEK, 4);
    for (int i = 0; i < 5; i++)
        operation(0);
}

static void halves(MPI_File file)
{
    for (int i = 0; i < 3; i++) {
        MPI_File_write_at_all_begin(file, rank * BYTES, data, N, MPI_INT);
        MPI_File_write_at_all_end(file, data, MPI_STATUS_IGNORE);
        MPI_File_read_at_all_begin(file, rank * BYTES, data, N, MPI_INT);
        MPI_File_read_at_all_end(file, data, MPI_STATUS_IGNORE);
        operation(1);
        operation(1);
    }
}

static int query(void *state, MPI_Status *status)
{
    PMPI_Status_set_elements(status, MPI_INT, *(int *)state);
    PMPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = 0;
    status->MPI_TAG = 5;
    return MPI_SUCCESS;
}

static int nothing(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int nothing_to_cancel(void *state, int complete)
{
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

/* A message, a read, a write and a generalized request, completed by one call, in a changing
 * order. */
static void requests(MPI_File file, int times)
{
    static int elements = 100;
    int in[3], out[3] = {rank};
    for (int i = 0; i < times; i++) {
        const int n = 1 + i % 3, first = i % 5;
        MPI_Request r[5], ordered[5];
        int index;
        MPI_File_iwrite_at(file, rank * BYTES, data, N, MPI_INT, &ordered[0]);
        MPI_Grequest_start(query, nothing, nothing_to_cancel, &elements, &ordered[1]);
        MPI_Irecv(in, 3, MPI_INT, (rank + size - 1) % size, 5, MPI_COMM_WORLD, &ordered[2]);
        MPI_Isend(out, n, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD, &ordered[3]);
        MPI_Grequest_complete(ordered[1]);
        MPI_Wait(&ordered[0], MPI_STATUS_IGNORE);
        MPI_File_iread_at(file, rank * BYTES, data, N, MPI_INT, &ordered[4]);
        for (int k = 0; k < 5; k++)
            r[(k + first) % 5] = ordered[k];
        for (int k = 0; k < 2; k++)
            MPI_Waitany(5, r, &index, MPI_STATUS_IGNORE);
        MPI_Waitall(5, r, MPI_STATUSES_IGNORE);
        received += n * (long)sizeof(int);
        operation(1);
        operation(1);
        TELL(MPI_IRECV, 1);
        TELL(MPI_ISEND_COMPLETE, 1);
    }
}

int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *path = argv[1];
    /* Errors of files return. */
    if (MPI_File_open(MPI_COMM_SELF, "/absent/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) == MPI_SUCCESS ||
        MPI_File_delete("/absent/file", MPI_INFO_NULL) == MPI_SUCCESS)
        return 1;
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    pointers(file);
    halves(file);
    requests(file, 20);
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_File_delete(path, MPI_INFO_NULL);
        TELL(IO_DELETE_FILE, 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_write_at(file, 0, data, 0, MPI_INT, MPI_STATUS_IGNORE);
    operation(0);
    MPI_File_close(&file);
    TELL(IO_DELETE_FILE, 1);
    TELL(IO_CREATE_HANDLE, 2);
    TELL(IO_DESTROY_HANDLE, 2);
    MPI_Finalize();
    tell_all();
    printf("received %ld\n", received);
    return 0;
}
