/* SPDX-License-Identifier: BSD-3-Clause */
/* The exceptions to the general scheme of the wrappers: special.def and lengths.def, looked up. */
#ifndef GEN_SPECIAL_H
#define GEN_SPECIAL_H

#include <stdbool.h>

#include "interface_model.h"

/* Sorts of lines in special.def. What the look-up gives is the line's argument: a statement, an expression,
 * an enumerator; see there. */
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

/* The argument of the first line of a sort for this procedure ("MPI_Send_c") and parameter (NULL for lines
 * that speak of none); NULL if there is no such line. Arguments of lines without one are "". */
const char *special_find(enum special sort, const char *procedure, const char *parameter);

/* The length of an array in C from lengths.def; NULL if it has none. */
const char *special_length(const char *procedure, const char *parameter);

/* The length of a parameter that the older dialect alone describes, by the lines ARRAY of lengths.def; NULL if it is no
 * array. */
const char *special_array(const struct procedure *procedure, const struct parameter *p);

/* The name of the null handle of a set of constants; NULL if there is none. */
const char *special_null_handle(const char *set);
/* Has an array of this kind sentinels (MPI_UNWEIGHTED)? */
bool special_has_sentinel(const char *kind);
/* The PMPI_ procedure that makes a C handle of a Fortran one; by the set of the handle's constants. NULL if
 * Fortran has no such handles. */
const char *special_from_fortran(const char *set);

#endif
