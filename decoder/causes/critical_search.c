/* SPDX-License-Identifier: BSD-3-Clause */
#include "critical_search.h"

#include "efficiency.h"

/* The path anew, for each walk. */
static enum refrain_status start(void *context, const struct wait_search *s, struct causal_sink *sink)
{
    struct critical_path *path = context;
    critical_path_free(path);
    const enum refrain_status status =
        critical_path_create(path, s->lanes.n, s->reader->trace.sites.n, s->slack);
    *sink = critical_path_sink(path);
    return status;
}

static enum refrain_status end(void *context)
{
    return critical_path_end(context);
}

const struct wait_listener *critical_search_open(struct critical_search *c)
{
    c->listener.context = &c->path;
    c->listener.start = start;
    c->listener.end = end;
    return cause_listener_open(&c->listener);
}

/* Of what computing the path has, behind MPI_Init (`behind`) or anywhere, so much is taken away; what could not be is left. */
static uint64_t take_away(struct critical_path *c, const struct wait_search *s, uint64_t time, bool behind)
{
    for (size_t i = 0; i < c->profile.n && time > 0; i++) {
        struct profile_entry *e = &c->profile.items[i];
        const uint32_t before =
            preceding_find(&c->delays.preceding, critical_lane(e->key), critical_site(e->key));
        if (critical_activity(e->key) != CRITICAL_COMPUTING ||
            (behind && before != PRECEDING_NONE && efficiency_counts(s, before)))
            continue;
        const uint64_t part = e->value < time ? e->value : time;
        e->value -= part;
        time -= part;
    }
    return time;
}

/* The path leaves MPI_Init with some rank, the run begins when all have: what that one computed until then is no part of it either. */
enum refrain_status critical_search_leave_init_out(struct critical_search *c, const struct wait_search *s)
{
    struct past_profile *p = &c->path.profile;
    struct efficiency e;
    size_t n = 0;
    const enum refrain_status status = efficiency_find(&e, s);
    if (status != REFRAIN_OK)
        return status;
    c->path.length = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (!efficiency_counts(s, critical_site(p->items[i].key)))
            continue;
        c->path.length += p->items[i].value;
        p->items[n++] = p->items[i];
    }
    p->n = n;
    const uint64_t more = c->path.length > e.time ? c->path.length - e.time : 0,
                   left = take_away(&c->path, s, take_away(&c->path, s, more, true), false);
    c->path.length -= more - left;
    return REFRAIN_OK;
}

void critical_search_free(struct critical_search *c)
{
    cause_listener_free(&c->listener);
    critical_path_free(&c->path);
}
