/* SPDX-License-Identifier: BSD-3-Clause */
#include "wait_meeting.h"

#include "src/core/base/bisect.h"

#include <stdlib.h>

enum wait_event_kind meeting_kind(const struct role *role)
{
    if (role->actions & ROLE_NEIGHBOURS)
        return EVENT_NEIGHBOURS;
    if (role->kind == CALL_FILE)
        return EVENT_FILE;
    if (role->kind == CALL_ONE_SIDED)
        return role->actions & ROLE_MAKES   ? EVENT_WINDOW_CREATE
               : role->actions & ROLE_ENDS  ? EVENT_WINDOW_FREE
               : role->actions & ROLE_CLOSE ? EVENT_FENCE
                                            : EVENT_COMMUNICATOR;
    switch (role->collective) {
    case COLLECTIVE_BARRIER:
        return EVENT_BARRIER;
    case COLLECTIVE_BCAST:
    case COLLECTIVE_SCATTER:
    case COLLECTIVE_SCATTERV:
        return EVENT_FROM_ROOT;
    case COLLECTIVE_GATHER:
    case COLLECTIVE_GATHERV:
    case COLLECTIVE_REDUCE:
        return EVENT_TO_ROOT;
    case COLLECTIVE_SCAN:
    case COLLECTIVE_EXSCAN:
        return EVENT_PREFIX;
    case COLLECTIVE_ALLGATHER:
    case COLLECTIVE_ALLGATHERV:
    case COLLECTIVE_ALLTOALL:
    case COLLECTIVE_ALLTOALLV:
    case COLLECTIVE_ALLTOALLW:
    case COLLECTIVE_ALLREDUCE:
    case COLLECTIVE_REDUCE_SCATTER:
    case COLLECTIVE_REDUCE_SCATTER_BLOCK:
        return EVENT_ALL_TO_ALL;
    default:
        return EVENT_COMMUNICATOR;
    }
}

bool meeting_is_loose(const struct role *role)
{
    const enum wait_event_kind kind = meeting_kind(role);
    if (kind == EVENT_ALL_TO_ALL)
        return role->collective == COLLECTIVE_ALLTOALLV || role->collective == COLLECTIVE_ALLTOALLW ||
               role->collective == COLLECTIVE_REDUCE_SCATTER;
    return kind != EVENT_BARRIER && kind != EVENT_FROM_ROOT && kind != EVENT_TO_ROOT && kind != EVENT_PREFIX;
}

static bool moves_data(enum wait_event_kind kind)
{
    return kind == EVENT_ALL_TO_ALL || kind == EVENT_FROM_ROOT || kind == EVENT_TO_ROOT ||
           kind == EVENT_PREFIX || kind == EVENT_NEIGHBOURS;
}

/* What is moved with MPI_IN_PLACE is known of one side only; where all give and take, that is enough. */
static bool gives(const struct role *role, const struct matching_member *m)
{
    const enum wait_event_kind kind = meeting_kind(role);
    if (m->refused || !moves_data(kind))
        return !m->refused;
    const bool one_side =
        kind == EVENT_FROM_ROOT || kind == EVENT_TO_ROOT || role->collective == COLLECTIVE_ALLGATHERV;
    return m->sent > 0 || (!one_side && m->received > 0);
}

static bool takes(const struct role *role, const struct matching_member *m)
{
    const enum wait_event_kind kind = meeting_kind(role);
    if (m->refused || !moves_data(kind))
        return !m->refused;
    return m->received > 0 || (kind != EVENT_FROM_ROOT && kind != EVENT_TO_ROOT && m->sent > 0);
}

static uint64_t enter_of(const struct matching_collective *c, size_t member)
{
    return c->members[member].call.timestamp.enter;
}

static bool may_cause(const struct matching_collective *c, size_t member, size_t other)
{
    return other != member && (!c->inter || c->members[member].second != c->members[other].second);
}

/* ---- the last of all ------------------------------------------------------------------------- */

