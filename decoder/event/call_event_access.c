/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses to windows become the messages that they move:
 *
 *     MPI_Put, MPI_Accumulate                                           origin send target
 *     MPI_Get                                                           target send origin
 *     MPI_Get_accumulate, MPI_Fetch_and_op, MPI_Compare_and_swap        both
 *
 * The target is a rank in the group of the window (MPI 4.1, 12.3), which is the group of the
 * communicator that the window was created on. A window's number may be reused; the target is then
 * known only if all these windows were created on one communicator. */
#include "call_event_impl.h"

#include "decoder/util/text.h"

#include <stdlib.h>

#define UNCLEAR INT64_MIN /* not a slot of a communicator */

/* ---- windows --------------------------------------------------------------------------------- */

static struct call_event_window *find_window(const struct call_event_source *s, int64_t window)
{
    for (size_t i = 0; i < s->windows.n; i++) {
        if (s->windows.items[i].window == window)
            return &s->windows.items[i];
    }
    return NULL;
}

static enum refrain_status add_window(struct call_event_source *s, int64_t window, int64_t comm)
{
    struct call_event_window *known = find_window(s, window);
    if (known)
        known->comm = known->comm == comm ? comm : UNCLEAR;
    else if (!array_push(&s->windows, ((struct call_event_window){window, comm})))
        return REFRAIN_ERR_MEMORY;
    return REFRAIN_OK;
}

/* Notes the window that the calls of a row make. */
static enum refrain_status note_row(struct call_event_source *s, const struct group *group, uint32_t function,
                                    const int64_t *slots, uint32_t n_slots)
{
    uint8_t *uses = calloc(n_slots + (size_t)1, 1);
    struct call_view v = {.source = s, .slots = slots, .uses = uses};
    enum refrain_status status = uses ? call_view_look(&v, function, n_slots) : REFRAIN_ERR_MEMORY;
    const int64_t *window = call_view_after(&v, FIELD_WINDOW), *comm = call_view_before(&v, FIELD_COMM);
    if (status == REFRAIN_OK && window && comm) {
        call_view_use(&v, window, 1, CALL_EVENT_DECIDES);
        call_view_use(&v, comm, 1, CALL_EVENT_DECIDES);
        s->windows_vary = s->windows_vary || call_view_varies(&v, group);
        status = add_window(s, *window, *comm);
    }
    free(uses);
    return status;
}

enum refrain_status call_event_note_windows(struct call_event_source *s)
{
    enum refrain_status status = REFRAIN_OK;
    struct lane_ref lane;
    s->windows.n = 0;
    s->windows_vary = false;
    if (!s->has_windows)
        return REFRAIN_OK;
    /* All threads are read: one may use a window that another one made. */
    for (size_t at = 0;
         status == REFRAIN_OK && reader_next_lane(s->reader, s->rank, LANE_THREAD, &at, &lane);) {
        for (size_t i = 0; status == REFRAIN_OK && i < lane.shape->entries.n; i++) {
            const struct entry *entry = &lane.shape->entries.items[i];
            if (s->roles.items[s->reader->trace.sites.items[entry->site].function].actions & ROLE_MAKES)
                status = call_event_each_row(s, &lane, entry, note_row);
        }
    }
    return status;
}

bool call_event_find_window(const struct call_event_source *s, int64_t window, int64_t *comm)
{
    const struct call_event_window *known = s->windows_vary ? NULL : find_window(s, window);
    if (!known || known->comm == UNCLEAR)
        return false;
    *comm = known->comm;
    return true;
}

/* ---- accesses -------------------------------------------------------------------------------- */

enum refrain_status call_view_put_access(struct call_view *v)
{
    const struct call_event_source *s = v->source;
    const int64_t *window = call_view_before(v, FIELD_WINDOW), *target = call_view_before(v, FIELD_TARGET);
    struct volume volume;
    enum refrain_status status = call_view_volume(v, &volume);
    if (status != REFRAIN_OK || !window || !target)
        return status;
    call_view_use(v, window, 1, CALL_EVENT_DECIDES);
    call_view_use(v, target, 1, CALL_EVENT_DECIDES);
    if (*target == s->proc_null)
        return REFRAIN_OK;
    int64_t comm;
    if (!call_event_find_window(s, *window, &comm)) {
        call_view_begin(v, "local");
        text_put(&v->source->draft.text, v->function->name);
        return call_view_end(v);
    }
    const int64_t peer = call_view_peer(s, &comm, target);
    if (v->role->actions & ROLE_PUT)
        status = call_view_put_transfer(v, s->rank, peer, volume.sent, NULL);
    if (status == REFRAIN_OK && v->role->actions & ROLE_GET)
        status = call_view_put_transfer(v, peer, s->rank, volume.received, NULL);
    return status;
}
