/* SPDX-License-Identifier: BSD-3-Clause */
/* Statuses of the application that a library has filled in only in part, as the standard allows: a file operation sets
 * the bytes alone, and MPICH's probes do not say that nothing was cancelled. What else is in them is what was there before, and
 * has to stay. When the application passes such a status on, to MPI_Get_count for instance, it is told by what it has in it:
 *
 *     MPI_File_read fills in   {source 7013, tag 0, cancelled, 64 bytes}   noted: nothing but the bytes
 *     MPI_Get_count is given   {source 7013, tag 0, cancelled, 64 bytes}   found
 *     MPI_Recv fills in the same, by chance                                forgotten
 *
 * The last few of each thread; nearly always there are none. Nothing is noted where what is left is what an empty status has. */
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
/* What it means: HANDLE_STATUS_WHOLE if it was not noted. */
enum handle_status partial_status_find(const struct partial_statuses *p, const MPI_Status *status);
void partial_status_forget(struct partial_statuses *p, const MPI_Status *status);

#endif
