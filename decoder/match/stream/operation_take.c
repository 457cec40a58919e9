/* SPDX-License-Identifier: BSD-3-Clause */
#include "operation_impl.h"

/* Puts the completions of a request, by a call or at the end. */
static enum refrain_status finish(struct operations *o, const struct request *r, const struct taking *by,
                                  const int64_t *status, enum operation_outcome outcome)
{
    const struct taking t = {.o = o, .source = o->source};
    for (unsigned i = 0; i < r->n_parts; i++) {
        struct operation *op =
            taking_complete(o, &r->parts[i], by ? &by->ref : NULL, by ? by->call->function : 0);
        if (!op)
            return REFRAIN_ERR_MEMORY;
        op->outcome = status && status[STATUS_CANCELLED] == 1 ? OPERATION_CANCELLED : outcome;
        op->cancel_asked = r->cancel_asked;
        if (op->of == OPERATION_RECEIVE && op->outcome == OPERATION_DONE && op->comm >= 0) {
            part_resolve(&t, &r->members, status, op);
        } else if (op->of == OPERATION_FILE && status && !(status[STATUS_FORM] & STATUS_PARTIAL) &&
                   status[STATUS_BYTES] >= 0) {
            op->received = op->sent > 0 ? 0 : (uint64_t)status[STATUS_BYTES];
        }
    }
    return REFRAIN_OK;
}

/* Adds a request or message with a new number. An older one with this number was freed by a call
 * that was not recorded. */
static bool add_request(struct taking *t, uint64_t key, const struct group_view *v, uint32_t *slot)
{
    struct requests *requests = &t->o->requests;
    const uint32_t stale = requests_find(requests, key);
    if (stale != REQUEST_NONE) {
        const struct request *r = &requests->slots.items[stale];
        if (r->active && finish(t->o, r, NULL, NULL, OPERATION_NEVER) != REFRAIN_OK)
            return false;
        requests_remove(requests, stale);
    }
    *slot = requests_add(requests, key);
    if (*slot == REQUEST_NONE)
        return false;
    requests->slots.items[*slot].members = *v;
    return true;
}

/* Makes a request that executes these parts, now or at each start. */
static bool begin(struct taking *t, uint64_t key, const struct group_view *v, struct operation *parts,
                  unsigned n)
{
    uint32_t slot;
    if (!add_request(t, key, v, &slot))
        return false;
    struct request *r = &t->o->requests.slots.items[slot];
    r->persistent = t->fields->role->variant == VARIANT_PERSISTENT;
    r->active = !r->persistent;
    r->n_parts = n;
    for (unsigned i = 0; i < n; i++) {
        parts[i].request = slot;
        if (r->persistent && parts[i].kind == OPERATION_COLLECTIVE) {
            /* Creating it is a collective operation by itself; its starts are counted
             * separately. */
            struct operation init = parts[i];
            init.done = true;
            init.request = OPERATION_NO_REQUEST;
            if (!taking_put(t, &init))
                return false;
            parts[i].scope.object = parts[i].makes;
            parts[i].makes = 0;
        } else if (r->active && !taking_put(t, &parts[i])) {
            return false;
        }
        r->parts[i] = parts[i];
    }
    return true;
}

static bool start(struct taking *t)
{
    const struct slot_range p = t->fields->row.before[FIELD_REQUESTS];
    uint64_t key;
    for (uint32_t i = 0; i < p.n && !t->fields->row.failed; i++) {
        if (!operation_key(t->o, t->call->thread, t->slots[p.at + i], false, &key))
            continue;
        const uint32_t slot = requests_find(&t->o->requests, key);
        if (slot == REQUEST_NONE || !t->o->requests.slots.items[slot].persistent)
            continue;
        struct request *r = &t->o->requests.slots.items[slot];
        r->active = true;
        for (unsigned k = 0; k < r->n_parts; k++) {
            struct operation *op = &r->parts[k];
            op->call = t->ref;
            op->function = t->call->function;
            op->nth = i;
            op->number = op->kind == OPERATION_COLLECTIVE ? r->starts : 0;
            if (!taking_put(t, op))
                return false;
        }
        r->starts++;
    }
    return true;
}

