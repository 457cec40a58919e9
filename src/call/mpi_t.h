/* SPDX-License-Identifier: BSD-3-Clause */
/* Lengths of the lists that the tool information interface (MPI_T) fills in. */
#ifndef REFRAIN_MPI_T_H
#define REFRAIN_MPI_T_H

#include <stdint.h>

/* How many variables and categories a category has; ARRAY_UNUSED where MPI does not say. */
struct mpi_t_category {
    int64_t cvars, pvars, categories;
};
struct mpi_t_category mpi_t_category(int category);

/* A number that `get` tells of an index; ARRAY_UNUSED where it does not. */
int64_t mpi_t_count(int (*get)(int index, int *n), int index);

#endif
