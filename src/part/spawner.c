/* SPDX-License-Identifier: BSD-3-Clause */
#include "spawner.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_info.h"
#include "src/record/comm.h"
#include "src/record/tracer.h"

#define NAME  "OMPI_MCA_refrain_spawner"
#define VALUE (sizeof NAME) /* where the value begins in the variable's text */

static char variable[128] = NAME "="; /* part of the environment from spawner_start on */
static char spawner[64];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned spawned; /* number of worlds spawned by this process; under the lock */

/* The variable is in the environment from the start. Later only its text changes, so other threads
 * may read the environment meanwhile. */
void spawner_start(void)
{
    const char *inherited = getenv(NAME);
    if (inherited && strlen(inherited) < sizeof spawner)
        strcpy(spawner, inherited);
    putenv(variable);
}

void spawner_spawning(MPI_Comm comm, int root)
{
    struct thread *t = tracer_thread();
    if (!t)
        return;
    thread_enter(t);
    if (tracer.connected && comm_is_root(comm, root)) {
        pthread_mutex_lock(&lock);
        snprintf(variable + VALUE, sizeof variable - VALUE, "%016" PRIx64 " %d %u", run_info_id(),
                 tracer.rank, spawned++);
        pthread_mutex_unlock(&lock);
    }
    thread_leave(t);
}

const char *spawner_of_world(void)
{
    return tracer.spawned ? spawner : "";
}
