/* SPDX-License-Identifier: BSD-3-Clause */
/* A wavefront: transport of particles through a box of cells, as in discrete-ordinates codes.
 *
 * Processes are a grid in the plane; each has all planes of its columns of cells. For each octant of
 * directions the sweep begins in another corner of the plane, at the top or at the bottom: a process takes
 * what flows in from two sides, computes a block of planes, and passes on what flows out of the two others,
 * before it takes the next block, on which its neighbours work at the same time.
 *
 *     octant with dx = dy = 1, three blocks      0 ─> 1 ─> 2 ─> 3         time   0    1    2    3
 *                                                v    v    v    v         block  0    0    0    0
 *                                                4 ─> 5 ─> 6 ─> 7                     1    1    1 …
 *
 *     mpirun -n 8 ./sweep --grid=2x4 --iterations=10 --cells=8 --planes=20 --block=5 */
#include <getopt.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS, COLUMNS, DIMS }; /* dimensions of the process grid */
enum { OCTANTS = 8 };

static struct options {
    int iterations, cells, planes, block;
    int grid[DIMS];
} options = {.iterations = 10, .cells = 8, .planes = 20, .block = 5};

struct box {
    int n, planes;          /* cells along each side of the plane; planes */
    double *flux, *next;    /* of each cell: plane, row, column */
    double *rows, *columns; /* what flows through a block's border: block by n */
    MPI_Comm grid;
};

static void usage(const char *program, int rank)
{
    if (rank == 0)
        fprintf(stderr, "usage: %s [--iterations=N] [--cells=N] [--planes=N] [--block=N] [--grid=RxC]\n",
                program);
    MPI_Finalize();
    exit(2);
}

static void read_options(int argc, char **argv, int rank)
{
    static const struct option table[] = {
        {"iterations", required_argument, NULL, 'i'}, {"cells", required_argument, NULL, 'n'},
        {"planes", required_argument, NULL, 'p'},     {"block", required_argument, NULL, 'b'},
        {"grid", required_argument, NULL, 'g'},       {NULL, 0, NULL, 0}};
    bool good = true;
    opterr = rank == 0;
    for (int option; (option = getopt_long(argc, argv, "", table, NULL)) != -1;) {
        switch (option) {
        case 'i':
            options.iterations = atoi(optarg);
            break;
        case 'n':
            options.cells = atoi(optarg);
            break;
        case 'p':
            options.planes = atoi(optarg);
            break;
        case 'b':
            options.block = atoi(optarg);
            break;
        case 'g':
            good = good && sscanf(optarg, "%dx%d", &options.grid[ROWS], &options.grid[COLUMNS]) == DIMS;
            break;
        default:
            good = false;
        }
    }
    if (!good || optind < argc || options.iterations < 0 || options.cells < 1 || options.block < 1 ||
        options.planes < options.block || options.planes % options.block != 0)
        usage(argv[0], rank);
}

static void *zeros(size_t n)
{
    double *out = calloc(n, sizeof *out);
    if (!out) {
        fprintf(stderr, "out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return out;
}

static void box_create(struct box *b)
{
    int size;
    const int periods[DIMS] = {0};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, DIMS, options.grid);
    MPI_Cart_create(MPI_COMM_WORLD, DIMS, options.grid, periods, 0, &b->grid);
    b->n = options.cells;
    b->planes = options.planes;
    b->flux = zeros((size_t)b->planes * (size_t)b->n * (size_t)b->n);
    b->next = zeros((size_t)b->planes * (size_t)b->n * (size_t)b->n);
    b->rows = zeros((size_t)options.block * (size_t)b->n);
    b->columns = zeros((size_t)options.block * (size_t)b->n);
}

static void box_free(struct box *b)
{
    free(b->flux);
    free(b->next);
    free(b->rows);
    free(b->columns);
    MPI_Comm_free(&b->grid);
}

/* A block of planes, cell by cell in the direction of the octant. */
static void compute(struct box *b, int first_plane, bool down, bool right)
{
    for (int k = 0; k < options.block; k++) {
        for (int i = 0; i < b->n; i++) {
            for (int j = 0; j < b->n; j++) {
                const int row = down ? i : b->n - 1 - i, column = right ? j : b->n - 1 - j;
                const size_t cell =
                    ((size_t)(first_plane + k) * (size_t)b->n + (size_t)row) * (size_t)b->n + (size_t)column;
                double *from_row = &b->rows[k * b->n + column], *from_column = &b->columns[k * b->n + row];
                const double value = (1.0 + 0.5 * b->flux[cell] + *from_row + *from_column) / 4.0;
                b->next[cell] += value / OCTANTS;
                *from_row = *from_column = value;
            }
        }
    }
}

/* Bit 0 of the octant: to the right or to the left; bit 1: down or up in the plane; bit 2: from the first or
 * from the last block on. */
static void sweep(struct box *b, int octant)
{
    const bool right = !(octant & 1), down = !(octant & 2), first = !(octant & 4);
    const int n = options.block * b->n, blocks = b->planes / options.block;
    int west, east, north, south;
    MPI_Cart_shift(b->grid, COLUMNS, right ? 1 : -1, &west, &east);
    MPI_Cart_shift(b->grid, ROWS, down ? 1 : -1, &north, &south);
    for (int block = 0; block < blocks; block++) {
        for (int i = 0; i < n; i++)
            b->rows[i] = b->columns[i] = 0; /* nothing flows in at the border of the box */
        MPI_Recv(b->columns, n, MPI_DOUBLE, west, 1, b->grid, MPI_STATUS_IGNORE);
        MPI_Recv(b->rows, n, MPI_DOUBLE, north, 2, b->grid, MPI_STATUS_IGNORE);
        compute(b, (first ? block : blocks - 1 - block) * options.block, down, right);
        MPI_Send(b->columns, n, MPI_DOUBLE, east, 1, b->grid);
        MPI_Send(b->rows, n, MPI_DOUBLE, south, 2, b->grid);
    }
}

/* The new flux takes the place of the old one; the sum of all cells of all processes. */
static double settle(struct box *b)
{
    const size_t n = (size_t)b->planes * (size_t)b->n * (size_t)b->n;
    double mine = 0, all = 0;
    for (size_t i = 0; i < n; i++) {
        mine += b->next[i];
        b->flux[i] = b->next[i];
        b->next[i] = 0;
    }
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, b->grid);
    return all;
}

int main(int argc, char **argv)
{
    int rank;
    struct box box;
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    read_options(argc, argv, rank);
    box_create(&box);
    for (int i = 0; i < options.iterations; i++) {
        for (int octant = 0; octant < OCTANTS; octant++)
            sweep(&box, octant);
        sum = settle(&box);
    }
    if (rank == 0)
        printf("%d x %d processes, %d iterations, sum %.6e\n", options.grid[ROWS], options.grid[COLUMNS],
               options.iterations, sum);
    box_free(&box);
    MPI_Finalize();
    return 0;
}
