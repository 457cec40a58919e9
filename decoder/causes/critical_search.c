/* SPDX-License-Identifier: BSD-3-Clause */
#include "critical_search.h"

#include "src/core/base/log.h"

#include <stdlib.h>

static const struct resim_case critical_cases[CRITICAL_CASES] = {
    [CRITICAL_AS_IT_WAS] = {.change = RESIM_NOTHING},
    [CRITICAL_IDEAL] = {.change = RESIM_IDEAL, .site = RESIM_ANYWHERE}};

/* Finds the sites whose time an ideal network does not change: files, MPI_Init, and one-sided
 * calls that are not collective, because the causes of their waiting are not all known. */
static enum refrain_status find_keeps(struct critical_search *c, const struct wait_search *s)
{
    const struct trace *t = &s->reader->trace;
    free(c->keeps);
    c->keeps = calloc(t->sites.n + 1, sizeof *c->keeps);
    if (!c->keeps) {
        log_error("out of memory: %zu call sites", t->sites.n);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < t->sites.n; i++) {
        const struct role *role = &s->roles.items[t->sites.items[i].function];
        c->keeps[i] = role->kind == CALL_FILE || role->actions & ROLE_INIT ||
                      (role->kind == CALL_ONE_SIDED && !(role->actions & ROLE_COLLECTIVE));
    }
    return REFRAIN_OK;
}

/* A relay's sink does not know the numbers of calls: parts get the calls before it. */
static enum refrain_status start_parts(struct critical_search *c, const struct wait_search *s,
                                       struct causal_sink *sink)
{
    const struct causal_sink parts = part_times_sink(c->parts), rest = *sink;
    c->before.n = 0;
    causal_tee_add(&c->before, &parts);
    causal_tee_add(&c->before, &rest);
    *sink = causal_tee_sink(&c->before);
    return part_times_start(c->parts, s, c->keeps);
}

/* Starts again for each walk. */
static enum refrain_status start(void *context, const struct wait_search *s, struct causal_sink *sink)
{
    struct critical_search *c = context;
    causal_relay_free(&c->relay);
    critical_path_free(&c->path);
    resimulation_free(&c->anew);
    causal_log_free(&c->log);
    enum refrain_status status = find_keeps(c, s);
    const bool relays = c->pool && thread_pool_size(c->pool) > 1;
    if (status == REFRAIN_OK)
        status = critical_path_create(&c->path, s->lanes.n, s->reader->trace.sites.n, s->slack);
    c->path.route.wanted = c->keeps_route;
    c->path.begin = s->begin;
    if (status == REFRAIN_OK && c->simulates)
        status = resimulation_create(&c->anew, s->lanes.n, critical_cases, CRITICAL_CASES);
    if (status == REFRAIN_OK && c->keeps_log)
        status = causal_log_create(&c->log, s->lanes.n);
    c->anew.keeps = c->keeps;
    c->anew.slack = s->slack;
    const struct causal_sink path = critical_path_sink(&c->path), anew = resimulation_sink(&c->anew),
                             log = causal_log_sink(&c->log);
    c->tee.n = 0;
    causal_tee_add(&c->tee, &path);
    if (c->simulates)
        causal_tee_add(&c->tee, &anew);
    if (c->keeps_log && !relays)
        causal_tee_add(&c->tee, &log);
    *sink = causal_tee_sink(&c->tee);
    if (status == REFRAIN_OK && relays) {
        const struct causal_sink to = *sink;
        *sink = causal_relay_sink(&c->relay);
        status = causal_relay_create(&c->relay, c->pool, s->lanes.n, &to, c->keeps_log ? &c->log : NULL);
    }
    return status == REFRAIN_OK && c->parts ? start_parts(c, s, sink) : status;
}

static enum refrain_status end(void *context)
{
    struct critical_search *c = context;
    enum refrain_status status = c->relay.pool ? causal_relay_end(&c->relay) : REFRAIN_OK;
    if (status == REFRAIN_OK && c->parts)
        status = part_times_end(c->parts, c->listener.search);
    return status == REFRAIN_OK ? critical_path_end(&c->path) : status;
}

const struct wait_listener *critical_search_open(struct critical_search *c)
{
    c->listener.context = c;
    c->listener.start = start;
    c->listener.end = end;
    c->pool = c->listener.pool = thread_pool_create();
    return cause_listener_open(&c->listener);
}

enum refrain_status critical_search_efficiency(const struct critical_search *c, const struct wait_search *s,
                                               struct efficiency *e)
{
    const enum refrain_status status = efficiency_find(e, s);
    if (!c->simulates || status != REFRAIN_OK)
        return status;
    const uint64_t end = resimulation_end(&c->anew, CRITICAL_IDEAL),
                   again = resimulation_end(&c->anew, CRITICAL_AS_IT_WAS);
    e->ideal = end > e->begin ? end - e->begin : 0;
    e->simulated = again > e->begin ? again - e->begin : 0;
    return status;
}

void critical_search_free(struct critical_search *c)
{
    cause_listener_free(&c->listener);
    causal_relay_free(&c->relay);
    thread_pool_free(c->pool);
    critical_path_free(&c->path);
    resimulation_free(&c->anew);
    causal_log_free(&c->log);
    free(c->keeps);
    *c = (struct critical_search){0};
}
