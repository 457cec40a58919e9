/* SPDX-License-Identifier: BSD-3-Clause */
#include "critical_search.h"

#include "src/core/base/log.h"

#include <stdlib.h>

static const struct resim_case critical_cases[CRITICAL_CASES] = {
    [CRITICAL_AS_IT_WAS] = {.change = RESIM_NOTHING}, [CRITICAL_IDEAL] = {.change = RESIM_IDEAL}};

/* ---- callbacks ------------------------------------------------------------------------------------- */

#define TELL(what, ...)                                                                                      \
    const struct critical_search *c = context;                                                               \
    enum refrain_status status = REFRAIN_OK;                                                                 \
    for (size_t i = 0; i < sizeof c->sinks / sizeof c->sinks[0] && status == REFRAIN_OK; i++) {              \
        if (c->sinks[i].what)                                                                                \
            status = c->sinks[i].what(c->sinks[i].context, __VA_ARGS__);                                     \
    }                                                                                                        \
    return status

static enum refrain_status tell_enter(void *context, const struct causal_call *call, uint32_t mark)
{
    TELL(enter, call, mark);
}

static enum refrain_status tell_leave(void *context, const struct causal_call *call,
                                      const struct causal_cause *causes, size_t n)
{
    TELL(leave, call, causes, n);
}

static enum refrain_status tell_join(void *context, uint32_t mark, const struct causal_cause *members,
                                     size_t n)
{
    TELL(join, mark, members, n);
}

static void tell_forget(void *context, uint32_t mark)
{
    const struct critical_search *c = context;
    for (size_t i = 0; i < sizeof c->sinks / sizeof c->sinks[0]; i++) {
        if (c->sinks[i].forget)
            c->sinks[i].forget(c->sinks[i].context, mark);
    }
}

/* ---- all ------------------------------------------------------------------------------------------- */

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

/* Starts again for each walk. */
static enum refrain_status start(void *context, const struct wait_search *s, struct causal_sink *sink)
{
    struct critical_search *c = context;
    causal_relay_free(&c->relay);
    critical_path_free(&c->path);
    resimulation_free(&c->anew);
    causal_log_free(&c->log);
    enum refrain_status status = find_keeps(c, s);
    if (status == REFRAIN_OK)
        status = critical_path_create(&c->path, s->lanes.n, s->reader->trace.sites.n, s->slack);
    c->path.route.wanted = c->keeps_route;
    c->path.begin = s->begin;
    if (status == REFRAIN_OK)
        status = resimulation_create(&c->anew, s->lanes.n, critical_cases, CRITICAL_CASES);
    if (status == REFRAIN_OK && c->keeps_log)
        status = causal_log_create(&c->log, s->lanes.n);
    c->anew.keeps = c->keeps;
    c->anew.slack = s->slack;
    c->sinks[0] = critical_path_sink(&c->path);
    c->sinks[1] = resimulation_sink(&c->anew);
    if (c->keeps_log)
        c->sinks[2] = causal_log_sink(&c->log);
    *sink = (struct causal_sink){c, tell_enter, tell_leave, tell_forget, tell_join};
    if (status != REFRAIN_OK || !c->pool || thread_pool_size(c->pool) < 2)
        return status;
    const struct causal_sink to = *sink;
    *sink = causal_relay_sink(&c->relay);
    return causal_relay_create(&c->relay, c->pool, s->lanes.n, &to);
}

static enum refrain_status end(void *context)
{
    struct critical_search *c = context;
    const enum refrain_status status = c->relay.pool ? causal_relay_end(&c->relay) : REFRAIN_OK;
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
