/* Lengths of the lists that the tool information interface (MPI_T) fills in. */
#ifndef REFRAIN_TOOLS_H
#define REFRAIN_TOOLS_H

#include <stdint.h>

/* How many variables and categories a category has; ARRAY_UNUSED where MPI does not tell. */
struct tools_category {
    int64_t cvars, pvars, categories;
};
struct tools_category tools_category(int category);

/* A number that `get` tells of an index; ARRAY_UNUSED where it does not. */
int64_t tools_count(int (*get)(int index, int *n), int index);

#endif
