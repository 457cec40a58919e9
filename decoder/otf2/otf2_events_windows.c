/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of windows, and functions that files share with them. */
#include "otf2_events_impl.h"

#include "decoder/match/stream/process_groups.h"
#include "decoder/render/call_argument.h"

#include <assert.h>
#include <stdlib.h>

/* Returns the object that a collective operation created, on its communicator. */
struct operation_scope otf2_made_by(const struct operation *op)
{
    struct operation_scope made = op->scope;
    made.object = op->makes;
    return made;
}

bool otf2_has_object(const struct otf2_context *c, const struct operation *op)
{
    return op->scope.object != 0 && otf2_comm(&c->x->ranks, op->scope.comm) != OTF2_NOBODY;
}

enum refrain_status otf2_number_of(const struct otf2_context *c, enum otf2_object_kind kind,
                                   const struct operation_scope *scope, uint32_t *number)
{
    const int64_t words[OTF2_SCOPE_WORDS] = {[OTF2_SCOPE_COMM] = scope->comm,
                                             [OTF2_SCOPE_OWNER] = scope->owner,
                                             [OTF2_SCOPE_OBJECT] = (int64_t)scope->object};
    return otf2_objects_number(c->x->objects, kind, words, sizeof words, number);
}

/* ---- collective operations ------------------------------------------------------------------- */