/* Ends a request: it is freed, or ready for another start. */
static enum refrain_status end_request(struct taking *t, int64_t handle, const int64_t *status,
                                       enum operation_outcome outcome)
{
    const bool peek = t->fields->role->actions & ROLE_PEEK;
    enum refrain_status result = REFRAIN_OK;
    uint64_t key;
    if (!operation_key(t->o, t->call->thread, handle, false, &key))
        return REFRAIN_OK;
    const uint32_t slot = requests_find(&t->o->requests, key);
    if (slot == REQUEST_NONE)
        return REFRAIN_OK;
    struct request *r = &t->o->requests.slots.items[slot];
    if (r->active)
        result = finish(t->o, r, t, status, outcome);
    r->active = r->cancel_asked = false;
    if (!peek && (!r->persistent || outcome == OPERATION_FREED))
        requests_remove(&t->o->requests, slot);
    return result;
}

static void ask_to_cancel(struct taking *t)
{
    uint64_t key;
    const uint32_t slot =
        operation_key(t->o, t->call->thread, taking_before(t, FIELD_REQUESTS, -1), false, &key)
            ? requests_find(&t->o->requests, key)
            : REQUEST_NONE;
    if (slot != REQUEST_NONE)
        t->o->requests.slots.items[slot].cancel_asked = t->o->requests.slots.items[slot].active;
}

/* Puts the requests that a test leaves unchanged. */
static bool put_tests(struct taking *t)
{
    const struct slot_range p = t->fields->row.before[FIELD_REQUESTS];
    uint64_t key;
    for (uint32_t i = 0; i < p.n; i++) {
        const uint32_t slot = operation_key(t->o, t->call->thread, t->slots[p.at + i], false, &key)
                                  ? requests_find(&t->o->requests, key)
                                  : REQUEST_NONE;
        const struct request *r = slot == REQUEST_NONE ? NULL : &t->o->requests.slots.items[slot];
        for (unsigned k = 0; r && r->active && k < r->n_parts; k++) {
            struct operation *op = taking_complete(t->o, &r->parts[k], &t->ref, t->call->function);
            if (!op)
                return false;
            op->kind = OPERATION_TEST;
        }
    }
    return true;
}

/* ---- matched probes -------------------------------------------------------------------------- */

static bool probe(struct taking *t, const struct group_view *v)
{
    struct operation op;
    uint64_t key;
    const int64_t *status = operation_status(t->call, t->fields, 0);
    part_new(t, OPERATION_PROBE, v, &op);
    if (!operation_made(t->o, t->call, t->fields, true, &key))
        return true;
    op.peer = OPERATION_ANY;
    op.tag = OPERATION_ANY_TAG;
    part_resolve(t, v, status, &op);
    op.has_bytes = false; /* its receive has them */
    if (op.peer == OPERATION_ANY || op.tag == OPERATION_ANY_TAG)
        op.peer = OPERATION_OUTSIDE;
    if (!add_request(t, key, v, &op.request))
        return false;
    struct request *r = &t->o->requests.slots.items[op.request];
    r->parts[0] = op;
    r->n_parts = 1;
    r->active = true;
    return taking_put(t, &op);
}

/* Makes the receive of a message that a probe found; the message is no longer available then.
 * *slot: the message's slot. */
static bool make_found(struct taking *t, struct group_view *v, struct operation *op, uint32_t *slot)
{
    uint64_t key;
    *slot = REQUEST_NONE;
    part_new(t, OPERATION_RECEIVE, v, op);
    op->peer = OPERATION_NULL;
    const int64_t handle = taking_before(t, FIELD_MESSAGE, -1);
    if (operation_key(t->o, t->call->thread, handle, true, &key))
        *slot = requests_find(&t->o->requests, key);
    if (*slot == REQUEST_NONE)
        op->peer = handle > 0 && handle & 1 ? OPERATION_NULL : OPERATION_OUTSIDE;
    else {
        const struct request *r = &t->o->requests.slots.items[*slot];
        *v = r->members;
        op->comm = r->parts[0].comm;
        op->peer = r->parts[0].peer;
        op->tag = r->parts[0].tag;
        op->probe = *slot;
    }
    return true;
}

