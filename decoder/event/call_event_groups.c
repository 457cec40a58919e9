/* SPDX-License-Identifier: BSD-3-Clause */
/* The process groups of a rank, whose members MPI_Win_start and MPI_Win_post name. The rows of a rank have no
 * order, and a number may be reused: a group is known only if each call that makes one of its number makes
 * these members, from groups that are known in the same way.
 *
 *     MPI_Comm_group(MPI_COMM_WORLD, group0)     group0: 0 1 2 3
 *     MPI_Group_incl(group0, [3, 1], group1)     group1: 3 1
 *     MPI_Win_start(group1, win0)                0 start 3 win0      0 start 1 win0 */
#include "call_event_impl.h"

#include <stdlib.h>

/* Looks at a call that makes a group. */
static bool find_maker(struct call_event_source *s, struct call_view *v, struct call *call,
                       struct group_view *view, struct group_maker *out)
{
    const int64_t *handle = call_view_after(v, FIELD_GROUP);
    const int64_t *comm = call_view_before(v, FIELD_COMM);
    const int64_t *window = call_view_before(v, FIELD_WINDOW);
    int64_t made_on;
    if (window && call_event_find_window(s, *window, &made_on))
        comm = &made_on;
    if (!handle)
        return false;
    call_view_use(v, handle, 1, CALL_EVENT_DECIDES);
    *out = (struct group_maker){
        .reader = s->reader,
        .groups = &s->groups,
        .call = call,
        .role = v->role,
        .rank = s->rank,
        .view = comm && groups_view(&s->groups, s->rank, *comm, view) ? view : NULL,
        .handle = *handle,
    };
    return v->row.returned && !v->row.failed && *handle >= 0 && !(*handle & 1);
}

/* Makes the group of a row, if none has its number; or, when all groups are made, checks that it is the same,
 * and that no column gives the row another meaning. */
static enum refrain_status note_maker(struct call_event_source *s, const struct group *group,
                                      const struct group_maker *maker)
{
    struct process_groups *all = &s->process_groups;
    const struct process_group *known = process_groups_find(all, maker->handle);
    if (s->checking_groups != (known != NULL))
        return REFRAIN_OK;
    if (!process_groups_take(all, maker))
        return REFRAIN_ERR_MEMORY;
    if (s->checking_groups &&
        (process_groups_find(all, maker->handle) != known || group_slot_columns(group) > 0))
        process_groups_remove(all, maker->handle);
    s->groups_changed = s->groups_changed || process_groups_find(all, maker->handle) != known;
    return REFRAIN_OK;
}

static enum refrain_status note_row(struct call_event_source *s, const struct group *group, uint32_t function,
                                    const int64_t *slots, uint32_t n_slots)
{
    uint8_t *uses = calloc(n_slots + (size_t)1, 1);
    struct call_view v = {.source = s, .slots = slots, .uses = uses};
    struct call call = {.rank = s->rank, .function = function, .slots = slots, .n_slots = n_slots};
    struct group_view view;
    struct group_maker maker;
    enum refrain_status status = uses ? call_view_look(&v, function, n_slots) : REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_OK && find_maker(s, &v, &call, &view, &maker))
        status = note_maker(s, group, &maker);
    s->groups_vary = s->groups_vary || (status == REFRAIN_OK && call_view_varies(&v, group));
    free(uses);
    return status;
}

static enum refrain_status note_rows(struct call_event_source *s)
{
    enum refrain_status status = REFRAIN_OK;
    struct lane_ref lane;
    s->groups_changed = false;
    /* All threads are read: one may use a group that another one made. */
    for (size_t at = 0;
         status == REFRAIN_OK && reader_next_lane(s->reader, s->rank, LANE_THREAD, &at, &lane);) {
        for (size_t i = 0; status == REFRAIN_OK && i < lane.shape->entries.n; i++) {
            const struct entry *entry = &lane.shape->entries.items[i];
            if (s->roles.items[s->reader->trace.sites.items[entry->site].function].actions & ROLE_GROUP)
                status = call_event_each_row(s, &lane, entry, note_row);
        }
    }
    return status;
}

enum refrain_status call_event_note_groups(struct call_event_source *s)
{
    enum refrain_status status = REFRAIN_OK;
    process_groups_forget(&s->process_groups);
    s->groups_vary = false;
    if (!s->has_partners)
        return REFRAIN_OK;
    for (unsigned pass = 0; pass < 2 && status == REFRAIN_OK; pass++) {
        s->checking_groups = pass == 1;
        do
            status = note_rows(s);
        while (status == REFRAIN_OK && s->groups_changed);
    }
    return status;
}

bool call_event_find_group(const struct call_event_source *s, int64_t handle, struct process_group *out)
{
    const struct process_group *known =
        s->groups_vary ? NULL : process_groups_find(&s->process_groups, handle);
    *out = known ? *known : (struct process_group){0};
    return known || handle == functable_handle(&s->reader->trace.functions, "GROUP", "MPI_GROUP_EMPTY");
}
