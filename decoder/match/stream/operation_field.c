/* SPDX-License-Identifier: BSD-3-Clause */
#include "operation_impl.h"

int64_t taking_before(const struct taking *t, enum role_field field, int64_t otherwise)
{
    const struct slot_range p = t->fields->row.before[field];
    return p.n > 0 ? t->slots[p.at] : otherwise;
}

int64_t taking_after(const struct taking *t, enum role_field field, int64_t otherwise)
{
    const struct slot_range p = t->fields->row.after[field];
    return p.n > 0 ? t->slots[p.at] : otherwise;
}

const int64_t *operation_status(const struct call *call, const struct call_fields *f, size_t i)
{
    const struct slot_range p = f->row.after[FIELD_STATUSES];
    return i < p.n ? call->slots + p.at + i * STATUS_SLOTS : NULL;
}

bool operation_key(const struct operations *o, uint32_t own_thread, int64_t handle, bool message,
                   uint64_t *key)
{
    if (handle < 0 || handle & 1)
        return false;
    const int64_t lane = (handle >> HANDLE_LANE_SHIFT) - 1;
    const uint64_t number = (uint64_t)handle << (64 - HANDLE_LANE_SHIFT) >> (64 - HANDLE_LANE_SHIFT + 1);
    int64_t thread = own_thread;
    if (lane >= 0)
        thread = definitions_thread(o->source->definitions, o->rank, lane);
    if (thread < 0)
        return false;
    *key = request_key((uint32_t)thread, number, message);
    return true;
}

bool operation_made(const struct operations *o, const struct call *call, const struct call_fields *f,
                    bool message, uint64_t *key)
{
    const enum role_field field = message ? FIELD_MESSAGE : FIELD_REQUESTS;
    const struct slot_range flag = f->row.after[FIELD_FLAG];
    if (!f->role->actions || f->row.before[field].n > 0 || f->row.after[field].n == 0)
        return false;
    if (flag.n > 0 && call->slots[flag.at] == 0)
        return false;
    return operation_key(o, call->thread, call->slots[f->row.after[field].at], message, key);
}

bool operation_completion(const struct operations *o, const struct call *call, const struct call_fields *f,
                          size_t *i, struct completion *c)
{
    const struct slot_range requests = f->row.before[FIELD_REQUESTS], flag = f->row.after[FIELD_FLAG],
                            indices = f->row.after[FIELD_INDICES];
    const bool all = f->role->choice == ROLE_ALL;
    /* If the only request has an error, it is the call's error, and the request has ended, too. */
    if (!(f->role->actions & ROLE_COMPLETE) || !f->row.returned ||
        (f->row.failed && (!all || requests.n != 1 || f->role->actions & ROLE_PEEK)))
        return false;
    if (flag.n > 0 && call->slots[flag.at] == 0)
        return false;
    while (*i < (all ? requests.n : indices.n)) {
        const size_t at = (*i)++;
        const int64_t index = all ? (int64_t)at : call->slots[indices.at + at];
        const int64_t *status = operation_status(call, f, at);
        if (index < 0 || index >= requests.n || (status && status[STATUS_ERROR] == o->source->pending))
            continue;
        *c = (struct completion){call->slots[requests.at + index], status};
        return true;
    }
    return false;
}

bool taking_put(struct taking *t, const struct operation *op)
{
    return array_push(&t->o->queue, *op);
}

struct operation *taking_complete(struct operations *o, const struct operation *part,
                                  const struct call_ref *by, uint32_t function)
{
    if (!array_reserve(&o->queue, 1))
        return NULL;
    struct operation *op = &o->queue.items[o->queue.n++];
    *op = *part;
    op->kind = OPERATION_COMPLETE;
    op->post = part->call;
    op->posted_by = part->function;
    if (by) {
        op->call = *by;
        op->function = function;
    }
    return op;
}

struct window_file *taking_window_file(const struct taking *t, bool is_file)
{
    const enum role_field field = is_file ? FIELD_FILE : FIELD_WINDOW;
    return windows_files_find(&t->o->windows_files, window_file_key(is_file, taking_before(t, field, -1)),
                              t->call->thread);
}
