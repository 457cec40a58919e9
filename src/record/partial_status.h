/* SPDX-License-Identifier: BSD-3-Clause */
/* Remembers statuses that the library has filled in only in part, as the standard allows: a file operation
 * sets only the bytes, and MPICH's probes leave the cancelled flag unset. The other fields keep their old
 * values, and the tracer must not change them. When the application passes such a status on, for example
 * to MPI_Get_count, it is recognised by its content:
 *
 *     MPI_File_read fills in   {source 7013, tag 0, cancelled, 64 bytes}   noted: nothing but the bytes
 *     MPI_Get_count is given   {source 7013, tag 0, cancelled, 64 bytes}   found
 *     MPI_Recv fills in the same, by chance                                forgotten
 *
 * Each thread remembers only the last few; usually there are none. A status is not noted if its other
 * fields equal those of an empty status. */
#ifndef REFRAIN_PARTIAL_STATUS_H
#define REFRAIN_PARTIAL_STATUS_H

#include <mpi.h>

#include "handle.h"

#define PARTIAL_STATUSES 4

struct partial_statuses {
    unsigned n; /* noted since the start; number i, until it is forgotten, stands at i % PARTIAL_STATUSES */
    struct partial_status {
        MPI_Status status;
        enum handle_status meaning; /* HANDLE_STATUS_WHOLE: free */
    } items[PARTIAL_STATUSES];
};

void partial_status_note(struct partial_statuses *p, const MPI_Status *status, enum handle_status meaning);
/* Return which fields are valid; HANDLE_STATUS_WHOLE if the status was not noted. */
enum handle_status partial_status_find(const struct partial_statuses *p, const MPI_Status *status);
void partial_status_forget(struct partial_statuses *p, const MPI_Status *status);

#endif
