/* SPDX-License-Identifier: BSD-3-Clause */
/* Worlds that one program makes of another: who spawned this one. MPI does not say, and no message of ours
 * may go over a communicator that the application has, so the environment does: Open MPI hands variables
 * whose names begin with OMPI_MCA_ on to the processes that it spawns.
 *
 *     OMPI_MCA_refrain_spawner=RUN RANK N
 *
 * World RUN (run_info.h), its rank RANK, and how many calls of MPI_Comm_spawn and MPI_Comm_spawn_multiple
 * that was the root of before. */
#ifndef REFRAIN_SPAWNER_H
#define REFRAIN_SPAWNER_H

#include <mpi.h>

/* At the first MPI call: not sooner, since a launcher with the tracer in it must not have the variable. */
void spawner_start(void);
/* The process that is root of MPI_Comm_spawn is about to call it. */
void spawner_spawning(MPI_Comm comm, int root);
/* Who spawned this world; "" if nobody did, or that is not known. */
const char *spawner_of_world(void);

#endif
