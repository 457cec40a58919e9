/* SPDX-License-Identifier: BSD-3-Clause */
/* What the stencil examples are told on the command line. */
#ifndef STENCIL_OPTIONS_H
#define STENCIL_OPTIONS_H

#include <stdbool.h>

enum { STENCIL_DIMS_MAX = 3 };

struct stencil_options {
    int iterations;
    int cells; /* along each edge of a process's part */
    int check; /* iterations between two looks at the change */
    int grid[STENCIL_DIMS_MAX];
    bool periodic;
    bool test_border; /* leave out neighbours that are not there, instead of naming MPI_PROC_NULL */
};

/* Over what *o holds already, for a grid of `dims` dimensions. What makes no sense ends the program with
 * status 2; rank 0 says why. Between MPI_Init and MPI_Finalize. */
void stencil_options_read(struct stencil_options *o, int dims, int argc, char **argv, int rank);

#endif
