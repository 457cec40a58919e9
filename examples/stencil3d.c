/* SPDX-License-Identifier: BSD-3-Clause */
/* Jacobi iteration for Laplace's equation in space: the 7-point stencil.
 *
 * Each process holds a cube of cells with a halo around it. One face of the box is hot, the others are cold;
 * with
 * --periodic the box is a torus and the heat begins in one layer. Every iteration exchanges the halo with six
 * neighbours and replaces each cell by the mean of the six beside it.
 *
 *     mpirun -n 27 ./stencil3d --iterations=1000 --cells=8 --grid=3x3x3 --border=if */
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "stencil_options.h"

enum {
    DIMS = 3,
    SIDES = 2 * DIMS
}; /* side 2 d lies before the cube in dimension d, side 2 d + 1 behind it */

static struct stencil_options options = {.iterations = 100, .cells = 8, .check = 10};

struct box {
    int n;            /* cells along each edge */
    int stride[DIMS]; /* in cells with the halo, of a step in each dimension; the last is 1 */
    double *now, *next;
    MPI_Datatype face[DIMS]; /* the n x n cells at right angles to a dimension */
    MPI_Comm grid;
    int neighbour[SIDES];
};

static double *cell(const struct box *b, double *cells, int x, int y, int z)
{
    return cells + x * b->stride[0] + y * b->stride[1] + z * b->stride[2];
}

/* The cells of one face: runs of equal length, n of them in each of the two other dimensions. */
static void face_create(struct box *b, int d)
{
    const int first = d == 0 ? 1 : 0, second = d == 2 ? 1 : 2; /* the other dimensions */
    MPI_Datatype line;
    MPI_Type_create_hvector(b->n, 1, b->stride[second] * (MPI_Aint)sizeof(double), MPI_DOUBLE, &line);
    MPI_Type_create_hvector(b->n, 1, b->stride[first] * (MPI_Aint)sizeof(double), line, &b->face[d]);
    MPI_Type_commit(&b->face[d]);
    MPI_Type_free(&line);
}

static void box_create(struct box *b)
{
    int size, rank, at[DIMS], periods[DIMS];
    for (int d = 0; d < DIMS; d++)
        periods[d] = options.periodic;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, DIMS, options.grid);
    MPI_Cart_create(MPI_COMM_WORLD, DIMS, options.grid, periods, 0, &b->grid);
    MPI_Comm_rank(b->grid, &rank);
    MPI_Cart_coords(b->grid, rank, DIMS, at);

    b->n = options.cells;
    const int edge = b->n + 2;
    const size_t all = (size_t)edge * (size_t)edge * (size_t)edge;
    b->stride[0] = edge * edge;
    b->stride[1] = edge;
    b->stride[2] = 1;
    b->now = calloc(all, sizeof(double));
    b->next = calloc(all, sizeof(double));
    if (!b->now || !b->next) {
        fprintf(stderr, "out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int d = 0; d < DIMS; d++) {
        MPI_Cart_shift(b->grid, d, 1, &b->neighbour[2 * d], &b->neighbour[2 * d + 1]);
        face_create(b, d);
    }
    /* The hot face lies in the halo of the first processes; a torus has no face, but a first layer of cells.
     */
    for (int i = 0; at[0] == 0 && i < edge * edge; i++)
        b->now[options.periodic * b->stride[0] + i] = b->next[options.periodic * b->stride[0] + i] = 1.0;
}

static void box_free(struct box *b)
{
    for (int d = 0; d < DIMS; d++)
        MPI_Type_free(&b->face[d]);
    MPI_Comm_free(&b->grid);
    free(b->now);
    free(b->next);
}

/* The halo of one side is filled from the border cells of that neighbour. Messages carry the side that they
 * come from, so that they cannot be taken for one another where a neighbour lies on both sides. */
static void exchange(const struct box *b)
{
    MPI_Request requests[2 * SIDES];
    int n_requests = 0;
    for (int s = 0; s < SIDES; s++) {
        const int d = s / 2, layer = s % 2 == 0 ? 0 : b->n + 1;
        if (options.test_border && b->neighbour[s] == MPI_PROC_NULL)
            continue;
        MPI_Irecv(cell(b, b->now, 1, 1, 1) + (layer - 1) * b->stride[d], 1, b->face[d], b->neighbour[s],
                  s ^ 1, b->grid, &requests[n_requests++]);
    }
    for (int s = 0; s < SIDES; s++) {
        const int d = s / 2, layer = s % 2 == 0 ? 1 : b->n;
        if (options.test_border && b->neighbour[s] == MPI_PROC_NULL)
            continue;
        MPI_Isend(cell(b, b->now, 1, 1, 1) + (layer - 1) * b->stride[d], 1, b->face[d], b->neighbour[s], s,
                  b->grid, &requests[n_requests++]);
    }
    MPI_Waitall(n_requests, requests, MPI_STATUSES_IGNORE);
}

/* One step; the largest change of a cell. */
static double relax(struct box *b)
{
    double change = 0;
    for (int x = 1; x <= b->n; x++) {
        for (int y = 1; y <= b->n; y++) {
            for (int z = 1; z <= b->n; z++) {
                const double *c = cell(b, b->now, x, y, z);
                double sum = 0;
                for (int d = 0; d < DIMS; d++)
                    sum += c[-b->stride[d]] + c[b->stride[d]];
                change = fmax(change, fabs(sum / SIDES - *c));
                *cell(b, b->next, x, y, z) = sum / SIDES;
            }
        }
    }
    double *swap = b->now;
    b->now = b->next;
    b->next = swap;
    return change;
}

int main(int argc, char **argv)
{
    int rank;
    struct box box;
    double change = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    stencil_options_read(&options, DIMS, argc, argv, rank);
    box_create(&box);
    for (int i = 1; i <= options.iterations; i++) {
        exchange(&box);
        double mine = relax(&box);
        if (i % options.check == 0)
            MPI_Allreduce(&mine, &change, 1, MPI_DOUBLE, MPI_MAX, box.grid);
    }
    if (rank == 0)
        printf("%d x %d x %d processes, %d iterations, last change %.3e\n", options.grid[0], options.grid[1],
               options.grid[2], options.iterations, change);
    box_free(&box);
    MPI_Finalize();
    return 0;
}
