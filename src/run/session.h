/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that use MPI through sessions (MPI 4.0), without MPI_Init: there is no MPI_COMM_WORLD
 * and no collective last call.
 *
 * The code here does not communicate: the program decides which ranks open a session and when, so a
 * rank that waits for the others could wait forever. The first session gives the rank in the
 * process set mpi://WORLD. A process that exits with no session open and without MPI_Init writes
 * its part (part.h); the last rank merges all parts (last_rank_merge.h). */
#ifndef REFRAIN_SESSION_H
#define REFRAIN_SESSION_H

#include <mpi.h>
#include <stdbool.h>

#if MPI_VERSION >= 4

struct call;

/* Call it within the recorded MPI_Session_init, after its success. */
void session_opened(struct call *call, MPI_Session session);
/* Call it before MPI_Session_finalize. */
void session_closing(void);

#endif

/* Whether the process had sessions and all are finalized. */
bool session_over(void);

#endif
