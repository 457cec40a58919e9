/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_t.h"

#include <mpi.h>

#include "src/core/trace/functable.h"

struct mpi_t_category mpi_t_category(int category)
{
    int cvars, pvars, categories;
    if (PMPI_T_category_get_info(category, NULL, NULL, NULL, NULL, &cvars, &pvars, &categories) !=
        MPI_SUCCESS)
        return (struct mpi_t_category){ARRAY_UNUSED, ARRAY_UNUSED, ARRAY_UNUSED};
    return (struct mpi_t_category){cvars, pvars, categories};
}

int64_t mpi_t_count(int (*get)(int index, int *n), int index)
{
    int n;
    return get(index, &n) == MPI_SUCCESS ? n : ARRAY_UNUSED;
}
