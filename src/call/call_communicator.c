/* SPDX-License-Identifier: BSD-3-Clause */
/* A call has made a communicator: it gets a number and a name (comm.h). */
#include "call.h"
#include "generated/functions.h"
#include "src/core/base/mix.h"
#include "src/record/comm.h"
#include "src/record/definition_records.h"
#include "src/record/thread.h"
#include "src/record/tracer.h"

static int64_t parent_of(const struct call *call)
{
    return call->comm_given ? call->comm_slot : HANDLE_UNKNOWN;
}

/* Communicators of one class share numbers, so it has to be those that all members make in the same order: of
 * one parent, or of the same processes. Several threads may make those of different tags at the same time.
 * Where one thread makes all, so that a program may well count its tags, the tag does not matter. */
static uint64_t class_of(const struct call *call, const struct comm *c, enum call_naming naming, uint64_t tag)
{
    const uint64_t of_parent = mix(mix(0, call->function), (uint64_t)parent_of(call));
    const bool at_once = naming != CALL_BY_PARENT && tracer.threads == MPI_THREAD_MULTIPLE;
    return mix(of_parent, at_once ? mix(c->members, tag) : c->members);
}

/* Gives the new communicator that `c` describes a number, and the number a meaning. */
static enum refrain_status name(const struct call *call, MPI_Comm comm, struct comm *c, uint64_t class_key,
                                enum call_naming naming, uint64_t sequence)
{
    bool is_new;
    enum refrain_status status =
        handle_make(HANDLE_COMMUNICATOR, HANDLE_VALUE(comm), class_key, &c->slot, &is_new);
    if (!status)
        status = comm_enter(c);
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
            status = comm_describe(comm, &c);
        else if (parent)
            c = *parent;
        else
            c = (struct comm){.remote_size = -1, .leader = -1, .remote_leader = -1};
        if (!status && !by_parent)
            status = comm_count_by_members(&c, tag, &sequence);
        const enum call_naming by = by_parent ? CALL_BY_PARENT : naming;
        if (!status)
            status = name(call, comm, &c, class_of(call, &c, by, tag), by, sequence);
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
