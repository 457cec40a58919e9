/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses to windows and their epochs. Collective ones, as MPI_Win_fence, are in call_event_message.c.
 *
 *     MPI_Put(target_rank=1, win=win0)     0 put 1 win0
 *     MPI_Win_lock(rank=1, win=win0)       0 lock 1 win0
 *     MPI_Win_start(group0, win=win0)      0 start 1 win0      0 start 3 win0
 *     MPI_Win_complete(win=win0)           0 local MPI_Win_complete win0
 *
 * A target is a rank in the run, if it is known what its window was made on (call_event_access.c). An epoch
 * between groups is an event for each member, if these are known (call_event_groups.c). Otherwise the event
 * is local, as those are that have no target. */
#include "call_event_impl.h"

#include "decoder/util/text.h"

#include <ctype.h>
#include <string.h>

/* "MPI_Win_lock" is "lock", "MPI_Put_c" is "put". */
static void put_verb(struct event_draft *d, const char *name)
{
    const char *from = strncmp(name, "MPI_Win_", 8) == 0 ? name + 8 : name + strlen("MPI_");
    size_t n = strlen(from);
    if (n > 2 && strcmp(from + n - 2, "_c") == 0)
        n -= 2;
    for (size_t i = 0; i < n; i++)
        text_putc(&d->text, (char)tolower((unsigned char)from[i]));
}

/* A test that finds the epoch open. */
static bool found_nothing(const struct call_view *v)
{
    const int64_t *flag = v->role->actions & ROLE_TEST ? call_view_after(v, FIELD_FLAG) : NULL;
    if (flag)
        call_view_use(v, flag, 1, CALL_EVENT_DECIDES);
    return flag && !*flag;
}

static enum refrain_status put_window_end(struct call_view *v, const int64_t *window)
{
    text_putc(&v->source->draft.text, ' ');
    call_view_put_handle(v, call_view_kind(v, FIELD_WINDOW), window);
    return call_view_end(v);
}

/* GROUPS_NOBODY: a process outside. */
static enum refrain_status put_at(struct call_view *v, const int64_t *window, int64_t rank)
{
    struct event_draft *d = &v->source->draft;
    call_view_begin(v, "");
    d->text.n--; /* one blank is enough */
    put_verb(d, v->function->name);
    text_putc(&d->text, ' ');
    call_view_put_process(d, rank);
    return put_window_end(v, window);
}

static enum refrain_status put_local(struct call_view *v, const int64_t *window)
{
    call_view_begin(v, "local");
    text_put(&v->source->draft.text, v->function->name);
    return put_window_end(v, window);
}

static enum refrain_status put_partners(struct call_view *v, const int64_t *window, const int64_t *handle)
{
    enum refrain_status status = REFRAIN_OK;
    struct process_group group;
    call_view_use(v, handle, 1, CALL_EVENT_DECIDES);
    if (!call_event_find_group(v->source, *handle, &group))
        return put_local(v, window);
    for (size_t i = 0; i < group.n && status == REFRAIN_OK; i++)
        status = put_at(v, window, group.ranks[i] < 0 ? GROUPS_NOBODY : group.ranks[i]);
    return status;
}

enum refrain_status call_view_put_window(struct call_view *v)
{
    struct call_event_source *s = v->source;
    const int64_t *window = call_view_before(v, FIELD_WINDOW), *target = call_view_before(v, FIELD_TARGET);
    const int64_t *group = call_view_before(v, FIELD_GROUP);
    int64_t comm;
    if (!window || found_nothing(v))
        return REFRAIN_OK;
    call_view_use(v, window, 1, CALL_EVENT_DECIDES);
    if (group)
        return put_partners(v, window, group);
    const bool known = target && call_event_find_window(s, *window, &comm);
    if (target)
        call_view_use_peer(v, known ? &comm : NULL, target);
    if (target && *target == s->proc_null)
        return REFRAIN_OK;
    return known ? put_at(v, window, call_view_peer(s, &comm, target)) : put_local(v, window);
}
