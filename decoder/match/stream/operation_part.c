/* SPDX-License-Identifier: BSD-3-Clause */
#include "operation_impl.h"

#include "src/core/base/mix.h"

#include <string.h>

/* ---- counting -------------------------------------------------------------------------------- */

static struct counter *find_counter(const struct operations *o, const int64_t what[4], uint64_t key)
{
    size_t at;
    for (uint32_t v = map_first(&o->by_what, key, &at); v != MAP_NONE; v = map_next(&o->by_what, key, &at)) {
        if (memcmp(o->counters.items[v].what, what, sizeof o->counters.items[v].what) == 0)
            return &o->counters.items[v];
    }
    return NULL;
}

static uint64_t key_of(const int64_t what[4])
{
    return mix(mix(mix((uint64_t)what[0], (uint64_t)what[1]), (uint64_t)what[2]), (uint64_t)what[3]);
}

/* Returns the operation's ordinal among those with these properties. Returns false if memory is
 * short. */
static bool count(struct operations *o, const int64_t what[4], uint64_t *number)
{
    const uint64_t key = key_of(what);
    struct counter *found = find_counter(o, what, key), c = {.n = 1};
    if (found) {
        *number = found->n++;
        return true;
    }
    memcpy(c.what, what, sizeof c.what);
    *number = 0;
    return array_push(&o->counters, c) && map_add(&o->by_what, key, (uint32_t)(o->counters.n - 1));
}

enum { COUNT_COLLECTIVES, COUNT_MADE, COUNT_PARTITIONED };

const struct counter *operations_counter(const struct operations *o, const struct operation_scope *scope)
{
    const int64_t what[] = {COUNT_COLLECTIVES, scope->comm, scope->owner, (int64_t)scope->object};
    return find_counter(o, what, key_of(what));
}

/* ---- parts: what a call does, or its request ------------------------------------------------- */

int64_t part_peer(const struct taking *t, const struct group_view *v, int64_t rank)
{
    if (rank == t->source->proc_null)
        return OPERATION_NULL;
    if (rank == t->source->any_source)
        return OPERATION_ANY;
    const int64_t peer = v->comm < 0 ? GROUPS_NOBODY : groups_peer(&t->source->groups, v, rank);
    return peer == GROUPS_NOBODY ? OPERATION_OUTSIDE : peer;
}

static int64_t tag_of(const struct taking *t, int64_t tag)
{
    return tag == t->source->any_tag ? OPERATION_ANY_TAG : tag;
}

void part_new(const struct taking *t, enum operation_kind kind, const struct group_view *v,
              struct operation *op)
{
    *op = (struct operation){.kind = kind,
                             .of = kind,
                             .failed = t->fields->row.failed,
                             .call = t->ref,
                             .function = t->call->function,
                             .posted_by = t->call->function,
                             .request = OPERATION_NO_REQUEST,
                             .probe = OPERATION_NO_REQUEST,
                             .comm = v->comm};
}

/* Partitioned requests are matched when they are created, in this order (MPI 5.0, 4.2). */
static bool number_partitioned(struct taking *t, struct operation *op)
{
    const int64_t what[] = {COUNT_PARTITIONED + op->kind, op->comm, op->peer, op->tag};
    uint64_t number;
    if (!(t->fields->role->actions & ROLE_PARTITIONED))
        return true;
    if (!count(t->o, what, &number))
        return false;
    op->partitioned = number + 1;
    return true;
}

bool part_send(struct taking *t, const struct group_view *v, struct operation *op)
{
    part_new(t, OPERATION_SEND, v, op);
    op->peer = part_peer(t, v, taking_before(t, FIELD_DEST, t->source->proc_null));
    op->tag = taking_before(t, FIELD_TAG, taking_before(t, FIELD_SEND_TAG, 0));
    if (!t->fields->row.failed) /* after a failure, counts may have any value */
        op->sent =
            volume_at(&t->fields->volume, t->slots).sent * (uint64_t)taking_before(t, FIELD_PARTITIONS, 1);
    return number_partitioned(t, op);
}

