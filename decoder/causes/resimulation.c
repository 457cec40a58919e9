/* SPDX-License-Identifier: BSD-3-Clause */
#include "resimulation.h"

#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum refrain_status resimulation_create(struct resimulation *r, size_t n_lanes,
                                        const struct resim_case *cases, size_t n_cases)
{
    const size_t stride = n_cases + (n_cases & 1);
    assert(n_cases <= RESIM_CASES);
    *r = (struct resimulation){.n_lanes = n_lanes,
                               .n_cases = n_cases,
                               .stride = stride,
                               .cases = cases,
                               .left = calloc(n_lanes + 1, sizeof *r->left),
                               .now = calloc(n_lanes * stride + 1, sizeof *r->now)};
    for (size_t i = 0; i < n_cases; i++)
        r->first_place[i + 1] = r->first_place[i] + cases[i].n_places;
    r->stretch = calloc(n_lanes * r->first_place[n_cases] + 1, sizeof *r->stretch);
    r->limit = calloc(n_lanes * r->first_place[n_cases] + 1, sizeof *r->limit);
    if (r->left && r->now && r->stretch && r->limit)
        return REFRAIN_OK;
    log_error("out of memory: %zu threads in %zu cases", n_lanes, n_cases);
    return REFRAIN_ERR_MEMORY;
}

void resimulation_free(struct resimulation *r)
{
    free(r->left);
    free(r->now);
    free(r->stretch);
    free(r->limit);
    array_free(&r->of_mark);
    array_free(&r->sites);
    *r = (struct resimulation){0};
}

/* ---- cases by site --------------------------------------------------------------------------- */

/* Returns the number of the place in the case; n_places if it is none of its places. */
static size_t place_in(const struct resim_case *c, uint32_t place)
{
    size_t i = 0;
    while (i < c->n_places && c->places[i].place != place)
        i++;
    return i;
}

static struct resim_site look_at(const struct resimulation *r, uint32_t site)
{
    struct resim_site s = {.known = true};
    for (size_t i = 0; i < r->n_cases; i++) {
        const struct resim_case *c = &r->cases[i];
        const uint32_t this = UINT32_C(1) << i;
        const bool is_here = c->site == RESIM_ANYWHERE || c->site == site;
        if (c->change == RESIM_IDEAL && is_here && !(r->keeps && r->keeps[site]))
            s.changed[CRITICAL_CALL] |= this;
        for (unsigned a = 0; c->change == RESIM_SHORTER && a < CRITICAL_ACTIVITIES; a++)
            s.changed[a] |= place_in(c, (uint32_t)(critical_key(site, a, 0) >> 32)) < c->n_places ? this : 0;
        if (is_here && (c->change == RESIM_IDEAL || c->change == RESIM_APART))
            s.apart |= this;
    }
    return s;
}

static inline const struct resim_site *site_of(struct resimulation *r, uint32_t site)
{
    if (site < r->sites.n && r->sites.items[site].known)
        return &r->sites.items[site];
    while (r->sites.n <= site) {
        if (!array_push(&r->sites, (struct resim_site){0}))
            return NULL;
    }
    r->sites.items[site] = look_at(r, site);
    return &r->sites.items[site];
}

/* ---- one call after the other ---------------------------------------------------------------- */

/* Returns how long the case takes for `time` at the place of `key`, which ended at `end` in the record. */
static uint64_t changed(struct resimulation *r, size_t number, uint64_t key, uint64_t end, uint64_t time)
{
    const struct resim_case *c = &r->cases[number];
    const uint32_t lane = critical_lane(key);
    if (c->change == RESIM_IDEAL)
        return 0;
    const size_t place = place_in(c, (uint32_t)(key >> 32)),
                 cursor = lane * r->first_place[r->n_cases] + r->first_place[number] + place;
    const struct resim_stretches *s = &c->places[place].of_lane[lane];
    const struct resim_limits *l = &c->places[place].limits;
    uint64_t left = time;
    size_t *at = &r->stretch[cursor];
    while (*at < s->n && s->items[*at].to < end)
        (*at)++;
    if (*at < s->n && s->items[*at].from < end)
        left = (uint64_t)((double)time * s->items[*at].left + 0.5);
    if (!c->is_late || !c->is_late[lane])
        return left;
    at = &r->limit[cursor];
    while (*at < l->n && l->items[*at].to < end)
        (*at)++;
    if (*at == l->n || l->items[*at].from >= end || time < l->items[*at].least)
        return left;
    return left < l->items[*at].most ? left : l->items[*at].most;
}

