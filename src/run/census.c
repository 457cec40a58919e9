/* SPDX-License-Identifier: BSD-3-Clause */
#include "census.h"

#include <assert.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "census_tree.h"
#include "src/part/launcher.h"
#include "src/clock/clock.h"
#include "src/core/base/log.h"
#include "src/record/tracer.h"
#include "src/settings/config.h"

enum { NAP_LEAST = 20000, NAP_MOST = 1000000 }; /* nanoseconds */

enum verdict { OPEN, COMPLETE, INCOMPLETE };

/* initially all zeros */
struct census {
    atomic_uint count, verdict;
};

/* Lock the file: each rank that counts itself holds a shared lock. If the exclusive lock succeeds,
 * the file is left over from a job whose ranks died before the verdict, or new: counting starts at
 * zero. posix_fallocate reserves the page, since a write to a full file system would raise a
 * signal. */
static bool take_hold(int fd)
{
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && ftruncate(fd, 0) != 0)
        return false;
    return flock(fd, LOCK_SH) == 0 && posix_fallocate(fd, 0, sizeof(struct census)) == 0;
}

/* Map the file; NULL if that fails. The lock lasts until *fd is closed. */
static struct census *attach(const char *path, int *fd)
{
    *fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (*fd < 0)
        return NULL;
    void *memory = take_hold(*fd)
                       ? mmap(NULL, sizeof(struct census), PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0)
                       : MAP_FAILED;
    if (memory != MAP_FAILED)
        return memory;
    close(*fd);
    return NULL;
}

/* True for the one rank that sets the verdict. */
static bool decide(struct census *c, enum verdict verdict, const char *path)
{
    unsigned open = OPEN;
    if (!atomic_compare_exchange_strong(&c->verdict, &open, verdict))
        return false;
    unlink(path);
    return true;
}

static void await_verdict(struct census *c, const char *path)
{
    const uint64_t start = clock_now();
    long nap = NAP_LEAST;
    while (atomic_load(&c->verdict) == OPEN) {
        if (clock_now() - start > config.init_timeout && decide(c, INCOMPLETE, path))
            log_error(
                "only %u of %d ranks have the tracer after %.3g s in MPI_Init: each writes a part instead of "
                "a common trace; start all ranks with refrain record, or increase REFRAIN_INIT_TIMEOUT",
                atomic_load(&c->count), tracer.size, (double)config.init_timeout / 1e9);
        nanosleep(&(struct timespec){.tv_nsec = nap}, NULL);
        nap = 2 * nap < NAP_MOST ? 2 * nap : NAP_MOST;
    }
}

bool census_is_complete(void)
{
    assert(tracer.size > 0);
    char path[80];
    int fd;
    const uint64_t run = launcher_run();
    if (config.init_timeout == 0 || tracer.size == 1)
        return true;
    if (run == 0 || launcher_local_ranks() != tracer.size)
        return census_tree_is_complete(config.init_timeout);
    snprintf(path, sizeof path, "/dev/shm/refrain.%lu.%d.%016" PRIx64, (unsigned long)getuid(), tracer.size,
             run);
    struct census *c = attach(path, &fd);
    if (!c)
        return true;
    if (atomic_fetch_add(&c->count, 1) + 1 == (unsigned)tracer.size)
        decide(c, COMPLETE, path);
    await_verdict(c, path);
    const bool complete = atomic_load(&c->verdict) == COMPLETE;
    munmap(c, sizeof *c);
    close(fd);
    return complete;
}