void part_resolve(const struct taking *t, const struct group_view *v, const int64_t *status,
                  struct operation *op)
{
    if (!status || status[STATUS_FORM] & STATUS_PARTIAL || op->peer == OPERATION_NULL)
        return;
    const int64_t peer = part_peer(t, v, status[STATUS_SOURCE]), tag = tag_of(t, status[STATUS_TAG]);
    if ((op->peer != OPERATION_ANY && op->peer != peer) || (op->tag != OPERATION_ANY_TAG && op->tag != tag))
        return;
    op->peer = peer;
    op->tag = tag;
    if (status[STATUS_ERROR] != 0) /* truncated: libraries disagree about the bytes */
        return;
    op->received = status[STATUS_BYTES] > 0 ? (uint64_t)status[STATUS_BYTES] : 0;
    op->has_bytes = true;
}

bool part_receive(struct taking *t, const struct group_view *v, struct operation *op)
{
    part_new(t, OPERATION_RECEIVE, v, op);
    op->peer = part_peer(t, v, taking_before(t, FIELD_SOURCE, t->source->any_source));
    op->tag = tag_of(t, taking_before(t, FIELD_TAG, taking_before(t, FIELD_RECEIVE_TAG, t->source->any_tag)));
    return number_partitioned(t, op);
}

void part_of_object(struct operation *op, const struct window_file *object)
{
    op->scope = object->scope;
    op->members = object->members.n;
    op->inter = object->members.inter;
    op->second = object->members.second;
}

/* Makes an access to a window or file. */
void part_access(struct taking *t, bool is_file, struct operation *op)
{
    static const struct group_view unknown = {.comm = -1};
    struct window_file *object = taking_window_file(t, is_file);
    const struct group_view *v = object ? &object->members : &unknown;
    const struct volume volume = volume_at(&t->fields->volume, t->slots);
    part_new(t, is_file ? OPERATION_FILE : OPERATION_RMA, v, op);
    op->sent = volume.sent;
    op->received = volume.received;
    if (object)
        part_of_object(op, object);
    if (is_file)
        return;
    op->peer = part_peer(t, v, taking_before(t, FIELD_TARGET, t->source->proc_null));
    if (object)
        window_join_epoch(op, window_file_access(object, op->peer));
}

/* A window, file or persistent request has the same name on all members. Operation numbers are not
 * suitable: a call may be refused, and repeated, on some members. */
static bool name_made(struct taking *t, struct operation *op)
{
    const struct role *role = t->fields->role;
    uint64_t number;
    if (op->failed || !(role->actions & ROLE_MAKES || role->variant == VARIANT_PERSISTENT))
        return true;
    if (!count(t->o, (const int64_t[]){COUNT_MADE, op->scope.comm, op->scope.owner, 0}, &number))
        return false;
    op->makes = (uint32_t)number + 1;
    return true;
}

bool part_collective(struct taking *t, struct operation *op, struct group_view *v, bool *known)
{
    const enum role_scope scope = t->fields->role->scope;
    struct window_file *object = NULL;
    *v = (struct group_view){.comm = -1};
    if (scope == ROLE_WINDOW || scope == ROLE_IN_FILE) {
        object = taking_window_file(t, scope == ROLE_IN_FILE);
        *known = object != NULL;
        if (object)
            *v = object->members;
    } else {
        const int64_t comm =
            scope == ROLE_COMM ? taking_before(t, FIELD_COMM, -1) : taking_after(t, FIELD_COMM, -1);
        *known = comm >= 0 && groups_view(&t->source->groups, t->o->rank, comm, v);
    }
    part_new(t, OPERATION_COLLECTIVE, v, op);
    if (!*known)
        return true;
    op->refused = op->failed && !failure_is_underway(&t->source->failures, t->fields->row.error);
    if (!op->refused) { /* after a refusal, counts may have any value */
        const struct volume volume = volume_at(&t->fields->volume, t->slots);
        op->sent = volume.sent;
        op->received = volume.received;
    }
    op->members = v->n;
    op->inter = v->inter;
    op->second = v->second;
    op->root = taking_before(t, FIELD_ROOT, INT64_MIN);
    if (object) {
        part_of_object(op, object);
        op->number = object->collectives++;
        return true;
    }
    op->scope = (struct operation_scope){v->comm, v->owner, scope == ROLE_NEW_COMM ? SCOPE_BIRTH : 0};
    return count(t->o, (const int64_t[]){COUNT_COLLECTIVES, v->comm, v->owner, (int64_t)op->scope.object},
                 &op->number) &&
           name_made(t, op);
}
