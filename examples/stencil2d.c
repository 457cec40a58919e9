/* SPDX-License-Identifier: BSD-3-Clause */
/* Jacobi iteration for Laplace's equation on a plane: the 5-point stencil.
 *
 * Each process holds a square of cells with a halo around it. One edge of the plane is hot, the others are
 * cold; with
 * --periodic the plane is a torus and the heat begins in one row. Every iteration exchanges the halo with
 * four neighbours and replaces each cell by the mean of the four beside it.
 *
 *     mpirun -n 16 ./stencil2d --iterations=1000 --cells=32 --grid=4x4 --border=if */
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "stencil_options.h"

enum { ROWS, COLUMNS, DIMS };                  /* dimensions of the process grid */
enum { NORTH, SOUTH, WEST, EAST, NEIGHBOURS }; /* north and south lie along ROWS */

static struct stencil_options options = {.iterations = 100, .cells = 16, .check = 10};

struct plane {
    int n;      /* cells along each side */
    int stride; /* n + 2: with the halo */
    double *now, *next;
    MPI_Datatype column;
    MPI_Comm grid;
    int neighbour[NEIGHBOURS];
};

static double *cell(const struct plane *p, double *plane, int row, int column)
{
    return plane + (size_t)row * (size_t)p->stride + column;
}

static void plane_create(struct plane *p)
{
    int size, rank, at[DIMS], periods[DIMS] = {options.periodic, options.periodic};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, DIMS, options.grid);
    MPI_Cart_create(MPI_COMM_WORLD, DIMS, options.grid, periods, 0, &p->grid);
    MPI_Comm_rank(p->grid, &rank);
    MPI_Cart_coords(p->grid, rank, DIMS, at);
    MPI_Cart_shift(p->grid, ROWS, 1, &p->neighbour[NORTH], &p->neighbour[SOUTH]);
    MPI_Cart_shift(p->grid, COLUMNS, 1, &p->neighbour[WEST], &p->neighbour[EAST]);

    p->n = options.cells;
    p->stride = p->n + 2;
    size_t all = (size_t)p->stride * (size_t)p->stride;
    p->now = calloc(all, sizeof(double));
    p->next = calloc(all, sizeof(double));
    if (!p->now || !p->next) {
        fprintf(stderr, "out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Type_vector(p->n, 1, p->stride, MPI_DOUBLE, &p->column);
    MPI_Type_commit(&p->column);
    /* The hot edge lies in the halo of the first row of processes; a torus has no edge, but a first row of
     * cells. */
    for (int column = 0; at[ROWS] == 0 && column < p->stride; column++)
        *cell(p, p->now, options.periodic, column) = *cell(p, p->next, options.periodic, column) = 1.0;
}

static void plane_free(struct plane *p)
{
    MPI_Type_free(&p->column);
    MPI_Comm_free(&p->grid);
    free(p->now);
    free(p->next);
}

/* The halo of one side is filled from the border cells of that neighbour. Messages carry the side that they
 * come from, so that they cannot be taken for one another where a neighbour lies on both sides. */
static void exchange(const struct plane *p)
{
    const int n = p->n;
    const struct side {
        double *halo, *border;
        int opposite;
        bool is_column;
    } sides[NEIGHBOURS] = {
        [NORTH] = {cell(p, p->now, 0, 1), cell(p, p->now, 1, 1), SOUTH, false},
        [SOUTH] = {cell(p, p->now, n + 1, 1), cell(p, p->now, n, 1), NORTH, false},
        [WEST] = {cell(p, p->now, 1, 0), cell(p, p->now, 1, 1), EAST, true},
        [EAST] = {cell(p, p->now, 1, n + 1), cell(p, p->now, 1, n), WEST, true},
    };
    MPI_Request requests[2 * NEIGHBOURS];
    int n_requests = 0;
    for (int s = 0; s < NEIGHBOURS; s++) {
        if (options.test_border && p->neighbour[s] == MPI_PROC_NULL)
            continue;
        MPI_Irecv(sides[s].halo, sides[s].is_column ? 1 : n, sides[s].is_column ? p->column : MPI_DOUBLE,
                  p->neighbour[s], sides[s].opposite, p->grid, &requests[n_requests++]);
    }
    for (int s = 0; s < NEIGHBOURS; s++) {
        if (options.test_border && p->neighbour[s] == MPI_PROC_NULL)
            continue;
        MPI_Isend(sides[s].border, sides[s].is_column ? 1 : n, sides[s].is_column ? p->column : MPI_DOUBLE,
                  p->neighbour[s], s, p->grid, &requests[n_requests++]);
    }
    MPI_Waitall(n_requests, requests, MPI_STATUSES_IGNORE);
}

/* One step; the largest change of a cell. */
static double relax(struct plane *p)
{
    double change = 0;
    for (int row = 1; row <= p->n; row++) {
        for (int column = 1; column <= p->n; column++) {
            const double *c = cell(p, p->now, row, column);
            double mean = 0.25 * (c[-p->stride] + c[p->stride] + c[-1] + c[1]);
            change = fmax(change, fabs(mean - *c));
            *cell(p, p->next, row, column) = mean;
        }
    }
    double *swap = p->now;
    p->now = p->next;
    p->next = swap;
    return change;
}

int main(int argc, char **argv)
{
    int rank;
    struct plane plane;
    double change = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    stencil_options_read(&options, DIMS, argc, argv, rank);
    plane_create(&plane);
    for (int i = 1; i <= options.iterations; i++) {
        exchange(&plane);
        double mine = relax(&plane);
        if (i % options.check == 0)
            MPI_Allreduce(&mine, &change, 1, MPI_DOUBLE, MPI_MAX, plane.grid);
    }
    if (rank == 0)
        printf("%d x %d processes, %d iterations, last change %.3e\n", options.grid[ROWS],
               options.grid[COLUMNS], options.iterations, change);
    plane_free(&plane);
    MPI_Finalize();
    return 0;
}