/* ---- a call ---------------------------------------------------------------------------------- */

/* Makes the call's own parts, at most REQUEST_PARTS. A collective part is the last one. */
static bool make_parts(struct taking *t, struct operation *parts, unsigned *n, struct group_view *v,
                       uint32_t *found)
{
    const uint32_t actions = t->fields->role->actions;
    bool ok = true, known = true;
    *n = 0;
    *found = REQUEST_NONE;
    if (actions & ROLE_SEND)
        ok = part_send(t, v, &parts[(*n)++]);
    if (actions & ROLE_RECEIVE)
        ok = ok && part_receive(t, v, &parts[(*n)++]);
    if (actions & ROLE_RECEIVE_FOUND)
        ok = ok && make_found(t, v, &parts[(*n)++], found);
    if (actions & (ROLE_RMA | ROLE_FILE))
        part_access(t, actions & ROLE_FILE, &parts[(*n)++]);
    if (actions & ROLE_GENERALIZED)
        part_new(t, OPERATION_GENERALIZED, v, &parts[(*n)++]);
    if (actions & ROLE_COLLECTIVE) {
        ok = ok && part_collective(t, &parts[*n], v, &known);
        *n += ok && known;
    }
    return ok;
}

/* Adds or removes the window or file that a collective operation creates or ends. */
static bool change_windows_files(struct taking *t, const struct operation *op, const struct group_view *v)
{
    const uint32_t actions = op->refused ? 0 : t->fields->role->actions;
    const bool is_file = t->fields->row.after[FIELD_FILE].n > 0 || t->fields->row.before[FIELD_FILE].n > 0;
    const enum role_field field = is_file ? FIELD_FILE : FIELD_WINDOW;
    if (actions & ROLE_ENDS)
        windows_files_remove(&t->o->windows_files, window_file_key(is_file, taking_before(t, field, -1)),
                             t->call->thread);
    if (!op->makes || t->fields->row.after[field].n == 0)
        return true;
    const struct window_file object = {.key = window_file_key(is_file, taking_after(t, field, -1)),
                                       .thread = t->call->thread,
                                       .members = *v,
                                       .scope = {op->scope.comm, op->scope.owner, op->makes}};
    return windows_files_add(&t->o->windows_files, &object);
}

/* Puts the parts of a call that returns when its parts are done, that failed, or that did not
 * return. */
static bool put_parts(struct taking *t, struct operation *parts, unsigned n, const struct group_view *v)
{
    for (unsigned i = 0; i < n; i++) {
        if ((parts[i].kind == OPERATION_RECEIVE || parts[i].kind == OPERATION_SEND) &&
            t->fields->row.error == t->source->failures.truncate)
            parts[i].failed = false; /* MPI_Sendrecv has sent, too */
        parts[i].done = t->fields->row.returned && !parts[i].failed;
        if (parts[i].kind == OPERATION_RECEIVE && parts[i].done)
            part_resolve(t, v, operation_status(t->call, t->fields, 0), &parts[i]);
        if (!taking_put(t, &parts[i]))
            return false;
    }
    return n == 0 || parts[n - 1].kind != OPERATION_COLLECTIVE || change_windows_files(t, &parts[n - 1], v);
}

static bool take_parts(struct taking *t)
{
    struct operation parts[REQUEST_PARTS];
    struct group_view v = {.comm = -1};
    uint64_t key;
    uint32_t found;
    unsigned n;
    const bool makes_none = t->fields->row.failed && !(t->fields->role->actions & ROLE_COLLECTIVE);
    if (t->fields->role->variant == VARIANT_PERSISTENT && (makes_none || !t->fields->row.returned))
        return true;
    const int64_t comm = taking_before(t, FIELD_COMM, -1);
    if (comm >= 0 && !groups_view(&t->source->groups, t->o->rank, comm, &v))
        v.comm = -1;
    if (t->fields->role->actions & ROLE_PROBE)
        return probe(t, &v);
    bool ok = make_parts(t, parts, &n, &v, &found);
    if (ok && operation_made(t->o, t->call, t->fields, false, &key))
        ok = begin(t, key, &v, parts, n);
    else
        ok = ok && put_parts(t, parts, n, &v);
    if (found != REQUEST_NONE)
        requests_remove(&t->o->requests, found);
    return ok;
}

