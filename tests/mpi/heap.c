/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what the program's heap is while MPI is used to FILE.RANK, line by line, for heap.sh
 *
 *     init 1658880 1613552 23832 13760    the heap's size so far; where a block lies that is
 *                                         allocated now; how many blocks this thread has allocated,
 *                                         and how many of these are still there (heap_blocks.c) */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns the beginning of the heap, without making it larger. */
static uintptr_t heap_start(void)
{
    static char buffer[1 << 16], line[512];
    unsigned long start = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    if (!maps || setvbuf(maps, buffer, _IOFBF, sizeof buffer) != 0)
        exit(1);
    while (fgets(line, sizeof line, maps)) {
        if (strstr(line, "[heap]"))
            sscanf(line, "%lx", &start);
    }
    fclose(maps);
    return start;
}

static uintptr_t start;
static FILE *out;

/* Of tests/mpi/heap_blocks.c, if that is preloaded. */
void heap_blocks(long *allocated, long *there) __attribute__((weak));

/* Tells it once for each of some sizes; the blocks are kept. */
static void tell(const char *when)
{
    static const size_t sizes[] = {24, 200, 1500};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const uintptr_t block = (uintptr_t)malloc(sizes[i]);
        long allocated = 0, there = 0;
        if (heap_blocks)
            heap_blocks(&allocated, &there);
        fprintf(out, "%s %ld %ld %ld %ld\n", when, (long)((uintptr_t)sbrk(0) - start), (long)(block - start),
                allocated, there);
    }
}

int main(int argc, char **argv)
{
    static char buffer[1 << 12];
    char name[4096];
    int rank;
    free(malloc(1));
    start = heap_start();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%d", argv[1], rank);
    if (!(out = fopen(name, "w")) || setvbuf(out, buffer, _IOFBF, sizeof buffer) != 0)
        return 1;
    tell("init");
    for (int i = 0; i < 400; i++) {
        int there = i, here;
        MPI_Sendrecv(&there, 1, MPI_INT, rank, i, &here, 1, MPI_INT, rank, i, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        if (i % 100 == 99)
            tell("messages");
    }
    for (int i = 0; i < 20; i++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_SELF, &comm);
        MPI_Barrier(comm);
        if (i % 2)
            MPI_Comm_free(&comm);
    }
    tell("communicators");
    for (int i = 1; i <= 50; i++) {
        MPI_Datatype type;
        MPI_Type_vector(i, 1, 2, MPI_INT, &type);
        MPI_Type_commit(&type);
        if (i % 2)
            MPI_Type_free(&type);
    }
    tell("datatypes");
    MPI_Finalize();
    fclose(out);
    return 0;
}
