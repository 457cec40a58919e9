/* SPDX-License-Identifier: BSD-3-Clause */
/* Attaches small blocks to a window, such as lists in a dynamic window. Open MPI can attach only a
 * limited number of page ranges; neighbouring blocks share a range, so it fails if other blocks
 * lie between them. */
#include <mpi.h>
#include <stdio.h>

enum { BLOCKS = 250, BYTES = 424 };

int main(int argc, char **argv)
{
    static void *blocks[BLOCKS];
    MPI_Win window;
    int rank, attached = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    for (int i = 0; i < BLOCKS; i++) {
        int old = 0, one = 1;
        MPI_Aint at;
        MPI_Alloc_mem(BYTES, MPI_INFO_NULL, &blocks[i]);
        if (MPI_Win_attach(window, blocks[i], BYTES) != MPI_SUCCESS)
            break;
        attached++;
        MPI_Get_address(blocks[i], &at);
        MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window);
        MPI_Fetch_and_op(&one, &old, MPI_INT, rank, at, MPI_REPLACE, window);
        MPI_Win_unlock(rank, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < attached; i++)
        MPI_Win_detach(window, blocks[i]);
    MPI_Win_free(&window);
    for (int i = 0; i < attached; i++)
        MPI_Free_mem(blocks[i]);
    MPI_Finalize();
    printf("%d\n", attached);
    return 0;
}