/* Numbers a call's operations after all of them are known. */
static bool take_group(const struct taking *t)
{
    const enum role_group way = t->fields->role->group;
    const bool of_object = way == GROUP_OF_WINDOW || way == GROUP_OF_FILE;
    const struct window_file *object = of_object ? taking_window_file(t, way == GROUP_OF_FILE) : NULL;
    struct group_view view;
    const bool known = groups_view(&t->source->groups, t->o->rank, taking_before(t, FIELD_COMM, -1), &view);
    return process_groups_take(&t->o->groups, &(struct group_maker){
                                                  .reader = t->source->reader,
                                                  .groups = &t->source->groups,
                                                  .call = t->call,
                                                  .role = t->fields->role,
                                                  .rank = t->o->rank,
                                                  .view = object                ? &object->members
                                                          : known && !of_object ? &view
                                                                                : NULL,
                                                  .handle = taking_after(t, FIELD_GROUP, -1),
                                              });
}

static bool has_happened(const struct operation *op)
{
    return op->kind != OPERATION_TEST && !op->refused &&
           !(op->kind == OPERATION_COMPLETE && op->outcome == OPERATION_NEVER);
}

static void number_operations(struct operations *o)
{
    uint32_t n = 0;
    for (size_t i = 0; i < o->queue.n; i++) {
        o->queue.items[i].call.i = n;
        n += has_happened(&o->queue.items[i]);
    }
    for (size_t i = 0; i < o->queue.n; i++)
        o->queue.items[i].call.n = n;
}

enum refrain_status operations_take(struct operations *o, const struct call *call,
                                    const struct timestamp *timestamp, const struct call_fields *fields)
{
    enum {
        PARTS = ROLE_SEND | ROLE_RECEIVE | ROLE_PROBE | ROLE_RECEIVE_FOUND | ROLE_COLLECTIVE | ROLE_RMA |
                ROLE_FILE | ROLE_GENERALIZED
    };
    struct taking t = {.o = o,
                       .source = o->source,
                       .call = call,
                       .fields = fields,
                       .slots = call->slots,
                       .ref = {.rank = call->rank,
                               .thread = call->thread,
                               .call = call->index,
                               .site = call->site,
                               .timestamp = *timestamp}};
    const uint32_t actions = fields->role->actions;
    enum refrain_status status = REFRAIN_OK;
    struct completion c;
    bool ok = true;
    if (actions & ROLE_COMPLETE) {
        for (size_t i = 0; status == REFRAIN_OK && operation_completion(o, call, fields, &i, &c);)
            status = end_request(&t, c.handle, c.status, OPERATION_DONE);
    }
    if (o->source->details && actions & ROLE_TEST && fields->row.returned && !fields->row.failed)
        ok = put_tests(&t);
    if (actions & ROLE_FREE && status == REFRAIN_OK && !fields->row.failed)
        status = end_request(&t, taking_before(&t, FIELD_REQUESTS, -1), NULL, OPERATION_FREED);
    if (actions & ROLE_CANCEL && !fields->row.failed)
        ask_to_cancel(&t);
    if (actions & ROLE_START)
        ok = ok && start(&t);
    if (actions & ROLE_GROUP && (o->source->details || o->source->epochs) && o->source->partners)
        ok = ok && (!fields->row.returned || fields->row.failed || take_group(&t));
    if (actions & (ROLE_OPEN | ROLE_CLOSE | ROLE_FLUSH) && !fields->row.failed)
        ok = ok && window_epochs(&t);
    if (actions & PARTS)
        ok = ok && take_parts(&t);
    number_operations(o);
    return status == REFRAIN_OK && !ok ? REFRAIN_ERR_MEMORY : status;
}

enum refrain_status operations_end(struct operations *o)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < o->requests.slots.n && status == REFRAIN_OK; i++) {
        const struct request *r = &o->requests.slots.items[i];
        if (r->used && r->active)
            status = finish(o, r, NULL, NULL, OPERATION_NEVER);
    }
    return status;
}
