#include "tools.h"

#include <mpi.h>

#include "src/core/trace/functable.h"

struct tools_category tools_category(int category)
{
    int cvars, pvars, categories;
    if (PMPI_T_category_get_info(category, NULL, NULL, NULL, NULL, &cvars, &pvars, &categories) !=
        MPI_SUCCESS)
        return (struct tools_category){ARRAY_UNUSED, ARRAY_UNUSED, ARRAY_UNUSED};
    return (struct tools_category){cvars, pvars, categories};
}

int64_t tools_count(int (*get)(int index, int *n), int index)
{
    int n;
    return get(index, &n) == MPI_SUCCESS ? n : ARRAY_UNUSED;
}
