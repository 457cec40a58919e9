/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "definition_records.h"
#include "generated/functions.h"
#include "predefined.h"
#include "src/core/base/log.h"
#include "src/core/base/map.h"
#include "src/core/base/mix.h"
#include "tracer.h"

#define SEGMENT_FIRST 16
#define SEGMENTS      28 /* room for all numbers of 32 bits */

static struct {
    struct comm world, self;
    pthread_mutex_t lock; /* for those who change the following */
    /* By number of the handle, in segments that do not move when others come, so that looking one up needs no
     * lock; owned:
     *
     *     segments   [0] 0 … 15   [1] 16 … 47   [2] 48 … 111   …      each twice as long as the one before */
    _Atomic(struct comm *) segments[SEGMENTS];
    struct map by_members; /* hash of tag and members -> creations so far */
} comms = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- what MPI tells of a communicator -------------------------------------------------------- */

static enum refrain_status failed(const char *what)
{
    log_error("%s failed", what);
    return REFRAIN_ERR_MPI;
}

/* Of a group, which it frees: the rank in MPI_COMM_WORLD of its first member, -1 if that is not in there, and
 * a hash of the world ranks in their order. */
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
        c.members += members; /* a sum does not tell local from remote */
    }
    if (!status)
        *out = c;
    return status;
}

/* ---- look-up --------------------------------------------------------------------------------- */

/* In which segment is it, and where there? */
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
    enum refrain_status status = describe(MPI_COMM_WORLD, &comms.world);
    return status ? status : describe(MPI_COMM_SELF, &comms.self);
}

void comm_clear(void)
{
    for (size_t i = 0; i < SEGMENTS; i++)
        free(atomic_exchange(&comms.segments[i], NULL));
    map_free(&comms.by_members);
}

/* ---- creation -------------------------------------------------------------------------------- */

/* Remembers what a symbol is. The entry of a number that was freed before is used again, and goes on counting
 * what is made of it: a name stands for one communicator in the whole run, and the parent's part of it is the
 * same in each of the parent's lives. */
static enum refrain_status enter(const struct comm *c)
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

/* How many communicators with these members and tag there were before: to be told apart from those with
 * others, the number has a hash of them in its upper bits. */
static enum refrain_status count_by_members(const struct comm *c, uint64_t tag, uint64_t *sequence)
{
    const uint64_t key = mix(c->members, tag);
    pthread_mutex_lock(&comms.lock);
    const uint32_t seen = map_get(&comms.by_members, key);
    const uint32_t count = seen == MAP_NONE ? 0 : seen;
    const bool counted = map_set(&comms.by_members, key, count + 1);
    pthread_mutex_unlock(&comms.lock);
    if (!counted)
        return REFRAIN_ERR_MEMORY;
    *sequence = ((key << 16) >> 1) + count;
    return REFRAIN_OK;
}

static int64_t parent_of(const struct call *call)
{
    return call->comm_given ? call->comm_slot : HANDLE_UNKNOWN;
}

/* Gives the new communicator that `c` describes a number, and the number a meaning. */
static enum refrain_status name(const struct call *call, MPI_Comm comm, struct comm *c,
                                enum call_naming naming, uint64_t sequence)
{
    const uint64_t of_parent = mix(mix(0, call->function), (uint64_t)parent_of(call));
    const uint64_t class_key = mix(of_parent, c->members);
    bool is_new;
    enum refrain_status status =
        handle_make(HANDLE_COMMUNICATOR, HANDLE_VALUE(comm), class_key, &c->slot, &is_new);
    if (!status)
        status = enter(c);
    if (status || !is_new)
        return status;

    /* Both sides of a bridge between groups have parents of their own, which are no part of its name. */
    const bool bridge = naming != CALL_BY_PARENT && c->remote_size >= 0;
    int64_t parent = parent_of(call);
    if (!call->comm_given || bridge)
        parent = handle_find(&thread_self->handles, HANDLE_COMMUNICATOR, HANDLE_VALUE(MPI_COMM_NULL))->slot;
    /* Two sides, two procedures, one communicator. */
    const uint32_t function =
        call->function == FUNCTION_MPI_Comm_connect ? FUNCTION_MPI_Comm_accept : call->function;
    definition_records_comm(c, gen_functable.functions.items[function].name, parent, sequence);
    return REFRAIN_OK;
}

void call_communicator_new(struct call *call, MPI_Comm comm, enum call_naming naming, uint64_t tag)
{
    if (call->failed)
        return;
    /* Counted also where this process is left out of what was made. */
    uint64_t sequence = 0;
    const bool by_parent = naming == CALL_BY_PARENT || naming == CALL_PROMISED;
    struct comm *parent = call->comm_given ? comm_find(call->comm) : NULL;
    if (by_parent && parent)
        sequence = parent->sequence++;

    const struct handle_cached *found =
        handle_find(&thread_self->handles, HANDLE_COMMUNICATOR, HANDLE_VALUE(comm));
    int64_t slot = found->slot;
    const bool known = found->handle == HANDLE_NONE ? slot != HANDLE_UNKNOWN : naming == CALL_LENT_COMM;
    if (!known) {
        struct comm c;
        enum refrain_status status = REFRAIN_OK;
        if (naming != CALL_PROMISED)
            status = describe(comm, &c);
        else if (parent)
            c = *parent;
        else
            c = (struct comm){.remote_size = -1, .leader = -1, .remote_leader = -1};
        if (!status && !by_parent)
            status = count_by_members(&c, tag, &sequence);
        if (!status)
            status = name(call, comm, &c, by_parent ? CALL_BY_PARENT : naming, sequence);
        if (status) {
            call_fail(call);
            return;
        }
        slot = c.slot;
    }
    call_int(call, slot);
}

uint64_t call_tag_of_string(const char *tag)
{
    uint64_t hash = 0;
    for (; *tag; tag++)
        hash = mix(hash, (unsigned char)*tag);
    return hash;
}
