/* SPDX-License-Identifier: BSD-3-Clause */
/* Look up exceptions to the general scheme of the wrappers, in special.def and lengths.def. */
#ifndef GEN_SPECIAL_H
#define GEN_SPECIAL_H

#include <stdbool.h>

#include "interface_model.h"

/* Sorts of lines in special.def. The result of a search is the line's argument: a statement, an
 * expression, an enumerator; see there. */
enum special {
    SPECIAL_BY_HAND,
    SPECIAL_KIND,
    SPECIAL_WEAK,
    SPECIAL_PASSING,
    SPECIAL_BEFORE,
    SPECIAL_AFTER,
    SPECIAL_ORIGIN,
    SPECIAL_NAMING,
    SPECIAL_NAMING_TAG,
    SPECIAL_COMPLETION,
    SPECIAL_PERSISTENT,
    SPECIAL_ONLY_IF,
    SPECIAL_UNREAD,
    SPECIAL_ONE_BASED,
    SPECIAL_AROUND,
    SPECIAL_AROUND_END,
    SPECIAL_ONE_MORE,
    SPECIAL_NOT_WRAPPED,
    SPECIAL_REMOVED,
    SPECIAL_OFTEN,
    SPECIAL_FREQUENT
};

/* Find the argument of the first line of this sort for the procedure ("MPI_Send_c") and parameter
 * (NULL for lines without one); NULL if there is no such line. The argument of lines without one is
 * "". */
const char *special_find(enum special sort, const char *procedure, const char *parameter);

/* The C length of an array from lengths.def; NULL if it has none. */
const char *special_length(const char *procedure, const char *parameter);

/* The length of a parameter that only the older dialect describes, from the lines ARRAY of
 * lengths.def; NULL if it is not an array. */
const char *special_array(const struct procedure *procedure, const struct parameter *p);

/* The name of the null handle of a set of constants; NULL if there is none. */
const char *special_null_handle(const char *set);
/* Whether arrays of this kind have sentinels (MPI_UNWEIGHTED). */
bool special_has_sentinel(const char *kind);
/* The PMPI procedure that converts a Fortran handle to C, by the set of the handle's constants.
 * NULL if Fortran has no such handles. */
const char *special_from_fortran(const char *set);

#endif
