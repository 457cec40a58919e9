/* SPDX-License-Identifier: BSD-3-Clause */
/* The predefined handles, addresses and sentinels of the MPI library, by the value that the application
 * passes. */
#ifndef REFRAIN_PREDEFINED_H
#define REFRAIN_PREDEFINED_H

#include <stdbool.h>
#include <stdint.h>

#include "src/core/base/status.h"

/* Sets of addresses that have a special meaning. */
enum predefined_set {
    PREDEFINED_ADDRESS,  /* MPI_BOTTOM, MPI_IN_PLACE, NULL … */
    PREDEFINED_VALUE,    /* only NULL: for values that the program may choose freely */
    PREDEFINED_FUNCTION, /* MPI_COMM_DUP_FN … */
    PREDEFINED_ARRAY,    /* MPI_UNWEIGHTED …, passed instead of an array */
    PREDEFINED_SETS
};

/* Find out the values, and enter the handles into the registries (handle.h). Call it before anything is
 * recorded; afterwards nothing changes. */
enum refrain_status predefined_register(void);

/* Is it a constant of the set? Then *constant is its number in the set. */
bool predefined_address(enum predefined_set set, uint64_t address, int64_t *constant);
/* Is it passed instead of an array of this kind (for example "WEIGHT")? Then *constant is its number in
 * the set "ARRAY". */
bool predefined_sentinel(const char *kind, const void *array, int64_t *constant);

#endif
