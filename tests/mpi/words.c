/* SPDX-License-Identifier: BSD-3-Clause */
/* words [ABORT]: a program that describes its phases, for words.sh; in C and in C++. */
#include <mpi.h>
#include <refrain.h>
#include <stdio.h>

static void solve(void)
{
    int in = 1, sum = 0;
    refrain_region_begin("solve");
    MPI_Allreduce(&in, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    refrain_region_end("solve");
}

int main(int argc, char **argv)
{
    const char *const names[] = {"x", "y"};
    int rank, size, dims[] = {1, 1}, periodic[] = {1, 0}, coords[] = {0, 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    dims[0] = size, coords[0] = rank;
    refrain_topology_cart(2, dims, periodic, names);
    refrain_topology_coords(coords);
    refrain_note("input", "sphere.in");
    for (int i = 0; i < 10; i++) {
        refrain_region_begin("step");
        MPI_Barrier(MPI_COMM_WORLD);
        solve();
        refrain_region_end("step");
    }
    MPI_Pcontrol(3);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Pcontrol(1);
    if (argc > 1) {
        refrain_region_begin("abort");
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    MPI_Finalize();
    printf("done\n");
    return 0;
}
