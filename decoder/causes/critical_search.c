/* SPDX-License-Identifier: BSD-3-Clause */
#include "critical_search.h"

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

void critical_search_free(struct critical_search *c)
{
    cause_listener_free(&c->listener);
    critical_path_free(&c->path);
}
