#include "world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comm.h"
#include "run.h"
#include "tracer.h"

#define NAME  "OMPI_MCA_refrain_spawner"
#define VALUE (sizeof NAME) /* where the value begins in the variable's text */

static char variable[128] = NAME "="; /* part of the environment */
static char spawner[64];
static unsigned spawned; /* so far; under the tracer's lock */

/* It is there from the start, so that other threads may use the environment while it gets its value. */
void world_start(void)
{
    const char *inherited = getenv(NAME);
    if (inherited && strlen(inherited) < sizeof spawner)
        strcpy(spawner, inherited);
    putenv(variable);
}

void world_spawning(MPI_Comm comm, int root)
{
    tracer_lock();
    if (tracer.connected && comm_is_root(comm, root))
        snprintf(variable + VALUE, sizeof variable - VALUE, "%016" PRIx64 " %d %u", run_id(), tracer.rank,
                 spawned++);
    tracer_unlock();
}

const char *world_spawner(void)
{
    return tracer.spawned ? spawner : "";
}
