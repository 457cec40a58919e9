/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
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

static int compare_name(const void *name, const void *kind)
{
    return strcmp(name, ((const struct kind *)kind)->name);
}

/* kinds.def is in alphabetical order. */
const struct kind *kind_find(const char *name)
{
    return bsearch(name, kinds, n_kinds, sizeof *kinds, compare_name);
}

const struct kind *kind_of_c(const char *type)
{
    const struct kind *found = NULL;

    for (size_t i = 0; i < n_kinds; i++)
        if (strcmp(kinds[i].c_small, type) == 0) {
            if (found)
                return NULL;
            found = &kinds[i];
        }
    return found;
}

bool kind_has_large(const struct kind *kind)
{
    return *kind->c_large || *kind->f08_large;
}
