/* SPDX-License-Identifier: BSD-3-Clause */
/* The level of a sea that comes to rest, on a grid with land in it. Each process has some rows: in each step it exchanges the
 * outer ones with its neighbours, and relaxes the points of sea in its own.
 *
 * usage: coast [--balanced]
 *
 * Rows are shared out evenly. Land costs nothing, so who has the open sea has most to do: the mistake that
 * docs/TUTORIAL.md looks for. With --balanced the points of sea are shared out evenly. */
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS    1024
#define COLUMNS 1024
#define STEPS   60
#define SWEEPS  20 /* in each step, between two exchanges */

struct part {
    int rank, n_ranks;
    int first, n;                 /* its rows */
    double *level, *next, *lines; /* n rows, and one more at each end: the neighbours' */
};

/* Points of sea in a row, from the left: the coast runs from corner to corner. */
static int sea_in(int row)
{
    return row < 0 || row >= ROWS ? 0 : row * COLUMNS / ROWS;
}

static int first_row(int rank, int n_ranks, bool balanced)
{
    long all = 0, before = 0;
    int row = 0;
    if (!balanced)
        return ROWS * rank / n_ranks;
    for (int i = 0; i < ROWS; i++)
        all += sea_in(i);
    while (row < ROWS && before * n_ranks < all * rank)
        before += sea_in(row++);
    return row;
}

static bool part_make(struct part *p, bool balanced)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p->n_ranks);
    p->first = first_row(p->rank, p->n_ranks, balanced);
    p->n = first_row(p->rank + 1, p->n_ranks, balanced) - p->first;
    const size_t points = ((size_t)p->n + 2) * COLUMNS;
    p->lines = calloc(2 * points, sizeof *p->lines);
    p->level = p->lines;
    p->next = p->lines + points;
    for (int i = 1; p->lines && i <= p->n; i++) {
        for (int k = 0; k < sea_in(p->first + i - 1); k++)
            p->level[(size_t)i * COLUMNS + (size_t)k] = sin(0.01 * (p->first + i) * k);
    }
    return p->lines != NULL;
}

static void exchange(struct part *p)
{
    const int up = p->rank > 0 ? p->rank - 1 : MPI_PROC_NULL;
    const int down = p->rank + 1 < p->n_ranks ? p->rank + 1 : MPI_PROC_NULL;
    double *top = p->level, *bottom = p->level + (size_t)(p->n + 1) * COLUMNS;
    MPI_Sendrecv(top + COLUMNS, COLUMNS, MPI_DOUBLE, up, 1, bottom, COLUMNS, MPI_DOUBLE, down, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(bottom - COLUMNS, COLUMNS, MPI_DOUBLE, down, 2, top, COLUMNS, MPI_DOUBLE, up, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double relax(struct part *p)
{
    double change = 0, *const before = p->level;
    for (int i = 1; i <= p->n; i++) {
        const double *at = p->level + (size_t)i * COLUMNS;
        double *to = p->next + (size_t)i * COLUMNS;
        for (int k = 1; k < sea_in(p->first + i - 1) - 1; k++) {
            to[k] = 0.25 * (at[k - 1] + at[k + 1] + at[k - COLUMNS] + at[k + COLUMNS]);
            change += fabs(to[k] - at[k]);
        }
    }
    p->level = p->next;
    p->next = before;
    return change;
}

static double total(double change)
{
    double all;
    MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    struct part p;
    double change = 0;
    MPI_Init(&argc, &argv);
    if (!part_make(&p, argc > 1 && strcmp(argv[1], "--balanced") == 0))
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int step = 0; step < STEPS; step++) {
        exchange(&p);
        for (int i = 0; i < SWEEPS; i++)
            change = relax(&p);
        if (step % 10 == 9)
            change = total(change);
    }
    if (p.rank == 0)
        printf("%d processes, %d steps, change %.3f\n", p.n_ranks, STEPS, change);
    free(p.lines);
    MPI_Finalize();
    return 0;
}
