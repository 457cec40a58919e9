/* SPDX-License-Identifier: BSD-3-Clause */
/* After MPI_Init, gives up something that writing a trace needs. `folder`: renames the output
 * folder; `environment`: also changes the environment and the working directory; `files`, `size`:
 * for a time, few files can be open, or only short ones written; `hard`: for good. `abort` after
 * that: ends with MPI_Abort. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void limit(int which, rlim_t n, int for_good)
{
    struct rlimit l;
    getrlimit(which, &l);
    l.rlim_cur = n;
    l.rlim_max = for_good ? n : l.rlim_max;
    setrlimit(which, &l);
}

int main(int argc, char **argv)
{
    int rank;
    const char *what = argv[1], *folder = argc > 2 ? argv[2] : "";
    char other[4096], here[4096];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(other, sizeof other, "%s.other", folder);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 && *folder)
        rename(folder, other);
    if (strcmp(what, "environment") == 0) {
        if (rank == 0 && getcwd(here, sizeof here))
            rmdir(here);
        clearenv();
    }
    if (strcmp(what, "files") == 0)
        limit(RLIMIT_NOFILE, 3, 0);
    if (strcmp(what, "size") == 0 || strcmp(what, "hard") == 0)
        limit(RLIMIT_FSIZE, 100, what[0] == 'h');
    MPI_Barrier(MPI_COMM_WORLD);
    if (argc > 3)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Finalize();
    return 0;
}
