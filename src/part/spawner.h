/* SPDX-License-Identifier: BSD-3-Clause */
/* The program that spawned this one. MPI does not say it, and the tracer must not send messages
 * over the application's communicators. So it uses the environment: Open MPI passes variables whose
 * names begin with OMPI_MCA_ to the processes that it spawns.
 *
 *     OMPI_MCA_refrain_spawner=RUN RANK N
 *
 * RUN is the spawning world (run_info.h), RANK its rank, and N how many earlier calls of
 * MPI_Comm_spawn and MPI_Comm_spawn_multiple had this rank as root. */
#ifndef REFRAIN_SPAWNER_H
#define REFRAIN_SPAWNER_H

#include <mpi.h>

/* Call it at the first MPI call. Not earlier, since a launcher that contains the tracer must not
 * get the variable. */
void spawner_start(void);
/* Call it before MPI_Comm_spawn, in the root process. */
void spawner_spawning(MPI_Comm comm, int root);
/* The spawner of this world; "" if there is none or it is unknown. */
const char *spawner_of_world(void);

#endif
