/* SPDX-License-Identifier: BSD-3-Clause */
/* Give a new communicator a number and a name (comm.h). */
#include "call.h"

#include <stdatomic.h>

#include "generated/functions.h"
#include "src/core/base/mix.h"
#include "src/record/comm.h"
#include "src/record/definition_records.h"
#include "src/record/thread.h"
#include "src/record/tracer.h"

/* Return the parent in the name, the same on all members. Both sides of a bridge between groups have
 * different parents, so MPI_COMM_NULL stands for them. */
static int64_t parent_of(const struct call *call, const struct comm *c, enum call_naming naming)
{
    const bool bridge = naming != CALL_BY_PARENT && c->remote_size >= 0;
    return call->comm_given && !bridge
               ? call->comm_slot
               : handle_find(&thread_self->handles, HANDLE_COMMUNICATOR, HANDLE_VALUE(MPI_COMM_NULL))->slot;
}

/* Return the function in the name. If two sides call two procedures for one communicator, both use the
 * same function. */
static uint32_t function_of(const struct call *call)
{
    return call->function == FUNCTION_MPI_Comm_connect ? FUNCTION_MPI_Comm_accept : call->function;
}

/* Communicators of one class share numbers, so all members must make and free them in the same order. With
 * several threads in MPI there are no classes: on one member, a thread may free a communicator before
 * another thread makes the next one; on another member, after that. Then each communicator has its own
 * number and name, unless this process is its only member. */
static uint64_t class_of(const struct call *call, const struct comm *c)
{
    static atomic_uint_fast64_t made;
    const int64_t parent = call->comm_given ? call->comm_slot : HANDLE_UNKNOWN;
    const uint64_t key = mix(mix(mix(0, call->function), (uint64_t)parent), c->members);
    const bool alone = c->size == 1 && c->remote_size < 0;
    return tracer.threads == MPI_THREAD_MULTIPLE && !alone ? mix(key, atomic_fetch_add(&made, 1) + 1) : key;
}

/* Describe the communicator. If its creation is not complete (MPI_Comm_idup), it is described as
 * its parent. */
static enum refrain_status describe(MPI_Comm comm, enum call_naming naming, const struct comm *parent,
                                    struct comm *c)
{
    if (naming != CALL_PROMISED)
        return comm_describe(comm, c);
    *c = parent ? *parent : (struct comm){.remote_size = -1, .leader = -1, .remote_leader = -1};
    return REFRAIN_OK;
}

/* Give the communicator that `c` describes a number, and define what the number means. */
static enum refrain_status name(const struct call *call, MPI_Comm comm, struct comm *c,
                                enum call_naming naming, uint64_t tag, uint64_t sequence)
{
    bool is_new;
    const int64_t parent = parent_of(call, c, naming);
    const uint32_t function = function_of(call);
    enum refrain_status status = REFRAIN_OK;
    if (naming != CALL_BY_PARENT)
        status = comm_count_by_members(c, tag, mix(function, (uint64_t)parent), &sequence);
    if (!status)
        status = handle_make(HANDLE_COMMUNICATOR, HANDLE_VALUE(comm), class_of(call, c), &c->slot, &is_new);
    if (!status)
        status = comm_enter(c);
    if (!status && is_new)
        definition_records_comm(c, gen_functable.functions.items[function].name, parent, sequence);
    return status;
}

void call_communicator_new(struct call *call, MPI_Comm comm, enum call_naming naming, uint64_t tag)
{
    if (call->failed)
        return;
    /* Count the creation also if this process is not in the new communicator. */
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
        enum refrain_status status = describe(comm, naming, parent, &c);
        if (!status)
            status = name(call, comm, &c, by_parent ? CALL_BY_PARENT : naming, tag, sequence);
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
