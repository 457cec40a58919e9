/* SPDX-License-Identifier: BSD-3-Clause */
#include "wait_meeting.h"

#include "src/core/base/bisect.h"
#include "wait_progress.h"

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

/* How a collective shows who sends and who receives. With MPI_IN_PLACE, only one direction of a
 * member is known; if all members send and receive, one is enough. In MPI_Allgatherv some members
 * may send nothing, but if one uses MPI_IN_PLACE, all do, and then no sender is known. */
struct giving {
    enum wait_event_kind kind;
    bool always, sends_tell, receives_tell;
};

static struct giving giving_of(const struct role *role, const struct matching_collective *c)
{
    struct giving g = {.kind = meeting_kind(role)};
    bool sends = false;
    for (size_t i = 0; i < c->n && !sends; i++)
        sends = c->members[i].sent > 0;
    const bool rooted = g.kind == EVENT_FROM_ROOT || g.kind == EVENT_TO_ROOT,
               allgatherv = role->collective == COLLECTIVE_ALLGATHERV;
    g.always = !moves_data(g.kind);
    g.sends_tell = rooted || (allgatherv && sends); /* these fields alone */
    g.receives_tell = rooted;
    return g;
}

static bool gives(const struct giving *g, const struct matching_member *m)
{
    return !m->refused && (g->always || m->sent > 0 || (!g->sends_tell && m->received > 0));
}

static bool takes(const struct giving *g, const struct matching_member *m)
{
    return !m->refused && (g->always || m->received > 0 || (!g->receives_tell && m->sent > 0));
}

static uint64_t enter_of(const struct matching_collective *c, size_t member)
{
    return c->members[member].call.timestamp.enter;
}

/* ---- the last member of all ------------------------------------------------------------------ */

/* Finds the last two senders of each group: one of them is not the member itself. */
static void find_last(struct meeting_causes *out, const struct giving *g, const struct matching_collective *c)
{
    size_t last[2][2] = {{MEETING_NOBODY, MEETING_NOBODY}, {MEETING_NOBODY, MEETING_NOBODY}};
    for (size_t i = 0; i < c->n; i++) {
        size_t *two = last[c->inter && c->members[i].second];
        if (!gives(g, &c->members[i]))
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
        out->of_member.items[i] = !takes(g, &c->members[i]) ? MEETING_NOBODY : two[0] == i ? two[1] : two[0];
    }
}

/* ---- the last member that entered before one left -------------------------------------------- */

static int by_enter(const void *a, const void *b)
{
    const struct arrival *x = a, *y = b;
    if (x->call.timestamp.enter != y->call.timestamp.enter)
        return x->call.timestamp.enter < y->call.timestamp.enter ? -1 : 1;
    return x->member < y->member ? -1 : x->member > y->member;
}

/* Returns NULL if memory is short. */
static struct arrivals *find_arrivals(const struct giving *g, const struct matching_collective *c)
{
    struct arrivals *a = malloc(sizeof *a + c->n * sizeof a->items[0]);
    if (!a)
        return NULL;
    *a = (struct arrivals){.n_holders = 1, .inter = c->inter};
    for (size_t i = 0; i < c->n; i++) {
        if (gives(g, &c->members[i]))
            a->items[a->n++] = (struct arrival){c->members[i].call, i, c->members[i].second};
    }
    qsort(a->items, a->n, sizeof a->items[0], by_enter);
    return a;
}

const struct arrival *arrivals_last(const struct arrivals *a, uint32_t rank, bool second, uint64_t time)
{
    size_t at = BISECT(k, a->n, a->items[k].call.timestamp.enter <= time);
    while (at > 0 && (a->items[at - 1].call.rank == rank || (a->inter && a->items[at - 1].second == second)))
        at--;
    return at > 0 ? &a->items[at - 1] : NULL;
}

void arrivals_release(struct arrivals *a)
{
    if (a && (a->n_holders == 0 || --a->n_holders == 0))
        free(a);
}

static void find_last_before(struct meeting_causes *out, const struct giving *g,
                             const struct matching_collective *c, const struct arrivals *a, bool later)
{
    for (size_t i = 0; i < c->n; i++) {
        const struct matching_member *m = &c->members[i];
        const struct arrival *last =
            later ? NULL : arrivals_last(a, m->call.rank, m->second, m->call.timestamp.leave);
        out->of_member.items[i] = !takes(g, m) ? MEETING_NOBODY
                                  : later      ? MEETING_LATER
                                  : last       ? last->member
                                               : MEETING_NOBODY;
    }
}

/* ---- the last of the members before one (scans) ---------------------------------------------- */

/* Returns the member with this rank in the run, or MEETING_NOBODY. */
static size_t member_of(const struct matching_collective *c, int64_t rank)
{
    const size_t at = BISECT(i, c->n, c->members[i].call.rank < rank);
    return at < c->n && c->members[at].call.rank == rank ? at : MEETING_NOBODY;
}

static void find_prefix(struct meeting_causes *out, const struct groups *groups, const struct giving *g,
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
        out->in_order.items[out->in_order.n++] = i;
        if (takes(g, &c->members[i]))
            out->of_member.items[i] = last;
        if (gives(g, &c->members[i]) && (last == MEETING_NOBODY || enter_of(c, i) > enter_of(c, last)))
            last = i;
    }
}

enum refrain_status meeting_find_causes(struct meeting_causes *out, const struct groups *groups,
                                        const struct role *role, const struct matching_collective *c,
                                        bool blocking, struct arrivals **later)
{
    const struct giving g = giving_of(role, c);
    out->of_member.n = out->gives.n = out->in_order.n = 0;
    if (!array_reserve(&out->of_member, c->n) || !array_reserve(&out->gives, c->n) ||
        !array_reserve(&out->in_order, c->n))
        return REFRAIN_ERR_MEMORY;
    out->of_member.n = out->gives.n = c->n;
    for (size_t i = 0; i < c->n; i++)
        out->gives.items[i] = gives(&g, &c->members[i]);
    *later = NULL;
    if (meeting_is_loose(role)) {
        struct arrivals *a = find_arrivals(&g, c);
        if (!a)
            return REFRAIN_ERR_MEMORY;
        find_last_before(out, &g, c, a, !blocking);
        if (blocking)
            arrivals_release(a);
        else
            *later = a;
    } else if (g.kind == EVENT_PREFIX) {
        find_prefix(out, groups, &g, c);
    } else {
        find_last(out, &g, c);
    }
    return REFRAIN_OK;
}

bool meeting_find_late(const struct matching_collective *c, size_t i, size_t cause, size_t *late,
                       uint64_t *from)
{
    const struct timestamp *t = &c->members[i].call.timestamp;
    uint64_t last = t->enter;
    if (cause < c->n && enter_of(c, cause) > last)
        last = enter_of(c, cause);
    *from = last;
    if (*from + PROGRESS_LEAST > t->leave)
        return false;
    for (size_t k = 0; k < c->n; k++) {
        const uint64_t enter = enter_of(c, k);
        if (k == i || c->members[k].refused || enter <= last || enter > t->leave)
            continue;
        last = enter;
        *late = k;
    }
    return late_is_cause(*from, last, t->leave);
}

void meeting_causes_free(struct meeting_causes *m)
{
    array_free(&m->of_member);
    array_free(&m->gives);
    array_free(&m->in_order);
    array_free(&m->joints);
    array_free(&m->made);
    array_free(&m->calls);
}