enum refrain_status otf2_put_window_collective(struct otf2_context *c, const struct operation *op, bool begin)
{
    const struct role *role = otf2_role(c->x, op->function);
    const uint32_t actions = role->actions;
    const OTF2_CollectiveOp operation = otf2_operation(role->collective);
    const struct operation_scope scope = actions & ROLE_MAKES ? otf2_made_by(op) : op->scope;
    const bool told =
        role->collective != COLLECTIVE_NONE && (!c->x->compat || otf2_operation_is_old(operation));
    uint32_t window;
    if (role->region != REGION_WINDOW || scope.object == 0 ||
        otf2_comm(&c->x->ranks, scope.comm) == OTF2_NOBODY)
        return REFRAIN_OK;
    enum refrain_status status = otf2_number_of(c, OTF2_WINDOW, &scope, &window);
    if (status != REFRAIN_OK)
        return status;
    if (begin)
        return told ? RECORD(c, RmaCollectiveBegin) : REFRAIN_OK;
    if (actions & ROLE_MAKES)
        status = RECORD(c, RmaWinCreate, window);
    else if (actions & ROLE_ENDS)
        status = RECORD(c, RmaWinDestroy, window);
    if (status == REFRAIN_OK && told)
        status = RECORD(c, RmaCollectiveEnd, operation,
                        OTF2_RMA_SYNC_LEVEL_PROCESS | (actions & ROLE_CLOSE ? OTF2_RMA_SYNC_LEVEL_MEMORY : 0),
                        window, OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
    return status;
}

/* ---- accesses -------------------------------------------------------------------------------- */

enum refrain_status otf2_put_access(struct otf2_context *c, const struct operation *op)
{
    const struct role *role = otf2_role(c->x, op->function);
    struct otf2_issued access = {
        .target = op->peer, .id = c->f->accesses, .fetches = role->actions & ROLE_GET};
    if (!otf2_has_object(c, op))
        return REFRAIN_OK;
    const uint32_t target = otf2_rank_in(&c->x->ranks, otf2_comm(&c->x->ranks, op->scope.comm), op->peer);
    if (target == OTF2_NOBODY)
        return REFRAIN_OK;
    enum refrain_status status = otf2_number_of(c, OTF2_WINDOW, &op->scope, &access.window);
    if (status != REFRAIN_OK)
        return status;
    if (!array_push(&c->f->issued, access))
        return REFRAIN_ERR_MEMORY;
    struct otf2_pending *p = NULL;
    if (op->request != OPERATION_NO_REQUEST && !(p = otf2_open_request(c->f, op)))
        return REFRAIN_ERR_MEMORY;
    if (p) {
        p->object = access.window;
        p->access = access.id;
    }
    c->f->accesses++;
    if (role->actions & ROLE_ATOMIC)
        return RECORD(c, RmaAtomic, access.window, target, otf2_atomic_type(role), op->sent, op->received,
                      access.id);
    return role->actions & ROLE_PUT ? RECORD(c, RmaPut, access.window, target, op->sent, access.id)
                                    : RECORD(c, RmaGet, access.window, target, op->received, access.id);
}

/* Reports the access as complete at the origin; an access that fetches is then complete at its
 * target, too. */
static enum refrain_status put_local(struct otf2_context *c, struct otf2_issued *a)
{
    if (a->local)
        return REFRAIN_OK;
    a->local = true;
    const enum refrain_status status = RECORD(c, RmaOpCompleteNonBlocking, a->window, a->id);
    return status == REFRAIN_OK && a->fetches ? RECORD(c, RmaOpCompleteRemote, a->window, a->id) : status;
}

static int by_id(const void *a, const void *b)
{
    const struct otf2_issued *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

enum refrain_status otf2_complete_access(struct otf2_context *c, const struct otf2_pending *p)
{
    const struct otf2_issued wanted = {.id = p->access};
    struct otf2_issued *a = bsearch(&wanted, c->f->issued.items, c->f->issued.n, sizeof wanted, by_id);
    return a ? put_local(c, a) : REFRAIN_OK;
}

/* How accesses to the target, or to all targets, are complete. */
enum completion {
    COMPLETE_HERE,         /* at the origin; those that do not fetch later also at the target */
    COMPLETE_HERE_AT_LAST, /* the same, but their completion at the target is not reported */
    COMPLETE_THERE
};

static bool is_meant(const struct otf2_issued *a, const struct operation *op, uint32_t window)
{
    return a->window == window && (op->peer == OPERATION_ANY || op->peer == a->target);
}

/* The access's last record is written when its operation ends. */
static enum refrain_status complete_accesses(struct otf2_context *c, const struct operation *op,
                                             uint32_t window, enum completion how)
{
    enum refrain_status status = REFRAIN_OK;
    uint64_t records = 0;
    size_t kept = 0;
    for (size_t i = 0; i < c->f->issued.n; i++) {
        const struct otf2_issued *a = &c->f->issued.items[i];
        if (is_meant(a, op, window))
            records += (a->local ? 0 : 1 + a->fetches) + (how == COMPLETE_THERE && !a->fetches);
    }
    c->time -= records < c->time ? records : c->time;
    for (size_t i = 0; i < c->f->issued.n; i++) {
        struct otf2_issued a = c->f->issued.items[i];
        const bool meant = is_meant(&a, op, window);
        if (meant && status == REFRAIN_OK)
            status = put_local(c, &a);
        if (meant && how == COMPLETE_THERE && !a.fetches && status == REFRAIN_OK)
            status = RECORD(c, RmaOpCompleteRemote, window, a.id);
        if (!meant || (how == COMPLETE_HERE && !a.fetches))
            c->f->issued.items[kept++] = a;
    }
    c->f->issued.n = kept;
    return status;
}

enum refrain_status otf2_flush(struct otf2_context *c, const struct operation *op)
{
    assert(op->kind == OPERATION_FLUSH);
    uint32_t window;
    if (!otf2_has_object(c, op))
        return REFRAIN_OK;
    const enum refrain_status status = otf2_number_of(c, OTF2_WINDOW, &op->scope, &window);
    const bool local = otf2_role(c->x, op->function)->actions & ROLE_LOCAL;
    return status == REFRAIN_OK ? complete_accesses(c, op, window, local ? COMPLETE_HERE : COMPLETE_THERE)
                                : status;
}

/* ---- epochs ---------------------------------------------------------------------------------- */

/* Finds the lock of one target, or of all. Returns false if the target is not exported. */
static bool locked(const struct otf2_context *c, const struct operation *op, uint32_t *target)
{
    *target = OTF2_UNDEFINED_UINT32;
    if (op->epoch == ROLE_LOCK)
        *target = otf2_rank_in(&c->x->ranks, otf2_comm(&c->x->ranks, op->scope.comm), op->peer);
    return op->epoch == ROLE_LOCK_ALL || (op->epoch == ROLE_LOCK && *target != OTF2_NOBODY);
}

/* The lock is requested, not acquired: MPI may return from the call before it has the lock. */
enum refrain_status otf2_request_epoch(struct otf2_context *c, const struct operation *op)
{
    uint32_t window, target;
    if (!otf2_has_object(c, op) || !locked(c, op, &target))
        return REFRAIN_OK;
    const enum refrain_status status = otf2_number_of(c, OTF2_WINDOW, &op->scope, &window);
    if (status != REFRAIN_OK)
        return status;
    const bool shared =
        op->epoch == ROLE_LOCK_ALL || call_argument_is(c->x->reader, c->call, "lock_type", "MPI_LOCK_SHARED");
    return RECORD(c, RmaRequestLock, window, target, 0, shared ? OTF2_LOCK_SHARED : OTF2_LOCK_EXCLUSIVE);
}

/* Reports the epoch's exported partners; nothing if there are none. */
static enum refrain_status put_sync(struct otf2_context *c, const struct operation *op,
                                    OTF2_RmaSyncLevel level)
{
    const struct process_group *g = op->partners;
    uint32_t window, group, n = 0;
    if ((op->epoch != ROLE_ACCESS && op->epoch != ROLE_EXPOSURE) || !g || g->n == 0)
        return REFRAIN_OK;
    uint32_t *locations = malloc(g->n * sizeof *locations);
    if (!locations)
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < g->n; i++) {
        const uint32_t location = otf2_location(&c->x->ranks, g->ranks[i]);
        if (location != OTF2_NOBODY)
            locations[n++] = location;
    }
    enum refrain_status status = REFRAIN_OK;
    if (n > 0)
        status = otf2_number_of(c, OTF2_WINDOW, &op->scope, &window);
    if (n > 0 && status == REFRAIN_OK)
        status = otf2_objects_number(c->x->objects, OTF2_PARTNERS, locations, n * sizeof *locations, &group);
    if (n > 0 && status == REFRAIN_OK)
        status = RECORD(c, RmaGroupSync, level, window, otf2_first_partners(&c->x->ranks) + group);
    free(locations);
    return status;
}

enum refrain_status otf2_open_epoch(struct otf2_context *c, const struct operation *op)
{
    assert(op->kind == OPERATION_OPEN);
    return otf2_has_object(c, op) ? put_sync(c, op, OTF2_RMA_SYNC_LEVEL_PROCESS) : REFRAIN_OK;
}

/* The origin of MPI_Win_complete does not know which accesses have arrived. The end of an exposure
 * completes no accesses of this process. */
enum refrain_status otf2_close_epoch(struct otf2_context *c, const struct operation *op)
{
    assert(op->kind == OPERATION_CLOSE);
    uint32_t window, target;
    if (!otf2_has_object(c, op))
        return REFRAIN_OK;
    if (op->kind == OPERATION_TEST)
        return put_sync(c, op, OTF2_RMA_SYNC_LEVEL_NONE);
    enum refrain_status status = otf2_number_of(c, OTF2_WINDOW, &op->scope, &window);
    if (status == REFRAIN_OK && op->epoch != ROLE_EXPOSURE)
        status = complete_accesses(c, op, window,
                                   op->epoch == ROLE_ACCESS ? COMPLETE_HERE_AT_LAST : COMPLETE_THERE);
    if (status == REFRAIN_OK && locked(c, op, &target))
        status = RECORD(c, RmaReleaseLock, window, target, 0);
    return status == REFRAIN_OK ? put_sync(c, op, OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY)
                                : status;
}
