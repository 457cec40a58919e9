/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that use MPI through sessions (MPI 4.0), without MPI_Init: there is no MPI_COMM_WORLD, and no call
 * that all ranks make together at the end.
 *
 * Nothing here talks to other ranks: which of them open a session, and when, is the program's affair, and one
 * that waits for the others could wait for ever. The first session tells the rank in the process set
 * mpi://WORLD. When the process exits, with no session open and MPI_Init never called, it leaves its part
 * (part.h); the last rank to do so puts all parts together (last_rank_merge.h). */
#ifndef REFRAIN_SESSION_H
#define REFRAIN_SESSION_H

#include <mpi.h>
#include <stdbool.h>

#if MPI_VERSION >= 4

struct call;

/* In the recorded MPI_Session_init, after it has succeeded. */
void session_opened(struct call *call, MPI_Session session);
/* MPI_Session_finalize is about to be called. */
void session_closing(void);

#endif

/* Has the process had sessions, and are all finalized? */
bool session_over(void);

#endif
