/* Windows, and what files have in common with them. */
#include "otf2_events_impl.h"

#include "otf2_call.h"

/* What a collective operation made has the number of that operation, + 1, on the same communicator. */
struct operation_scope otf2_made_by(const struct operation *op)
{
    struct operation_scope made = op->scope;
    made.object = op->number + 1;
    return made;
}

bool otf2_has_object(const struct otf2_context *c, const struct operation *op)
{
    return op->scope.object != 0 && otf2_comm(&c->x->ranks, op->scope.comm) != OTF2_NOBODY;
}

enum refrain_status otf2_number_of(const struct otf2_context *c, enum otf2_object_kind kind,
                                   const struct operation_scope *scope, const char *name, uint32_t *number)
{
    return otf2_objects_number(c->x->objects, kind, scope, name, number);
}

enum refrain_status otf2_put_window_collective(struct otf2_context *c, const struct operation *op, bool begin)
{
    const struct otf2_function *f = &c->x->functions[op->function];
    const uint32_t actions = c->x->source.roles[op->function].actions;
    const struct operation_scope scope = actions & ROLE_MAKES ? otf2_made_by(op) : op->scope;
    const bool told = f->collective && (!c->x->compat || otf2_operation_is_old(f->operation));
    uint32_t window;
    if (f->role != OTF2_REGION_ROLE_RMA || scope.object == 0 ||
        otf2_comm(&c->x->ranks, scope.comm) == OTF2_NOBODY)
        return REFRAIN_OK;
    enum refrain_status status = otf2_number_of(c, OTF2_WINDOW, &scope, "", &window);
    if (status != REFRAIN_OK)
        return status;
    if (begin)
        return told ? RECORD(c, RmaCollectiveBegin) : REFRAIN_OK;
    if (actions & ROLE_MAKES)
        status = RECORD(c, RmaWinCreate, window);
    else if (actions & ROLE_ENDS)
        status = RECORD(c, RmaWinDestroy, window);
    if (status == REFRAIN_OK && told)
        status = RECORD(c, RmaCollectiveEnd, f->operation,
                        OTF2_RMA_SYNC_LEVEL_PROCESS | (actions & ROLE_CLOSE ? OTF2_RMA_SYNC_LEVEL_MEMORY : 0),
                        window, OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
    return status;
}

enum refrain_status otf2_put_access(struct otf2_context *c, const struct operation *op)
{
    const struct otf2_function *f = &c->x->functions[op->function];
    struct otf2_issued access = {.target = op->peer, .id = c->f->accesses};
    if (!otf2_has_object(c, op) || f->access == OTF2_ACCESS_NONE)
        return REFRAIN_OK;
    const uint32_t target = otf2_rank_in(&c->x->ranks, otf2_comm(&c->x->ranks, op->scope.comm), op->peer);
    if (target == OTF2_NOBODY)
        return REFRAIN_OK;
    enum refrain_status status = otf2_number_of(c, OTF2_WINDOW, &op->scope, "", &access.window);
    if (status != REFRAIN_OK)
        return status;
    if (!array_push(&c->f->issued, access))
        return REFRAIN_ERR_MEMORY;
    c->f->accesses++;
    switch (f->access) {
    case OTF2_ACCESS_PUT:
        return RECORD(c, RmaPut, access.window, target, op->sent, access.id);
    case OTF2_ACCESS_GET:
        return RECORD(c, RmaGet, access.window, target, op->received, access.id);
    case OTF2_ACCESS_ATOMIC:
        return RECORD(c, RmaAtomic, access.window, target, f->atomic, op->sent, op->received, access.id);
    case OTF2_ACCESS_NONE:
        break;
    }
    return REFRAIN_OK;
}

/* The end of an epoch, or a flush, completes what was issued to its target. */
enum refrain_status otf2_complete_accesses(struct otf2_context *c, const struct operation *op)
{
    uint32_t window;
    size_t kept = 0;
    if (!otf2_has_object(c, op) || (op->kind == OPERATION_CLOSE && op->epoch == ROLE_EXPOSURE))
        return REFRAIN_OK;
    enum refrain_status status = otf2_number_of(c, OTF2_WINDOW, &op->scope, "", &window);
    for (size_t i = 0; i < c->f->issued.n; i++) {
        const struct otf2_issued a = c->f->issued.items[i];
        const bool meant = a.window == window && (op->peer == OPERATION_ANY || op->peer == a.target);
        if (meant && status == REFRAIN_OK)
            status = RECORD(c, RmaOpCompleteNonBlocking, window, a.id);
        else
            c->f->issued.items[kept++] = a;
    }
    c->f->issued.n = kept;
    return status;
}

/* Locks of one target; those of all have no record in OTF2. */
enum refrain_status otf2_put_lock(struct otf2_context *c, const struct operation *op, bool acquire)
{
    uint32_t window;
    if (op->epoch != ROLE_LOCK || !otf2_has_object(c, op))
        return REFRAIN_OK;
    const uint32_t target = otf2_rank_in(&c->x->ranks, otf2_comm(&c->x->ranks, op->scope.comm), op->peer);
    if (target == OTF2_NOBODY)
        return REFRAIN_OK;
    enum refrain_status status = otf2_number_of(c, OTF2_WINDOW, &op->scope, "", &window);
    if (status != REFRAIN_OK)
        return status;
    if (!acquire)
        return RECORD(c, RmaReleaseLock, window, target, 0);
    const bool shared = otf2_call_has(c->x->reader, c->call, "lock_type", "MPI_LOCK_SHARED");
    return RECORD(c, RmaAcquireLock, window, target, 0, shared ? OTF2_LOCK_SHARED : OTF2_LOCK_EXCLUSIVE);
}