/* The last two givers of each group: one of them is somebody else. */
static void find_last(struct meeting_causes *out, const struct role *role,
                      const struct matching_collective *c)
{
    size_t last[2][2] = {{MEETING_NOBODY, MEETING_NOBODY}, {MEETING_NOBODY, MEETING_NOBODY}};
    for (size_t i = 0; i < c->n; i++) {
        size_t *two = last[c->inter && c->members[i].second];
        if (!gives(role, &c->members[i]))
            continue;
        if (two[0] == MEETING_NOBODY || enter_of(c, i) > enter_of(c, two[0])) {
            two[1] = two[0];
            two[0] = i;
        } else if (two[1] == MEETING_NOBODY || enter_of(c, i) > enter_of(c, two[1])) {
            two[1] = i;
        }
    }
    for (size_t i = 0; i < c->n; i++) {
        const size_t *two = last[c->inter && !c->members[i].second];
        out->of_member.items[i] = !takes(role, &c->members[i]) ? MEETING_NOBODY
                                  : two[0] == i                ? two[1]
                                                               : two[0];
    }
}

/* ---- the last that came before one left ------------------------------------------------------ */

static int by_enter(const void *a, const void *b, void *context)
{
    const struct matching_collective *c = context;
    const uint64_t x = enter_of(c, *(const size_t *)a), y = enter_of(c, *(const size_t *)b);
    return x < y ? -1 : x > y;
}

static void find_last_before(struct meeting_causes *out, const struct role *role,
                             const struct matching_collective *c)
{
    out->order.n = 0;
    for (size_t i = 0; i < c->n; i++) {
        if (gives(role, &c->members[i]))
            out->order.items[out->order.n++] = i;
    }
    qsort_r(out->order.items, out->order.n, sizeof *out->order.items, by_enter, (void *)c);
    for (size_t i = 0; i < c->n; i++) {
        const uint64_t leave = c->members[i].call.timestamp.leave;
        size_t at = BISECT(k, out->order.n, enter_of(c, out->order.items[k]) <= leave);
        while (at > 0 && !may_cause(c, i, out->order.items[at - 1]))
            at--;
        out->of_member.items[i] =
            takes(role, &c->members[i]) && at > 0 ? out->order.items[at - 1] : MEETING_NOBODY;
    }
}

/* ---- the last of those before one ------------------------------------------------------------ */

/* Members by rank in the run; MEETING_NOBODY: none. */
static size_t member_of(const struct matching_collective *c, int64_t rank)
{
    const size_t at = BISECT(i, c->n, c->members[i].call.rank < rank);
    return at < c->n && c->members[at].call.rank == rank ? at : MEETING_NOBODY;
}

static void find_prefix(struct meeting_causes *out, const struct groups *groups, const struct role *role,
                        const struct matching_collective *c)
{
    const struct group_view v = {
        .comm = c->scope.comm, .owner = c->scope.owner, .rank = c->members[0].call.rank, .n = (uint32_t)c->n};
    size_t last = MEETING_NOBODY;
    for (size_t i = 0; i < c->n; i++)
        out->of_member.items[i] = MEETING_NOBODY;
    for (size_t k = 0; k < c->n; k++) {
        const size_t i = member_of(c, groups_peer(groups, &v, (int64_t)k));
        if (i == MEETING_NOBODY)
            continue;
        if (takes(role, &c->members[i]))
            out->of_member.items[i] = last;
        if (gives(role, &c->members[i]) && (last == MEETING_NOBODY || enter_of(c, i) > enter_of(c, last)))
            last = i;
    }
}

enum refrain_status meeting_find_causes(struct meeting_causes *out, const struct groups *groups,
                                        const struct role *role, const struct matching_collective *c,
                                        bool blocking)
{
    out->of_member.n = out->order.n = 0;
    if (!array_reserve(&out->of_member, c->n) || !array_reserve(&out->order, c->n))
        return REFRAIN_ERR_MEMORY;
    out->of_member.n = c->n;
    if (meeting_kind(role) == EVENT_PREFIX)
        find_prefix(out, groups, role, c);
    else if (blocking && meeting_is_loose(role))
        find_last_before(out, role, c);
    else
        find_last(out, role, c);
    return REFRAIN_OK;
}

void meeting_causes_free(struct meeting_causes *m)
{
    array_free(&m->of_member);
    array_free(&m->order);
}
