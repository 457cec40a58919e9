/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that an error handler leaves by a jump, between others that return: they have no effect. */
#include <mpi.h>
#include <setjmp.h>

static jmp_buf failed;

static void jump(MPI_Comm *comm, int *error, ...)
{
    (void)comm, (void)error;
    longjmp(failed, 1);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm comm;
    MPI_Errhandler handler;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(jump, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    for (volatile int i = 0; i < 12; i++) {
        int value = i, got;
        MPI_Request request;
        if (setjmp(failed) == 0) {
            switch (i % 4) {
            case 0:
                MPI_Send(&value, -1, MPI_INT, (rank + 1) % size, 0, comm);
                break;
            case 1:
                MPI_Isend(&value, -1, MPI_INT, (rank + 1) % size, 0, comm, &request);
                break;
            case 2:
                MPI_Recv(&got, -1, MPI_INT, (rank + size - 1) % size, 0, comm, MPI_STATUS_IGNORE);
                break;
            default:
                MPI_Bcast(&value, 1, MPI_INT, size, comm);
                break;
            }
        }
        MPI_Sendrecv(&value, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT, (rank + size - 1) % size, 0,
                     comm, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
}
