/* SPDX-License-Identifier: BSD-3-Clause */
#include "stencil_options.h"

#include <getopt.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void usage(const char *program, int dims, int rank)
{
    if (rank == 0)
        fprintf(stderr,
                "usage: %s [--iterations=N] [--cells=N] [--check=N] [--grid=%s] [--periodic] "
                "[--border=null|if]\n",
                program, dims == 2 ? "RxC" : "XxYxZ");
    MPI_Finalize();
    exit(2);
}

void stencil_options_read(struct stencil_options *o, int dims, int argc, char **argv, int rank)
{
    static const struct option table[] = {{"iterations", required_argument, NULL, 'i'},
                                          {"cells", required_argument, NULL, 'n'},
                                          {"check", required_argument, NULL, 'c'},
                                          {"grid", required_argument, NULL, 'g'},
                                          {"periodic", no_argument, NULL, 'p'},
                                          {"border", required_argument, NULL, 'b'},
                                          {NULL, 0, NULL, 0}};
    bool good = true;
    opterr = rank == 0;
    for (int option; (option = getopt_long(argc, argv, "", table, NULL)) != -1;) {
        switch (option) {
        case 'i':
            o->iterations = atoi(optarg);
            break;
        case 'n':
            o->cells = atoi(optarg);
            break;
        case 'c':
            o->check = atoi(optarg);
            break;
        case 'g':
            good = good && sscanf(optarg, "%dx%dx%d", &o->grid[0], &o->grid[1], &o->grid[2]) == dims;
            break;
        case 'p':
            o->periodic = true;
            break;
        case 'b':
            o->test_border = strcmp(optarg, "if") == 0;
            good = good && (o->test_border || strcmp(optarg, "null") == 0);
            break;
        default:
            good = false;
        }
    }
    if (!good || optind < argc || o->iterations < 0 || o->cells < 1 || o->check < 1)
        usage(argv[0], dims, rank);
}
