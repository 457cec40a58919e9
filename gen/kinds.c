/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "kinds.h"

#define ADDRESS_INTEGER "INTEGER(KIND=MPI_ADDRESS_KIND)"
#define COUNT_INTEGER   "INTEGER(KIND=MPI_COUNT_KIND)"
#define OFFSET_INTEGER  "INTEGER(KIND=MPI_OFFSET_KIND)"

#define KIND(name, c, c_large, f90, f90_large, f08, f08_large, value, set, prefix)                           \
    {name, c, c_large, f90, f90_large, f08, f08_large, value, set, prefix},

const struct kind kinds[] = {
#include "kinds.def"
};
const size_t n_kinds = sizeof kinds / sizeof *kinds;

const struct kind *kind_find(const char *name)
{
    size_t low = 0, high = n_kinds; /* kinds.def is in the alphabet's order: halve */

    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(name, kinds[middle].name);

        if (order == 0)
            return &kinds[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

const struct kind *kind_of_c(const char *type)
{
    for (size_t i = 0; i < n_kinds; i++)
        if (strcmp(kinds[i].c_small, type) == 0)
            return &kinds[i];
    return NULL;
}

bool kind_has_large(const struct kind *kind)
{
    return *kind->c_large || *kind->f08_large;
}
