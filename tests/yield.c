/* SPDX-License-Identifier: BSD-3-Clause */
/* For MPICH with more ranks than processors: its ranks never yield while they wait. This library,
 * preloaded, yields the processor whenever there was nothing to do. MPICH must be built with UCX.
 *
 *     cc -shared -fPIC -o yield.so tests/yield.c        LD_PRELOAD=$PWD/yield.so mpirun -n 64 … */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stddef.h>

unsigned ucp_worker_progress(void *worker);

unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*next)(void *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "ucp_worker_progress");
    const unsigned done = next(worker);
    if (done == 0)
        sched_yield();
    return done;
}
