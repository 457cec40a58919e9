/* SPDX-License-Identifier: BSD-3-Clause */
/* The predefined handles, addresses and sentinels of the MPI library, by the value that the application
 * passes. */
#ifndef REFRAIN_PREDEFINED_H
#define REFRAIN_PREDEFINED_H

#include <stdbool.h>
#include <stdint.h>

#include "src/core/base/status.h"

/* Sets of addresses with a meaning of their own. */
enum predefined_set {
    PREDEFINED_ADDRESS,  /* MPI_BOTTOM, MPI_IN_PLACE, NULL … */
    PREDEFINED_VALUE,    /* NULL alone: of what the program may set as it likes */
    PREDEFINED_FUNCTION, /* MPI_COMM_DUP_FN … */
    PREDEFINED_ARRAY,    /* MPI_UNWEIGHTED …: in place of an array */
    PREDEFINED_SETS
};

/* Finds out the values and enters the handles into the registries (handle.h). Before anything is recorded:
 * afterwards nothing changes. */
enum refrain_status predefined_register(void);

/* Is it a constant of the set? Then its number in the set. */
bool predefined_address(enum predefined_set set, uint64_t address, int64_t *constant);
/* Does it stand in place of an array of a kind ("WEIGHT")? Then its number in the set "ARRAY". */
bool predefined_sentinel(const char *kind, const void *array, int64_t *constant);

#endif
