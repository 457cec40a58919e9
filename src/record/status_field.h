/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the fields of a status that have no standard names: the bytes received, and the cancelled flag. In
 * general this needs MPI_Get_elements_x and MPI_Test_cancelled, which take most of the time spent on a
 * status. For known libraries the fields are read directly, after a check on some test statuses has shown
 * that the fields are where they are expected. */
#ifndef REFRAIN_STATUS_FIELD_H
#define REFRAIN_STATUS_FIELD_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/memory/guard.h"

/* Was the check successful? */
extern GUARD_HIDDEN bool status_fields_known;

/* Run the check. MPI must be initialised, and no other thread may read a status yet. */
void status_field_start(void);

/* False when MPI fails. */
bool status_field_ask_bytes(const MPI_Status *status, int64_t *bytes);
bool status_field_ask_cancelled(const MPI_Status *status, bool *cancelled);

#if defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION <= 5

static inline int64_t status_field_bytes(const MPI_Status *status)
{
    return (int64_t)status->_ucount;
}
static inline bool status_field_cancelled(const MPI_Status *status)
{
    return status->_cancelled != 0;
}

#elif defined MPICH_NUMVERSION && MPICH_NUMVERSION >= 30100000 && MPICH_NUMVERSION < 50000000

static inline int64_t status_field_bytes(const MPI_Status *status)
{
    return (int64_t)(status->count_hi_and_cancelled >> 1) << 32 | (int64_t)(uint32_t)status->count_lo;
}
static inline bool status_field_cancelled(const MPI_Status *status)
{
    return status->count_hi_and_cancelled & 1;
}

#else
#define STATUS_FIELD_UNKNOWN

static inline int64_t status_field_bytes(const MPI_Status *status)
{
    (void)status;
    return 0;
}
static inline bool status_field_cancelled(const MPI_Status *status)
{
    (void)status;
    return false;
}

#endif

#endif