/* The current times of a lane, by case. */
static inline uint64_t *row_of(const struct resimulation *r, uint32_t lane)
{
    return &r->now[lane * r->stride];
}

/* Advances the lane of `key` by `time`, or in these cases by their changed time. */
static void go_on(struct resimulation *r, uint64_t key, uint32_t cases, uint64_t end, uint64_t time)
{
    uint64_t *now = row_of(r, critical_lane(key));
    for (size_t i = 0; i < r->stride; i += 2) { /* pairs become vector instructions */
        now[i] += time;
        now[i + 1] += time;
    }
    for (; cases; cases &= cases - 1) {
        const size_t i = (size_t)__builtin_ctz(cases);
        now[i] += changed(r, i, key, end, time) - time;
    }
}

static inline uint64_t *of_mark(const struct resimulation *r, uint32_t mark)
{
    return &r->of_mark.items[mark * r->stride];
}

static bool make_mark(struct resimulation *r, uint32_t mark)
{
    const size_t wanted = (mark + (size_t)1) * r->stride;
    if (wanted > r->of_mark.n && !array_reserve(&r->of_mark, wanted - r->of_mark.n))
        return false;
    while (r->of_mark.n < wanted)
        r->of_mark.items[r->of_mark.n++] = 0;
    return true;
}

static enum refrain_status take_enter(void *context, const struct causal_call *call, uint32_t mark)
{
    struct resimulation *r = context;
    const uint64_t left = r->left[call->lane];
    const struct resim_site *site = site_of(r, call->site);
    if (!site || (mark != CAUSAL_NONE && !make_mark(r, mark)))
        return REFRAIN_ERR_MEMORY;
    go_on(r, critical_key(call->site, CRITICAL_COMPUTING, call->lane), site->changed[CRITICAL_COMPUTING],
          call->enter, call->enter > left ? call->enter - left : 0);
    if (mark != CAUSAL_NONE)
        memcpy(of_mark(r, mark), row_of(r, call->lane), r->stride * sizeof *r->now);
    return REFRAIN_OK;
}

/* A call that ended before the cause did not wait for it. */
static bool counts(const struct resimulation *r, const struct causal_call *call, const struct causal_cause *c)
{
    return c->at <= call->leave + r->slack;
}

/* No case continues before the cause, except cases that ignore this kind of waiting. */
static void wait_for(struct resimulation *r, uint32_t lane, uint32_t apart, const struct causal_cause *cause)
{
    uint64_t *restrict now = row_of(r, lane);
    const uint64_t *at = of_mark(r, cause->mark);
    uint32_t ignore = 0;
    for (; apart; apart &= apart - 1) {
        const uint32_t k = (uint32_t)__builtin_ctz(apart);
        const struct resim_case *c = &r->cases[k];
        const uint64_t kinds = c->change == RESIM_IDEAL ? RESIM_INSIDE : c->kinds;
        ignore |= kinds & EVENTS(cause->kind) ? UINT32_C(1) << k : 0;
    }
    for (size_t k = 0; k < r->n_cases; k++) {
        const uint64_t later = at[k] > now[k] ? at[k] : now[k];
        now[k] = ignore >> k & 1 ? now[k] : later;
    }
}

static enum refrain_status take_leave(void *context, const struct causal_call *call,
                                      const struct causal_cause *causes, size_t n)
{
    struct resimulation *r = context;
    const struct resim_site *site = site_of(r, call->site);
    uint64_t from = call->enter;
    if (!site)
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        if (!counts(r, call, &causes[i]))
            continue;
        from = causes[i].at > from ? causes[i].at : from;
        wait_for(r, call->lane, site->apart, &causes[i]);
    }
    go_on(r, critical_key(call->site, CRITICAL_CALL, call->lane), site->changed[CRITICAL_CALL], call->leave,
          call->leave > from ? call->leave - from : 0);
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
        const uint64_t of_lane = row_of(r, (uint32_t)i)[number];
        end = of_lane > end ? of_lane : end;
    }
    return end;
}
