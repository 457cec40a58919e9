/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 3 4 */
/* Cartesian topologies of two dimensions, with shifts and sub-grids. */
#include "expect.h"

#include <stddef.h>

/* Communicators of rank 0, in the order of the program. */
enum { GRID, ROW_0, COLUMN_0, SMALLER, OF_RANK_0 };

enum { ROWS = 0, COLUMNS = 1 }; /* dimensions */

static int dims[2], coords[2];
static MPI_Comm grid;

/* Returns the number of the row (or column) of a process. Rank 0's come first, then those that
 * begin at rank 1, at rank 2 … A row begins at each process of the first column, a column at each
 * process of the first row; rows are created first. */
static int line_number(int process, int dimension)
{
    int first = dimension == COLUMNS ? process - process % dims[COLUMNS] : process % dims[COLUMNS];
    if (size == 1)
        return ROW_0; /* both have the same member, so one number is reused */
    if (first == 0)
        return dimension == COLUMNS ? ROW_0 : COLUMN_0;
    int number = OF_RANK_0;
    for (int r = 1; r < size; r++) {
        if (r % dims[COLUMNS] == 0) {
            if (dimension == COLUMNS && r == first)
                return number;
            number++;
        }
        if (r < dims[COLUMNS]) {
            if (dimension == ROWS && r == first)
                return number;
            number++;
        }
    }
    return -1;
}

static void create(void)
{
    int periods[2] = {1, 0}, map;
    MPI_Dims_create(size, 2, dims);
    OK("MPI_Dims_create(nnodes=%d, ndims=2, dims=[0->%d, 0->%d])", size, dims[0], dims[1]);
    MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &map);
    OK("MPI_Cart_map(" WORLD ", ndims=2, dims=%s, periods=[1, 0], newrank=%s)", int_list(2, dims),
       rank_text(map));
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    OK("MPI_Cart_create(comm_old=MPI_COMM_WORLD, ndims=2, dims=%s, periods=[1, 0], reorder=0, "
       "comm_cart=comm%d)",
       int_list(2, dims), GRID);
    int n;
    MPI_Cartdim_get(grid, &n);
    OK("MPI_Cartdim_get(comm=comm%d, ndims=2)", GRID);
    MPI_Cart_get(grid, 2, dims, periods, coords);
    OK("MPI_Cart_get(comm=comm%d, maxdims=2, dims=%s, periods=[1, 0], coords=[%d, %d])", GRID,
       int_list(2, dims), rank / dims[COLUMNS], rank % dims[COLUMNS]);
    MPI_Topo_test(grid, &n);
    OK("MPI_Topo_test(comm=comm%d, status=MPI_CART)", GRID);
    MPI_Topo_test(MPI_COMM_WORLD, &n);
    OK("MPI_Topo_test(" WORLD ", status=MPI_UNDEFINED)");
}

static void places(void)
{
    for (int r = 0; r < size; r++) {
        int at[2], back;
        MPI_Cart_coords(grid, r, 2, at);
        OK("MPI_Cart_coords(comm=comm%d, rank=%d, maxdims=2, coords=[%d, %d])", GRID, r, r / dims[COLUMNS],
           r % dims[COLUMNS]);
        MPI_Cart_rank(grid, at, &back);
        OK("MPI_Cart_rank(comm=comm%d, coords=%s, rank=%d)", GRID, int_list(2, at), r);
    }
}

/* Rows wrap around; columns end at the border. */
static void halo(void)
{
    for (int d = 0; d < 2; d++) {
        int from, to, out = rank, in;
        MPI_Cart_shift(grid, d, 1, &from, &to);
        int n = dims[d], step = d == ROWS ? dims[COLUMNS] : 1, c = coords[d];
        int behind = c > 0 ? rank - step : d == ROWS ? rank + (n - 1) * step : MPI_PROC_NULL;
        int ahead = c < n - 1 ? rank + step : d == ROWS ? rank - (n - 1) * step : MPI_PROC_NULL;
        OK("MPI_Cart_shift(comm=comm%d, direction=%d, disp=1, rank_source=%s, rank_dest=%s)", GRID, d,
           rank_text(behind), rank_text(ahead));
        MPI_Sendrecv(&out, 1, MPI_INT, to, d, &in, 1, MPI_INT, from, d, grid, MPI_STATUS_IGNORE);
        OK("MPI_Sendrecv(sendbuf=ptr, sendcount=1, sendtype=MPI_INT, dest=%s, sendtag=%d, recvbuf=ptr, "
           "recvcount=1, "
           "recvtype=MPI_INT, source=%s, recvtag=%d, comm=comm%d, status=ignored%s)",
           rank_text(ahead), d, rank_text(behind), d, GRID,
           behind == MPI_PROC_NULL ? status_is(MPI_PROC_NULL, MPI_ANY_TAG, 0)
                                   : status_is(behind, d, sizeof in));
    }
}

/* Creates this rank's row (the columns remain), then its column. */
static void lines(void)
{
    int row = line_number(rank, COLUMNS), column = line_number(rank, ROWS), n;
    MPI_Comm line;
    MPI_Cart_sub(grid, (int[]){0, 1}, &line);
    OK("MPI_Cart_sub(comm=comm%d, remain_dims=[0, 1], newcomm=comm%d)", GRID, row);
    MPI_Comm_size(line, &n);
    OK("MPI_Comm_size(comm=comm%d, size=%d)", row, dims[COLUMNS]);
    MPI_Comm_free(&line);
    OK("MPI_Comm_free(comm=comm%d)", row);
    MPI_Cart_sub(grid, (int[]){1, 0}, &line);
    OK("MPI_Cart_sub(comm=comm%d, remain_dims=[1, 0], newcomm=comm%d)", GRID, column);
    MPI_Comm_rank(line, &n);
    OK("MPI_Comm_rank(comm=comm%d, rank=%d)", column, rank / dims[COLUMNS]);
    MPI_Comm_free(&line);
    OK("MPI_Comm_free(comm=comm%d)", column);
}

/* A grid without the last process. */
static void smaller(void)
{
    if (size == 1)
        return;
    MPI_Comm line;
    MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){size - 1}, (int[]){0}, 1, &line);
    if (line != MPI_COMM_NULL) {
        OK("MPI_Cart_create(comm_old=MPI_COMM_WORLD, ndims=1, dims=[%d], periods=[0], reorder=1, "
           "comm_cart=comm%d)",
           size - 1, SMALLER);
        MPI_Comm_free(&line);
        OK("MPI_Comm_free(comm=comm%d)", SMALLER);
    } else {
        OK("MPI_Cart_create(comm_old=MPI_COMM_WORLD, ndims=1, dims=[%d], periods=[0], reorder=1, "
           "comm_cart=MPI_COMM_NULL)",
           size - 1);
    }
}

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    create();
    places();
    halo();
    lines();
    smaller();
    MPI_Comm_free(&grid);
    OK("MPI_Comm_free(comm=comm%d)", GRID);
    return expect_end();
}
