/* SPDX-License-Identifier: BSD-3-Clause */
#include "operation_impl.h"

void window_join_epoch(struct operation *op, const struct epoch *e)
{
    op->in_epoch = e != NULL;
    if (!e)
        return;
    op->epoch = e->kind;
    op->exclusive = e->exclusive;
    op->post = e->opened;
    op->posted_by = e->opened_by;
    op->partners = e->partners;
}

static bool is_exclusive(const struct taking *t)
{
    const int64_t type = taking_before(t, FIELD_LOCK_TYPE, FUNCTABLE_UNUSED);
    return type != FUNCTABLE_UNUSED && type == t->source->exclusive;
}

bool window_epochs(struct taking *t)
{
    const struct role *role = t->fields->role;
    const struct slot_range flag = t->fields->row.after[FIELD_FLAG];
    struct window_file *object = taking_window_file(t, false);
    const bool not_yet = flag.n > 0 && t->slots[flag.at] == 0;
    if (!object || !t->fields->row.returned || (not_yet && !t->source->details))
        return true;
    struct operation op;
    part_new(t, OPERATION_FLUSH, &object->members, &op);
    part_of_object(&op, object);
    op.done = true;
    op.peer = t->fields->row.before[FIELD_TARGET].n > 0
                  ? part_peer(t, &object->members, taking_before(t, FIELD_TARGET, 0))
                  : OPERATION_ANY;
    if (role->actions & ROLE_FLUSH) {
        window_join_epoch(&op, op.peer == OPERATION_ANY
                                   ? window_file_epoch(object, ROLE_LOCK_ALL, OPERATION_ANY)
                                   : window_file_access(object, op.peer));
        return taking_put(t, &op);
    }
    const struct epoch *open = window_file_epoch(object, role->epoch, op.peer);
    op.epoch = role->epoch;
    if (role->actions & ROLE_CLOSE && open) {
        op.of = OPERATION_CLOSE;
        op.kind = not_yet ? OPERATION_TEST : OPERATION_CLOSE;
        window_join_epoch(&op, open);
        if (!not_yet)
            window_file_close(object, open);
        if (!taking_put(t, &op))
            return false;
    }
    const bool last = t->source->no_succeed != FUNCTABLE_UNUSED && role->epoch == ROLE_FENCE &&
                      taking_before(t, FIELD_ASSERT, 0) & t->source->no_succeed;
    if (!(role->actions & ROLE_OPEN) || last)
        return true;
    const struct epoch e = {
        .kind = role->epoch,
        .exclusive = role->epoch == ROLE_LOCK && is_exclusive(t),
        .target = op.peer,
        .opened = t->ref,
        .opened_by = t->call->function,
        .partners = process_groups_find(&t->o->groups, taking_before(t, FIELD_GROUP, -1)),
    };
    op.kind = op.of = OPERATION_OPEN;
    window_join_epoch(&op, &e);
    return window_file_open(object, &e) && taking_put(t, &op);
}
