/* SPDX-License-Identifier: BSD-3-Clause */
#include "resimulation.h"

#include "critical_path.h"

#include "decoder/waits/search/wait_event.h"
#include "src/core/base/log.h"

#include <stdlib.h>

enum refrain_status resimulation_create(struct resimulation *r, size_t n_lanes,
                                        const struct resim_case *cases, size_t n_cases)
{
    *r = (struct resimulation){.n_lanes = n_lanes,
                               .n_cases = n_cases,
                               .cases = cases,
                               .left = calloc(n_lanes + 1, sizeof *r->left),
                               .now = calloc(n_lanes * n_cases + 1, sizeof *r->now),
                               .stretch = calloc(n_lanes * n_cases + 1, sizeof *r->stretch)};
    if (r->left && r->now && r->stretch)
        return REFRAIN_OK;
    log_error("out of memory: %zu threads in %zu cases", n_lanes, n_cases);
    return REFRAIN_ERR_MEMORY;
}

void resimulation_free(struct resimulation *r)
{
    free(r->left);
    free(r->now);
    free(r->stretch);
    array_free(&r->of_mark);
    *r = (struct resimulation){0};
}

/* Of so much time at a place that ended at `end`, by the record, in the case: what it takes there. */
static uint64_t changed(struct resimulation *r, size_t number, const struct causal_call *call,
                        enum critical_activity activity, uint64_t end, uint64_t time)
{
    const struct resim_case *c = &r->cases[number];
    if (c->change == RESIM_IDEAL && activity == CRITICAL_CALL && !(r->keeps && r->keeps[call->site]))
        return 0;
    if (c->change != RESIM_SHORTER || c->place != critical_key(call->site, activity, 0) >> 32)
        return time;
    const struct resim_stretches *s = &c->of_lane[call->lane];
    size_t *at = &r->stretch[call->lane * r->n_cases + number];
    while (*at < s->n && s->items[*at].to < end)
        (*at)++;
    if (*at == s->n || s->items[*at].from >= end)
        return time;
    return (uint64_t)((double)time * s->items[*at].left + 0.5);
}

static uint64_t *of_mark(struct resimulation *r, uint32_t mark)
{
    return &r->of_mark.items[mark * r->n_cases];
}

static bool make_mark(struct resimulation *r, uint32_t mark)
{
    const size_t wanted = (mark + (size_t)1) * r->n_cases;
    if (wanted > r->of_mark.n && !array_reserve(&r->of_mark, wanted - r->of_mark.n))
        return false;
    while (r->of_mark.n < wanted)
        r->of_mark.items[r->of_mark.n++] = 0;
    return true;
}

static enum refrain_status take_enter(void *context, const struct causal_call *call, uint32_t mark)
{
    struct resimulation *r = context;
    uint64_t *now = &r->now[call->lane * r->n_cases], *left = &r->left[call->lane];
    const uint64_t time = call->enter > *left ? call->enter - *left : 0;
    if (mark != CAUSAL_NONE && !make_mark(r, mark))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < r->n_cases; i++) {
        now[i] += changed(r, i, call, CRITICAL_COMPUTING, call->enter, time);
        if (mark != CAUSAL_NONE)
            of_mark(r, mark)[i] = now[i];
    }
    return REFRAIN_OK;
}

/* A call that was over before has not waited for it, whatever is known. */
static bool counts(const struct resimulation *r, const struct causal_call *call, const struct causal_cause *c)
{
    return c->at <= call->leave + r->slack;
}

static enum refrain_status take_leave(void *context, const struct causal_call *call,
                                      const struct causal_cause *causes, size_t n)
{
    struct resimulation *r = context;
    uint64_t *now = &r->now[call->lane * r->n_cases], from = call->enter;
    for (size_t i = 0; i < n; i++) {
        if (counts(r, call, &causes[i]) && causes[i].at > from)
            from = causes[i].at;
    }
    const uint64_t own = call->leave > from ? call->leave - from : 0;
    for (size_t k = 0; k < r->n_cases; k++) {
        const struct resim_case *c = &r->cases[k];
        const bool apart = c->change == RESIM_APART && (c->site == RESIM_ANYWHERE || c->site == call->site);
        for (size_t i = 0; i < n; i++) {
            const uint64_t at = of_mark(r, causes[i].mark)[k];
            if (at > now[k] && counts(r, call, &causes[i]) && !(apart && c->kinds & EVENTS(causes[i].kind)))
                now[k] = at;
        }
        now[k] += changed(r, k, call, CRITICAL_CALL, call->leave, own);
    }
    r->left[call->lane] = call->leave;
    return REFRAIN_OK;
}

static enum refrain_status take_join(void *context, uint32_t mark, const struct causal_cause *members,
                                     size_t n)
{
    struct resimulation *r = context;
    if (!make_mark(r, mark))
        return REFRAIN_ERR_MEMORY;
    uint64_t *last = of_mark(r, mark);
    for (size_t k = 0; k < r->n_cases; k++) {
        last[k] = 0;
        for (size_t i = 0; i < n; i++) {
            const uint64_t at = of_mark(r, members[i].mark)[k];
            last[k] = at > last[k] ? at : last[k];
        }
    }
    return REFRAIN_OK;
}

static void forget(void *context, uint32_t mark)
{
    (void)context;
    (void)mark;
}

struct causal_sink resimulation_sink(struct resimulation *r)
{
    return (struct causal_sink){
        .context = r, .enter = take_enter, .leave = take_leave, .forget = forget, .join = take_join};
}

uint64_t resimulation_end(const struct resimulation *r, size_t number)
{
    uint64_t end = 0;
    for (size_t i = 0; i < r->n_lanes; i++) {
        const uint64_t of_lane = r->now[i * r->n_cases + number];
        end = of_lane > end ? of_lane : end;
    }
    return end;
}
