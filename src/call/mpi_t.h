/* SPDX-License-Identifier: BSD-3-Clause */
/* Lengths of the lists that the tool information interface (MPI_T) fills in. */
#ifndef REFRAIN_MPI_T_H
#define REFRAIN_MPI_T_H

#include <stdint.h>

/* The numbers of variables and categories in a category; ARRAY_UNUSED if MPI returns an error. */
struct mpi_t_category {
    int64_t cvars, pvars, categories;
};
struct mpi_t_category mpi_t_category(int category);

/* The number that `get` returns for an index; ARRAY_UNUSED if MPI returns an error. */
int64_t mpi_t_count(int (*get)(int index, int *n), int index);

#endif
