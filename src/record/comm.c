/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/base/log.h"
#include "src/core/base/map.h"
#include "src/core/base/mix.h"
#include "src/memory/tracer_heap.h"
#include "tracer.h"

#define SEGMENT_FIRST 16
#define SEGMENTS      28 /* enough segments for all 32-bit numbers */

static struct {
    struct comm world, self;
    pthread_mutex_t lock; /* taken to change what follows */
    /* Indexed by the handle's number, in segments (owned). Segments never move when new ones are added, so
     * a look-up needs no lock:
     *
     *     segments   [0] 0 … 15   [1] 16 … 47   [2] 48 … 111   …      each twice as long as the one before */
    _Atomic(struct comm *) segments[SEGMENTS];
    struct map by_members; /* hash of tag, members and origin -> creations so far */
} comms = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- description of a communicator ----------------------------------------------------------- */

static enum refrain_status failed(const char *what)
{
    log_error("%s failed", what);
    return REFRAIN_ERR_MPI;
}

/* Examine and free a group. *leader is the rank of its first member in MPI_COMM_WORLD, -1 if it is not in
 * there. The other result is a hash of the world ranks in their order. */
static enum refrain_status examine_group(MPI_Group group, int size, int64_t *leader, uint64_t *members)
{
    enum refrain_status status = REFRAIN_ERR_MEMORY;
    int *ranks = NULL;
    *members = mix(0, (uint64_t)size);
    *leader = -1;
    if (!tracer.up) { /* MPI may not be asked */
        status = REFRAIN_OK;
        goto end;
    }
    ranks = calloc(2 * (size_t)size + 1, sizeof *ranks);
    if (!ranks) {
        log_error("no memory for the members of a communicator");
        goto end;
    }
    for (int i = 0; i < size; i++)
        ranks[i] = i;
    if (PMPI_Group_translate_ranks(group, size, ranks, tracer.world, ranks + size) != MPI_SUCCESS) {
        status = failed("MPI_Group_translate_ranks");
        goto end;
    }
    for (int i = 0; i < size; i++)
        *members = mix(*members, (uint64_t)ranks[size + i]);
    if (ranks[size] != MPI_UNDEFINED)
        *leader = ranks[size];
    status = REFRAIN_OK;
end:
    free(ranks);
    PMPI_Group_free(&group);
    return status;
}

static enum refrain_status describe(MPI_Comm comm, struct comm *out)
{
    struct comm c = {.remote_size = -1, .remote_leader = -1};
    int inter;
    MPI_Group group;
    if (PMPI_Comm_size(comm, &c.size) != MPI_SUCCESS || PMPI_Comm_rank(comm, &c.rank) != MPI_SUCCESS ||
        PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || PMPI_Comm_group(comm, &group) != MPI_SUCCESS)
        return failed("asking about a new communicator");
    enum refrain_status status = examine_group(group, c.size, &c.leader, &c.members);
    if (!status && inter) {
        uint64_t members;
        if (PMPI_Comm_remote_size(comm, &c.remote_size) != MPI_SUCCESS ||
            PMPI_Comm_remote_group(comm, &group) != MPI_SUCCESS)
            return failed("asking about a new intercommunicator");
        status = examine_group(group, c.remote_size, &c.remote_leader, &members);
        c.members += members; /* a sum is the same on both sides */
    }
    if (!status)
        *out = c;
    return status;
}

enum refrain_status comm_describe(MPI_Comm comm, struct comm *out)
{
    tracer_heap_begin();
    const enum refrain_status status = describe(comm, out);
    tracer_heap_end();
    return status;
}

/* ---- look-up --------------------------------------------------------------------------------- */

/* Return the segment of a symbol, and its index in the segment. */
static size_t segment_of(uint32_t symbol, size_t *index)
{
    size_t segment = 0, length = SEGMENT_FIRST;
    for (*index = symbol; *index >= length; length *= 2, segment++)
        *index -= length;
    return segment;
}

static struct comm *entry(uint32_t symbol)
{
    size_t index;
    struct comm *segment =
        atomic_load_explicit(&comms.segments[segment_of(symbol, &index)], memory_order_acquire);
    return segment ? &segment[index] : NULL;
}

static struct comm *comm_of(MPI_Comm comm, uint32_t handle, int64_t slot)
{
    if (handle != HANDLE_NONE)
        return entry((uint32_t)(slot >> 1));
    if (!tracer.connected || slot == HANDLE_UNKNOWN)
        return NULL;
    return comm == MPI_COMM_WORLD ? &comms.world : comm == MPI_COMM_SELF ? &comms.self : NULL;
}

struct comm *comm_find(MPI_Comm comm)
{
    const struct handle_cached *known =
        handle_find(&thread_self->handles, HANDLE_COMMUNICATOR, HANDLE_VALUE(comm));
    return comm_of(comm, known->handle, known->slot);
}

enum refrain_status comm_start(void)
{
    enum refrain_status status = comm_describe(MPI_COMM_WORLD, &comms.world);
    return status ? status : comm_describe(MPI_COMM_SELF, &comms.self);
}

void comm_clear(void)
{
    for (size_t i = 0; i < SEGMENTS; i++)
        free(atomic_exchange(&comms.segments[i], NULL));
    map_free(&comms.by_members);
}

/* ---- creation -------------------------------------------------------------------------------- */

/* A reused number keeps its entry, and the entry's `sequence` continues to count: each name stands for
 * only one communicator in the whole run, and names contain the parent's number, which is the same each
 * time it is reused. */
enum refrain_status comm_enter(const struct comm *c)
{
    size_t index;
    const size_t segment = segment_of((uint32_t)(c->slot >> 1), &index);
    pthread_mutex_lock(&comms.lock);
    if (!atomic_load(&comms.segments[segment]))
        atomic_store(&comms.segments[segment], calloc((size_t)SEGMENT_FIRST << segment, sizeof *c));
    pthread_mutex_unlock(&comms.lock);
    struct comm *place = entry((uint32_t)(c->slot >> 1));
    if (!place) {
        log_error("no memory for a communicator");
        return REFRAIN_ERR_MEMORY;
    }
    const uint64_t sequence = place->sequence;
    *place = *c;
    place->sequence = sequence;
    return REFRAIN_OK;
}

enum refrain_status comm_count_by_members(const struct comm *c, uint64_t tag, uint64_t origin,
                                          uint64_t *sequence)
{
    const uint64_t common = mix(c->members, tag), key = mix(common, origin);
    pthread_mutex_lock(&comms.lock);
    const uint32_t seen = map_get(&comms.by_members, key);
    const uint32_t count = seen == MAP_NONE ? 0 : seen;
    const bool counted = map_set(&comms.by_members, key, count + 1);
    pthread_mutex_unlock(&comms.lock);
    if (!counted)
        return REFRAIN_ERR_MEMORY;
    *sequence = ((common << 16) >> 1) + count;
    return REFRAIN_OK;
}
